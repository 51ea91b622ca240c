"""Steps with observations on one core, this version and an older one by turns.

Usage: python bench/steps.py [--commit ba4cf4a] [--rounds 15]

Both run in processes of their own, with the same Python and libraries, and are asked in turn, the first round not
counting. Processor time is measured, so that a machine that does other work as well does not decide; what they lose to
each other's caches they lose alike. The ratio is that of the medians.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tarfile
import time
from io import BytesIO
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent.parent
GAMES: Final = 1024
STEPS: Final = 100
KINDS: Final[dict[str, dict[str, Any]]] = {
    "two players": {"players": 2},
    "four players": {"players": 4},
    "four players, all modules": {"players": 4, "rules": {"modules": ["moon", "elder", "stones"]}},
}


def serve() -> None:
    """Answer each line with the steps of a second of processor time, for every kind of game. Runs in either version."""
    from sunglade.envs import BatchEnv

    envs = {name: BatchEnv(GAMES, threads=1, seed=1, **kind) for name, kind in KINDS.items()}
    for _ in sys.stdin:
        print(json.dumps({name: steps_a_second(env) for name, env in envs.items()}), flush=True)


def steps_a_second(env: Any) -> float:
    """Each step writes observations and masks; the choice of actions is not timed."""
    seconds = 0.0
    for _ in range(STEPS):
        actions = env.random_actions()
        began = time.thread_time()
        env.step(actions)
        seconds += time.thread_time() - began
    return STEPS * GAMES / seconds


def sources(commit: str) -> Path:
    """A commit's files, unpacked where they stay: what it compiles is compiled once."""
    folder = HERE / "build" / "versus" / commit
    if not folder.exists():
        packed = subprocess.run(["git", "-C", HERE, "archive", commit], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
    return folder / "src"


def started(folder: Path) -> subprocess.Popen[str]:
    """A process that measures the package in a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder), "SUNGLADE_PREBUILT": ""}
    command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def asked(process: subprocess.Popen[str]) -> dict[str, float]:
    """One measurement of each kind."""
    assert process.stdin is not None and process.stdout is not None
    print(file=process.stdin, flush=True)
    found: dict[str, float] = json.loads(process.stdout.readline())
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", default="ba4cf4a")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.serve:
        return serve()
    processes = {"older": started(sources(told.commit)), "this": started(HERE / "src")}
    rounds = [{name: asked(process) for name, process in processes.items()} for _ in range(told.rounds + 1)][1:]
    for process in processes.values():
        process.communicate()
    for kind in KINDS:
        older, this = (statistics.median(each[name][kind] for each in rounds) for name in ("older", "this"))
        ratios = sorted(each["this"][kind] / each["older"][kind] for each in rounds)
        print(
            f"{kind}: {told.commit} {older / 1e6:.2f} M steps/s, this {this / 1e6:.2f} M, {this / older:.2f} times "
            f"({ratios[0]:.2f}–{ratios[-1]:.2f} in single rounds of {told.rounds})"
        )


if __name__ == "__main__":
    main()
