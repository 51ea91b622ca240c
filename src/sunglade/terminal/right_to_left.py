"""Lines of a language that is read from right to left, laid out for terminals: most of them do not do it themselves.

A line is put into the order in which it is seen, by the rules of Unicode's bidirectional algorithm (UAX #9) for what
stands here: letters of both directions, numbers, signs, and isolates. A sentence stands at the right edge. In a line
of columns, which two blanks or a bar part, every cell keeps its place, and so do boards.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO

from rich.cells import cell_len

from sunglade.words.speech import END, LEFT_TO_RIGHT, is_right_to_left

STARTS: Final = {LEFT_TO_RIGHT: 0, "\N{RIGHT-TO-LEFT ISOLATE}": 1}
"""The marks that begin an isolate, and the direction inside it."""
MARKS: Final = (*STARTS, END)
MIRRORED: Final = dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True))
OFF: Final = "\x1b[8l"
ON: Final = "\x1b[8h"
"""Tell a terminal that knows it (ECMA-48, BDSM) not to change the order of what it is sent, and to do so again."""

_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]|\r")
_CELLS = re.compile(r"( {2,}|^ +|[|│])")


def reorders(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this terminal lays lines out itself and cannot be told not to."""
    return (
        environment.get("TERM_PROGRAM") == "Apple_Terminal"
        or "KONSOLE_VERSION" in environment
        or "MLTERM" in environment
    )


class LaidOut:
    """A stream whose lines are seen as they should be read. All else is the stream's own."""

    def __init__(self, stream: TextIO, width: int | None = None) -> None:
        self._stream = stream
        self._width = width

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write lines, each laid out."""
        width = self._width or _width_of(self._stream)
        self._stream.write("\n".join(laid_out(line, width) for line in text.split("\n")))
        return len(text)


class Marked(LaidOut):
    """The same for a terminal that lays out itself, or a file: the order stays, and marks only where they help."""

    def write(self, text: str) -> int:
        """Write lines as they are."""
        self._stream.write(text if self._stream.isatty() else _without_marks(text))
        return len(text)


def _width_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 80


def _without_marks(text: str) -> str:
    return "".join(letter for letter in text if letter not in MARKS)


def of_prompt(prompt: str) -> str:
    """A prompt as it is seen where lines are laid out here: what is typed follows at its right."""
    if type(sys.stdout) is not LaidOut:
        return _without_marks(prompt)
    return _seen([(letter, "") for letter in prompt], levels(prompt, 0))


@contextmanager
def streams(bidi: str) -> Iterator[None]:
    """Lay out what is written, as the setting `bidi` has it: here, by the terminal, or as we know of the terminal."""
    before = sys.stdout, sys.stderr
    here = bidi == "here" or (bidi != "terminal" and not reorders())
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:
            setattr(sys, name, (LaidOut if here and stream.isatty() else Marked)(stream))
    told = here and sys.stdout is not None and sys.stdout.isatty()
    if told:
        before[0].write(OFF)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        if told:
            sys.stdout.write(ON)


def laid_out(line: str, width: int = 0) -> str:
    """A line as it is seen: a sentence at the right edge of so many columns, cells where they were."""
    if not is_right_to_left(line):
        return _without_marks(line)
    controls, line = "".join(_CONTROL.findall(line)), _CONTROL.sub("", line)
    letters = _coloured_letters(line)
    while letters and letters[-1][0] == " ":
        letters.pop()
    text = "".join(letter for letter, _ in letters)
    if not _is_in_columns(text):
        seen = _seen(letters, levels(text, 1))
        return controls + " " * (width - cell_len(_COLOUR.sub("", seen))) + seen
    cells = [letters[cell.start : cell.stop] for cell in _cells(text)]
    return controls + "".join(_seen(cell, levels(*_own_direction(cell))) for cell in cells)


def _is_in_columns(text: str) -> bool:
    """Cells parted by blanks or by the fences of a board, or the rest of one that stands in a column."""
    return re.search(r"\S {2,}\S|^ {9,}", text) is not None or len(re.findall(r"[|│]", text)) > 2


def _cells(text: str) -> Iterator[range]:
    """Where cells, and what parts them, stand."""
    place = 0
    for part in _CELLS.split(text):
        yield range(place, place + len(part))
        place += len(part)


def _own_direction(cell: Sequence[Letter]) -> tuple[str, int]:
    text = "".join(letter for letter, _ in cell)
    return text, int(is_right_to_left(text))


Letter = tuple[str, str]
"""A letter, and what tells the terminal its colour."""


def _coloured_letters(line: str) -> list[Letter]:
    letters: list[Letter] = []
    now, place = "", 0
    for found in _COLOUR.finditer(line):
        letters += [(letter, now) for letter in line[place : found.start()]]
        now = "" if found[0] == "\x1b[0m" else now + found[0]
        place = found.end()
    return letters + [(letter, now) for letter in line[place:]]


def _seen(letters: Sequence[Letter], level: Sequence[int]) -> str:
    """Letters in the order of their levels, brackets mirrored where they are read from right to left; no marks."""
    text, now = "", ""
    for place in visual_order(level):
        letter, colour = letters[place]
        if letter in MARKS:
            continue
        if colour != now:
            text += ("\x1b[0m" if now else "") + colour
            now = colour
        text += MIRRORED.get(letter, letter) if level[place] % 2 else letter
    return text + ("\x1b[0m" if now else "")


def visual_order(level: Sequence[int]) -> list[int]:
    """Places in the order in which they are seen: from the highest level on, runs are turned round (L2)."""
    order = list(range(len(level)))
    for turned in range(max(level, default=0), 0, -1):
        begin = 0
        while begin < len(order):
            end = begin
            while end < len(order) and level[order[end]] >= turned:
                end += 1
            order[begin:end] = order[begin:end][::-1]
            begin = end + 1
    return order


# Levels: even from left to right, odd from right to left


def levels(text: str, base: int) -> list[int]:
    """The level of every letter in a line of a direction: 0 from left to right, 1 from right to left."""
    found = [base] * len(text)
    _resolve(text, range(len(text)), base, found)
    return found


def _resolve(text: str, places: range, level: int, found: list[int]) -> None:
    """Levels of a stretch; what is isolated in it counts as one sign, and has levels of its own above."""
    outside: list[int] = []
    place = places.start
    while place < places.stop:
        outside.append(place)
        found[place] = level
        if text[place] in STARTS:
            end = _end_of_isolate(text, place, places.stop)
            inner = level + 1 if (level + 1) % 2 == STARTS[text[place]] else level + 2
            _resolve(text, range(place + 1, end), inner, found)
            place = end
        else:
            place += 1
    for place, kind in zip(outside, _directions([text[place] for place in outside], level), strict=True):
        found[place] = _above(level, kind)


def _end_of_isolate(text: str, start: int, stop: int) -> int:
    depth = 0
    for place in range(start, stop):
        depth += (text[place] in STARTS) - (text[place] == END)
        if depth == 0:
            return place
    return stop


def _above(level: int, kind: str) -> int:
    """The level of a letter or number in a stretch of a level (I1, I2)."""
    if level % 2 == 0:
        return level + {"L": 0, "R": 1}.get(kind, 2)
    return level + (0 if kind == "R" else 1)


def _directions(letters: Sequence[str], level: int) -> list[str]:
    """Each letter as L, R or N for a number, by what stands around it."""
    outer = "R" if level % 2 else "L"
    kinds = _numbers([_kind(letter) for letter in letters], outer)
    place = 0
    while place < len(kinds):  # signs and blanks go with what is on both their sides, else with the stretch (N1, N2)
        end = place
        while end < len(kinds) and kinds[end] == "":
            end += 1
        around = {_side(kinds, place - 1, outer), _side(kinds, end, outer)}
        kinds[place:end] = [around.pop() if len(around) == 1 else outer] * (end - place)
        place = end + 1
    return kinds


def _side(kinds: Sequence[str], place: int, outer: str) -> str:
    if not 0 <= place < len(kinds):
        return outer
    return "R" if kinds[place] == "N" else kinds[place]


def _kind(letter: str) -> str:
    """L, R, N, a sign that belongs to numbers, or nothing for all others."""
    kind = unicodedata.bidirectional(letter)
    return {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "N", "CS": "CS", "ES": "ES", "ET": "ET"}.get(kind, "")


def _numbers(kinds: list[str], outer: str) -> list[str]:
    """Signs that belong to numbers become part of them, and numbers after letters are as those are (W4 to W7)."""
    for place, kind in enumerate(kinds):
        beside = [kinds[at] if 0 <= at < len(kinds) else "" for at in (place - 1, place + 1)]
        if (kind in ("CS", "ES") and beside == ["N", "N"]) or (kind == "ET" and "N" in beside):
            kinds[place] = "N"
    strong = outer
    for place, kind in enumerate(kinds):
        if kind in ("CS", "ES", "ET"):
            kinds[place] = ""
        elif kind == "N" and strong == "L":
            kinds[place] = "L"
        elif kind in ("L", "R"):
            strong = kind
    return kinds
