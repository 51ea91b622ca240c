"""What a set of games is made by: everything that decides what is played. The same plan gives the same games."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sunglade import __version__, bots
from sunglade.analysis import analyst
from sunglade.errors import BadRequest
from sunglade.neural.inference import NEWEST
from sunglade.rules import MAX_ROUNDS, Rules, check_players

FORMAT: Final = "sunglade-data/1"
MOST_SEED: Final = 2**63 - 1
MOST_GAMES: Final = 10_000_000


class Opening(NamedTuple):
    """Where a game begins, and what chance decides in it."""

    players: int
    seed: int
    bot_seed: int
    chance: random.Random


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays by which rules, how long it searches, and how much it explores.

    Games have the numbers of players in turn. In the set-up and the first `explore` rounds actions are drawn, each as
    likely as the search tried it often; then the one that it tried most is played. With `random_setup` everything
    before the first turn is played at random, without a search.
    """

    players: tuple[int, ...] = (2,)
    rules: Rules = field(default_factory=Rules)
    bot: str = "neural"
    nodes: int = 400
    seed: int = 0
    explore: int = 2
    random_setup: bool = False

    def __post_init__(self) -> None:
        if not self.players:
            raise BadRequest("a set of games needs a number of players.")
        for players in self.players:
            check_players(players)
        check_whole("nodes", self.nodes, 1, bots.MAX_NODES)
        check_whole("seed", self.seed, 0, MOST_SEED)
        check_whole("explore", self.explore, 0, MAX_ROUNDS)

    def check_bot(self) -> None:
        """Refuse a bot that cannot tell what it thinks, or does not play such games."""
        bot = analyst(self.bot)
        for players in self.players:
            bots.check(bot, self.bot, players, self.rules)

    def opening(self, number: int) -> Opening:
        """Game `number`, counted from 0. It does not depend on how many there are."""
        chance = random.Random(f"{self.seed}/{number}")
        players = self.players[number % len(self.players)]
        return Opening(players, chance.randrange(2**31), chance.randrange(2**31), chance)

    def to_dict(self) -> dict[str, Any]:
        """The plan as it stands in every file, with what it was played by."""
        network = {"network": NEWEST} if bots.split(self.bot)[0] in bots.NETWORKED else {}
        return {
            "format": FORMAT,
            "players": list(self.players),
            "rules": self.rules.to_dict(),
            "bot": self.bot,
            **network,
            "nodes": self.nodes,
            "seed": self.seed,
            "explore": self.explore,
            "random_setup": self.random_setup,
            "release": __version__,
        }


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number within limits."""
    if type(value) is not int or not least <= value <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most}, not {value!r:.60}.")
