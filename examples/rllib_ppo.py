"""Masked PPO with RLlib: one seat learns against a bot.

    pip install "sunglade[envs]" "ray[rllib]" torch
    python examples/rllib_ppo.py --iterations 20

RLlib's own example of action masking is the network; it wants observation and mask together, which `Masked` gives it.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import sunglade.envs  # noqa: F401 - registers the environment
from sunglade.envs.observation import SCALE


class Masked(gymnasium.Wrapper):  # type: ignore[type-arg]
    """The observation, scaled, together with the mask that `info` brings."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(gymnasium.make("sunglade/Sunglade-v1", disable_env_checker=True, **config))
        size, actions = self.env.observation_space.shape, self.env.action_space.n
        self.observation_space = spaces.Dict(
            {
                "observations": spaces.Box(0.0, np.inf, size, np.float32),
                "action_mask": spaces.Box(0.0, 1.0, (actions,), np.float32),
            }
        )

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game."""
        seen, info = self.env.reset(seed=seed, options=options)
        return self._masked(seen, info), info

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One action of the learner."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        return self._masked(seen, info), float(reward), terminated, truncated, info

    def _masked(self, seen: Any, info: dict[str, Any]) -> dict[str, Any]:
        scaled = np.asarray(seen * SCALE, np.float32)
        return {"observations": scaled, "action_mask": np.asarray(info["action_mask"], np.float32)}


def main() -> None:
    """Learn for some iterations, and tell how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default="random")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--steps", type=int, default=2000, help="between two times of learning")
    parser.add_argument("--rounds", type=int, default=18, help="of a game; fewer are a shorter game")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0: the learner's own")
    told = parser.parse_args()
    ray.init(include_dashboard=False, log_to_driver=False)
    game = {"bots": told.bot, "reward": "margin", "rules": {"rounds": told.rounds}}
    config = (
        PPOConfig()
        .environment(Masked, env_config=game)
        .env_runners(num_env_runners=told.runners)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=told.steps, minibatch_size=256, num_epochs=4, lr=3e-4, gamma=1.0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [256, 256]}
            )
        )
    )
    algorithm = config.build_algo()
    for number in range(1, told.iterations + 1):
        found = algorithm.train()["env_runners"]
        margin = 100 * found.get("episode_return_mean", float("nan"))
        print(f"{number}: {found['num_episodes']} games, margin {margin:+.1f} points", flush=True)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
