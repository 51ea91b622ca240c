"""Train a player with MaskablePPO (sb3-contrib) until it beats a bot; minutes on a laptop.

    pip install "sunglade[envs]" sb3-contrib
    python examples/train_maskable_ppo.py --bot seedling --minutes 5

Prints the share of games won against the bot, during and after. The learner's seat is drawn for each game; a shared
win counts in part.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from sunglade import bots

ENV_ID = "sunglade.envs:sunglade/Sunglade-v1"
GAMES_AT_ONCE = 8
LAST_GAMES = 200
"""Games of the training by which its progress is told: the learner still tries things out in them."""


def make_env(bot: str, reward: str = "margin") -> gymnasium.Env[Any, Any]:
    """One game against the bot; points of margin teach more than the bare win."""
    return gymnasium.make(ENV_ID, bots=bot, seat=None, reward=reward)


def share_won(model: MaskablePPO, bot: str, games: int, seed: int) -> float:
    """How many of so many games the model wins."""
    env = make_env(bot, reward="win")
    won = 0.0
    observation, info = env.reset(seed=seed)
    for _ in range(games):
        over = False
        while not over:
            action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, reward, over, _, info = env.step(int(action))
        won += (float(reward) + 1) / 2
        observation, info = env.reset()
    return won / games


class Until(BaseCallback):
    """Ends the training when the time is up, or the bot is beaten often enough; says how it goes."""

    def __init__(self, minutes: float, goal: float) -> None:
        super().__init__()
        self.minutes, self.goal = minutes, goal
        self.began = self.told = time.monotonic()
        self.results: deque[float] = deque(maxlen=LAST_GAMES)

    def _on_step(self) -> bool:
        now = time.monotonic()
        margins = self.locals["rewards"][self.locals["dones"]]
        self.results.extend((np.sign(margins) + 1) / 2)
        won = float(np.mean(self.results)) if self.results else 0.0
        if now - self.told >= 20:
            self.told = now
            games = f"{won:.0%} of the last {len(self.results)} games won"
            print(f"{self.num_timesteps:>8} steps, {now - self.began:4.0f} s: {games}", flush=True)
        beaten = len(self.results) == LAST_GAMES and won >= self.goal
        return not beaten and now - self.began < 60 * self.minutes


def train(bot: str, minutes: float, goal: float, seed: int) -> MaskablePPO:
    """A model trained against the bot."""
    torch.set_num_threads(1)  # a network this small is slower on several
    env = DummyVecEnv([partial(make_env, bot) for _ in range(GAMES_AT_ONCE)])
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=256,
        batch_size=1024,
        n_epochs=5,
        learning_rate=5e-4,
        gamma=0.998,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
    )
    model.learn(100_000_000, callback=Until(minutes, goal))
    return model


def main() -> None:
    """Train, then measure on games nobody has seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default="seedling", help="whom to beat: a bot's name")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--goal", type=float, default=0.9, help="end early at this share of training games won")
    parser.add_argument("--games", type=int, default=200, help="games of the measurement at the end")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="where to keep the model")
    chosen = parser.parse_args()
    if chosen.bot not in bots.names():
        parser.error(f"there is no bot {chosen.bot!r}; the bots are {', '.join(bots.names())}")
    if chosen.games < 1 or not chosen.minutes > 0:
        parser.error("--games and --minutes must be more than 0")
    model = train(chosen.bot, chosen.minutes, chosen.goal, chosen.seed)
    won = share_won(model, chosen.bot, chosen.games, seed=2026)
    error = 1.96 * float(np.sqrt(max(won * (1 - won), 1e-9) / chosen.games))
    print(f"{won:.1%} ± {error:.1%} of {chosen.games} games won against {chosen.bot}")
    if chosen.save:
        model.save(chosen.save)


if __name__ == "__main__":
    main()
