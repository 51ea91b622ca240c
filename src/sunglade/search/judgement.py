"""What a position is worth to a player by a rough guess, in compiled code: the judgement of `bots.greedy`.

Points that are safe, and points that the own trees will still bring if the light to come is spent on the most rewarding
of them first. Numbers are added in one order and rounded alike wherever this runs, so a player chooses alike.
"""

from __future__ import annotations

from typing import Final

from sunglade import board
from sunglade.kernel.actions import COLLECT_COST
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Memory, Numbers, Reals
from sunglade.kernel.light import income, shadows
from sunglade.kernel.printed import (
    LARGE,
    LEAVES,
    NEIGHBOURS,
    PILE_SIZE,
    PRICE,
    SEED,
    SLOT_PRICES,
    SMALL,
    TOKEN_VALUE,
)
from sunglade.kernel.record import Record
from sunglade.kernel.score import moon_points
from sunglade.kernel.tables import table
from sunglade.rules import SUNS
from sunglade.search.exact import product
from sunglade.search.manner import Manner

TO_BUY: Final = 1
"""Halves of a turn that a piece still to be bought seems to cost."""
UNSPENT: Final = 1 / 3
"""Points for light that no tree needs (R-END-1)."""
WORTHWHILE: Final = 0.05
"""An action must improve the position by so much."""
NO_SHADE: Final = (0, 0, 0)
SOIL: Final = table(board.WITH_LEAVES)
"""`SOIL[leaves]`: the spaces with so many."""
DEAREST: Final = table([prices[-1] for prices in SLOT_PRICES])
"""`DEAREST[size]`: what a piece costs that is not even on the player board yet."""
MOST_PLANS: Final = 32
"""More than a player has pieces."""


class Plans(Memory):
    """Room for trees to be collected some day, those that pay best for their light first."""

    rate = Reals(MOST_PLANS)
    points = Reals(MOST_PLANS)
    cost = Numbers(MOST_PLANS)


@entry
def placing_worth(s: Record, p: int, space: int, m: Manner) -> float:
    """How good a first tree looks that has just been placed: light over the suns, rich soil in reach (R-SETUP-5)."""
    near = NEIGHBOURS[space] & s.empty
    soil = 0
    while near:
        soil += LEAVES[lowest(near)]
        near &= near - 1
    light = 0
    for sun in range(m.suns):
        light += income(s, p, _dark(s, sun, m))
    return light + 0.5 * soil - _crowding(s, p, m)


@entry
def worth(s: Record, p: int, m: Manner, plans: Plans) -> float:
    """The points a player may have at the end, less a little for the light of the others; nothing of animals' ways."""
    mine, first, others = coming_light(s, p, m)
    return worth_in_light(s, p, m, plans, mine, first, others)


@compiled
def coming_light(s: Record, p: int, m: Manner) -> tuple[int, int, int]:
    """Light in the coming rounds if nobody acts: the player's, the first of it, and that of all others."""
    mine = 0
    first = 0
    everybody = 0
    for ahead in range(1, _rounds_seen(s, m) + 1):
        dark = _dark(s, (s.sun + ahead) % SUNS, m)
        for player in range(s.players):
            light = income(s, player, dark)
            everybody += light
            if player == p:
                mine += light
                if ahead == 1:
                    first = light
    return mine, first, everybody - mine


@compiled
def worth_in_light(s: Record, p: int, m: Manner, plans: Plans, mine: int, first: int, others: int) -> float:
    """`worth` where the light to come is known; it is the same in all positions with the same trees."""
    turns = s.rounds - s.current_round
    value = float(s.score[p] + moon_points(s, p))
    n = _make_plans(s, p, turns, m, plans)
    value += _harvest(plans, n, _light_to_come(s, p, turns, _rounds_seen(s, m), mine, first))
    value -= product(m.rival, float(others))
    if turns:
        value -= _crowding(s, p, m)
    return value


@inlined
def _rounds_seen(s: Record, m: Manner) -> int:
    """How many of the coming rounds are reckoned with."""
    return min(s.rounds - s.current_round, m.suns)


@inlined
def _dark(s: Record, sun: int, m: Manner) -> tuple[int, int, int]:
    """What lies in shade under a sun, to one who sees it."""
    return shadows(s, sun) if m.sees_shade else NO_SHADE


@inlined
def _crowding(s: Record, p: int, m: Manner) -> float:
    """Own pieces side by side will shade each other."""
    own = s.pieces[p, 0] | s.pieces[p, 1] | s.pieces[p, 2] | s.pieces[p, 3]
    beside = 0
    spaces = own
    while spaces:
        beside += popcount(NEIGHBOURS[lowest(spaces)] & own)
        spaces &= spaces - 1
    return product(m.crowded, float(beside)) / 2.0


@inlined
def _light_to_come(s: Record, p: int, turns: int, rounds: int, mine: int, first: int) -> float:
    """Light to spend until the end, less what the next sun would bring over the cap (R-LIGHT-4)."""
    if rounds == 0:
        return float(s.light[p])
    return min(s.light[p] + first, s.light_cap) + mine * turns / rounds - first


@inlined
def _harvest(plans: Plans, n: int, light: float) -> float:
    """Spend the light to come on the trees that pay best; what is left counts a third (R-END-1)."""
    value = 0.0
    for at in range(n):
        points = plans.points[at]
        cost = float(plans.cost[at])
        if points <= product(cost, UNSPENT):
            break
        share = light / cost
        if share >= 1.0:
            share = 1.0
        value += product(product(points, share), share)  # half a tree is worth less than half its points
        light -= product(cost, share)
    return value + product(light, UNSPENT)


@inlined
def _make_plans(s: Record, p: int, turns: int, m: Manner, plans: Plans) -> int:
    """Every own tree that can still be collected in time, the tallest taking the pieces at hand first."""
    at_hand = 0  # four bits a size
    slots = 0
    for size in range(SMALL, LARGE + 1):
        at_hand |= int(s.available[p, size]) << 4 * size
        slots |= int(s.slots[p, size]) << 4 * size
    blocked = at_hand >> 4 * LARGE == 0 and slots >> 4 * LARGE == 0
    n = 0
    for size in range(LARGE, SEED - 1, -1):
        steps = LARGE - size + 1
        pieces = s.pieces[p, size] if steps <= turns + 1 else 0
        if steps == turns + 1:
            pieces &= ~s.activated
        for leaves in range(4, 0, -1):
            spaces = pieces & SOIL[leaves]
            token = float(_next_token(s, leaves - 1)) if spaces else 0.0
            while spaces:
                cost, waiting, at_hand, slots = _still_to_pay(size, at_hand, slots)
                half_turns = 2 * steps + TO_BUY * waiting + (2 if blocked and size < LARGE else 0)
                _insert(plans, n, product(token, m.patience[half_turns]), cost)
                n = min(n + 1, MOST_PLANS - 1)
                spaces &= spaces - 1
    return n


@inlined
def _still_to_pay(size: int, at_hand: int, slots: int) -> tuple[int, int, int, int]:
    """Light until a piece of this size is collected, and how many must be bought for it; and what is left of them."""
    cost = COLLECT_COST
    waiting = 0
    for following in range(size + 1, LARGE + 1):
        cost += following
        shift = 4 * following
        if at_hand >> shift & 15:
            at_hand -= 1 << shift
        else:
            waiting += 1
            occupied = slots >> shift & 15
            cost += PRICE[following, occupied] if occupied else DEAREST[following]
            slots &= ~((occupied & -occupied) << shift)
    return cost, waiting, at_hand, slots


@inlined
def _next_token(s: Record, pile: int) -> int:
    """What the next tree collected on such soil pays (R-ACT-5)."""
    while pile >= 0:
        if s.taken[pile] < PILE_SIZE[pile]:
            return TOKEN_VALUE[pile, s.taken[pile]]
        pile -= 1
    return 0


@inlined
def _insert(plans: Plans, n: int, points: float, cost: int) -> None:
    """Put a plan behind those that pay as well for their light, or better."""
    rate = points / cost
    place = n
    while place > 0 and plans.rate[place - 1] < rate:
        plans.rate[place] = plans.rate[place - 1]
        plans.points[place] = plans.points[place - 1]
        plans.cost[place] = plans.cost[place - 1]
        place -= 1
    plans.rate[place] = rate
    plans.points[place] = points
    plans.cost[place] = cost
