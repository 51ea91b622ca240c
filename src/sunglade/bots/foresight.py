"""Whether an ability is worth its price: the rest of the game is played out with it and without it, in the mind.

In these games everybody plays as the player itself does, and no animal uses an ability. Every ability, here or after a
step, is tried in a few of them; the best goes through more, so that what only looked good by chance is left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from sunglade import kernel
from sunglade.bots.temper import Temper, tempered
from sunglade.kernel import Record
from sunglade.kernel.actions import TABLE
from sunglade.search.imagined_games import Desk, imagined_margin
from sunglade.search.manner import Manner

FIRST_GAMES: Final = 100
"""Games for every idea."""
MORE_GAMES: Final = 200
"""Games for the best one; so many are enough to tell points apart."""
WORTHWHILE: Final = 0.5
"""Points that an ability must bring."""


class Idea(NamedTuple):
    """What could be done: the first action of it, and the position after all of it."""

    action: int
    after: Record


class Foresight:
    """Looks ahead with the manners of a temper. The same seed sees the same."""

    def __init__(self, seed: int, temper: Temper) -> None:
        self._seed = seed
        self._desk = Desk()
        self._desk.manner = tempered(Manner(), temper)

    def choice(self, s: Record, numbers: list[int], remembers: Callable[[int], bool]) -> int | None:
        """The ability that brings most, or the step before it; None if the game goes as well without."""
        ideas = list(_ideas(s, numbers, remembers))
        if not ideas:
            return None
        seed = self._seed * 4096 + s.current_round * 64 + s.lunar[s.player]
        best = max(ideas, key=lambda idea: self._margin(idea.after, FIRST_GAMES, seed))
        more = seed + FIRST_GAMES
        gained = self._margin(best.after, MORE_GAMES, more) - self._margin(s, MORE_GAMES, more)
        return best.action if gained > WORTHWHILE else None

    def _margin(self, s: Record, games: int, seed: int) -> float:
        self._desk.start = s
        return imagined_margin(self._desk, games, seed)


def _ideas(s: Record, numbers: list[int], remembers: Callable[[int], bool]) -> list[Idea]:
    """Every ability that can be used now, and after a step."""
    here = [Idea(number, _after(s, number)) for number in numbers if _can_be_imagined(number)]
    there = [
        Idea(step, _after(stepped, number))
        for step in numbers
        if TABLE[step].kind == "step"
        for stepped in [_after(s, step)]
        for number in _legal(stepped)
        if _can_be_imagined(number) and TABLE[number].ability not in ANYWHERE and remembers(number)
    ]
    return here + there


ANYWHERE: Final = ("owl.hunt", "turtle.steps")
"""Abilities for which no step is needed."""


def _can_be_imagined(number: int) -> bool:
    """All abilities but those that pay only by what follows, or that nobody knows the end of (M-SETUP-4)."""
    return TABLE[number].ability not in ("", "hedgehog.run", "fox.scare", "turtle.hatch")


def _after(s: Record, number: int) -> Record:
    copy = s.copy()
    kernel.apply(copy, number)
    return copy


def _legal(s: Record) -> list[int]:
    found = kernel.LegalList()
    return found.action[: kernel.legal(s, found)].tolist()
