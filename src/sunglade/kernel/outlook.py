"""What there is to show of a position (R-LIGHT, M-MOON, R-END): light and shade under a sun, the moon, the points."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import SPACE_COUNT
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.fields import Memory, Number, Numbers
from sunglade.kernel.light import income, shaded_by, shadows
from sunglade.kernel.moon import lit_spaces, lunar_income, moon_is_full, moon_place, moves_before
from sunglade.kernel.printed import LARGE, SMALL
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.rounds import next_sun
from sunglade.kernel.score import leftover_points, moon_points, pieces_on_board, points
from sunglade.rules import SUNS

NO_TREE: Final = -1


class Outlook(Memory):
    """A round as it is: what sun and moon bring, and to whom."""

    income = Numbers(4)  # [player]: light points the trees bring
    dark = Numbers(3)  # [size - 1]: where a tree of that size would be shaded
    brings = Numbers(SPACE_COUNT)  # what the tree on a space brings; NO_TREE without one
    casters = Numbers(SPACE_COUNT)  # the spaces of what shades the tree on a space
    moon_at = Number()
    moon_full = Number()
    moon_lit = Number()  # the spaces in moonlight
    lunar_income = Numbers(4)  # [player]: lunar points the moon brings


class ComingSuns(Memory):
    """The six suns from the next one on, if nobody acts."""

    income = Numbers(SUNS, 4)  # [sun, player]
    shaded = Numbers(SUNS)  # the spaces of the trees in shade


class Points(Memory):
    """What everybody's points are made of, [player] each (R-END-1, M-MOON-6)."""

    tokens = Numbers(4)
    leftover = Numbers(4)
    moon = Numbers(4)
    total = Numbers(4)
    pieces = Numbers(4)  # on the main board


@entry
def look(s: Record, o: Outlook) -> None:
    """Write what the round of a position brings (R-LIGHT-2, R-LIGHT-3, M-MOON-5)."""
    small, medium, large = shadows(s, s.sun)
    o.dark[0], o.dark[1], o.dark[2] = small, medium, large
    for space in range(SPACE_COUNT):
        o.brings[space] = NO_TREE
        o.casters[space] = 0
    for p in range(s.players):
        o.income[p] = income(s, p, (small, medium, large))
        _look_at_trees(s, p, o)
    if s.options & MODULE_MOON:
        moves = moves_before(s.current_round)
        o.moon_at = moon_place(s, moves)
        o.moon_full = moon_is_full(s, moves)
        o.moon_lit = lit_spaces(s, moves)
        for p in range(s.players):
            o.lunar_income[p] = lunar_income(s, p, moves)


@compiled
def _look_at_trees(s: Record, p: int, o: Outlook) -> None:
    """What each of a player's trees brings, and what shades it."""
    for size in range(SMALL, LARGE + 1):
        trees = s.pieces[p, size]
        while trees:
            space = lowest(trees)
            o.casters[space] = shaded_by(s, s.sun, space, size)
            o.brings[space] = size if o.casters[space] == 0 else 0
            trees &= trees - 1


@entry
def look_at_suns(s: Record, c: ComingSuns) -> None:
    """Write what the coming suns bring each player, and which trees they leave in shade (R-LIGHT-2, R-LIGHT-3)."""
    first = next_sun(s)
    for ahead in range(SUNS):
        dark = shadows(s, (first + ahead) % SUNS)
        hidden = 0
        for p in range(s.players):
            c.income[ahead, p] = income(s, p, dark)
            hidden |= s.pieces[p, 1] & dark[0] | s.pieces[p, 2] & dark[1] | s.pieces[p, 3] & dark[2]
        c.shaded[ahead] = hidden


@entry
def count_points(s: Record, c: Points) -> None:
    """Write what each player's points are made of, as if the game ended now (R-END-1, M-MOON-6)."""
    for p in range(s.players):
        c.tokens[p] = s.score[p]
        c.leftover[p] = leftover_points(s, p)
        c.moon[p] = moon_points(s, p)
        c.total[p] = points(s, p)
        c.pieces[p] = pieces_on_board(s, p)
