"""What a beginner does about its trees: the first thing that comes to mind (`bots.impulsive`), in compiled code."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BUY, COLLECT, GROW, PLACE, PLANT
from sunglade.kernel.bits import popcount
from sunglade.kernel.compiler import entry
from sunglade.kernel.lifecycle import size_at
from sunglade.kernel.printed import LEAVES, NEIGHBOURS, PLANT_ORIGIN, PLANT_TARGET, SEED
from sunglade.kernel.record import Record
from sunglade.search.manner import Manner

NO_IMPULSE: Final = 0
KIND: Final = 8
"""Impulses of one kind, divided by this, are equal."""
PLANTING, BUYING, GROWING, COLLECTING = (KIND * strength for strength in (1, 2, 3, 4))
"""Kinds of impulses, the weakest first; what speaks for an action among others of its kind is added."""


@entry
def impulse(s: Record, action: int, m: Manner) -> int:
    """How strong the impulse is to do this on a turn; `NO_IMPULSE` for what is none."""
    p = s.player & 3
    turns = s.rounds - s.current_round
    if COLLECT <= action < PLANT:
        return COLLECTING + LEAVES[action - COLLECT] if turns <= m.collects_before_end else NO_IMPULSE
    if not BUY <= action < PLACE or (s.light[p] <= m.hoards and turns > 0):
        return NO_IMPULSE
    if action < GROW:  # a piece of which it has none; the seed last
        size = action - BUY
        return BUYING + size if s.available[p, size] == 0 and turns > 0 else NO_IMPULSE
    if action < COLLECT:
        space = action - GROW
        return GROWING + (LEAVES[space] if m.looks_at_soil else size_at(s, p, 1 << space))
    if popcount(s.pieces[p, SEED]) >= m.seeds:
        return NO_IMPULSE
    target = int(PLANT_TARGET[action - PLANT])
    beside = NEIGHBOURS[int(PLANT_ORIGIN[action - PLANT])] >> target & 1
    return PLANTING + (LEAVES[target] if m.looks_at_soil else beside)
