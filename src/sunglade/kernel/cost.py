"""What an action costs in light and in lunar points (R-ACT, M-ANIMAL). Plain Python: for showing, not for playing."""

from __future__ import annotations

from typing import NamedTuple

from sunglade import board
from sunglade.kernel.actions import TABLE, Action
from sunglade.kernel.printed import PRICE
from sunglade.kernel.record import Record


class Cost(NamedTuple):
    """Light and lunar points."""

    light: int
    lunar: int


def cost(s: Record, number: int) -> Cost:
    """The price of an action. There must be such a piece: one in the column to buy from, one to grow."""
    return price_of(s, TABLE[number])


def price_of(s: Record, action: Action) -> Cost:
    """The same for a row of the table."""
    light, lunar, p = action.light, action.lunar, s.player
    if action.extra == "slot":
        light += int(PRICE[action.size, s.slots[p, action.size]])
    elif action.extra == "size":
        light += 1 + next(size for size in range(3) if s.pieces[p, size] >> action.space & 1)
    elif action.extra == "leaves":
        lunar += board.LEAVES[s.at[p]]
    return Cost(light, lunar)
