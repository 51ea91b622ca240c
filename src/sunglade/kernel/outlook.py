"""Light and shade for showing (R-LIGHT): this round and the coming ones, under several suns, in one call each."""

from __future__ import annotations

from typing import Any, Final

from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import entry
from sunglade.kernel.light import income, shaded_by, shadows
from sunglade.kernel.moon import lit_spaces, lunar_income, moon_is_full, moon_place, moves_before
from sunglade.kernel.printed import LARGE, SMALL
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.rounds import begin_round
from sunglade.kernel.score import leftover_points, moon_points, pieces_on_board, points

ROUND, SUN, INCOME, LIGHT, DARK = 0, 1, 2, 6, 10
"""Where a row of `look_ahead` has what; `INCOME`, `LIGHT` and the like for four players, `DARK` for three sizes."""
MOON_AT, MOON_FULL, MOON_LIT, LUNAR_INCOME, LUNAR = 13, 14, 15, 16, 20
POINTS, CASTERS, ROW = 24, 61, 98
"""What the tree on each space brings (NO_TREE without one), and who shades it; how long a row is."""
NO_TREE: Final = -1


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
def look_ahead(s: Record, rows: Any) -> None:
    """A row for this round and for each that follows if nobody acts. They are begun on `s`: give a copy."""
    for ahead in range(len(rows)):
        if ahead:
            begin_round(s)
        row = rows[ahead]
        row[ROUND], row[SUN] = s.current_round, s.sun
        dark = shadows(s, s.sun)
        row[DARK], row[DARK + 1], row[DARK + 2] = dark
        for p in range(s.players):
            row[INCOME + p], row[LIGHT + p] = income(s, p, dark), s.light[p]
        row[POINTS:CASTERS] = NO_TREE
        row[CASTERS:ROW] = 0
        light_of_trees(s, s.sun, row[POINTS:CASTERS], row[CASTERS:ROW])
        if s.options & MODULE_MOON:
            moves = moves_before(s.current_round)
            row[MOON_AT], row[MOON_FULL] = moon_place(s, moves), moon_is_full(s, moves)
            row[MOON_LIT] = lit_spaces(s, moves)
            for p in range(s.players):
                row[LUNAR_INCOME + p], row[LUNAR + p] = lunar_income(s, p, moves), s.lunar[p]


@entry
def under_suns(records: Any, suns: Any, incomes: Any, shaded: Any) -> None:
    """For each record under each sun: what it brings each player, which trees stand in shade (R-LIGHT-2, R-LIGHT-3)."""
    for place in range(len(records)):
        s = records[place]
        for turn in range(len(suns)):
            dark = shadows(s, suns[turn])
            hidden = 0
            for p in range(s.players):
                incomes[place, turn, p] = income(s, p, dark)
                hidden |= s.pieces[p, 1] & dark[0] | s.pieces[p, 2] & dark[1] | s.pieces[p, 3] & dark[2]
            shaded[place, turn] = hidden


@entry
def points_made_of(s: Record, rows: Any) -> None:
    """For each player: tokens, leftover light, moon, all together, pieces on the board (R-END-1, M-MOON-6)."""
    for p in range(s.players):
        row = rows[p]
        row[0], row[1], row[2] = s.score[p], leftover_points(s, p), moon_points(s, p)
        row[3], row[4] = points(s, p), pieces_on_board(s, p)
