"""Where an animal should walk: what the moon of the coming rounds brings it, if it may step in each turn and all others
stand still (M-MOON, M-ANIMAL-1).
"""

from __future__ import annotations

from typing import Final

from sunglade import board
from sunglade.kernel import Record
from sunglade.kernel.moon import lit_spaces, moon_is_full, moves_before
from sunglade.kernel.record import NOWHERE, SQUIRREL

SEEN: Final = 3
"""Rounds that are looked ahead."""


def lunar_from(s: Record, seat: int, rounds: int = SEEN) -> list[int]:
    """For every space the most lunar points that an animal finds in the coming rounds if it ends this turn there."""
    steps = 2 if s.animal[seat] == SQUIRREL else 1
    free = ~_blocked(s, seat)
    earned = [0] * len(board.SPACES)
    for ahead in range(min(rounds, s.rounds - s.current_round), 0, -1):
        lit, each = _moon_of(s, ahead)
        earned = [each * (lit >> space & 1) + earned[space] for space in board.SPACES]
        for _ in range(steps if ahead > 1 else 0):
            earned = [_best_within_a_step(earned, space, free) for space in board.SPACES]
    return earned


def _blocked(s: Record, seat: int) -> int:
    """Spaces that an animal may not step on: another animal's, stones, the Elder Tree (M-ANIMAL-1)."""
    others = [s.at[other] for other in range(s.players) if other != seat and s.at[other] != NOWHERE]
    return s.elder | s.stones | sum(1 << space for space in others)


def _moon_of(s: Record, ahead: int) -> tuple[int, int]:
    """The spaces that the moon lights so many rounds ahead, and what it brings there (M-MOON-5)."""
    moves = moves_before(s.current_round + ahead)
    return lit_spaces(s, moves), 2 if moon_is_full(s, moves) else 1


def _best_within_a_step(worth: list[int], space: int, free: int) -> int:
    """The most that can be had from a space by staying or by one step."""
    return max([worth[space], *(worth[other] for other in board.spaces_in(board.NEIGHBOURS[space] & free))])
