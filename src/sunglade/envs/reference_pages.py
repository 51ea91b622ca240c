"""The tables of docs/environments.md, made from the names in `encode` and `notation`.

`python -m sunglade.envs.reference_pages docs/environments.md` writes them anew between their marks; a test checks that
they are current.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from sunglade import encode
from sunglade.board import NAMES, SPACES
from sunglade.envs.observation import PLANE_SIZE, SIZE, TABLE_START
from sunglade.errors import BadRequest
from sunglade.kernel.actions import TABLE
from sunglade.kernel.record import NOWHERE
from sunglade.notation import ACTION_NAMES

Row = tuple[str, ...]


def planes_table() -> str:
    """Where each plane is in the vector."""
    rows = [
        (str(plane), f"{PLANE_SIZE * plane}–{PLANE_SIZE * plane + len(SPACES) - 1}", what)
        for plane, what in enumerate(encode.PLANES)
    ]
    return markdown_table(("plane", "indices", "1 where"), rows)


def numbers_table() -> str:
    """Every number after the planes; a run of names that differ by a number only shares a row."""
    rows: list[Row] = []
    for _, run in groupby(enumerate(encode.TABLE, TABLE_START), key=lambda item: _common(item[1])):
        found = list(run)
        rows.append((_span(found[0][0], found[-1][0]), _run_name([name for _, name in found])))
    if TABLE_START + len(encode.TABLE) < SIZE:
        rows.append((_span(TABLE_START + len(encode.TABLE), SIZE - 1), "always 0"))
    return markdown_table(("indices", "meaning"), rows)


def _common(name: str) -> str:
    """What the names of one row have in common."""
    return re.sub(r"\d+(?!-leaf)", "#", name.replace(" or more", ""))


def _run_name(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"


def actions_table() -> str:
    """Every action; those that differ by their last space only share a row."""
    rows: list[Row] = []
    for _, run in groupby(enumerate(TABLE), key=lambda row: row[1]._replace(space=NOWHERE)):
        numbers, found = zip(*run, strict=True)
        text = f"`{ACTION_NAMES[numbers[0]]}`"
        if len(found) > 1:
            some = "every space" if len(found) == len(SPACES) else ", ".join(NAMES[action.space] for action in found)
            text += f" … `{ACTION_NAMES[numbers[-1]]}` ({some})"
        rows.append((_span(numbers[0], numbers[-1]), text))
    return markdown_table(("numbers", "action"), rows)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def markdown_table(head: Row, rows: Iterable[Row]) -> str:
    """A table as Markdown has it."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


TABLES = {"planes": planes_table, "numbers": numbers_table, "actions": actions_table}


def with_tables(text: str) -> str:
    """The page with its tables made anew."""
    for name, table in TABLES.items():
        begin, end = f"<!-- table: {name} -->", "<!-- end of table -->"
        if begin not in text:
            raise BadRequest(f"the page has no mark {begin}.")
        before, rest = text.split(begin, 1)
        _, after = rest.split(end, 1)
        text = f"{before}{begin}\n{table()}\n{end}{after}"
    return text


def main(arguments: list[str]) -> int:
    """Write the tables of a page anew."""
    page = Path(arguments[0])
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
