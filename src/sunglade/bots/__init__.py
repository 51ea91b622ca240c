"""Players that are programs: a tiny interface and a registry of short names.

A bot is one small class with one method: position and time in, action line out. A new one is a file in this folder
and a line in `_HOMES`.

>>> from sunglade import Game
>>> make("random", seed=1).act(Game(players=2), ms=100) in Game(players=2).legal
True
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from threading import Event
from typing import Final, Protocol, runtime_checkable

from sunglade.errors import BadRequest
from sunglade.game import Game


class Bot(Protocol):
    """What chooses actions for a seat."""

    def act(self, game: Game, ms: int) -> str:
        """A legal line for the player to act, thought about for at most `ms` milliseconds.

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


_HOMES: Final = {
    "random": ("random", "Random"),
    "greedy": ("greedy", "Greedy"),
    "search": ("search", "SearchBot"),
}
"""Short name → file and class. A bot is imported when it is first made, so that heavy ones cost nothing before."""


def names() -> list[str]:
    """The short names of all bots, simplest first."""
    return list(_HOMES)


def make(name: str, *, seed: int = 0) -> Bot:
    """A new bot. The same seed makes it choose the same way again."""
    if name not in _HOMES:
        raise BadRequest(f"there is no bot {name!r:.60}; the bots are {', '.join(_HOMES)}.")
    file, kind = _HOMES[name]
    bot: Bot = getattr(import_module(f"{__name__}.{file}"), kind)(seed)
    return bot
