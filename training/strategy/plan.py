"""Which games are played for the guide: a number decides players, rules, deal and whether the set-up is random."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sunglade import kernel
from sunglade.deal import Deal
from sunglade.rules import MODULES, Rules

Array = NDArray[Any]

RULES: Final[dict[str, dict[str, Any]]] = {
    "us": {},
    "eu": {"edition": "eu"},
    "de": {"edition": "de"},
    "es": {"edition": "es"},
    "it": {"edition": "it"},
    "ru": {"edition": "ru"},
    "shade": {"shade_forbids": True},
    "long": {"revolutions": 4},
    "moonlight": {"modules": MODULES},
    "moon": {"modules": ["moon"]},
    "elder": {"modules": ["elder"]},
    "stones": {"modules": ["stones"]},
}
"""What is played: the editions that differ while shade forbids nothing, two options, and sets of modules."""
EDITIONS: Final = ("us", "eu", "de", "es", "it", "ru")
SHARES: Final = {
    "us": 4, "eu": 2, "de": 2, "es": 2, "it": 2, "ru": 2, "shade": 2, "long": 1,
    "moonlight": 3, "moon": 2, "elder": 1, "stones": 1,
}  # fmt: skip
"""Of 24 games, how many are played by which rules."""
PLAYERS: Final = (2, 3, 4)
SET_UPS: Final = (False, False, True)
"""Of three games, one begins with a random set-up: no player's skill decides who gets which space or animal."""


class Planned(NamedTuple):
    """A game to be played."""

    players: int
    rules: str
    random_setup: bool


def _pattern() -> list[Planned]:
    """All games once, as often as they should be, in a mixed order: any stretch of numbers has about all of them."""
    games = [
        Planned(players, rules, random_setup)
        for players in PLAYERS
        for rules, share in SHARES.items()
        for _ in range(share)
        for random_setup in SET_UPS
    ]
    return [games[place] for place in np.random.default_rng(1).permutation(len(games))]


PATTERN: Final = _pattern()


def planned(number: int) -> Planned:
    """The game with this number."""
    return PATTERN[number % len(PATTERN)]


def start(number: int) -> Array:
    """The position it begins with; with animals, those that its number deals."""
    game = planned(number)
    deal = Deal.from_seed(number, game.players)
    return kernel.new_record(Rules(**RULES[game.rules]), game.players, deal.animals, deal.babies).array()
