"""Choosing a random legal action by counting instead of writing a list.

A list is dear on a GPU: every thread's own is a detour through slow memory, and 32 threads wait for the longest.
The order in `base_action` is that of `kernel.legal`; a test holds the two together on every kind of position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sunglade.kernel.actions import BUY, COLLECT, COLLECT_COST, END, GROW, PLACE, PLANT_COST
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import inlined
from sunglade.kernel.legal import growable, shaded_pieces
from sunglade.kernel.lifecycle import usable
from sunglade.kernel.light import shadows
from sunglade.kernel.playout import below
from sunglade.kernel.printed import EDGE, EDGE_NUMBER, LARGE, PLANT_NUMBER, PRICE, REACH, SEED, SMALL
from sunglade.kernel.record import PLACING, SHADE_FORBIDS, SHADE_ORIGIN, SHADE_TARGET, Record


@inlined
def nth(bits: int, n: int) -> int:
    """The n-th lowest space of a set, counted from 0."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        below_half = popcount(bits & ((1 << width) - 1))
        if n >= below_half:
            n -= below_half
            bits >>= width
            place += width
    return place


@inlined
def _columns_to_buy(s: Record, p: int) -> int:
    """Columns whose cheapest piece can be paid, a bit each (R-ACT-2)."""
    columns = 0
    for size in range(4):
        if s.light[p] >= PRICE[size, s.slots[p, size] & 15]:
            columns |= 1 << size
    return columns


@inlined
def base_action(s: Record, random: int) -> int:
    """The action that `random` picks out of the legal ones, in a game without modules that is not over."""
    p = s.player & 3
    if s.phase == PLACING:
        spaces = s.empty & EDGE
        return PLACE + EDGE_NUMBER[nth(spaces, below(random, popcount(spaces)))]
    open_spaces = ~s.activated
    buys = _columns_to_buy(s, p)
    grows = growable(s, p) & open_spaces
    collects = s.pieces[p, LARGE] & open_spaces if s.light[p] >= COLLECT_COST else 0
    origins = open_spaces if s.light[p] >= PLANT_COST and usable(s, p, SEED) > 0 else 0
    targets = s.empty & open_spaces
    if s.options & SHADE_FORBIDS:
        if s.options & SHADE_ORIGIN:
            origins &= ~shaded_pieces(s, p)
        if s.options & SHADE_TARGET:
            targets &= ~shadows(s, s.sun)[0]
    return _picked(s, p, random, buys, grows, collects, origins, targets)


@inlined
def _picked(s: Record, p: int, random: int, buys: int, grows: int, collects: int, origins: int, targets: int) -> int:
    """The chosen one of: end, buys, grows, collects, plants."""
    few = 1 + popcount(buys) + popcount(grows) + popcount(collects)
    choice = below(random, few + _plants(s, p, origins, targets))
    if choice >= few:
        return _plant(s, p, origins, targets, choice - few)
    if choice == 0:
        return END
    choice -= 1
    if choice < popcount(buys):
        return BUY + nth(buys, choice)
    choice -= popcount(buys)
    if choice < popcount(grows):
        return GROW + nth(grows, choice)
    return COLLECT + nth(collects, choice - popcount(grows))


@inlined
def _plants(s: Record, p: int, origins: int, targets: int) -> int:
    """How many ways there are to plant (R-ACT-3)."""
    n = 0
    for size in range(SMALL, LARGE + 1):
        trees = s.pieces[p, size] & origins
        while trees:
            n += popcount(REACH[size, lowest(trees)] & targets)
            trees &= trees - 1
    return n


@inlined
def _plant(s: Record, p: int, origins: int, targets: int, choice: int) -> int:
    """One of them."""
    for size in range(SMALL, LARGE + 1):
        trees = s.pieces[p, size] & origins
        while trees:
            origin = lowest(trees)
            reached = REACH[size, origin] & targets
            if choice < popcount(reached):
                return int(PLANT_NUMBER[origin, nth(reached, choice)])
            choice -= popcount(reached)
            trees &= trees - 1
    return END


@inlined
def masked_action(mask_words: NDArray[np.int64], first: int, last: int, random: int) -> int:
    """The action that `random` picks out of a mask's 1s, eight actions to a word; 0 where there is none."""
    n = 0
    for word in range(first, last):
        n += popcount(mask_words[word])
    choice = below(random, n)
    for word in range(first, last):
        here = popcount(mask_words[word])
        if choice < here:
            return 8 * (word - first) + nth(mask_words[word], choice) // 8
        choice -= here
    return 0
