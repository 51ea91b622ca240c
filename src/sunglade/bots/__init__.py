"""Players that are programs: a tiny interface and a registry of short names.

A bot is one small class with one method: position and time in, action line out. A new one is a file in this folder
and a line in `_HOMES`.

>>> from sunglade import Game
>>> make("random", seed=1).act(Game(players=2), ms=100) in Game(players=2).legal
True
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, Protocol

from sunglade.errors import BadRequest
from sunglade.game import Game


class Bot(Protocol):
    """What chooses actions for a seat."""

    def act(self, game: Game, ms: int) -> str:
        """A legal line for the player to act, thought about for at most `ms` milliseconds.

        The game is the bot's own redacted copy: it may be forked, and tells nothing a player may not know (M-SETUP-4).
        """
        ...


_HOMES: Final = {"random": ("random", "Random"), "greedy": ("greedy", "Greedy")}
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
