"""What is to be played: who, how many, by which rules, and who sits where in which game.

Everything follows from the plan, so an arena that was killed goes on where it was: game 17 is the same game whenever
it is played.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sunglade import bots
from sunglade.bots.imported import check_reference, is_reference
from sunglade.errors import BadRequest
from sunglade.rules import Rules, check_players

MAX_GAMES: Final = 1_000_000
MAX_GRACE_MS: Final = 3_600_000
HONOURED_MS: Final = 50
"""A budget counts as honoured within so much."""
GRACE_MS: Final = 1000
"""On top of that, because other work on the machine can hold up a bot that is not to blame."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part: a registered bot with its settings, a Python object, a program by its command line."""

    name: str
    program: bool = False

    @property
    def imported(self) -> bool:
        """Whether it is a Python object of somebody's own, `module:name`."""
        return not self.program and is_reference(self.name)

    def check(self) -> None:
        """Refuse a bot that does not exist, without making it."""
        if self.program:
            bots.find_program(self.name)
        elif self.imported:
            check_reference(self.name)
        else:
            bots.split(self.name)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of a plan: its number, the entrant on each seat, and the seeds of the deal and of the bots."""

    number: int
    seats: tuple[int, ...]
    seed: int
    bot_seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """An arena as agreed. The number of games is not part of it: more may be played later."""

    entrants: tuple[Entrant, ...]
    players: int = 2
    ms: int = 500
    seed: int = 0
    grace_ms: int = GRACE_MS
    rules: Rules = field(default_factory=Rules)
    random_setup: bool = False
    """Whether the set-up is played at random: bots that always answer alike would play one game again and again."""

    def __post_init__(self) -> None:
        check_players(self.players)
        _check_number("ms", self.ms, 1, bots.MAX_MS)
        _check_number("seed", self.seed, 0, 2**31 - 1)
        _check_number("grace", self.grace_ms, 0, MAX_GRACE_MS)
        for entrant in self.entrants:
            entrant.check()
        if len(self.entrants) < 2:
            raise BadRequest("an arena needs at least two bots.")
        twice = [entrant.name for entrant, times in Counter(self.entrants).items() if times > 1]
        if twice and len(self.entrants) != self.players:
            raise BadRequest(
                f"{twice[0]} is given twice; that makes sense only where a bot is named for each of the "
                f"{self.players} seats."
            )

    @property
    def names(self) -> list[str]:
        """Those who take part, each once, in the order they were given."""
        return list(dict.fromkeys(entrant.name for entrant in self.entrants))

    def entrant(self, name: str) -> Entrant:
        """An entrant by name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    # Who sits where

    def tables(self) -> list[tuple[int, ...]]:
        """The groups that meet, as places in `names`, repeated where somebody sits on several seats.

        As many bots as seats: exactly this table. More: every choice of as many as there are seats. Fewer: every
        way to fill the seats in which nobody has two seats more than another.
        """
        return _tables(tuple(self.names.index(entrant.name) for entrant in self.entrants), self.players)

    @property
    def block(self) -> int:
        """Games after which everybody has had every seat equally often."""
        return len(self.tables()) * self.players

    def rounded_up(self, games: int) -> int:
        """At least so many games, and the seats are balanced."""
        _check_number("games", games, 1, MAX_GAMES)
        return math.ceil(games / self.block) * self.block

    def fixture(self, number: int) -> Fixture:
        """Game `number`, from 0. The games in which a table goes once round its seats share deal and opening."""
        tables = self.tables()
        lap, turned = divmod(number, self.players)
        round_, which = divmod(lap, len(tables))
        order = _circle(tables[which], round_)
        seats = tuple(order[(seat - turned) % self.players] for seat in range(self.players))
        chance = random.Random(f"{self.seed}/{number}")
        return Fixture(
            number,
            seats,
            seed=random.Random(f"{self.seed}/deal/{lap}").randrange(2**31),
            bot_seeds=tuple(chance.randrange(2**31) for _ in seats),
        )

    # As text

    def to_dict(self) -> dict[str, Any]:
        """The plan as it is kept beside its results."""
        return {
            "format": "sunglade-arena/1",
            "bots": [{"program": e.name} if e.program else e.name for e in self.entrants],
            "players": self.players,
            "ms": self.ms,
            "seed": self.seed,
            "grace_ms": self.grace_ms,
            "rules": self.rules.to_dict(),
            "random_setup": self.random_setup,
        }

    @classmethod
    def from_dict(cls, told: Any) -> Plan:
        """A plan as it was kept."""
        try:
            entrants = tuple(
                Entrant(bot["program"], True) if isinstance(bot, dict) else Entrant(bot) for bot in told["bots"]
            )
            rules = Rules.from_dict(told["rules"])
            at_random = told.get("random_setup", False) is True
            return cls(entrants, told["players"], told["ms"], told["seed"], told["grace_ms"], rules, at_random)
        except (TypeError, KeyError, AttributeError):
            raise BadRequest("it does not hold the plan of an arena.") from None


def entrants(named: Sequence[str], programs: Sequence[str]) -> tuple[Entrant, ...]:
    """Registered bots and Python objects, then programs; a program that is named like a bot is that bot."""
    return (
        *(Entrant(name) for name in named),
        *(Entrant(command, not bots.is_named(command)) for command in programs),
    )


@cache
def _tables(places: tuple[int, ...], players: int) -> list[tuple[int, ...]]:
    if len(places) == players:
        return [places]
    if len(places) > players:
        return list(itertools.combinations(places, players))
    fillings = itertools.combinations_with_replacement(places, players)
    return [table for table in fillings if _is_even(table, len(places))]


def _is_even(table: tuple[int, ...], bots_given: int) -> bool:
    """Everybody has a seat, and nobody two more than another."""
    seats = Counter(table)
    return len(seats) == bots_given and max(seats.values()) - min(seats.values()) <= 1


def _circle(table: tuple[int, ...], round_: int) -> tuple[int, ...]:
    """Another order around the table each time it meets, so that neighbours change, too."""
    orders = list(itertools.permutations(table[1:]))
    return (table[0], *orders[round_ % len(orders)])


def _check_number(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most}, not {value!r:.60}.")
