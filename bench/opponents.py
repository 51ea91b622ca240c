"""Batches against levels: compiled, and as bots that are asked in Python one game after another, in one run.

Usage: python bench/opponents.py [--games 1024] [--rounds 5] [--levels seedling sapling birch maple]

A learner acts at random. Both batches are stepped by turns, the first round not counting; rates are medians, the ratio
is theirs. Asked bots are given few steps, because they need long.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Final

from sunglade.envs import BatchEnv
from sunglade.envs.opponents import BotOpponents

COMPILED_STEPS: Final = 60
ASKED_STEPS: Final = 2


def batch(games: int, level: str, *, asked: bool) -> BatchEnv:
    """A batch against a level, some way into its games."""
    env = BatchEnv(games, opponents=level, seed=1)
    env.play_random(60)
    if asked:
        env._manners, env._opponents = None, BotOpponents(level, seed=1)
    return env


def steps_a_second(env: BatchEnv, steps: int) -> float:
    """Steps of the learner; the choice of its actions is not timed."""
    seconds = 0.0
    for _ in range(steps):
        actions = env.random_actions()
        began = time.perf_counter()
        env.step(actions)
        seconds += time.perf_counter() - began
    return steps * env.n / seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--levels", nargs="+", default=["seedling", "sapling", "birch", "maple"])
    chosen = parser.parse_args()
    for level in chosen.levels:
        compiled = batch(chosen.games, level, asked=False)
        asked = batch(chosen.games, level, asked=True)
        works = [(compiled, COMPILED_STEPS), (asked, ASKED_STEPS)]
        rates = [[steps_a_second(*work) for work in works] for _ in range(chosen.rounds + 1)][1:]
        quick, slow = (statistics.median(column) for column in zip(*rates, strict=True))
        print(
            f"{level}: compiled {quick:,.0f} steps/s on {compiled.threads} threads, asked {slow:,.0f}, "
            f"{quick / slow:,.0f} times, medians of {chosen.rounds} rounds of {chosen.games} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
