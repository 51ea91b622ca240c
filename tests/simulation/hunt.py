"""`make hunt`: plant each mistake of `planted.toml` in the server, one at a time; how many seeds find it.

A word on the command line chooses the mistakes with that word in name, kind or file. What was found is kept in
`build/hunt.json`; a hunt that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from mutants import SOURCES, Mutant, mutants_in

PLANTED: Final = Path(__file__).parent / "planted.toml"
SEEDS: Final = 2000
FIRST: Final = 20
"""Seeds for each mistake at first: most are found by them."""
TOGETHER: Final = 100
"""Seeds in a process, of which several look for the same mistake then."""
PATIENCE_S: Final = 1800.0


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


@dataclass
class Fate:
    """What became of a mistake: how many seeds were tried, and which was the first that found it."""

    tried: int = 0
    found: int | None = None
    how: str = ""


def hunt(mutant: Mutant, seeds: range) -> int:
    """Look for a planted mistake in this process; 1 where it was found."""
    sys.meta_path.insert(0, Planter(mutant))
    from simulation.world import prepare, simulate

    prepare()
    for seed in seeds:
        violation = simulate(seed).violation
        if violation is not None:
            print(f"seed {seed}: {violation.splitlines()[0][:150]}")
            return 1
    return 0


def search(mutant: Mutant, seeds: range) -> Fate:
    """Look for it in a process of its own."""
    span = f"{seeds.start}-{seeds.stop - 1}"
    command = [sys.executable, "-m", "simulation.hunt", "--only-this", mutant.name, "--range", span]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return Fate(seeds.stop, None, f"no end of seeds {span} in {PATIENCE_S:.0f} s")
    told = done.stdout.strip()
    if done.returncode == 0:
        return Fate(seeds.stop)
    if not told.startswith("seed "):
        return Fate(seeds.start, None, f"seeds {span} could not be run: {done.stderr.strip()[-300:]}")
    number, _, how = told.removeprefix("seed ").partition(": ")
    return Fate(int(number) + 1, int(number), how)


def hunt_all(mutants: Sequence[Mutant], fates: dict[str, Fate], seeds: int, jobs: int, until: float) -> None:
    """A few seeds for each, then more for those that are not found, on all cores."""
    with ThreadPoolExecutor(jobs) as pool:
        while left := [mutant for mutant in mutants if fates[mutant.name].found is None]:
            left = [mutant for mutant in left if fates[mutant.name].tried < seeds]
            if not left or time.monotonic() > until:
                return
            spans = [
                (mutant, span) for mutant in left for span in _next_spans(fates[mutant.name], seeds, jobs // len(left))
            ]
            for (mutant, _), fate in zip(spans, pool.map(lambda given: search(*given), spans), strict=True):
                _note(fates, mutant, fate)
            if any(fates[mutant.name].how.startswith("seeds ") for mutant in left):
                return


def _next_spans(fate: Fate, seeds: int, together: int) -> list[range]:
    """The next seeds to look at for a mistake."""
    if not fate.tried:
        return [range(min(FIRST, seeds))]
    starts = range(fate.tried, seeds, TOGETHER)[: max(1, together)]
    return [range(start, min(start + TOGETHER, seeds)) for start in starts]


def _note(fates: dict[str, Fate], mutant: Mutant, fate: Fate) -> None:
    """Seeds are noted in order: the first that found it counts."""
    if fates[mutant.name].found is None:
        fates[mutant.name] = fate
        word = f"not found in {fate.tried}" if fate.found is None else f"found by seed {fate.found}"
        print(f"{word:22} {mutant.rule:17} {mutant.name}  [{fate.how}]", flush=True)
        save(fates)


def save(fates: dict[str, Fate]) -> None:
    """For the next time, and for whoever wants to know."""
    from simulation.tally import FILE, sources

    FILE.parent.mkdir(exist_ok=True)
    told = {"sources": sources(PLANTED), "fates": {name: asdict(fate) for name, fate in fates.items()}}
    fresh = FILE.with_name("hunt.new")
    fresh.write_text(json.dumps(told, indent=1), encoding="utf-8")
    os.replace(fresh, FILE.with_name("hunt.json"))


def fates_so_far(mutants: Sequence[Mutant]) -> dict[str, Fate]:
    """Of these sources."""
    from simulation.tally import FILE, sources

    fates = {mutant.name: Fate() for mutant in mutants}
    try:
        kept = json.loads(FILE.with_name("hunt.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return fates
    if kept["sources"] == sources(PLANTED):
        fates |= {name: Fate(**fate) for name, fate in kept["fates"].items()}
    return fates


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="simulation.hunt", description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--for", dest="seconds_long", type=float, default=float("inf"), help="seconds to go on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="forget what was found before of those that are chosen")
    parser.add_argument("--only-this", help=argparse.SUPPRESS)
    parser.add_argument("--range", default="0-0", help=argparse.SUPPRESS)
    given = parser.parse_args()
    mutants = mutants_in(PLANTED)
    if given.only_this:
        first, _, last = given.range.partition("-")
        span = range(int(first), int(last) + 1)
        return hunt(next(mutant for mutant in mutants if mutant.name == given.only_this), span)
    chosen = [mutant for mutant in mutants if given.word in f"{mutant.name} {mutant.rule} {mutant.file}"]
    fates = fates_so_far(mutants)
    if given.again:
        fates |= {mutant.name: Fate() for mutant in chosen}
    hunt_all(chosen, fates, given.seeds, given.jobs, time.monotonic() + given.seconds_long)
    found = [seed for mutant in chosen if (seed := fates[mutant.name].found) is not None]
    print(f"{len(found)} of {len(chosen)} found, the last by seed {max(found, default=0)}")
    for mutant in chosen:
        if fates[mutant.name].found is None:
            print(f"not found in {fates[mutant.name].tried} seeds: {mutant.name} {fates[mutant.name].how}")
    return 0 if len(found) == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
