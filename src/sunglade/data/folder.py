"""The folder of a set: files of a hundred games each, and a lock while somebody adds to them.

A file is written anew, whole, after each of its games; so whatever is killed when, every file can be read, and what is
missing is played next time. It depends on the plan alone, not on how often the work was broken off.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Final

from filelock import BaseFileLock

from sunglade.data.columns import COLUMNS, COUNTS, TRIED, Columns, joined, read, write
from sunglade.data.plan import Plan
from sunglade.errors import BadRequest
from sunglade.exclusive import held
from sunglade.gamefile import refused_by_system

GAMES_IN_A_FILE: Final = 100


def file_of(folder: Path, number: int) -> Path:
    """The file in which a game is: named by the first it has room for."""
    return folder / f"games-{number - number % GAMES_IN_A_FILE:08}.npz"


def files_in(folder: Path) -> list[Path]:
    """The files of a set, in the order of their games."""
    return sorted(folder.glob("games-*.npz"))


class Folder:
    """A set that is being made."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._folder, self._plan = folder, plan
        self._lock: BaseFileLock | None = None
        self._games: dict[Path, dict[int, Columns]] = {}
        """The games of files that are not full yet, by their numbers."""

    def __enter__(self) -> Folder:
        """Open the folder, new or with games of the same plan."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = held(self._folder / "data.lock", f"somebody else is adding games to {str(self._folder)!r}.")
        except OSError as error:
            raise BadRequest(refused_by_system("terminal.file.unwritten", self._folder, error)) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of it."""
        if self._lock is not None:
            self._lock.release()

    def missing(self, games: int) -> list[int]:
        """Which of the first so many games are not there."""
        files = [file_of(self._folder, number) for number in range(0, games, GAMES_IN_A_FILE)]
        there = {number for file in files for number in self._read(file)}
        return [number for number in range(games) if number not in there]

    def add(self, number: int, columns: Columns) -> None:
        """Keep a game."""
        file = file_of(self._folder, number)
        if file not in self._games:
            self._games[file] = self._read(file)
        games = self._games[file]
        games[number] = columns
        write(file, joined([games[each] for each in sorted(games)]), self._plan.to_dict())
        if len(games) == GAMES_IN_A_FILE:
            del self._games[file]

    def _read(self, file: Path) -> dict[int, Columns]:
        """The games of a file, which must have been made by the same plan; of none where there is no file."""
        if not file.exists():
            return {}
        columns, about = read(file)
        for name, value in self._plan.to_dict().items():
            if about.get(name) != value:
                raise BadRequest(
                    f"{file} was made otherwise: {name} is {json.dumps(about.get(name))} there, "
                    f"not {json.dumps(value)}; choose another folder."
                )
        return {int(one["number"][0]): one for one in games_of(columns)}


def games_of(columns: Columns) -> list[Columns]:
    """The games of a file, each as columns of its own."""
    ends = {rows: columns[name].cumsum() for rows, name in COUNTS.items()}
    found, before = [], dict.fromkeys({each.rows for each in COLUMNS.values()}, 0)
    for game in range(len(columns["number"])):
        after = {rows: int(end[game]) for rows, end in ends.items() if rows != TRIED} | {"games": game + 1}
        last = after["positions"]
        after[TRIED] = int(ends[TRIED][last - 1]) if last else 0
        found.append({name: columns[name][before[each.rows] : after[each.rows]] for name, each in COLUMNS.items()})
        before = after
    return found
