"""Plays by tree search with a network that learned the game from nothing but its rules."""

from __future__ import annotations

from threading import Event

from sunglade.bots.bot import Foretold
from sunglade.bots.turn_time import for_next_action
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.neural.inference import NEWEST, shipped
from sunglade.neural.network_thinker import BATCH, EXPLORE, NetworkThinker, Settings, warm_up
from sunglade.rules import Rules
from sunglade.search.rollout_thinker import Thought
from sunglade.words import saying
from sunglade.words.speech import tell


class NeuralBot:
    """A `NetworkThinker` that shares out the time of a turn among its actions.

    It has no use for a seed: the same position and the same work give the same answer.
    """

    def __init__(
        self, seed: int = 0, *, threads: int = 1, explore: float = EXPLORE, batch: int = BATCH, weights: str = NEWEST
    ) -> None:
        network = shipped(threads, weights)
        warm_up()
        self._plays_modules = network.plays_modules
        self._thinker = NetworkThinker(network, Settings(explore=explore, batch=batch))

    def refuses(self, players: int, rules: Rules) -> str | None:
        """Why it cannot play such a game, or None: the first network has learned no modules."""
        if rules.modules and not self._plays_modules:
            return tell("terminal.bots.base_only")
        return None

    def act(self, game: Game, ms: int) -> str:
        """The action tried most within its share of the milliseconds left for this turn."""
        return self.think(game, ms=ms).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """What was found, and how good it is. With `nodes` the answer does not depend on the machine's speed."""
        reason = self.refuses(game.players, game.rules)
        if reason is not None:
            raise BadRequest(saying("terminal.bots.cannot", bot="neural", reason=reason))
        return self._thinker.think(game, ms=for_next_action(ms, nodes), nodes=nodes, stop=stop)

    def foretell(self, game: Game) -> Foretold | None:
        """What the network expects at the end, without a search."""
        return None if self.refuses(game.players, game.rules) else self._thinker.foretell(game)
