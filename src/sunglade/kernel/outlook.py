"""Light and shade for showing (R-LIGHT): every tree under one sun, and what several suns would bring, in one call."""

from __future__ import annotations

from typing import Any

from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import entry
from sunglade.kernel.light import income, shaded_by, shadows
from sunglade.kernel.record import Record
from sunglade.kernel.tables import LARGE, SMALL


@entry
def light_of_trees(s: Record, sun: int, light: Any, casters: Any) -> None:
    """For the space of each tree: the light it brings under a sun, and the spaces of what shades it (R-LIGHT-2, -3)."""
    for p in range(s.players):
        for size in range(SMALL, LARGE + 1):
            trees = s.pieces[p, size]
            while trees:
                space = lowest(trees)
                casters[space] = shaded_by(s, sun, space, size)
                light[space] = size if casters[space] == 0 else 0
                trees &= trees - 1


@entry
def under_suns(s: Record, suns: Any, incomes: Any, shaded: Any) -> None:
    """Under each sun: what it brings each player, and which trees stand in shade (R-LIGHT-2, R-LIGHT-3)."""
    for place in range(len(suns)):
        dark = shadows(s, suns[place])
        hidden = 0
        for p in range(s.players):
            incomes[place, p] = income(s, p, dark)
            hidden |= s.pieces[p, 1] & dark[0] | s.pieces[p, 2] & dark[1] | s.pieces[p, 3] & dark[2]
        shaded[place] = hidden
