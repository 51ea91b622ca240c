"""Many games as one Gymnasium vector environment, stepped by compiled code (`BatchEnv`).

    env = gymnasium.make_vec("sunglade/Sunglade-v1", num_envs=1024)

The learner has one seat in every game, drawn anew for each with `seat=None`, and the others act at random, or as `bots`
says: what a `BatchEnv` takes as its opponents. With `self_play=True` the learner acts for all seats in turn, and
`info["seat"]` says for which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sunglade import encode
from sunglade.envs.batch import BatchEnv, Outcome
from sunglade.envs.observation import SIZE
from sunglade.envs.opponents import Policy
from sunglade.errors import BadRequest
from sunglade.rules import Rules

Observations = NDArray[np.uint8]
Info = dict[str, Any]

_AUTO_RESET: Final = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "disabled",  # `step` begins them anew when it has kept how they ended
    AutoresetMode.DISABLED: "disabled",
}


class SungladeVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games; `reward` is win, margin or rank and comes when a game ends.

    When a finished game begins anew, `autoreset_mode` says, as in Gymnasium: in the next step, whose action it ignores;
    in the same step, which tells in `info["final_obs"]` and `info["final_info"]` how it ended; or only when `reset` is
    called with `options={"reset_mask": …}`. Any illegal action raises IllegalAction, and no game is stepped. The
    reward is that of the learner, in self-play of the seat that acted; `info["rewards"]` has all.
    """

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        rules: Rules | Mapping[str, Any] | None = None,
        bots: str | Policy | Sequence[str | Policy] = "random",
        seat: int | None = 0,
        self_play: bool = False,
        reward: str = "win",
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = None
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spaces.Box(0, 255, (SIZE,), np.uint8)
        self.single_action_space = spaces.Discrete(encode.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = BatchEnv(
            num_envs,
            players=players,
            rules=rules,
            opponents=None if self_play else bots,
            seat=None if self_play else seat,
            reward=reward,
            threads=threads,
            auto_reset=_AUTO_RESET[self.autoreset_mode],
        )
        self._begun = False
        self._all = np.ones(num_envs, np.bool_)

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
        return self.batch.observations.copy(), self._info(np.zeros_like(self.batch.outcome.rewards))

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """One action of the learner in every game."""
        if not self._begun:
            raise ResetNeeded("reset the environment before the first step.")
        if self.autoreset_mode is AutoresetMode.DISABLED and self.batch.outcome.done.any():
            raise ResetNeeded('some games are over; reset them with options={"reset_mask": terminated} first.')
        seats = self.batch.seats
        rewards, done = self.batch.step(actions)
        outcome = Outcome(rewards.copy(), done.copy())
        info: Info = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and outcome.done.any():
            info = self._ended(outcome)
            self.batch.reset(games=outcome.done)
        own = outcome.rewards[np.arange(self.num_envs), seats].astype(np.float64)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self.batch.observations.copy(), own, outcome.done, truncated, info | self._info(outcome.rewards)

    def _info(self, rewards: NDArray[np.float32]) -> Info:
        """What there is to know of every game, under the names of a single game's `info`."""
        facts = {"action_mask": self.batch.masks.copy(), "seat": self.batch.seats, "rewards": rewards}
        return facts | {f"_{name}": self._all.copy() for name in facts}

    def _ended(self, outcome: Outcome) -> Info:
        """How the games that are over ended, as Gymnasium's own vectors tell it."""
        last = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(outcome.done):
            last[game] = self.batch.observations[game].copy()
        over = outcome.done
        told = {name: _only(fact, over) for name, fact in self._info(outcome.rewards).items()}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": told, "_final_info": over.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """(num_envs, actions): which actions are legal; where a game is over, action 0."""
        return self.batch.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        if hasattr(self, "batch"):  # not where the options made no sense
            self.batch.close()


def _mode(wanted: AutoresetMode | str) -> AutoresetMode:
    """Gymnasium's word for it, or the value behind the word."""
    for mode in AutoresetMode:
        if wanted in (mode, mode.value, mode.name):
            return mode
    names = ", ".join(mode.name for mode in AutoresetMode)
    raise BadRequest(f"autoreset_mode must be one of {names}, not {wanted!r:.60}.")


def _only(facts: NDArray[Any], where: NDArray[np.bool_]) -> NDArray[Any]:
    """The facts of some games, 0 for the others."""
    kept = np.zeros_like(facts)
    kept[where] = facts[where]
    return kept
