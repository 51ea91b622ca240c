"""How much light each space has brought to whom: what a network in training should foresee (R-LIGHT-3)."""

from __future__ import annotations

from typing import Final, Protocol

from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.light import shadows
from sunglade.kernel.printed import LARGE, SMALL
from sunglade.kernel.record import Record

ROW: Final = 40
"""Bytes for the 37 spaces, in whole words."""
TALLY: Final = 4 * ROW
"""`light[seat * ROW + space]`: light points so far; a game has under 80 a space, so a byte holds it."""


class Tally(Protocol):
    """Whatever has such a tally among its fields."""

    @property
    def light(self) -> memoryview[int]:
        """Light points by seat and space."""


@compiled
def count_light(s: Record, t: Tally) -> None:
    """Add what the photosynthesis that was just done brought to the tally `t.light`, space by space."""
    dark = shadows(s, s.sun)
    for seat in range(s.players):
        for size in range(SMALL, LARGE + 1):
            _count(t, seat, size, s.pieces[seat, size] & ~dark[size - SMALL])


@inlined
def _count(t: Tally, seat: int, size: int, trees: int) -> None:
    while trees:
        t.light[seat * ROW + lowest(trees)] += size
        trees &= trees - 1
