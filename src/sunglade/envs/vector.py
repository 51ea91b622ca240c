"""Many games as one Gymnasium vector environment, stepped by compiled code (`BatchEnv`).

    env = gymnasium.make_vec("sunglade/Sunglade-v0", num_envs=1024)

The learner has one seat in every game and the others act at random; with `seat=None` the learner acts for all seats
in turn (self-play), and `info["player"]` says for which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sunglade import encode
from sunglade.envs.batch import BatchEnv
from sunglade.envs.observation import SIZE
from sunglade.errors import BadRequest
from sunglade.rules import Rules

Observations = NDArray[np.uint8]
Info = dict[str, Any]


class SungladeVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games; `reward` is win, margin or rank and comes when a game ends.

    A game that is over begins anew in the next step, whose action it ignores (Gymnasium's NEXT_STEP). Any illegal
    action raises IllegalAction, and no game is stepped. In self-play the reward is that of the seat that acted;
    `info["rewards"]` has all.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        bots: str = "random",
        seat: int | None = 0,
        reward: str = "win",
        threads: int | None = None,
        render_mode: None = None,
    ) -> None:
        if bots != "random":
            raise BadRequest(
                'this vector plays against random bots only; others need vectorization_mode="async" or "sync".'
            )
        self.num_envs = num_envs
        self.render_mode = None
        self.single_observation_space = spaces.Box(0, 255, (SIZE,), np.uint8)
        self.single_action_space = spaces.Discrete(encode.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = BatchEnv(
            num_envs, players=players, rules=rules, seat=seat, reward=reward, threads=threads, auto_reset="next_step"
        )
        self._seat = seat
        self._begun = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin new games. One seed serves the whole batch; `options["reset_mask"]` chooses some games."""
        if isinstance(seed, list):
            seed = None if not seed or seed[0] is None else seed[0]
        which = None if options is None else options.get("reset_mask")
        super().reset(seed=seed)
        self.batch.reset(seed=None if seed is None else int(seed), games=which)
        self._begun = True
        return self.batch.observations.copy(), self._info()

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """One action of the learner in every game."""
        if not self._begun:
            raise ResetNeeded("reset the environment before the first step.")
        acting = self.batch.player.copy()
        rewards, done = self.batch.step(actions)
        seats = acting if self._seat is None else self._seat
        own = rewards[np.arange(self.num_envs), seats].astype(np.float64)
        info = self._info() | {"rewards": rewards.copy()}
        return self.batch.observations.copy(), own, done.copy(), np.zeros(self.num_envs, np.bool_), info

    def _info(self) -> Info:
        return {"action_mask": self.batch.masks.copy(), "player": self.batch.player.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """(num_envs, actions): which actions are legal."""
        return self.batch.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        if hasattr(self, "batch"):  # not where the options made no sense
            self.batch.close()
