"""What an action costs in light and in lunar points (R-ACT, M-ANIMAL). Plain Python: for showing, not for playing."""

from __future__ import annotations

from typing import Final, NamedTuple

from sunglade.kernel import actions, animals
from sunglade.kernel.printed import COLLECT_COST, LEAVES, PRICE
from sunglade.kernel.record import Record


class Cost(NamedTuple):
    """Light and lunar points."""

    light: int
    lunar: int


def cost(s: Record, action: int) -> Cost:
    """The price of a legal action, in a record or in what `notation.snapshot` made of it."""
    p = int(s.player)
    if actions.BUY <= action < actions.GROW:
        size = action - actions.BUY
        return Cost(int(PRICE[size, s.slots[p][size]]), 0)
    if actions.GROW <= action < actions.COLLECT:
        space = action - actions.GROW
        return Cost(1 + next(size for size in range(3) if s.pieces[p][size] >> space & 1), 0)
    if actions.COLLECT <= action < actions.PLANT:
        return Cost(COLLECT_COST, 0)
    if actions.PLANT <= action < actions.PLACE:
        return Cost(1, 0)
    if action == actions.SQUIRREL_EAT:
        return Cost(0, animals.EAT_COST + int(LEAVES[s.at[p]]))
    for first, prices in reversed(_LUNAR_PRICES):
        if action >= first:
            return Cost(0, prices[min(action - first, len(prices) - 1)])
    return Cost(0, 0)


_LUNAR_PRICES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (actions.BOAR_DIG, animals.DIG_COST),
    (actions.HEDGEHOG_RUN, (animals.RUN_COST,)),
    (actions.HEDGEHOG_PLANT, (animals.PLANT_COST,)),
    (actions.FOX_SCARE, (animals.SCARE_COST,)),
    (actions.FOX_MOVE, (animals.MOVE_COST,)),
    (actions.FOX_STEAL, (animals.STEAL_COST,)),
    (actions.OWL_HUNT, animals.HUNT_COST),
    (actions.BADGER_FERTILISE, animals.FERTILISE_COST),
    (actions.BEAVER_DAM, (animals.DAM_COST,)),
    (actions.BEAVER_STRENGTHEN, (animals.STRENGTHEN_COST,)),
    (actions.TURTLE_HATCH, (animals.HATCH_COST,)),
    (actions.TURTLE_STEPS, (animals.STEPS_COST,)),
)
"""First number and prices of the abilities, in the order of the numbers; several prices are levels."""
