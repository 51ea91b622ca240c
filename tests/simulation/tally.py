"""What all runs on the same sources of the server add up to, also those that run at the same time."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulation.world import Counts, Outcome

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "build" / "simulation.json"
SIMULATED = [ROOT / "src" / "sunglade" / room for room in ("server", "table")]


def sources(*more: Path) -> str:
    """A hash of the sources of server and tables, of the simulation's, and of more files."""
    digest = hashlib.sha256()
    files = [file for folder in (*SIMULATED, Path(__file__).parent) for file in sorted(folder.rglob("*.py"))]
    for file in (*files, *more):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@dataclass
class Tally(Counts):
    """Seeds that were run, and what happened in them."""

    sources: str
    ran: set[int] = field(default_factory=set)
    violations: dict[int, str] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """One more seed; each counts once."""
        if outcome.seed in self.ran:
            return
        self.ran.add(outcome.seed)
        self.count(outcome)
        if outcome.violation is not None:
            self.violations[outcome.seed] = outcome.violation

    def text(self) -> str:
        """For people."""
        hours = f"{self.virtual_s / 3600:,.0f} virtual hours, {self.running_s / 3600:,.1f} of them with servers running"
        faults = ", ".join(f"{kind} {count:,}" for kind, count in sorted(self.faults.items()))
        return (
            f"{len(self.ran):,} seeds on sources {self.sources}, {hours}; {self.events:,} events, {self.words:,} views "
            f"compared, {self.starts:,} starts of processes, {self.steps:,} steps in {self.processor_s:,.0f} processor "
            f"seconds\n{sum(self.faults.values()):,} faults: {faults}\n{len(self.violations)} violations"
        )

    def to_dict(self) -> dict[str, Any]:
        """For the file: seeds as ranges."""
        return vars(self) | {"seeds": len(self.ran), "ran": _ranges(self.ran)}

    @classmethod
    def from_dict(cls, kept: dict[str, Any]) -> Tally:
        """From the file."""
        del kept["seeds"]
        kept["ran"] = {seed for first, last in kept["ran"] for seed in range(first, last + 1)}
        kept["faults"] = Counter(kept["faults"])
        kept["violations"] = {int(seed): text for seed, text in kept["violations"].items()}
        return cls(**kept)


def _ranges(seeds: Iterable[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for seed in sorted(seeds):
        if ranges and ranges[-1][1] == seed - 1:
            ranges[-1][1] = seed
        else:
            ranges.append([seed, seed])
    return ranges


def tally_so_far() -> Tally:
    """Of these sources."""
    new = Tally(sources())
    try:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return new
    return Tally.from_dict(kept) if kept.get("sources") == new.sources else new


def keep(outcomes: Iterable[Outcome]) -> Tally:
    """Add outcomes to what was kept, whoever else does the same now."""
    FILE.parent.mkdir(exist_ok=True)
    with FILE.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tally = tally_so_far()
        for outcome in outcomes:
            tally.add(outcome)
        fresh = FILE.with_suffix(".new")
        fresh.write_text(json.dumps(tally.to_dict(), indent=1), encoding="utf-8")
        os.replace(fresh, FILE)
    return tally
