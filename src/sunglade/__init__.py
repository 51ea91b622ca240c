"""Sunglade: the board game in which trees race for light, complete and exact. Unofficial fan software.

>>> from sunglade import Game
>>> game = Game(players=2)
>>> game.play("place a1")
>>> game.player
1
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sunglade.errors import BadJson, BadRequest, BadRules, IllegalAction, SungladeError
    from sunglade.game import Game
    from sunglade.rules import Rules

__version__ = "0.1.0"

__all__ = ["BadJson", "BadRequest", "BadRules", "Game", "IllegalAction", "Rules", "SungladeError", "__version__"]

_HOMES = {
    "Game": "sunglade.game",
    "Rules": "sunglade.rules",
    **dict.fromkeys(("BadJson", "BadRequest", "BadRules", "IllegalAction", "SungladeError"), "sunglade.errors"),
}


def __dir__() -> list[str]:
    """The public names and nothing else."""
    return __all__


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is: `sunglade --version` need not wait for the compiler."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sunglade' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
