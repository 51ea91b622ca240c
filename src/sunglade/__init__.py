"""Sunglade: the board game in which trees race for light, complete and exact. Unofficial fan software.

>>> from sunglade import Game
>>> game = Game(players=2)
>>> game.play("place a1")
>>> game.player
1
"""

from sunglade.errors import BadJson, BadRequest, BadRules, IllegalAction, SungladeError
from sunglade.game import Game
from sunglade.rules import Rules

__version__ = "0.1.0"

__all__ = ["BadJson", "BadRequest", "BadRules", "Game", "IllegalAction", "Rules", "SungladeError", "__version__"]
