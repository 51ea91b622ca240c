"""Where an animal of the lower levels steps: into the moonlight, and to where it will have something to do."""

from __future__ import annotations

from typing import Final

from sunglade import board
from sunglade.bots.moonlit_way import lunar_from
from sunglade.kernel import Record
from sunglade.kernel.actions import DIG_COST, FERTILISE_COST, TABLE
from sunglade.kernel.moon import LUNAR_CAP
from sunglade.kernel.printed import LARGE, MEDIUM, SEED
from sunglade.kernel.record import BADGER, BOAR

PLENTY: Final = LUNAR_CAP + 2
"""Whoever has so many lunar points, or will have them by standing where the moon shines, cannot keep more."""
MOON_A_ROUND: Final = 1.4
IN_PLENTY: Final = 0.5
"""What a lunar point is worth then; otherwise 1."""
WORK: Final = 2.0
"""What it is worth to be where an ability can be used next turn."""
PERHAPS: Final = 1.0
"""And where a tree may be large by then."""
A_STEP_AWAY: Final = 0.9
EARLY: Final = 3
"""In the first of so many parts of the game there is no work."""


def best_step(s: Record, steps: list[int], *, works: bool) -> int | None:
    """The step to the best space, None if it is as good where the animal is."""
    if not steps:
        return None
    me = s.player
    moonlit = lunar_from(s, me)
    rich = works and s.lunar[me] + MOON_A_ROUND * (s.rounds - s.current_round) > PLENTY
    lunar = IN_PLENTY if rich else 1.0
    work = _work(s) if works else {}

    def worth(space: int) -> float:
        near = max([work.get(space, 0.0), *(A_STEP_AWAY * work[w] for w in work if board.NEIGHBOURS[space] >> w & 1)])
        return lunar * moonlit[space] + near

    best = max(steps, key=lambda number: worth(TABLE[number].space))
    return best if worth(TABLE[best].space) > worth(s.at[me]) else None


def _work(s: Record) -> dict[int, float]:
    """Spaces where the boar or the badger will have something to do next turn; the others find work anywhere."""
    me, left = s.player, s.rounds - s.current_round
    if s.current_round * EARLY < s.rounds or not left:
        return {}
    if s.animal[me] == BOAR and s.lunar[me] >= DIG_COST[0] - 1:
        growing = s.pieces[me, MEDIUM] if s.available[me, LARGE] else 0
        found = dict.fromkeys(board.spaces_in(growing), PERHAPS)
        return found | dict.fromkeys(board.spaces_in(s.pieces[me, LARGE]), WORK)
    if s.animal[me] == BADGER and s.lunar[me] >= FERTILISE_COST[0] and left > EARLY:
        return dict.fromkeys(board.spaces_in(s.pieces[me, SEED]), WORK)
    return {}
