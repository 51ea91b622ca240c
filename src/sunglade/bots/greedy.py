"""Plays the action after which its own position looks best, one action at a time; no search, no memory.

What a position is worth is written down by hand: points that are safe, and points that the own trees will still
bring if the light to come is spent on the most rewarding of them first. Growing, buying, planting, collecting and most
abilities of the animals need no advice of their own: each is tried on a copy and judged by what it leads to.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, NamedTuple

from sunglade import board, kernel
from sunglade.bots.moonlit_way import SEEN, lunar_from
from sunglade.game import Game
from sunglade.kernel import Record
from sunglade.kernel.actions import COLLECT_COST, END, HATCH_COST, TABLE, TURTLE_HATCH
from sunglade.kernel.moon import LUNAR_CAP
from sunglade.kernel.printed import LARGE, SEED, SLOT_PRICES, SMALL, TOKEN_PILES
from sunglade.kernel.record import MODULE_MOON, TURN
from sunglade.notation import ACTION_NAMES
from sunglade.rules import SUNS

TO_BUY: Final = 0.5
"""Turns that a piece still to be bought seems to cost."""
UNSPENT: Final = 1 / 3
"""Points for light that no tree needs (R-END-1)."""
MOON_A_ROUND: Final = 1.2
"""Lunar points that an animal finds in a round later on."""
TO_SPEND: Final = 0.45
"""What a lunar point is worth that cannot be kept to the end: it can pay for an ability before the tracker is full."""
HATCHED: Final = 4.5
"""Points that a baby nobody has seen may bring."""
WORTHWHILE: Final = 0.05
"""An action must improve the position by so much."""

NO_SHADE: Final = (0, 0, 0)
FAVOURITES: Final = ("owl", "badger", "hedgehog", "boar", "beaver", "turtle", "squirrel", "fox")
"""Animals this bot can use well, best first."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a player pays attention to. The defaults overlook nothing that `greedy` can see."""

    suns: int = 6
    """How many of the coming suns it thinks about."""
    sees_shade: bool = True
    """Otherwise it believes that every tree gets its light."""
    patience: float = 0.85
    """What a point is worth that takes one turn more to come: who has little of it collects early."""
    crowded: float = 0.3
    """Points lost for each own piece beside another: they will shade each other."""
    rival: float = 0.06
    """Points for each light that another player will not get in the coming suns."""
    overlooks: float = 0.0
    """The share of its possibilities it does not notice on a turn."""
    abilities: bool = True
    """Whether it knows that its animal can do more than step."""


class Greedy:
    """One step ahead, by the judgement of `Eye.worth`. Ties are broken by the seed."""

    def __init__(self, seed: int = 0, *, habits: Habits | None = None) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        self._habits = habits or Habits()

    def act(self, game: Game, ms: int) -> str:
        """The line that leads to the best position, or `end` when none leads to a better one."""
        s = game.now
        numbers = self._noticed(s, game.legal_numbers)
        eye = Eye(s, self._habits)
        if s.phase != TURN:
            return ACTION_NAMES[max(numbers, key=lambda number: (eye.setup_worth(number), self._random.random()))]
        values = [(eye.worth_after(number), self._random.random(), number) for number in numbers if number != END]
        best, _, number = max(values, default=(0.0, 0.0, END))
        return ACTION_NAMES[number if best > eye.worth(s) + WORTHWHILE else END]

    def _noticed(self, s: Record, numbers: list[int]) -> list[int]:
        """What it notices of its possibilities; what is overlooked stays so for the whole turn."""
        if not self._habits.abilities:
            numbers = [number for number in numbers if TABLE[number].kind != "ability"]
        if not self._habits.overlooks:
            return numbers
        turn = f"{self._seed}/{s.current_round}"
        seen = [n for n in numbers if random.Random(f"{turn}/{n}").random() >= self._habits.overlooks]
        return seen or numbers


# Judging


def _abilities(s: Record) -> list[int]:
    """What the mover's animal can do."""
    found = kernel.LegalList()
    numbers = found.action[: kernel.legal(s, found)].tolist()
    return [number for number in numbers if TABLE[number].kind == "ability"]


def _after(s: Record, number: int) -> Record:
    copy = s.copy()
    kernel.apply(copy, number)
    return copy


class Eye:
    """Judges what the actions of one player on one turn lead to."""

    def __init__(self, s: Record, habits: Habits) -> None:
        self._now = s
        self._habits = habits
        self._me = s.player
        self._turns = s.rounds - s.current_round
        self._incomes: dict[tuple[int, ...], list[list[int]]] = {}
        self._moonlit: list[int] = []

    # The set-up

    def setup_worth(self, number: int) -> float:
        """How good a choice of the set-up looks."""
        s, action = self._now, TABLE[number]
        if action.kind == "place":
            return self._placing_worth(number)
        if action.kind == "draft":
            return -FAVOURITES.index(action.animal)
        if action.kind == "animal":
            after = _after(s, number)
            return sum(kernel.lunar_income(after, s.player, moves) for moves in range(3))
        return -board.LEAVES[action.space]  # what blocks a space blocks poor soil

    def _placing_worth(self, number: int) -> float:
        """First trees: light over the coming suns, and rich soil in reach (R-SETUP-5)."""
        s, me = self._now, self._me
        after = _after(s, number)
        near = board.NEIGHBOURS[TABLE[number].space] & after.empty
        soil = sum(board.LEAVES[space] for space in board.spaces_in(near))
        light = sum(self._light_under(after, sun)[me] for sun in range(self._habits.suns))
        return light + 0.5 * soil - self._crowding(after)

    # The turn

    def worth_after(self, number: int) -> float:
        """What the position is worth once an action is done; a step is worth what the animal can then do there."""
        if number == TURTLE_HATCH:
            return self._worth_hatched(self._now)
        after = _after(self._now, number)
        if TABLE[number].kind != "step" or not self._habits.abilities:
            return self.worth(after)
        return max([self.worth(after), *(self._worth_used(after, ability) for ability in _abilities(after))])

    def _worth_used(self, s: Record, ability: int) -> float:
        """What a position is worth once an ability is used there."""
        return self._worth_hatched(s) if ability == TURTLE_HATCH else self.worth(_after(s, ability))

    def _worth_hatched(self, s: Record) -> float:
        """What hatching is worth: what hatches is not known, so it cannot be tried (M-SETUP-4)."""
        lunar_left = s.lunar[self._me] - HATCH_COST
        return self.worth(s) - HATCH_COST + (HATCHED if self._turns and lunar_left else 0)

    def worth(self, s: Record) -> float:
        """The points the player may have at the end, by a rough guess, less a little for the light of the others."""
        me, turns = self._me, self._turns
        incomes = self._incomes_of(s)
        mine = [income[me] for income in incomes]
        rivals = sum(map(sum, incomes)) - sum(mine)
        value = float(s.score[me] + kernel.moon_points(s, me))
        plans = _plans(s, me, turns, self._habits.patience)
        value += _harvest(plans, _light_to_come(s, me, mine, turns))
        value -= self._habits.rival * rivals
        if turns:
            value -= self._crowding(s)
            value += self._moon_to_come(s) if s.options & MODULE_MOON else 0
        return value

    def _incomes_of(self, s: Record) -> list[list[int]]:
        """Light of every player in the coming rounds if nobody acts; the same for all positions with the same trees."""
        trees = tuple(s.pieces[p, size] for p in range(s.players) for size in range(SMALL, LARGE + 1))
        if trees not in self._incomes:
            suns = [(s.sun + ahead) % SUNS for ahead in range(1, min(self._turns, self._habits.suns) + 1)]
            self._incomes[trees] = [self._light_under(s, sun) for sun in suns]
        return self._incomes[trees]

    def _light_under(self, s: Record, sun: int) -> list[int]:
        """Light of every player under a sun (R-LIGHT-3)."""
        dark = kernel.shadows(s, sun) if self._habits.sees_shade else NO_SHADE
        return [kernel.income(s, p, dark) for p in range(s.players)]

    def _moon_to_come(self, s: Record) -> float:
        """Lunar points still to be had: the next rounds as they will be, later ones by rule of thumb (M-MOON-5).

        No more than 14 can be held, so what will come again is spent lightly.
        """
        if not self._moonlit:
            self._moonlit = lunar_from(s, self._me)
        expected = self._moonlit[s.at[self._me]] + MOON_A_ROUND * max(self._turns - SEEN, 0)
        kept = min(expected, LUNAR_CAP - s.lunar[self._me])
        return kept + TO_SPEND * (expected - kept)

    def _crowding(self, s: Record) -> float:
        """Own pieces side by side will shade each other."""
        own = 0
        for size in range(4):
            own |= s.pieces[self._me, size]
        beside = sum((board.NEIGHBOURS[space] & own).bit_count() for space in board.spaces_in(own))
        return float(self._habits.crowded * beside / 2)


def _light_to_come(s: Record, me: int, incomes: list[int], turns: int) -> float:
    """Light to spend until the end, less what the next sun would bring over the cap (R-LIGHT-4)."""
    light = s.light[me]
    if not incomes:
        return light
    next_light = min(light + incomes[0], s.light_cap)
    return next_light + sum(incomes) * turns / len(incomes) - incomes[0]


class Plan(NamedTuple):
    """A tree to be collected some day: what it will pay, discounted, and what it will cost."""

    points: float
    cost: int


def _harvest(plans: list[Plan], light: float) -> float:
    """Spend the light to come on the trees that pay best; what is left counts a third (R-END-1)."""
    value = 0.0
    for plan in sorted(plans, key=lambda plan: plan.points / plan.cost, reverse=True):
        if plan.points <= plan.cost * UNSPENT:
            break
        share = min(1.0, light / plan.cost)
        value += plan.points * share * share  # half a tree is worth less than half its points
        light -= plan.cost * share
    return value + light * UNSPENT


def _plans(s: Record, me: int, turns: int, patience: float) -> list[Plan]:
    """Every own tree that can still be collected in time, the tallest taking the pieces at hand first."""
    at_hand = [s.available[me, size] for size in range(4)]
    to_buy = _prices([s.slots[me, size] for size in range(4)])
    blocked = not at_hand[LARGE] and not to_buy[LARGE]
    tokens = _tokens(s.taken.tolist())
    plans = []
    for size in range(LARGE, SEED - 1, -1):
        for space in sorted(board.spaces_in(s.pieces[me, size]), key=lambda space: -board.LEAVES[space]):
            steps = LARGE - size + 1
            if steps <= turns + (0 if s.activated >> space & 1 else 1):
                cost, waiting = _still_to_pay(size, at_hand, to_buy)
                wait = steps + TO_BUY * waiting + (1 if blocked and size < LARGE else 0)
                plans.append(Plan(tokens[board.LEAVES[space] - 1] * patience**wait, cost))
    return plans


def _still_to_pay(size: int, at_hand: list[int], to_buy: list[list[int]]) -> tuple[int, int]:
    """Light until a piece of this size is collected, and how many pieces must be bought for it; takes them."""
    cost, waiting = COLLECT_COST, 0
    for following in range(size + 1, LARGE + 1):
        cost += following
        if at_hand[following]:
            at_hand[following] -= 1
        else:
            waiting += 1
            cost += to_buy[following].pop(0) if to_buy[following] else SLOT_PRICES[following][-1]
    return cost, waiting


def _prices(slots: list[int]) -> list[list[int]]:
    """Prices of the pieces still on the player board, cheapest first."""
    return [
        [price for slot, price in enumerate(prices) if slots[size] >> slot & 1]
        for size, prices in enumerate(SLOT_PRICES)
    ]


def _tokens(taken: list[int]) -> list[int]:
    """What the next tree collected on 1, 2, 3 and 4 leaves pays (R-ACT-5)."""
    values: list[int] = []
    for pile, gone in zip(TOKEN_PILES, taken, strict=True):
        values.append(pile[gone] if gone < len(pile) else (values[-1] if values else 0))
    return values
