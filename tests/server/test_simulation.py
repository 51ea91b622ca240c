"""The server in simulated worlds: a minute of them, that a seed tells everything, and that failures become small."""

from __future__ import annotations

import ast
import asyncio
import contextvars
import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from mutants import SOURCES, Mutant, mutants_in
from simulation import hunt, tally
from simulation.faults import KINDS
from simulation.loop import OWNER, Owner, SeededLoop
from simulation.shrinking import command, shrunk
from simulation.world import Outcome, Scale

ROOT = Path(__file__).parent.parent.parent
PLANTED = mutants_in(ROOT / "tests" / "simulation" / "planted.toml")


def simulation(*words: str, hashes: str = "0", module: str = "simulation") -> subprocess.CompletedProcess[str]:
    """In a process of its own: worlds have a time of their own."""
    paths = os.pathsep.join([str(SOURCES.parent), str(ROOT / "tests")])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": hashes}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_a_minute_of_simulated_worlds_finds_nothing() -> None:
    """The same worlds on every machine, however fast it is: new ones are looked for by `make simulate`."""
    done = simulation("--seeds", "0-33", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 violations" in f" {done.stdout}".replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8, 21])
def test_a_seed_gives_the_same_world_in_every_process(seed: int) -> None:
    first, second = (simulation("--seed", str(seed), hashes=hashes).stdout for hashes in ("1", "2"))
    assert "trace" in first and first.split(" steps in")[0] == second.split(" steps in")[0]


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.name)
def test_the_mistake_can_be_planted(mutant: Mutant) -> None:
    source = (SOURCES / mutant.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(mutant.planted(source))) != ast.dump(ast.parse(source))


def test_there_are_enough_planted_mistakes_and_each_has_its_own_name() -> None:
    assert len({mutant.name for mutant in PLANTED}) == len(PLANTED) >= 40


@pytest.mark.slow
def test_a_planted_mistake_is_found() -> None:
    done = simulation("a failed commit is told as done", "--seeds", "200", "--again", module="simulation.hunt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("found by seed ")


def test_runs_add_up_and_every_seed_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "FILE", tmp_path / "build" / "simulation.json")
    for seeds in ([0, 1, 2], [2, 3], [9]):
        kept = tally.keep([Outcome(seed, running_s=10.0, faults=Counter(kill=1)) for seed in seeds])
    assert kept.ran == {0, 1, 2, 3, 9} and kept.running_s == 50.0 and kept.faults == {"kill": 5}
    assert tally.tally_so_far() == kept
    told = json.loads(tally.FILE.read_text(encoding="utf-8"))
    assert told["ran"] == [[0, 3], [9, 9]] and told["seeds"] == 5 and told["sources"] == tally.sources()
    monkeypatch.setattr(tally, "sources", lambda: "others")
    assert tally.keep([]).ran == set()


def test_a_hunt_goes_on_where_it_was() -> None:
    assert hunt._next_spans(hunt.Fate(), 2000, 3) == [range(20)]
    assert hunt._next_spans(hunt.Fate(20), 2000, 3) == [range(20, 120), range(120, 220), range(220, 320)]
    assert hunt._next_spans(hunt.Fate(120), 150, 3) == [range(120, 150)]


def test_timers_of_quiet_hours_fire_together_and_those_that_are_left_fire_when_they_should() -> None:
    async def story() -> list[float]:
        loop.save_power(60.0)
        context = contextvars.copy_context()
        context.run(OWNER.set, cast(Owner, SimpleNamespace(alive=True, stopped=False, parked=[], tasks=[], steps=0)))
        fired: list[float] = []
        for delay in (1.0, 30.0, 61.0, 125.0):
            loop.call_later(delay, lambda: fired.append(loop.now), context=context)
        await asyncio.sleep(121.0)
        loop.save_power(0.0)
        await asyncio.sleep(10.0)
        return fired

    loop = SeededLoop(random.Random(0), 0.0)
    assert loop.run(story()) == [60.0, 60.0, 120.0, 125.0]


def test_a_failure_is_shrunk_to_what_it_needs_and_told_as_a_command() -> None:
    def fails(scale: Scale) -> str | None:
        needed = scale.people >= 2 and scale.seconds >= 40 and not {"kill", "cut"} & scale.without
        return "it happens" if needed else None

    scale, why = shrunk(7, fails)
    assert why == "it happens"
    everything_else = frozenset({*KINDS, "night", "rest"} - {"kill", "cut"})
    assert scale == replace(
        Scale(), people=2, others=0, processes=1, ordered=True, seconds=40.0, without=everything_else
    )
    assert command(7, scale).startswith(
        "PYTHONPATH=tests python -m simulation --seed 7 --others 0 --people 2 --processes 1 --ordered --seconds 40"
    )
