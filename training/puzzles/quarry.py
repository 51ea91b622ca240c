"""Files of puzzles: what was found, a line each and only ever added to; and the choice of it that is shipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sunglade.bots import LEVELS
from sunglade.teaching.puzzles import KINDS, Puzzle

SHIPPED: Final = Path(__file__).parents[2] / "src" / "sunglade" / "teaching" / "puzzles.json"
MOST_OF_A_KIND: Final = 110
MOST_UPSETS: Final = 2
"""What weaker levels find more often than this where stronger ones do not, tells nothing about how hard it is."""


def written(task: Puzzle) -> str:
    """A puzzle as a line; its number is its place, and what it has not is left out."""
    fields = {name: value for name, value in asdict(task).items() if value is not None and name != "number"}
    return json.dumps(fields, separators=(",", ":"))


def add(file: Path, line: str) -> None:
    """Add a line to a file, so that whoever is stopped after it has lost nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(line + "\n")


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of such a file: whoever was stopped may have left half of one."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    for line in text.splitlines(keepends=True):
        if line.endswith("\n"):
            yield json.loads(line)


def shipped(file: Path = SHIPPED) -> list[Puzzle]:
    """The puzzles of the package."""
    return [Puzzle(**fields) for fields in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []


def ship(tasks: Sequence[Puzzle], file: Path = SHIPPED) -> None:
    """Write the puzzles of the package, easy ones first."""
    ordered = sorted(tasks, key=lambda task: (task.difficulty, KINDS.index(task.kind)))
    file.write_text("[\n" + ",\n".join(map(written, ordered)) + "\n]\n", encoding="utf-8")


def chosen(found: Iterable[Puzzle], *, most: int = MOST_OF_A_KIND) -> list[Puzzle]:
    """No position twice, and of every kind only so many: those first that tell the levels apart, of each difficulty."""
    once = [task for task in {task.position: task for task in found}.values() if upsets(task) <= MOST_UPSETS]
    return [task for kind in KINDS for task in _best_of([task for task in once if task.kind == kind], most)]


def upsets(task: Puzzle) -> int:
    """How often a level finds it and a stronger one does not: a puzzle should be hard for the weaker ones."""
    missed = [level not in task.levels for level in LEVELS]
    return sum(later for place, level in enumerate(LEVELS) if level in task.levels for later in missed[place:])


def _best_of(tasks: Sequence[Puzzle], most: int) -> list[Puzzle]:
    """Those with the fewest upsets first; among them in turn the clearest of each difficulty that is left."""
    place: Counter[tuple[int, int]] = Counter()
    ranked = []
    for task in sorted(tasks, key=lambda task: -(task.margin or 1.0)):
        group = upsets(task), task.difficulty
        place[group] += 1
        ranked.append((group[0], place[group], -task.difficulty, task))
    ranked.sort(key=lambda each: each[:3])
    return [task for *_, task in ranked[:most]]


def table(tasks: Sequence[Puzzle]) -> dict[str, Any]:
    """How many there are of which kind, and how many each level finds."""
    kinds = Counter(task.kind for task in tasks)
    levels = {level: sum(level in task.levels for task in tasks) for level in LEVELS}
    return {"puzzles": len(tasks), "kinds": kinds, "levels": levels}
