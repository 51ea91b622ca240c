"""Plays by tree search: the strongest a plain search gives, without anything learned."""

from __future__ import annotations

from threading import Event
from typing import Final

from sunglade.bots.turn_time import for_next_action
from sunglade.game import Game
from sunglade.search.rollout_thinker import RolloutThinker, Settings, Thought, warm_up

USUAL: Final = Settings()


class SearchBot:
    """A `RolloutThinker` that shares out the time of a turn among its actions.

    The settings are those of `Settings`, for experiments in the arena: `search:explore=0.4`.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        threads: int = 1,
        explore: float = USUAL.explore,
        width: float = USUAL.width,
        widen: float = USUAL.widen,
        widen_root: float = USUAL.widen_root,
        margin: float = USUAL.margin,
    ) -> None:
        warm_up()
        self._thinker = RolloutThinker(seed, threads, Settings(explore, width, widen, widen_root, margin))

    def act(self, game: Game, ms: int) -> str:
        """The action tried most within its share of the milliseconds left for this turn."""
        return self.think(game, ms=ms).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """What was found, and how good it is. With `nodes` the answer does not depend on the machine's speed."""
        return self._thinker.think(game, ms=for_next_action(ms, nodes), nodes=nodes, stop=stop)
