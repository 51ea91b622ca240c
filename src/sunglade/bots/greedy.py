"""Plays the action after which its own position looks best, one action at a time; no search, no memory.

What a position is worth is written down by hand (`search.judgement`): points that are safe, and points that the own
trees will still bring if the light to come is spent on the most rewarding of them first. Growing, buying, planting,
collecting and most abilities of the animals need no advice of their own: each is tried on a copy and judged by what it
leads to.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Final

from sunglade import board, kernel
from sunglade.bots.foresight import Foresight
from sunglade.bots.moonlit_way import SEEN, lunar_from
from sunglade.bots.temper import Temper
from sunglade.game import Game
from sunglade.kernel import Record
from sunglade.kernel.actions import END, HATCH_COST, TABLE, TURTLE_HATCH
from sunglade.kernel.moon import LUNAR_CAP
from sunglade.kernel.record import MODULE_MOON, TURN
from sunglade.notation import ACTION_NAMES
from sunglade.search.judgement import WORTHWHILE, Plans, placing_worth, worth
from sunglade.search.manner import BY_JUDGEMENT, CHANCES, HALF_TURNS, Manner

MOON_A_ROUND: Final = 1.2
"""Lunar points that an animal finds in a round later on."""
TO_SPEND: Final = 0.45
"""What a lunar point is worth that cannot be kept to the end: it can pay for an ability before the tracker is full."""
HATCHED: Final = 4.5
"""Points that a baby nobody has seen may bring."""
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
    favourites: tuple[str, ...] = FAVOURITES
    """Animals it likes to have, best first."""
    imagines: Temper | None = None
    """How it thinks that the game goes on, when it thinks about its animal (`foresight`); None: it judges abilities as
    it judges everything else."""


@cache
def manner_of(habits: Habits) -> Manner:
    """The same for compiled code: how somebody with such habits judges, one step ahead."""
    m = Manner()
    m.kind = BY_JUDGEMENT
    m.forgets = round(habits.overlooks * CHANCES)
    m.suns, m.sees_shade = habits.suns, habits.sees_shade
    m.crowded, m.rival = habits.crowded, habits.rival
    for half_turns in range(HALF_TURNS):
        m.patience[half_turns] = habits.patience ** (half_turns / 2)
    return m


class Greedy:
    """One step ahead, by the judgement of `Eye.worth`. Ties are broken by the seed."""

    def __init__(self, seed: int = 0, *, habits: Habits | None = None) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        self._habits = habits or Habits()
        self.manner = manner_of(self._habits)
        """How it plays the base game."""
        self._foresight: Foresight | None = None

    def act(self, game: Game, ms: int) -> str:
        """The line that leads to the best position, or `end` when none leads to a better one."""
        s = game.now
        numbers = self._noticed(s, game.legal_numbers)
        eye = Eye(s, self._habits)
        if s.phase != TURN:
            return ACTION_NAMES[max(numbers, key=lambda number: (eye.setup_worth(number), self._random.random()))]
        number = END if s.activated else self._foreseen(s, numbers)
        if number == END:
            number = self._judged(s, numbers, eye)
        return ACTION_NAMES[self._foreseen(s, numbers) if number == END else number]

    def _judged(self, s: Record, numbers: list[int], eye: Eye) -> int:
        """The action that leads to the best position, END when none leads to a better one."""
        if self._habits.imagines:
            numbers = [number for number in numbers if TABLE[number].kind != "ability" or number == TURTLE_HATCH]
        values = [(eye.worth_after(number), self._random.random(), number) for number in numbers if number != END]
        best, _, number = max(values, default=(0.0, 0.0, END))
        return number if best > eye.worth(s) + WORTHWHILE else END

    def _foreseen(self, s: Record, numbers: list[int]) -> int:
        """An ability that makes the rest of the game go better, or the step before it; END if there is none."""
        temper = self._habits.imagines
        if temper is None or not (self._habits.abilities and s.options & MODULE_MOON):
            return END
        if self._foresight is None:
            self._foresight = Foresight(self._seed, temper)
        found = self._foresight.choice(s, numbers, lambda _: True)
        return END if found is None else found

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
        self._manner, self._plans = manner_of(habits), Plans()
        self._moonlit: list[int] = []

    # The set-up

    def setup_worth(self, number: int) -> float:
        """How good a choice of the set-up looks."""
        s, action = self._now, TABLE[number]
        if action.kind == "place":
            return placing_worth(_after(s, number), self._me, action.space, self._manner)
        if action.kind == "draft":
            return -self._habits.favourites.index(action.animal)
        if action.kind == "animal":
            after = _after(s, number)
            return sum(kernel.lunar_income(after, s.player, moves) for moves in range(3))
        return -board.LEAVES[action.space]  # what blocks a space blocks poor soil

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
        value = worth(s, self._me, self._manner, self._plans)
        return value + self._moon_to_come(s) if self._turns and s.options & MODULE_MOON else value

    def _moon_to_come(self, s: Record) -> float:
        """Lunar points still to be had: the next rounds as they will be, later ones by rule of thumb (M-MOON-5).

        No more than 14 can be held, so what will come again is spent lightly.
        """
        if not self._moonlit:
            self._moonlit = lunar_from(s, self._me)
        expected = self._moonlit[s.at[self._me]] + MOON_A_ROUND * max(self._turns - SEEN, 0)
        kept = min(expected, LUNAR_CAP - s.lunar[self._me])
        return kept + TO_SPEND * (expected - kept)
