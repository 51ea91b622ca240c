"""How fast the search is, beside the C++ yardstick: its rollouts, its tree, its kind of position, in the same run."""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np

from sunglade import kernel
from sunglade.errors import BadRequest
from sunglade.rules import Rules
from sunglade.search.thinker import Settings
from sunglade.search.uct import SIMPLE_ROLLOUTS, SIMPLE_TREE, Array, advance, new_desk, new_tree, simulate

PAIRS: Final = 5
SIMULATIONS: Final = 100_000
MIDDLE_ROUND: Final = 10
"""The yardstick counts rounds from 0 and begins its search in round 9."""
SEED: Final = 99
YARDSTICK: Final = Settings(explore=0.7, width=1e6, widen=0.0, simple=SIMPLE_ROLLOUTS | SIMPLE_TREE)
BAR: Final = 0.75
THREADS_BAR: Final = 1.8


class Run:
    """One search of the middle game, ready to go."""

    def __init__(self, settings: Settings, seed: int = 1) -> None:
        self._root = middle_game()
        self._settings = settings.as_array()
        self._trees = new_tree(seed)
        self._desk = new_desk()
        self.simulate(1)

    def simulate(self, simulations: int) -> int:
        """Run simulations; return how many."""
        return simulate(self._trees, self._root, self._desk, self._settings, simulations)


def middle_game() -> Array:
    """A two-player position of the yardstick's kind: its rollout policy has played up to the middle."""
    root = kernel.new_record(Rules(), 2)
    advance(root, np.zeros(1, kernel.LEGAL_LIST), MIDDLE_ROUND, SEED)
    return root


def one_thread(settings: Settings, simulations: int = SIMULATIONS, seed: int = 1) -> float:
    """Simulations a second of processor time."""
    run = Run(settings, seed)
    began = time.process_time()
    done = run.simulate(simulations)
    return done / (time.process_time() - began)


def side_by_side(threads: int, settings: Settings, simulations: int = SIMULATIONS) -> float:
    """Simulations a second by the clock, of so many threads with a tree each."""
    runs = [Run(settings, seed) for seed in range(1, threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda run: run.simulate(1), runs))
        began = time.perf_counter()
        done = sum(pool.map(lambda run: run.simulate(simulations), runs))
        return done / (time.perf_counter() - began)


class Yardstick:
    """The C++ program, built in a scratch folder."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            raise BadRequest("comparing with the limit needs a C++ compiler (g++ or clang++) on this machine.")
        if not (folder / "mcts.cpp").is_file():
            raise BadRequest(f"{folder} has no mcts.cpp; give the folder of the limit.")
        self._program = scratch / "mcts"
        build = [compiler, "-O3", "-march=native", "-o", str(self._program), str(folder / "mcts.cpp")]
        done = subprocess.run(build, capture_output=True, text=True)
        if done.returncode:
            raise BadRequest(f"the limit does not compile: {done.stderr.strip().splitlines()[0]}")

    def measure(self, simulations: int) -> float:
        """Simulations a second; the program repeats its measurement, and the median counts."""
        command = [str(self._program), "2", "1", str(simulations)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return statistics.median(float(found) for found in re.findall(r"sims/s (\d+)", done.stdout))


def measure(limit: Path | None = None, simulations: int = SIMULATIONS) -> dict[str, Any]:
    """Simulations a second: one thread, two threads, the bot's own rollouts; beside the limit given its folder."""
    results: dict[str, Any] = {"own_per_s": round(one_thread(Settings(), simulations))}
    singles, doubles = [], []
    for _ in range(PAIRS):
        singles.append(side_by_side(1, YARDSTICK, simulations))
        doubles.append(side_by_side(2, YARDSTICK, simulations))
    results["one_thread_per_s"] = round(statistics.median(singles))
    results["two_threads_per_s"] = round(statistics.median(doubles))
    ratios = [double / single for single, double in zip(singles, doubles, strict=True)]
    results["two_threads_ratio"] = round(statistics.median(ratios), 3)
    if limit is not None:
        with tempfile.TemporaryDirectory(prefix="sunglade-limit-") as scratch:
            results["limit"] = _compare(Yardstick(limit, Path(scratch)), simulations)
    return results


def _compare(yardstick: Yardstick, simulations: int) -> dict[str, Any]:
    """The median ratio of interleaved pairs."""
    pairs = [(yardstick.measure(simulations), one_thread(YARDSTICK, simulations, seed + 1)) for seed in range(PAIRS)]
    ratios = [ours / limit for limit, ours in pairs]
    return {
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "limit_per_s": round(statistics.median(limit for limit, _ in pairs)),
        "per_s": round(statistics.median(ours for _, ours in pairs)),
    }
