"""The format: which columns a file has, and reading and writing them as `.npz`, NumPy's archive of arrays.

A file tells of games, of the positions in which a search chose, and of the actions it tried there. What belongs to a
game lies together, game after game; counts say how much of it there is. So joining files is joining columns.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sunglade.data.plan import FORMAT
from sunglade.errors import BadRequest, SungladeError
from sunglade.gamefile import parse_json, refused_by_system, save_bytes
from sunglade.rules import MAX_PLAYERS

Columns = dict[str, NDArray[Any]]

GAMES, ACTIONS, POSITIONS, TRIED = "games", "actions", "positions", "tried actions"
TEXT: Final = "S"
"""Text of any length, as bytes."""


class Column(NamedTuple):
    """What a column has a row for, the numbers in a row, and what they tell."""

    rows: str
    kind: str
    width: int
    meaning: str

    def fits(self, array: NDArray[Any]) -> bool:
        """Whether an array is such a column."""
        kind = array.dtype.kind if self.kind == TEXT else array.dtype.str
        shape = (len(array), self.width) if array.ndim and self.width > 1 else (array.size,)
        return kind == self.kind and array.shape == shape


COLUMNS: Final = {
    "number": Column(GAMES, "<i8", 1, "the game's number in its set"),
    "seed": Column(GAMES, "<i8", 1, "what its deal follows from"),
    "players": Column(GAMES, "|u1", 1, "2, 3 or 4"),
    "rules": Column(GAMES, TEXT, 1, "as in a game file, JSON"),
    "actions_count": Column(GAMES, "<i4", 1, "how many actions it has"),
    "positions_count": Column(GAMES, "<i4", 1, "in how many positions a search chose"),
    "points": Column(GAMES, "<i2", MAX_PLAYERS, "final points of each seat"),
    "place": Column(GAMES, "|u1", MAX_PLAYERS, "1 for who won, and so on; 0 for seats that are not there"),
    "share": Column(GAMES, "<f4", MAX_PLAYERS, "each seat's share of the win: 1, 1/2 where two share it, 0"),
    "action": Column(ACTIONS, "<i2", 1, "an action of a game, by its number"),
    "ply": Column(POSITIONS, "<i4", 1, "actions of the game before this position"),
    "mover": Column(POSITIONS, "|u1", 1, "the seat to act"),
    "value": Column(POSITIONS, "<f4", MAX_PLAYERS, "what the search expects for each seat, from 0 to 1"),
    "simulations": Column(POSITIONS, "<i4", 1, "how long it searched"),
    "tried_count": Column(POSITIONS, "<i4", 1, "how many actions it tried"),
    "tried": Column(TRIED, "<i2", 1, "an action that it tried, by its number; the most tried first"),
    "visits": Column(TRIED, "<i4", 1, "how often"),
}
"""Every column, in the order of the file."""
COUNTS: Final = {ACTIONS: "actions_count", POSITIONS: "positions_count", TRIED: "tried_count"}
"""Where it stands how many rows belong to a game, or to a position."""
ABOUT: Final = "about"
"""One text beside the columns: the plan of the set, JSON."""
UNREADABLE: Final = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, MemoryError, NotImplementedError)
"""What NumPy raises for a file that is no archive, is damaged or cut off."""


def column(name: str, rows: Sequence[Any]) -> NDArray[Any]:
    """Rows as a column of the file."""
    wanted = COLUMNS[name]
    array = np.array(rows, wanted.kind if wanted.kind != TEXT else None)
    return array.reshape(len(rows), wanted.width) if wanted.width > 1 else array


def joined(parts: Sequence[Columns]) -> Columns:
    """The columns of several parts, one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


def write(file: Path, columns: Columns, about: Mapping[str, Any]) -> None:
    """Write a whole file or leave the old one as it was."""
    content = io.BytesIO()
    text = np.array(json.dumps(about).encode())
    np.savez_compressed(content, allow_pickle=False, **{ABOUT: text}, **columns)
    save_bytes(file, content.getvalue())


def read(file: Path) -> tuple[Columns, dict[str, Any]]:
    """The columns of a file and what it says about itself; whatever is wrong with it is one sentence."""
    try:
        with np.load(file, allow_pickle=False) as archive:
            about = parse_json(archive[ABOUT].tobytes())
            columns = {name: archive[name] for name in COLUMNS}
    except OSError as error:
        raise BadRequest(refused_by_system("terminal.file.unread", file, error)) from None
    except (*UNREADABLE, SungladeError, AttributeError, TypeError):
        raise BadRequest(f"{file} is not a file of games that can be read, or it is damaged.") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadRequest(f"{file} is not in the format {FORMAT}.")
    _check(file, columns)
    return columns, about


def _check(file: Path, columns: Columns) -> None:
    """Refuse columns of other kinds, and lengths that do not fit together."""
    lengths: dict[str, int] = {}
    for name, wanted in COLUMNS.items():
        array = columns[name]
        if not wanted.fits(array) or lengths.setdefault(wanted.rows, len(array)) != len(array):
            raise BadRequest(f"{file}: the column {name} is not as {FORMAT} has it.")
    for rows, name in COUNTS.items():
        if (columns[name] < 0).any() or int(columns[name].sum(dtype=np.int64)) != lengths[rows]:
            raise BadRequest(f"{file}: {name} does not count the {rows} that are there.")
    if (columns["visits"] < 1).any() or not np.isfinite(columns["value"]).all():
        raise BadRequest(f"{file}: an action that was tried has at least one visit, and values are numbers.")
