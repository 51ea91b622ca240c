"""`make hunt`: plant each mistake of `planted.toml` in the server, one at a time; how many seeds find it.

A word on the command line chooses the mistakes with that word in name, kind or file.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Final

from mutants import SOURCES, Mutant, mutants_in

PLANTED: Final = Path(__file__).parent / "planted.toml"
SEEDS: Final = 2000
PATIENCE_S: Final = 3600.0


class Planter(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the server with a mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._file = SOURCES / mutant.file
        self._module = "sunglade." + mutant.file.removesuffix(".py").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._module:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(self._file))

    def exec_module(self, module: ModuleType) -> None:
        source = self._mutant.planted(self._file.read_text(encoding="utf-8"))
        exec(compile(source, str(self._file), "exec"), module.__dict__)


def hunt(mutant: Mutant, seeds: int) -> int:
    """Look for a planted mistake in this process; 1 where it was found."""
    sys.meta_path.insert(0, Planter(mutant))
    from simulation.world import prepare, simulate

    prepare()
    for seed in range(seeds):
        violation = simulate(seed).violation
        if violation is not None:
            print(f"seed {seed}: {violation.splitlines()[0][:150]}")
            return 1
    return 0


def search(mutant: Mutant, seeds: int) -> str:
    """Look for it in a process of its own: found, not found, or broken, where the seeds could not be run."""
    command = [sys.executable, "-m", "simulation.hunt", "--only-this", mutant.name, "--seeds", str(seeds)]
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        how = done.stdout.strip() or done.stderr.strip()[-300:]
        fate = "not found" if done.returncode == 0 else "found" if how.startswith("seed ") else "broken"
    except subprocess.TimeoutExpired:
        fate, how = "found", f"no end in {PATIENCE_S:.0f} s"
    print(f"{fate:9} {mutant.rule:17} {mutant.name}  [{how}] {time.monotonic() - began:.0f} s", flush=True)
    return fate


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="simulation.hunt", description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only-this", help=argparse.SUPPRESS)
    given = parser.parse_args()
    mutants = mutants_in(PLANTED)
    if given.only_this:
        return hunt(next(mutant for mutant in mutants if mutant.name == given.only_this), given.seeds)
    chosen = [mutant for mutant in mutants if given.word in f"{mutant.name} {mutant.rule} {mutant.file}"]
    with ThreadPoolExecutor(given.jobs) as pool:
        fates = list(pool.map(lambda mutant: search(mutant, given.seeds), chosen))
    print(f"{fates.count('found')} of {len(fates)} found within {given.seeds} seeds each")
    return 0 if set(fates) == {"found"} else 1


if __name__ == "__main__":
    sys.exit(main())
