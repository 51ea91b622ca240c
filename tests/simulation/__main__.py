"""`make simulate`: run seeds for as long as asked, on all cores; shrink what fails and print how to see it again."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import os
import sys
import time
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Final

from simulation.shrinking import command, shrunk
from simulation.tally import keep, tally_so_far
from simulation.world import Outcome, Scale, prepare, simulate

TOGETHER: Final = 100
"""Seeds that are added up at a time."""
MOST_SHRUNK: Final = 5


def outcomes(seeds: Iterable[int], jobs: int, until: float) -> Iterator[Outcome]:
    """Run seeds on several cores until a time."""
    waiting = iter(seeds)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), prepare, max_tasks_per_child=200) as pool:
        running: set[Future[Outcome]] = set()
        while True:
            while len(running) < 2 * jobs and time.monotonic() < until and (seed := next(waiting, None)) is not None:
                running.add(pool.submit(simulate, seed))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def run_many(seeds: Iterable[int], jobs: int, until: float) -> int:
    """Run seeds and add them up; 1 where one failed."""
    failed, fresh = [], []
    with contextlib.suppress(KeyboardInterrupt):
        for outcome in outcomes(seeds, jobs, until):
            fresh.append(outcome)
            if outcome.violation is not None:
                failed.append(outcome.seed)
                print(f"seed {outcome.seed}: {outcome.violation}", flush=True)
            if len(fresh) == TOGETHER:
                keep(fresh)
                fresh.clear()
    print(keep(fresh).text(), flush=True)
    for seed in failed[:MOST_SHRUNK]:
        scale, violation = shrunk(seed)
        print(f"{command(seed, scale)}\n    {violation}", flush=True)
    return 1 if failed else 0


def run_one(seed: int, scale: Scale) -> int:
    """One seed, and all there is to say about it."""
    outcome = simulate(seed, scale)
    print(f"seed {seed}, trace {outcome.trace}: {outcome.violation or 'nothing is wrong'}")
    print(
        f"{outcome.virtual_s:,.0f} virtual seconds, {outcome.running_s:,.0f} with servers running, "
        f"{outcome.events} events, {outcome.steps:,} steps in {outcome.processor_s:.1f} s; "
        f"faults: {dict(outcome.faults)}"
    )
    return 1 if outcome.violation is not None else 0


def seeds_of(text: str, ran: Container[int]) -> Iterable[int]:
    """`20` for the next twenty that were not run, `5-9` for those; nothing for no end."""
    first, dash, last = text.partition("-")
    if dash:
        return range(int(first), int(last) + 1)
    fresh = (seed for seed in itertools.count() if seed not in ran)
    return itertools.islice(fresh, int(first)) if first else fresh


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="simulation", description=__doc__)
    parser.add_argument("--seeds", default="", help="how many, or FIRST-LAST")
    parser.add_argument("--for", dest="seconds_long", type=float, default=float("inf"), help="seconds to go on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--shrink", action="store_true", help="make the failure of --seed smaller")
    plain = Scale()
    parser.add_argument("--without", default="", help="kinds of faults to leave out")
    parser.add_argument("--people", type=int, default=plain.people)
    parser.add_argument("--others", type=int, default=plain.others)
    parser.add_argument("--processes", type=int, default=plain.processes)
    parser.add_argument("--seconds", type=float, default=plain.seconds, help="in which things go wrong")
    parser.add_argument("--ordered", action="store_true", help="tasks run in the order in which they are ready")
    given = parser.parse_args()
    prepare()
    if given.seed is not None and given.shrink:
        scale, violation = shrunk(given.seed)
        print(f"{command(given.seed, scale)}\n    {violation}")
        return 1
    if given.seed is not None:
        kinds = frozenset(kind for kind in given.without.split(",") if kind)
        scale = Scale(kinds, given.people, given.others, given.seconds, given.processes, given.ordered)
        return run_one(given.seed, scale)
    seeds = seeds_of(given.seeds, tally_so_far().ran)
    return run_many(seeds, given.jobs, time.monotonic() + given.seconds_long)


if __name__ == "__main__":
    sys.exit(main())
