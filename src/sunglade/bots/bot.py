"""What a bot is: one method, position and time in, action line out. Some can also say what they found."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Protocol, runtime_checkable

from sunglade.errors import SungladeError
from sunglade.game import Game
from sunglade.rules import Rules


class Bot(Protocol):
    """What chooses actions for a seat."""

    def act(self, game: Game, ms: int) -> str:
        """A legal line for the player to act. `ms` is what is left of the time for this whole turn.

        The game is the bot's own redacted copy: it may be forked, and tells nothing a player may not know (M-SETUP-4).
        """
        ...


class Line(Protocol):
    """An action that was looked at: how often, and its value to each seat."""

    @property
    def action(self) -> str: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> list[float]: ...


class Thought(Protocol):
    """What thinking found: an action, the value of the position to each seat, the lines best first."""

    @property
    def action(self) -> str: ...

    @property
    def value(self) -> list[float]: ...

    @property
    def lines(self) -> Sequence[Line]: ...


@runtime_checkable
class Analyst(Bot, Protocol):
    """A bot that can say what it found, and be stopped: what the engine's `think` and the analysis ask."""

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """Like `act`; with `nodes` the answer is repeatable."""
        ...


class Foretold(Protocol):
    """How a game may end: everybody's points, and for each space each seat's chance to have a piece there."""

    @property
    def points(self) -> list[float]: ...

    @property
    def standing(self) -> dict[str, list[float]]: ...


@runtime_checkable
class Foreteller(Bot, Protocol):
    """A bot that can say how a game may end."""

    def foretell(self, game: Game) -> Foretold | None:
        """What it expects of a game that is not over; None where it cannot."""
        ...


@runtime_checkable
class Choosy(Bot, Protocol):
    """A bot that does not play every game."""

    def refuses(self, players: int, rules: Rules) -> str | None:
        """Why it cannot play so many players by these rules, in a sentence; None when it can."""
        ...


@runtime_checkable
class Noting(Bot, Protocol):
    """A bot that has something to tell people."""

    @property
    def note(self) -> str | None:
        """A remark on its last action, or on how it plays; None when there is nothing to tell."""
        ...


@runtime_checkable
class Closable(Bot, Protocol):
    """A bot that holds something, such as a process, until it is told to let go."""

    def close(self) -> None:
        """Let go. The bot does not act any more."""
        ...


class BotFailed(SungladeError):
    """A bot broke down: it ended, answered nonsense or not in time."""
