"""Rollout policies: quick, sensible choices in compiled code, to play a game out or to be an anchor for ratings."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BUY, COLLECT, END, GROW
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.legal import growable, legal
from sunglade.kernel.lifecycle import usable
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import TURN, Record
from sunglade.kernel.tables import COLLECT_COST, LARGE, PLANT_NUMBER, PRICE, REACH, SEED, SMALL

COLLECT_FROM_ROUND: Final = 12
PLANT_BEFORE_ROUND: Final = 14


@inlined
def nth(spaces: int, n: int) -> int:
    """The n-th space of a set, counted from 0."""
    for _ in range(n):
        spaces &= spaces - 1
    return lowest(spaces)


@compiled
def random_choice(s: Record, random: int, legal_list: Record) -> int:
    """Any legal action."""
    return legal_list.action[below(random, legal(s, legal_list))]


@compiled
def simple_policy(s: Record, random: int, legal_list: Record) -> int:
    """Grow the largest, buy what could grow, seed early; one choice in eight is random. Needs two random numbers.

    The rollout policy of the C++ yardstick, for comparisons at equal work; the base game only.
    """
    p = s.player & 3
    if s.phase != TURN or below(random, 8) == 0:
        return random_choice(s, shuffled(random), legal_list)
    random = shuffled(random)
    ready = growable(s, p) & ~s.activated
    if ready:
        for size in range(2, -1, -1):
            spaces = ready & s.pieces[p, size]
            if size == 2 and s.current_round >= COLLECT_FROM_ROUND and s.light[p] >= COLLECT_COST:
                large = s.pieces[p, LARGE] & ~s.activated
                if large:
                    return COLLECT + nth(large, below(random, popcount(large)))
            if spaces:
                return GROW + nth(spaces, below(random, popcount(spaces)))
    elif s.current_round >= COLLECT_FROM_ROUND and s.light[p] >= COLLECT_COST and s.pieces[p, LARGE] & ~s.activated:
        large = s.pieces[p, LARGE] & ~s.activated
        return COLLECT + nth(large, below(random, popcount(large)))
    for size in range(LARGE, SEED, -1):
        growing = s.pieces[p, size - 1] & ~s.activated
        if s.available[p, size] == 0 and growing and s.light[p] >= PRICE[size, s.slots[p, size] & 15]:
            return BUY + size
    if s.current_round < PLANT_BEFORE_ROUND:
        return _seed(s, p, random)
    return END


@compiled
def _seed(s: Record, p: int, random: int) -> int:
    """Buy a seed when there is none, else plant from the largest tree that can."""
    if usable(s, p, SEED) <= 0:
        return BUY + SEED if s.light[p] >= PRICE[SEED, s.slots[p, SEED] & 15] else END
    if s.light[p] > 0:
        free = s.empty & ~s.activated
        for size in range(LARGE, SMALL - 1, -1):
            trees = s.pieces[p, size] & ~s.activated
            while trees:
                origin = lowest(trees)
                targets = REACH[size, origin] & free
                if targets:
                    return int(PLANT_NUMBER[origin, nth(targets, below(random, popcount(targets)))])
                trees &= trees - 1
    return END
