"""What was agreed when a table was made. It is the first event of the log; everything else follows from the rest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sunglade.deal import Deal
from sunglade.errors import SungladeError
from sunglade.game import Game
from sunglade.rules import MAX_LIGHT_CAP, Rules
from sunglade.table.problems import ServerProblem, problem_of

RULES_VERSION: Final = 1
"""Raised when the same actions lead elsewhere than before; kept with every table."""
MOST_ROUNDS: Final = 100
"""A table's memory is bounded: longer games can be played in the terminal."""
MOST_ACTIONS: Final = 5000


@dataclass(frozen=True, slots=True)
class AgreedSeat:
    """Who sits there at first: a person (with the name), a bot (with its level), or nobody yet."""

    kind: str
    name: str | None = None
    level: str | None = None
    holder: str | None = None
    adapts: bool = False
    """Whether the bot's level follows the people's results, from game to game."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A table as it was agreed. `seed` and `deal` are secret while the game runs."""

    players: int
    rules: dict[str, Any]
    seed: int
    deal: dict[str, Any]
    seats: list[AgreedSeat]
    assistance: bool = True
    teaching: str = "off"
    """How strictly turns are judged before they end: off, gentle, strict."""
    takeover_after: int | None = 120
    takeover_level: str = "greedy"
    spectators: bool = True
    seeded: bool = False
    actions: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    continues: str | None = None
    owner: str | None = None
    """Who made the table, by their holder; in logs of older versions the first person."""
    position: str | None = None
    """Where the game begins, as one line, if not at its start: a lesson's, a puzzle's."""
    rules_version: int = RULES_VERSION
    clock: dict[str, Any] | None = None
    """How long turns may take (`clock.ClockTerms`)."""
    talk: bool = True
    """Whether people may say something to each other here."""
    listed: bool = False
    """Whether everybody hears of the table in the lobby, and anybody may join."""
    rated: bool = False
    """Whether the result counts for ratings (`rated.py`)."""

    def to_dict(self) -> dict[str, Any]:
        """As the log keeps it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Agreement:
        """From the log. What a later version added has its default."""
        seats = [AgreedSeat(**seat) for seat in data["seats"]]
        actions = [*map(sys.intern, data.get("actions", []))]  # every table has the same few hundred
        return cls(**{**data, "seats": seats, "rules": _with_cap_in_reach(data["rules"]), "actions": actions})

    def game(self) -> Game:
        """The game at its start, or at the point from which it goes on."""
        *_, last = self.passing()
        return last

    def passing(self) -> Iterator[Game]:
        """One game, seen at its start and after each action until the point from which it goes on."""
        agreed: dict[str, Any] = {"players": self.players, "rules": self.rules}
        if self.position is None:
            agreed |= {"seed": self.seed, "deal": self.deal}
        else:
            agreed["position"] = self.position  # it tells what was dealt
        return Game.passing({**self.extra, **agreed, "actions": self.actions})


def _with_cap_in_reach(rules: dict[str, Any]) -> dict[str, Any]:
    """Tables of version 0.1 could have a cap that nobody comes up to; now that is none."""
    cap = rules.get("light_cap")
    return rules | {"light_cap": None} if isinstance(cap, int) and cap > MAX_LIGHT_CAP else rules


def checked_rules(rules: dict[str, Any]) -> Rules:
    """Rules a table can have."""
    try:
        agreed = Rules.from_dict(rules)
    except SungladeError as error:
        raise problem_of(error) from None
    if agreed.rounds > MOST_ROUNDS:
        raise ServerProblem("too_large", f"a table plays at most {MOST_ROUNDS} rounds, not {agreed.rounds}.")
    return agreed


def new_deal(seed: int, players: int) -> dict[str, Any]:
    """What chance decides."""
    return Deal.from_seed(seed, players).to_dict()


def uploaded(game: dict[str, Any]) -> Game:
    """A game file, checked action by action."""
    actions = game.get("actions")
    if isinstance(actions, list) and len(actions) > MOST_ACTIONS:
        raise ServerProblem("too_large", f"a game may have at most {MOST_ACTIONS} actions here, not {len(actions)}.")
    try:
        played = Game.from_dict(game)
    except SungladeError as error:
        raise problem_of(error) from None
    except RecursionError:
        raise ServerProblem("bad_json", "the game is nested too deeply.") from None
    checked_rules(played.rules.to_dict())
    return played
