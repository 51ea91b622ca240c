"""What the results in `training/measured` say about teaching: the table of docs/teaching.md.

    PYTHONPATH=src python -m training.figures

Whoever has added results puts what this prints into the page; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from training import hints, planted
from training.puzzles.quarry import shipped
from training.puzzles.shifts import mark, stays_best
from training.side_by_side import MEASURED, results

from sunglade.arena.ratings import wilson
from sunglade.teaching.review import MISTAKE

HEAD = ("what", "result", "bar")


def table(folder: Path = MEASURED) -> str:
    """All that was measured, a row each."""
    rows = [HEAD, ("---",) * 3, *_hints(folder), *_planted(folder), *_puzzles(folder)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _hints(folder: Path) -> Iterator[tuple[str, str, str]]:
    told = {
        "third": (
            "`training.hints third`: `maple` that follows hints in a third of its turns, against `maple`",
            "75 %",
        ),
        "always": (
            "`training.hints always`: hints always followed, against whoever gives them",
            "the interval has 50 %",
        ),
    }
    games = results(folder, "hints", ("what", "nodes", "game"))
    for what, (words, bar) in told.items():
        some = [game for game in games if game["what"] == what and game["nodes"] == hints.NODES]
        won, points = sum(game["won"] for game in some), [sum(both) for both in zip(*(game["points"] for game in some))]
        mean = " : ".join(f"{each / len(some):.0f}" for each in points)
        yield words, f"{_share(won, len(some))} won, {mean} points" if some else "not measured", bar


def _planted(folder: Path) -> Iterator[tuple[str, str, str]]:
    games = results(folder, "planted", ("players", "game"))
    for players in sorted(MISTAKE):
        own, worse = planted.costs([game for game in games if game["players"] == players])
        for name, some, bar in (("planted turns", worse, "85 %"), ("own turns", own, "under 5 %")):
            called = sum(each >= MISTAKE[players] for each in some)
            words = f"`training.planted --players {players}`: {name} that are called a mistake"
            yield words, _share(called, len(some)), bar


def _puzzles(folder: Path) -> Iterator[tuple[str, str, str]]:
    checked = {told["puzzle"]: told for told in results(folder, "checked_puzzles", ["puzzle"])}
    kept = [checked[known] for task in shipped() if task.others and (known := mark(task)) in checked]
    for whose, some, bar in (("all that were checked", list(checked.values()), ""), ("those shipped", kept, "95 %")):
        words = f"`training.puzzles check`: answers that stay the best at 20 times the time, of {whose}"
        yield words, _share(sum(map(stays_best, some)), len(some)), bar


def _share(some: float, of: int) -> str:
    """So many of so many, with the interval that holds 95 %."""
    if of == 0:
        return "not measured"
    low, high = wilson(some, of)
    return f"{some:g} of {of:,} ({100 * some / of:.1f} %; {100 * low:.1f}–{100 * high:.1f} %)"


if __name__ == "__main__":
    print(table())
