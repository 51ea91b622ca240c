"""Plays as beginners do: the first thing that comes to mind, without working out what it leads to.

On each action it goes through its impulses (collect, grow, buy, plant, use the animal) and follows the first that finds
something to do. What it pays attention to, and what it forgets, is its temper.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sunglade import kernel
from sunglade.bots.greedy import Eye, Habits, manner_of
from sunglade.game import Game
from sunglade.kernel import Record
from sunglade.kernel.actions import END, TABLE, TURTLE_HATCH
from sunglade.kernel.record import TURN
from sunglade.notation import ACTION_NAMES
from sunglade.search.impulses import BUYING, KIND, NO_IMPULSE, impulse
from sunglade.search.judgement import WORTHWHILE
from sunglade.search.manner import BY_IMPULSE, CHANCES, Manner


@dataclass(frozen=True, slots=True)
class Temper:
    """What a beginner pays attention to."""

    collects_before_end: int = 1000
    """How many rounds before the end it begins to collect; many: as soon as there is a large tree."""
    looks_at_soil: bool = False
    """Whether it grows and plants where the soil is rich; otherwise what is tallest, where a space is near."""
    seeds: int = 1000
    """How many seeds it has on the board at most; many: it plants whenever it can, and has no light left to grow."""
    forgets: float = 0.0
    """The share of its possibilities it does not think of on a turn."""
    hoards: int = 0
    """Light that it does not like to spend, for a rainy day."""


def impulsive_manner(temper: Temper, habits: Habits) -> Manner:
    """The same for compiled code: somebody of this temper who judges the set-up by such habits."""
    m = manner_of(habits).copy()
    m.kind = BY_IMPULSE
    m.forgets = round(temper.forgets * CHANCES)
    m.collects_before_end, m.looks_at_soil = temper.collects_before_end, temper.looks_at_soil
    m.seeds, m.hoards = temper.seeds, temper.hoards
    return m


class Impulsive:
    """Follows its impulses in a fixed order; what is equal to it is chosen by the seed."""

    def __init__(self, seed: int, *, temper: Temper, habits: Habits) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        self._temper = temper
        self._habits = habits
        """How it judges the set-up and its animal."""
        self.manner = impulsive_manner(temper, habits)
        """How it plays the base game."""

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
        turn = f"{self._seed}/{s.current_round}"
        seen = [n for n in numbers if random.Random(f"{turn}/{n}").random() >= self._temper.forgets]
        return seen or numbers

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
        """Abilities that bring light or a token, before light is spent."""
        return self._helpful(s, [n for n in self._able(s, numbers) if _pays(s, n)])

    def _animal(self, s: Record, numbers: list[int]) -> int | None:
        """Other abilities, once the trees have had their turn: many activate spaces; and steps into the moonlight."""
        return self._helpful(s, self._able(s, numbers) + _of_kind("step", numbers))

    def _able(self, s: Record, numbers: list[int]) -> list[int]:
        """What it knows that its animal can do; digging is collecting, which may have to wait (M-ANIMAL-3)."""
        if not self._habits.abilities:
            return []
        return [n for n in _of_kind("ability", numbers) if not (_collects(n) and self._waits(s))]

    def _helpful(self, s: Record, numbers: list[int]) -> int | None:
        """The action after which the position looks best, if that is better than before."""
        if not numbers:
            return None
        eye = Eye(s, self._habits)
        best = self._best(numbers, eye.worth_after)
        return best if eye.worth_after(best) > eye.worth(s) + WORTHWHILE else None

    def _waits(self, s: Record) -> bool:
        """Whether it is too early to collect."""
        return _rounds_left(s) > self._temper.collects_before_end


def _collects(number: int) -> bool:
    """Whether an ability takes a token: digging, and the baby *harvest* (M-ANIMAL-3, M-ANIMAL-4)."""
    return TABLE[number].ability == "boar.dig" or TABLE[number].baby == "harvest"


def _pays(s: Record, number: int) -> bool:
    """Whether an ability brings light or a token; what hatches is not known (M-SETUP-4)."""
    if number == TURTLE_HATCH:
        return False
    after = s.copy()
    kernel.apply(after, number)
    return after.light[s.player] > s.light[s.player] or after.collected > s.collected


def _of_kind(kind: str, numbers: list[int]) -> list[int]:
    return [number for number in numbers if TABLE[number].kind == kind]


def _rounds_left(s: Record) -> int:
    return s.rounds - s.current_round


CHILD: Final = Habits(suns=1, sees_shade=False, crowded=0.0, rival=0.0)
"""How a beginner judges the set-up and the animal: by the next sun, as if there were no shade and no others."""
