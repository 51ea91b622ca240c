"""How fast the search is, beside the C++ yardstick: its rollouts, its tree, its kind of position, in the same run."""

from __future__ import annotations

import contextlib
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

from sunglade import kernel, yardstick
from sunglade.rules import Rules
from sunglade.search.rollout_thinker import Settings
from sunglade.search.uct import (
    SIMPLE_ROLLOUTS,
    SIMPLE_TREE,
    Desk,
    Roots,
    Tree,
    advance,
    plant,
    simulate,
)

ROUNDS: Final = 7
"""Interleaved rounds of measurement; their medians count."""
SIMULATIONS: Final = 100_000
MIDDLE_ROUND: Final = 10
"""The yardstick counts rounds from 0 and begins its search in round 9."""
SEED: Final = 99
YARDSTICK: Final = Settings(explore=0.7, width=1e6, widen=0.0, simple=SIMPLE_ROLLOUTS | SIMPLE_TREE)
BAR: Final = 0.75
"""Of the yardstick's simulations a second, one thread should reach so much."""
THREADS_BAR: Final = 1.8
"""And two threads so many times that."""

Report = Callable[[str], None]


class Rate(NamedTuple):
    """Simulations a second: by the clock, and by the processor time of each thread.

    On an idle machine the two are the same. On a busy one the clock also counts the waiting for a core.
    """

    clock: float
    processor: float


def measure_rate(threads: int, settings: Settings, simulations: int, seed: int = 1) -> Rate:
    """So many simulations of the middle game on one tree, shared out among threads."""
    tree, roots, how = Tree(), middle_game(), settings.as_record()
    desks = [Desk() for _ in range(threads)]
    plant(tree, [desk.hand for desk in desks], [seed * 64 + number for number in range(threads)])
    share = simulations // threads

    def work(desk: Desk) -> float:
        began = time.thread_time()
        simulate(tree, roots, desk, how, share)
        return share / (time.thread_time() - began)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(time.sleep, [0.001] * threads))  # the threads are there before the clock runs
        began = time.perf_counter()
        rates = list(pool.map(work, desks))
        return Rate(share * threads / (time.perf_counter() - began), sum(rates))


def middle_game() -> Roots:
    """A two-player position of the yardstick's kind: its rollout policy has played up to the middle."""
    position = kernel.new_record(Rules(), 2)
    advance(position, kernel.LegalList(), MIDDLE_ROUND, SEED)
    return Roots.at([position])


class Yardstick:
    """The C++ program, built in a scratch folder."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self._program = yardstick.build(folder, "mcts.cpp", scratch)

    def measure(self, simulations: int) -> float:
        """Simulations a second of processor time; the program repeats its measurement, and the median counts."""
        command = [str(self._program), "2", "1", str(simulations)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return statistics.median(float(found) for found in re.findall(r"sims/s (\d+)", done.stdout))


def measure(
    limit: Path | None = None, simulations: int = SIMULATIONS, report: Report = lambda text: None
) -> dict[str, Any]:
    """Simulations a second of one thread and of two, of the bot's own settings, and of the limit given its folder."""
    with contextlib.ExitStack() as stack:
        yardstick = None
        if limit is not None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="sunglade-limit-"))
            yardstick = Yardstick(limit, Path(scratch))
        measure_rate(2, YARDSTICK, 2)
        rounds = []
        for number in range(ROUNDS):
            report(f"tree search, round {number + 1} of {ROUNDS}")
            rounds.append(_round(yardstick, simulations, number + 1))
    return _summary(rounds, yardstick is not None)


def _round(yardstick: Yardstick | None, simulations: int, seed: int) -> dict[str, float]:
    """Everything once, one after the other."""
    one = measure_rate(1, YARDSTICK, simulations, seed)
    two = measure_rate(2, YARDSTICK, 2 * simulations, seed)
    figures = {
        "one_thread_per_s": one.processor,
        "two_threads_per_s": two.processor,
        "two_threads_by_the_clock_per_s": two.clock,
        "two_threads_ratio": two.processor / one.processor,
        "two_threads_ratio_by_the_clock": two.clock / one.clock,
        "own_settings_per_s": measure_rate(1, Settings(), simulations, seed).processor,
    }
    if yardstick is not None:
        pace = yardstick.measure(simulations)
        figures["limit_per_s"] = pace
        figures["of_the_limit"] = one.processor / pace
        figures["two_threads_of_the_limit"] = two.processor / pace
        figures["two_threads_of_the_limit_by_the_clock"] = two.clock / pace
    return figures


def _summary(rounds: list[dict[str, float]], compared: bool) -> dict[str, Any]:
    """Medians, and what the bars ask for."""
    figures: dict[str, Any] = {}
    for name in rounds[0]:
        median = statistics.median(each[name] for each in rounds)
        figures[name] = round(median) if name.endswith("per_s") else round(median, 3)
    if compared:
        figures["bars"] = {"of_the_limit": BAR, "two_threads_of_the_limit": BAR * THREADS_BAR}
    return {"rounds": len(rounds), **figures}
