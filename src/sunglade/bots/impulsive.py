"""Plays as beginners do: the first thing that comes to mind, without working out what it leads to.

On each action it goes through its impulses (collect, grow, buy, plant, use the animal) and follows the first that finds
something to do. What it pays attention to, and what it forgets, is its temper.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sunglade import board, kernel
from sunglade.bots.greedy import WORTHWHILE, Eye, Habits
from sunglade.changes import size_at
from sunglade.game import Game
from sunglade.kernel import Record
from sunglade.kernel.actions import END, TABLE, TURTLE_HATCH
from sunglade.kernel.printed import SEED
from sunglade.kernel.record import TURN
from sunglade.notation import ACTION_NAMES


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


class Impulsive:
    """Follows its impulses in a fixed order; what is equal to it is chosen by the seed."""

    def __init__(self, seed: int, *, temper: Temper, habits: Habits) -> None:
        self._seed = seed
        self._random = random.Random(seed)
        self._temper = temper
        self._habits = habits
        """How it judges the set-up and its animal."""

    def act(self, game: Game, ms: int) -> str:
        """The first impulse that finds something to do, else the end of the turn."""
        s = game.now
        numbers = self._remembered(s, game.legal_numbers)
        if s.phase != TURN:
            eye = Eye(s, self._habits)
            return ACTION_NAMES[self._best(numbers, eye.setup_worth)]
        for impulse in (self._hunt, self._collect, self._grow, self._buy, self._plant, self._animal):
            number = impulse(s, numbers)
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

    def _collect(self, s: Record, numbers: list[int]) -> int | None:
        trees = _of_kind("collect", numbers)
        if not trees or self._waits(s):
            return None
        return self._best(trees, lambda n: board.LEAVES[TABLE[n].space])

    def _grow(self, s: Record, numbers: list[int]) -> int | None:
        trees = _of_kind("grow", numbers)
        if not trees or self._saves(s):
            return None
        if self._temper.looks_at_soil:
            return self._best(trees, lambda n: board.LEAVES[TABLE[n].space])
        return self._best(trees, lambda n: size_at(s, TABLE[n].space))

    def _buy(self, s: Record, numbers: list[int]) -> int | None:
        """A piece of which it has none; the seed last."""
        me = s.player
        wanted = [n for n in _of_kind("buy", numbers) if not s.available[me, TABLE[n].size]]
        if not wanted or self._saves(s) or not _rounds_left(s):
            return None
        return max(wanted)

    def _plant(self, s: Record, numbers: list[int]) -> int | None:
        seeds = _of_kind("plant", numbers)
        on_board = s.pieces[s.player, SEED].bit_count()
        if not seeds or on_board >= self._temper.seeds or self._saves(s):
            return None
        return self._best(seeds, self._place_for_a_seed)

    def _place_for_a_seed(self, number: int) -> float:
        """How good a place looks for a seed."""
        action = TABLE[number]
        if self._temper.looks_at_soil:
            return board.LEAVES[action.space]
        return board.NEIGHBOURS[action.origin] >> action.space & 1

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

    def _saves(self, s: Record) -> bool:
        return s.light[s.player] <= self._temper.hoards and _rounds_left(s) > 0


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
