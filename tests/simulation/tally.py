"""What all runs on the same sources of the server add up to."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from simulation.world import Counts, Outcome

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "build" / "simulation.json"
SERVER = ROOT / "src" / "sunglade" / "server"


def sources() -> str:
    """A hash of the server's sources and of the simulation's."""
    digest = hashlib.sha256()
    for folder in (SERVER, Path(__file__).parent):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@dataclass
class Tally(Counts):
    """Seeds that were run, and what happened in them."""

    sources: str
    seeds: int = 0
    first_free: int = 0
    """No seed from here on was run."""
    violations: dict[int, str] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """One more seed."""
        self.seeds += 1
        self.first_free = max(self.first_free, outcome.seed + 1)
        self.count(outcome)
        if outcome.violation is not None:
            self.violations[outcome.seed] = outcome.violation

    def text(self) -> str:
        """For people."""
        hours = f"{self.virtual_s / 3600:,.0f} virtual hours, {self.running_s / 3600:,.1f} of them with servers running"
        faults = ", ".join(f"{kind} {count:,}" for kind, count in sorted(self.faults.items()))
        return (
            f"{self.seeds:,} seeds, {hours}; {self.events:,} events, {self.words:,} views compared, "
            f"{self.starts:,} starts of processes, {self.steps:,} steps in {self.processor_s:,.0f} processor seconds\n"
            f"{sum(self.faults.values()):,} faults: {faults}\n{len(self.violations)} violations"
        )

    def save(self) -> None:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(vars(self), indent=1), encoding="utf-8")


def tally_so_far() -> Tally:
    """Of these sources."""
    new = Tally(sources())
    try:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return new
    if kept.get("sources") != new.sources:
        return new
    kept["faults"] = Counter(kept["faults"])
    kept["violations"] = {int(seed): text for seed, text in kept["violations"].items()}
    return Tally(**kept)
