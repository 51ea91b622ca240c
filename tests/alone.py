"""Every test passes by itself, in any order, on a busy machine and in the background.

python tests/alone.py tests              # each file in a process of its own, its tests shuffled
python tests/alone.py --each tests       # each test in a process of its own
python tests/alone.py --seed 7 tests     # the order of an earlier run

Ten processes run at a time, so that the machine is busy, and interrupts are ignored, as in a run that was started in
the background. What failed is listed at the end with the command that repeats it.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SHUFFLED = "SUNGLADE_SHUFFLED"
"""As a plugin of pytest (`-p alone`) this file shuffles the tests by the seed that stands there."""
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
NOTHING_THERE = 5
"""How pytest ends when all tests of a file belong to another tier."""


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Shuffle the tests."""
    random.Random(os.environ[SHUFFLED]).shuffle(items)


def environment(seed: int) -> dict[str, str]:
    paths = [str(ROOT / "src"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), SHUFFLED: str(seed)}


def collected(paths: list[str], tier: str) -> list[str]:
    """Every test that would run."""
    told = subprocess.run(
        [*PYTEST, "--collect-only", "-m", tier, *paths], cwd=ROOT, env=environment(0), capture_output=True, text=True
    )
    tests = [line for line in told.stdout.splitlines() if "::" in line and not line.startswith(("ERROR", "FAILED"))]
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return tests


def one_of_each(tests: list[str], choose: Callable[[list[str]], str]) -> list[str]:
    """One case of every test function: the others differ from it in their figures."""
    cases: dict[str, list[str]] = {}
    for test in tests:
        cases.setdefault(test.split("[")[0], []).append(test)
    return [choose(some) for some in cases.values()]


def run(what: str, seed: int, tier: str) -> tuple[str, int, float, str]:
    """Run a file or a test; what was run, how it ended, how long it took and what was told."""
    began = time.monotonic()
    done = subprocess.run(
        [*PYTEST, "-p", "alone", "-m", tier, what],
        cwd=ROOT,
        env=environment(seed),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return what, done.returncode, time.monotonic() - began, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description="Run tests alone, in a random order, on a busy machine.")
    parser.add_argument("paths", nargs="*", default=["tests"])
    parser.add_argument("--each", action="store_true", help="each test alone, one case of those with many")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("--jobs", type=int, default=10)
    parser.add_argument(
        "--tier", default="not proof", metavar="MARKERS", help="which tests, as pytest's -m (not proof)"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # children inherit it
    chance = random.Random(options.seed)
    tests = collected(options.paths, options.tier)
    alone = one_of_each(tests, chance.choice) if options.each else sorted({test.split("::")[0] for test in tests})
    chance.shuffle(alone)
    print(f"{len(alone)} processes, seed {options.seed}", flush=True)
    failed: list[str] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(run, what, options.seed, options.tier) for what in alone]
        for number, done in enumerate(as_completed(running), start=1):
            what, code, seconds, told = done.result()
            good = code in (0, NOTHING_THERE)
            print(f"{number:5} {'passed' if good else 'FAILED'} {seconds:7.1f} s  {what}", flush=True)
            if not good:
                failed.append(what)
                print(told, flush=True)
    again = f"python tests/alone.py --seed {options.seed}{' --each' if options.each else ''}"
    for what in failed:
        print(f"FAILED  {again} {what!r}")
    print(f"{len(alone) - len(failed)} of {len(alone)} passed alone")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
