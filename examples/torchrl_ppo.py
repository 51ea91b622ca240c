"""Masked PPO with TorchRL: one seat learns against random players, many games in one vector environment.

    pip install "sunglade[envs]" torchrl
    python examples/torchrl_ppo.py --minutes 5

TorchRL's `GymWrapper` takes Sunglade's vector environment as it is; masks come with its `info`.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import GymWrapper, InitTracker, TransformedEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MaskedCategorical, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import sunglade.envs  # noqa: F401 - registers the environment
from sunglade.envs.observation import SCALE, SIZE


def games(count: int, rounds: int, seed: int) -> TransformedEnv:
    """Two players, the learner at seat 0; the mask goes into the tensordict beside the observation.

    TorchRL begins finished games anew itself. In the other modes it would try random actions, legal or not, to find out
    what `info` holds.
    """
    rules = {"rounds": rounds}
    made = gymnasium.make_vec("sunglade/Sunglade-v1", count, rules=rules, reward="margin", autoreset_mode="DISABLED")
    env = GymWrapper(made, categorical_action_encoding=True)
    actions = made.single_action_space.n
    masks = Binary(shape=(count, actions), dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[masks]))
    env.set_seed(seed)
    return TransformedEnv(env, InitTracker())


class Scaled(nn.Module):
    """Observations as numbers near 1."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.as_tensor(np.asarray(SCALE), dtype=torch.float32))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Bytes in, floats out."""
        return observation.float() * self.scale


def network(outputs: int) -> nn.Module:
    """Two layers."""
    return nn.Sequential(
        Scaled(), nn.Linear(SIZE, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)
    )


def players(actions: int) -> tuple[ProbabilisticTensorDictSequential, ValueOperator]:
    """Who acts, and who judges."""
    actor = ProbabilisticTensorDictSequential(
        TensorDictModule(network(actions), in_keys=["observation"], out_keys=["logits"]),
        TensorDictModule(lambda mask: mask.bool(), in_keys=["action_mask"], out_keys=["mask"]),
        ProbabilisticTensorDictModule(
            in_keys=["logits", "mask"], out_keys=["action"], distribution_class=MaskedCategorical, return_log_prob=True
        ),
    )
    return actor, ValueOperator(network(1), in_keys=["observation"])


def learn(loss: ClipPPOLoss, optimiser: torch.optim.Optimizer, batch: TensorDict, epochs: int, size: int) -> None:
    """Some passes over what was played."""
    for _ in range(epochs):
        for rows in torch.randperm(len(batch)).split(size):
            found = loss(batch[rows])
            total = found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]
            optimiser.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimiser.step()


def main() -> None:
    """Learn for so many minutes, and tell how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--steps", type=int, default=128, help="of each game between two times of learning")
    parser.add_argument("--rounds", type=int, default=18, help="of a game; fewer are a shorter game")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    torch.manual_seed(told.seed)
    env = games(told.games, told.rounds, told.seed)
    actor, critic = players(env.action_spec.n)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    optimiser = torch.optim.Adam(loss.parameters(), lr=3e-4)
    played = Collector(env, actor, frames_per_batch=told.games * told.steps, total_frames=-1)
    until = time.monotonic() + 60 * told.minutes
    for number, batch in enumerate(played, start=1):
        with torch.no_grad():
            advantage(batch)
        over = batch["next", "done"]
        margin = 100 * float(batch["next", "reward"][over].mean()) if over.any() else float("nan")
        learn(loss, optimiser, batch.reshape(-1), epochs=4, size=512)
        print(
            f"{number * told.games * told.steps} steps, {int(over.sum())} games, margin {margin:+.1f} points",
            flush=True,
        )
        if time.monotonic() > until:
            break
    played.shutdown()


if __name__ == "__main__":
    main()
