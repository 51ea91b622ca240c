"""How fast the environments are: `sunglade bench --envs`. Ratios are of interleaved runs.

GPU figures come from `bench/gpu.py`, run on a machine that has one.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from sunglade import kernel
from sunglade.envs.batch import BatchEnv
from sunglade.rules import Rules

Report = Callable[[str], None]

PAIRS: Final = 7
SEED: Final = 12345
THREADS: Final = 2
RANDOM_BATCH: Final = 1024
RANDOM_STEPS: Final = 500
STEP_BATCH: Final = 1024
STEP_STEPS: Final = 60
AGENT_STEPS: Final = 5000


def playout_actions_per_second(games: int = 4000) -> float:
    """Uniform random play of the base game on one thread, through `kernel.playouts`."""
    start = kernel.new_record(Rules(), 2)
    arrays = start.array(), start.copy().array(), kernel.LegalList().array()
    kernel.playouts(*arrays, 20, SEED)
    began = time.perf_counter()
    played, _, _ = kernel.playouts(*arrays, games, SEED)
    return played / (time.perf_counter() - began)


def random_actions_per_second(env: BatchEnv) -> float:
    """Uniform random play of a batch, observations left out."""
    began = time.perf_counter()
    played = env.play_random(RANDOM_STEPS)
    return played.actions / (time.perf_counter() - began)


def steps_per_second(env: BatchEnv) -> float:
    """Steps of a batch, each writing observations and masks; the choice of actions is not timed."""
    seconds = 0.0
    for _ in range(STEP_STEPS):
        actions = env.random_actions()
        began = time.perf_counter()
        env.step(actions)
        seconds += time.perf_counter() - began
    return STEP_STEPS * env.n / seconds


def agent_steps_per_second(wrapped: bool) -> float:
    """Steps of the PettingZoo environment by random agents, in PettingZoo's own loop, `last()` included."""
    from sunglade.envs import sunglade_v1

    env = sunglade_v1.env() if wrapped else sunglade_v1.raw_env()
    choices = random.Random(SEED)
    env.reset(seed=SEED)
    steps = 0
    began = time.perf_counter()
    while steps < AGENT_STEPS:
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[choices.randrange(len(legal))]))
            steps += 1
        env.reset()
    return steps / (time.perf_counter() - began)


def measure(report: Report = lambda _: None) -> dict[str, Any]:
    """Everything; takes less than a minute once compiled."""
    report("random play of batches")
    with (
        BatchEnv(RANDOM_BATCH, threads=THREADS, seed=SEED, observe=False) as two,
        BatchEnv(RANDOM_BATCH, threads=1, seed=SEED, observe=False) as one,
    ):
        pairs = _interleaved(
            playout_actions_per_second, lambda: random_actions_per_second(two), lambda: random_actions_per_second(one)
        )
    ratios = [batch / playout for playout, batch, _ in pairs]
    report("steps with observations and masks")
    with BatchEnv(STEP_BATCH, threads=THREADS, seed=SEED) as env, BatchEnv(STEP_BATCH, threads=1, seed=SEED) as alone:
        steps = _interleaved(lambda: steps_per_second(env), lambda: steps_per_second(alone))
    report("PettingZoo")
    agents = _interleaved(lambda: agent_steps_per_second(True), lambda: agent_steps_per_second(False))
    return {
        "threads": THREADS,
        "playout_actions_per_s": _median(pairs, 0),
        "batch_random_actions_per_s": _median(pairs, 1),
        "batch_random_actions_per_s_one_thread": _median(pairs, 2),
        "batch_to_playout": _short(statistics.median(ratios)),
        "batch_to_playout_all": [_short(ratio) for ratio in ratios],
        "batch_steps_per_s": _median(steps, 0),
        "batch_steps_per_s_one_thread": _median(steps, 1),
        "pettingzoo_steps_per_s": _median(agents, 0),
        "pettingzoo_raw_steps_per_s": _median(agents, 1),
    }


def _interleaved(*works: Callable[[], float]) -> list[tuple[float, ...]]:
    """Each work in turn, several times, after one round that does not count."""
    return [tuple(work() for work in works) for _ in range(PAIRS + 1)][1:]


def _short(ratio: float) -> float:
    """To three digits: a ratio is never rounded to nothing, however busy the machine."""
    return float(f"{ratio:.3g}")


def _median(rows: list[tuple[float, ...]], column: int) -> int:
    return round(statistics.median(row[column] for row in rows))
