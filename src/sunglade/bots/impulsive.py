"""Plays as beginners do: the first thing that comes to mind, without working out what it leads to.

On each action it goes through its impulses (collect, grow, buy, plant, use the animal) and follows the first that finds
something to do. What it pays attention to, and what it forgets, is its temper. Only about its animal it thinks: whether
the rest of the game goes better with an ability or without it (`foresight`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from sunglade.bots.animal_walk import best_step
from sunglade.bots.foresight import Foresight
from sunglade.bots.greedy import Eye, Habits, manner_of
from sunglade.bots.temper import Temper, tempered
from sunglade.game import Game
from sunglade.kernel import Record
from sunglade.kernel.actions import END, TABLE, TURTLE_HATCH
from sunglade.kernel.record import MODULE_MOON, TURN
from sunglade.notation import ACTION_NAMES
from sunglade.search.impulses import BUYING, KIND, NO_IMPULSE, impulse
from sunglade.search.judgement import WORTHWHILE


class Impulsive:
    """Follows its impulses in a fixed order; what is equal to it is chosen by the seed."""

    def __init__(self, seed: int, *, temper: Temper, habits: Habits) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        self._temper = temper
        self._habits = habits
        """How it judges the set-up."""
        self.manner = tempered(manner_of(habits), temper)
        """How it plays the base game."""
        self._foresight: Foresight | None = None

    def act(self, game: Game, ms: int) -> str:
        """The first impulse that finds something to do, else the end of the turn."""
        s = game.now
        numbers = self._remembered(s, game.legal_numbers)
        if s.phase != TURN:
            eye = Eye(s, self._habits)
            return ACTION_NAMES[self._best(numbers, eye.setup_worth)]
        for follow in (self._hunt, self._tend, self._animal):
            number = follow(s, numbers)
            if number is not None:
                return ACTION_NAMES[number]
        return ACTION_NAMES[END]

    def _remembered(self, s: Record, numbers: list[int]) -> list[int]:
        """What it thinks of; what is forgotten stays so for the whole turn."""
        seen = [n for n in numbers if self._remembers(s, n)]
        return seen or numbers

    def _remembers(self, s: Record, number: int) -> bool:
        return random.Random(f"{self._seed}/{s.current_round}/{number}").random() >= self._temper.forgets

    def _best(self, numbers: list[int], worth: Callable[[int], float]) -> int:
        return max(numbers, key=lambda number: (worth(number), self._random.random()))

    # The impulses: the number of an action, or None

    def _tend(self, s: Record, numbers: list[int]) -> int | None:
        """Collect, grow, buy or plant: of the strongest kind of impulse what seems best."""
        strength = {number: impulse(s, number, self.manner) for number in numbers}
        kind = max(strength.values()) // KIND * KIND
        if kind == NO_IMPULSE:
            return None
        equals = [number for number in numbers if strength[number] >= kind]
        return max(equals) if kind == BUYING else self._best(equals, strength.__getitem__)

    def _hunt(self, s: Record, numbers: list[int]) -> int | None:
        """What the animal can do before the turn has touched the board; digging is collecting that costs no light."""
        return None if s.activated else self._able(s, numbers)

    def _animal(self, s: Record, numbers: list[int]) -> int | None:
        """Abilities once the trees have had their turn, and a step."""
        if not s.options & MODULE_MOON:
            return None
        able = self._able(s, numbers)
        if able is None and TURTLE_HATCH in numbers and self._habits.abilities:
            able = self._hatch(s)
        return best_step(s, _of_kind("step", numbers), works=self._habits.abilities) if able is None else able

    def _able(self, s: Record, numbers: list[int]) -> int | None:
        """An ability that makes the rest of the game go better, or the step before it."""
        if not (self._habits.abilities and s.options & MODULE_MOON):
            return None
        if self._foresight is None:
            self._foresight = Foresight(self._seed, self._temper)
        return self._foresight.choice(s, numbers, lambda number: self._remembers(s, number))

    def _hatch(self, s: Record) -> int | None:
        """Hatching, if that looks good: what hatches is not known, so it cannot be imagined (M-SETUP-4)."""
        eye = Eye(s, self._habits)
        return TURTLE_HATCH if eye.worth_after(TURTLE_HATCH) > eye.worth(s) + WORTHWHILE else None


def _of_kind(kind: str, numbers: list[int]) -> list[int]:
    return [number for number in numbers if TABLE[number].kind == kind]


FAVOURITES: Final = ("owl", "hedgehog", "badger", "squirrel", "boar", "beaver", "fox", "turtle")
"""Animals that help a beginner, most helpful first (docs/bots.md)."""
CHILD: Final = Habits(suns=1, sees_shade=False, crowded=0.0, rival=0.0, favourites=FAVOURITES)
"""How a beginner judges the set-up: by the next sun, as if there were no shade and no others."""
