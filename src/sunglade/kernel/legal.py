"""Which actions are legal now (R-ACT)."""

from __future__ import annotations

from sunglade.kernel.actions import BUY, COLLECT, COLLECT_COST, END, GROW, PLACE, PLANT_COST
from sunglade.kernel.animals import animal_actions
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.legal_list import ROOM, LegalList
from sunglade.kernel.lifecycle import usable
from sunglade.kernel.light import shadows
from sunglade.kernel.moonlight_setup import setup_actions
from sunglade.kernel.printed import (
    EDGE,
    EDGE_NUMBER,
    LARGE,
    MEDIUM,
    PLANT_NUMBER,
    PRICE,
    REACH,
    SEED,
    SMALL,
)
from sunglade.kernel.record import (
    MODULE_MOON,
    OVER,
    PLACING,
    SHADE_FORBIDS,
    SHADE_ORIGIN,
    SHADE_TARGET,
    TURN,
    TWO,
    Record,
)


@inlined
def _placings(s: Record, out: LegalList) -> int:
    """Empty spaces on the edge (R-SETUP-5)."""
    n = 0
    spaces = s.empty & EDGE
    while spaces:
        out.action[n & ROOM] = PLACE + EDGE_NUMBER[lowest(spaces)]
        n += 1
        spaces &= spaces - 1
    return n


@inlined
def _buys(s: Record, p: int, out: LegalList, n: int) -> int:
    """Columns whose cheapest piece can be paid (R-ACT-2)."""
    light = s.light[p]
    for size in range(4):
        if light >= PRICE[size, s.slots[p, size] & 15]:
            out.action[n & ROOM] = BUY + size
            n += 1
    return n


@inlined
def growable(s: Record, p: int) -> int:
    """Own pieces whose next size can be paid and is at hand, wherever they stand (R-ACT-4)."""
    spaces = 0
    light = s.light[p]
    for size in range(3):
        if light > size and usable(s, p, size + 1) > 0:
            spaces |= s.pieces[p, size]
    if s.options & SHADE_FORBIDS:
        spaces &= ~shaded_pieces(s, p)
    return spaces


@inlined
def shaded_pieces(s: Record, p: int) -> int:
    """Own pieces in shade, seeds too (R-ADV-2)."""
    small, medium, large = shadows(s, s.sun)
    return (
        ((s.pieces[p, SEED] | s.pieces[p, SMALL]) & small)
        | (s.pieces[p, MEDIUM] & medium)
        | (s.pieces[p, LARGE] & large)
    )


@inlined
def _grows_and_collects(s: Record, p: int, open_spaces: int, out: LegalList, n: int) -> int:
    """Own pieces on spaces that may be acted on (R-ACT-4, R-ACT-5)."""
    spaces = growable(s, p) & open_spaces
    while spaces:
        out.action[n & ROOM] = GROW + lowest(spaces)
        n += 1
        spaces &= spaces - 1
    if s.light[p] >= COLLECT_COST:
        spaces = s.pieces[p, LARGE] & open_spaces
        while spaces:
            out.action[n & ROOM] = COLLECT + lowest(spaces)
            n += 1
            spaces &= spaces - 1
    return n


@inlined
def _plants(s: Record, p: int, open_spaces: int, out: LegalList, n: int) -> int:
    """From every own tree to every empty space in reach, neither of them activated (R-ACT-3).

    While the baby *two* waits one of the two, not both, may be activated (M-ANIMAL-4).
    """
    origins = open_spaces
    empty = s.empty
    if s.options & SHADE_FORBIDS:
        if s.options & SHADE_ORIGIN:
            origins &= ~shaded_pieces(s, p)
        if s.options & SHADE_TARGET:
            empty &= ~shadows(s, s.sun)[0]
    activated = s.activated  # kept at hand: the compiler cannot know that `out` is not the record
    two = s.effects & TWO
    fresh = empty & ~activated
    for size in range(SMALL, LARGE + 1):
        trees = s.pieces[p, size] & origins
        while trees:
            origin = lowest(trees)
            targets = REACH[size, origin] & fresh
            if two and not activated >> origin & 1:
                targets = REACH[size, origin] & empty
            while targets:
                out.action[n & ROOM] = int(PLANT_NUMBER[origin, lowest(targets)])
                n += 1
                targets &= targets - 1
            trees &= trees - 1
    return n


@inlined
def _turn_actions(s: Record, p: int, out: LegalList) -> int:
    """What the player on turn may do (R-ROUND-3, R-ACT)."""
    out.action[0] = END  # always legal (R-ACT-6)
    open_spaces = -1 if s.effects & TWO else ~s.activated
    n = _buys(s, p, out, 1)
    n = _grows_and_collects(s, p, open_spaces, out, n)
    if s.light[p] >= PLANT_COST and usable(s, p, SEED) > 0:
        n = _plants(s, p, open_spaces, out, n)
    if s.options & MODULE_MOON:
        n = animal_actions(s, p, out, n)
    return n


@entry
def legal(s: Record, out: LegalList) -> int:
    """Write every legal action once, in a fixed order, into `out`; return how many there are."""
    p = s.player & 3
    if s.phase == TURN:
        return _turn_actions(s, p, out)
    if s.phase == PLACING:
        return _placings(s, out)
    if s.phase == OVER:
        return 0
    return setup_actions(s, p, out)
