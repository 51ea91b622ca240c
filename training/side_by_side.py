"""Many games or positions at once, each in a process of its own, and files to which their results are added.

A folder may hold several files of a kind, such as from other machines (`planted.jsonl`, `planted-2.jsonl`): they are
read together, what stands in two of them counts once, and what is missing is what is still to be done.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from training.puzzles.quarry import add, lines_of

from sunglade import Game, bots
from sunglade.bots import LEVELS
from sunglade.search.last_turn import Solver

MEASURED: Final = Path(__file__).parent / "measured"
"""Results that are kept with the sources: docs/teaching.md tells what they say, and every run goes on from them."""

Work = Callable[[Any], dict[str, Any]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """How long, in how many processes, and where to."""
    parser.add_argument("--seconds", type=float, default=600, help="nothing is begun later")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes of one thread each")
    parser.add_argument("--out", type=Path, default=MEASURED, help="folder whose files are added to")


def results(folder: Path, name: str, known_by: Sequence[str]) -> list[dict[str, Any]]:
    """What all files of a kind hold, each result once: `known_by` are the fields that tell them apart."""
    lines = (line for file in sorted(folder.glob(f"{name}*.jsonl")) for line in lines_of(file))
    return list({tuple(line[field] for field in known_by): line for line in lines}.values())


def work_through(work: Work, tasks: Sequence[Any], name: str, options: argparse.Namespace) -> None:
    """Do all tasks, or as many as can be begun in time; a result is written down as soon as it is there."""
    file: Path = options.out / f"{name}.jsonl"
    in_time = partial(_in_time, work, time.monotonic() + options.seconds)
    if options.jobs == 1 or len(tasks) < 2:
        _write(file, map(in_time, tasks))
        return
    compile_everything()
    with multiprocessing.get_context("spawn").Pool(min(options.jobs, len(tasks))) as pool:
        _write(file, pool.imap_unordered(in_time, tasks))


def compile_everything() -> None:
    """Once, before there are many processes."""
    game = Game(2, actions=["place a1", "place g4", "place a3", "place g2"])
    for name in (*LEVELS, "neural", "neural:small"):
        bots.make(name).act(game.redacted(), 50)
    Solver().solve(game.now)


def _in_time(work: Work, until: float, task: Any) -> dict[str, Any] | None:
    """The result, or None where the time was over: whatever has begun is ended, or long games would be left out."""
    return work(task) if time.monotonic() < until else None


def _write(file: Path, found: Iterable[dict[str, Any] | None]) -> None:
    for each in found:
        if each is not None:
            add(file, json.dumps(each, separators=(",", ":")))
