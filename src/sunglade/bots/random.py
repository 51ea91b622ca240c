"""Plays any legal action, each as likely as the other: the weakest player there is, and the measure of all others."""

from __future__ import annotations

import random

from sunglade.game import Game
from sunglade.search.manner import AT_RANDOM, Manner


class Random:
    """Uniform random choice among the legal actions, repeatable by its seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self.manner = Manner()
        self.manner.kind = AT_RANDOM

    def act(self, game: Game, ms: int) -> str:
        """Any legal line."""
        return self._random.choice(game.legal)
