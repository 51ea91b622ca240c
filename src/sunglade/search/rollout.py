"""Rollout policies: quick, sensible choices in compiled code, to play a game out or to be an anchor for ratings."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BOAR_DIG, BUY, COLLECT, COLLECT_COST, END, GROW, STEP
from sunglade.kernel.animals import steps_allowed
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.legal import growable, legal, shaded_pieces
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.lifecycle import usable
from sunglade.kernel.light import shadows
from sunglade.kernel.moon import lit_spaces, moves_before
from sunglade.kernel.moonlight_setup import animals_at
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.printed import LARGE, MEDIUM, NEIGHBOURS, PLANT_NUMBER, PRICE, REACH, SEED, SMALL
from sunglade.kernel.record import MODULE_MOON, SHADE_FORBIDS, SHADE_ORIGIN, SHADE_TARGET, TURN, Record

COLLECT_FROM_ROUND: Final = 12
PLANT_BEFORE_ROUND: Final = 14


@inlined
def nth(spaces: int, n: int) -> int:
    """The n-th space of a set, counted from 0."""
    for _ in range(n):
        spaces &= spaces - 1
    return lowest(spaces)


@inlined
def any_of(spaces: int, random: int) -> int:
    """A random space of a set that has one."""
    return nth(spaces, below(random, popcount(spaces)))


@compiled
def legal_actions(s: Record, legal_list: LegalList) -> int:
    """`legal`, compiled once for all of the search: it is large, and rollouts seldom need it."""
    return legal(s, legal_list)


@compiled
def random_choice(s: Record, random: int, legal_list: LegalList) -> int:
    """Any legal action."""
    return legal_list.action[below(random, legal_actions(s, legal_list))]


# The yardstick's policy


@compiled
def simple_policy(s: Record, random: int, legal_list: LegalList) -> int:
    """Grow the largest, buy what could grow, seed early; one choice in eight is random. Needs two random numbers.

    The rollout policy of the C++ yardstick, for comparisons at equal work; the base game only.
    """
    p = s.player & 3
    if s.phase != TURN or below(random, 8) == 0:
        return random_choice(s, shuffled(random), legal_list)
    random = shuffled(random)
    if s.current_round >= COLLECT_FROM_ROUND and s.light[p] >= COLLECT_COST:
        large = s.pieces[p, LARGE] & ~s.activated
        if large:
            return COLLECT + any_of(large, random)
    action = _grow_or_buy(s, p, random)
    if action == END and s.current_round < PLANT_BEFORE_ROUND:
        action = _seed(s, p, random)
    return action


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
                    return int(PLANT_NUMBER[origin, any_of(targets, random)])
                trees &= trees - 1
    return END


# The search's own policy

WHIM: Final = 8
"""One choice in so many is any legal one. Rollouts that seldom err made the search weaker (docs/bots.md)."""
COLLECT_TURNS: Final = 6
"""Turns before the end from which everything that can be collected is."""
PLANT_TURNS: Final = 5
"""Turns before the end in which a seed may still become something."""


@compiled
def sensible_policy(s: Record, random: int, legal_list: LegalList) -> int:
    """A quick choice that is legal under every option and module. Needs two random numbers, three with animals.

    In the base game of 18 rounds the same as `simple_policy`: stronger players were tried and made worse rollouts.
    """
    p = s.player & 3
    if s.phase != TURN or below(random, WHIM) == 0:
        return random_choice(s, shuffled(random), legal_list)
    random = shuffled(random)
    if s.options & MODULE_MOON:
        action = _animal_policy(s, p, random, legal_list)
        if action != END:
            return action
    turns = s.rounds - s.current_round
    large = s.pieces[p, LARGE] & ~s.activated
    if large and turns <= COLLECT_TURNS and s.light[p] >= COLLECT_COST:
        return COLLECT + any_of(large, random)
    action = _grow_or_buy(s, p, random)
    if action == END and turns >= PLANT_TURNS:
        action = _plant_policy(s, p, random)
    return action


@inlined
def _grow_or_buy(s: Record, p: int, random: int) -> int:
    """Grow the largest that can, else buy the largest piece that something could grow into."""
    ready = growable(s, p) & ~s.activated
    if ready:
        for size in range(MEDIUM, SEED - 1, -1):
            spaces = ready & s.pieces[p, size]
            if spaces:
                return GROW + any_of(spaces, random)
    for size in range(LARGE, SEED, -1):
        growing = s.pieces[p, size - 1] & ~s.activated
        if s.available[p, size] == 0 and growing and s.light[p] >= PRICE[size, s.slots[p, size] & 15]:
            return BUY + size
    return END


@inlined
def _plant_policy(s: Record, p: int, random: int) -> int:
    """Buy a seed when there is none, else plant from the largest tree that may (R-ACT-3)."""
    if s.available[p, SEED] == 0:
        return BUY + SEED if s.light[p] >= PRICE[SEED, s.slots[p, SEED] & 15] else END
    if s.light[p] == 0 or usable(s, p, SEED) <= 0:
        return END
    origins, free = _planting_spaces(s, p)
    for size in range(LARGE, SMALL - 1, -1):
        trees = s.pieces[p, size] & origins
        while trees:
            targets = REACH[size, lowest(trees)] & free
            if targets:
                return int(PLANT_NUMBER[lowest(trees), any_of(targets, random)])
            trees &= trees - 1
    return END


@inlined
def _planting_spaces(s: Record, p: int) -> tuple[int, int]:
    """Where seeds may come from and go to (R-ACT-3, R-ADV-2)."""
    origins = ~s.activated
    free = s.empty & ~s.activated
    if s.options & SHADE_FORBIDS:
        if s.options & SHADE_ORIGIN:
            origins &= ~shaded_pieces(s, p)
        if s.options & SHADE_TARGET:
            free &= ~shadows(s, s.sun)[0]
    return origins, free


STEPS_SELDOM: Final = 2
"""The animal looks for the moon in one choice of so many."""
ABILITIES_SELDOM: Final = 12


@compiled
def _animal_policy(s: Record, p: int, random: int, legal_list: LegalList) -> int:
    """Now and then a step into tomorrow's moonlight or any ability; `END` when the animal rests."""
    chance = below(random, ABILITIES_SELDOM)
    random = shuffled(random)
    if chance == 0 and s.lunar[p] > 0:
        return _any_ability(s, random, legal_list)
    if chance < ABILITIES_SELDOM // STEPS_SELDOM and s.steps < steps_allowed(s, p):
        lit = lit_spaces(s, moves_before(s.current_round + 1))
        if not lit >> s.at[p] & 1:
            steps = NEIGHBOURS[s.at[p]] & lit & ~(animals_at(s) | s.elder | s.stones)
            if steps:
                return STEP + any_of(steps, random)
    return END


@compiled
def _any_ability(s: Record, random: int, legal_list: LegalList) -> int:
    """Any ability the animal can use now; they are at the end of the list."""
    n = legal_actions(s, legal_list)
    first = n
    while first > 0 and legal_list.action[first - 1] >= BOAR_DIG:
        first -= 1
    return legal_list.action[first + below(random, n - first)] if first < n else END
