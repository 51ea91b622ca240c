"""Lines of a language that is read from right to left, laid out for terminals: most of them do not do it themselves.

A line is put into the order in which it is seen, by the rules of Unicode's bidirectional algorithm (UAX #9) for what
stands here: letters of both directions, numbers, signs, and isolates. A sentence stands at the right edge; one that is
longer than the window is broken before it is put in order, so that it is read from above. Commands between backticks
are isolates, too. In a line of columns, which two blanks, a bar or an unseen fence part, every cell keeps its place,
and so do boards. A line that is one isolate from left to right stays at the left.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any, Final, TextIO

from rich.cells import cell_len

from sunglade.words.speech import END, FENCE, LEFT_TO_RIGHT, is_right_to_left

STARTS: Final = {LEFT_TO_RIGHT: 0, "\N{RIGHT-TO-LEFT ISOLATE}": 1}
"""The marks that begin an isolate, and the direction inside it."""
MARKS: Final = (*STARTS, END, FENCE)
AT_THE_LEFT: Final = "\N{LEFT-TO-RIGHT MARK}"
MIRRORED: Final = dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True))
OFF: Final = "\x1b[8l"
ON: Final = "\x1b[8h"
"""Tell a terminal that knows it (ECMA-48, BDSM) not to change the order of what it is sent, and to do so again."""
MLTERM_OFF: Final = "\x1b]5379;use_ctl=false\a"
MLTERM_ON: Final = "\x1b]5379;use_ctl=true\a"
"""The same in words of mlterm's own; in it marks would take room."""

_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]|\r")
_CELLS = re.compile(f"( {{2,}}|^ +|[|│{FENCE}])")
_COMMAND = re.compile(r"(`[^`\n]*)(?:`|( *\n *)((?:[^`\n ]| (?! ))*`))")
"""A command, also one that goes on in the next line."""
_ISOLATE_IN_TWO = re.compile(f"({LEFT_TO_RIGHT}[^{END}\n]*?)( *\n *)((?:[^{END}\n ]| (?! ))*{END})")
_KEPT_TOGETHER = re.compile(f"{LEFT_TO_RIGHT}[^{END}]*{END}")
_PROMPT = re.compile(r"[> ]*$")
_FROM_THE_RIGHT = re.compile("[\N{HEBREW ACCENT ETNAHTA}-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+")
"""A word of letters that are read from right to left."""
LEAST_ROOM: Final = 16
"""A cell is broken into lines of its own where it has so many columns."""


def reorders(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this terminal lays lines out itself and cannot be told not to."""
    return environment.get("TERM_PROGRAM") == "Apple_Terminal" or "KONSOLE_VERSION" in environment


def switches(environment: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """What tells this terminal to leave the order of lines alone, and to change it again."""
    return (MLTERM_OFF, MLTERM_ON) if "MLTERM" in environment else (OFF, ON)


class LaidOut:
    """A stream whose lines are seen as they should be read. All else is the stream's own."""

    def __init__(self, stream: TextIO, width: int | None = None) -> None:
        self._stream = stream
        self._width = width

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self._width or _width_of(self._stream)

    def write(self, text: str) -> int:
        """Write lines, each laid out."""
        width = self.width
        lines = _with_commands_isolated(text).split("\n")
        beside = zip(["", *lines], [*lines[1:], ""], strict=False)
        self._stream.write(self.sent("\n".join(map(laid_out, lines, repeat(width), beside))))
        return len(text)

    def sent(self, seen: str) -> str:
        """What the terminal is sent for lines that shall be seen so."""
        return seen


class TurnedBack(LaidOut):
    """The same for a terminal that turns words round itself: they are sent turned back, and nothing else moves.

    Such terminals turn whole runs of words, and numbers beside them; some begin at the right where a line begins with
    such a word. A mark before and behind each word ends its run and begins every line at the left.
    """

    def sent(self, seen: str) -> str:
        """Every word as it is read, between marks."""
        return _FROM_THE_RIGHT.sub(lambda word: f"{AT_THE_LEFT}{word[0][::-1]}{AT_THE_LEFT}", seen)


class Unmarked:
    """A stream that is no terminal: the order stays, for whoever reads it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write lines as they are."""
        self._stream.write(_without_marks(text))
        return len(text)


def _width_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 80


def _without_marks(text: str) -> str:
    return "".join(letter for letter in text if letter not in MARKS)


def _with_commands_isolated(text: str) -> str:
    """Marks around commands; what was broken into two lines is an isolate in each."""
    whole = _COMMAND.sub(
        lambda found: (
            f"{LEFT_TO_RIGHT}{found[1]}{END}{found[2]}{LEFT_TO_RIGHT}{found[3]}{END}"
            if found[2]
            else f"{LEFT_TO_RIGHT}{found[0]}{END}"
        ),
        text,
    )
    return _ISOLATE_IN_TWO.sub(rf"\1{END}\2{LEFT_TO_RIGHT}\3", whole)


def of_prompt(prompt: str) -> str:
    """A prompt as it is seen where lines are laid out here: what is typed follows at its right."""
    if not isinstance(sys.stdout, LaidOut):
        return _without_marks(prompt)
    end = _PROMPT.search(prompt)
    assert end is not None
    asked = _with_commands_isolated(prompt[: end.start()])
    return sys.stdout.sent("\n".join(_read_from_the_right(_coloured_letters(asked), sys.stdout.width))) + end[0]


@contextmanager
def streams(bidi: str) -> Iterator[None]:
    """Lay out what is written, as the setting `bidi` has it: here, by the terminal, or as we know of the terminal."""
    before = sys.stdout, sys.stderr
    here = bidi == "here" or (bidi != "terminal" and not reorders())
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:
            terminal = LaidOut if here else TurnedBack
            setattr(sys, name, (terminal if stream.isatty() else Unmarked)(stream))
    told = here and sys.stdout is not None and sys.stdout.isatty()
    off, on = switches()
    if told:
        before[0].write(off)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        if told:
            sys.stdout.write(on)


def laid_out(line: str, width: int = 0, beside: Sequence[str] = ()) -> str:
    """A line as it is seen: a sentence at the right edge of so many columns, cells where they were.

    `beside` are the lines before and after it: what begins below a cell of theirs is the rest of that.
    """
    if not is_right_to_left(line):
        return _without_marks(line)
    controls, line = "".join(_CONTROL.findall(line)), _CONTROL.sub("", line)
    letters = _coloured_letters(line)
    while letters and letters[-1][0] == " ":
        letters.pop()
    text = _text(letters)
    if _is_from_left_to_right(text):
        return controls + _seen(letters, levels(text, 0))
    if not _is_in_columns(text) and not any(_goes_on(text, other) for other in beside):
        lines = _read_from_the_right(letters, width)
        return controls + "\n".join(" " * (width - _columns(seen)) + seen for seen in lines)
    cells = [letters[cell.start : cell.stop] for cell in _cells(text)]
    *before, last = cells
    start = "".join(_seen(cell, levels(*_own_direction(cell))) for cell in before)
    return controls + start + _last_cell(last, _columns(start), width)


def _last_cell(cell: Sequence[Letter], column: int, width: int) -> str:
    """The last cell of a line, broken below its beginning where it is longer than the window."""
    text, direction = _own_direction(cell)
    if not direction or _columns(text) <= width - column or width - column < LEAST_ROOM:
        return _seen(cell, levels(text, direction))
    return ("\n" + " " * column).join(_read_from_the_right(cell, width - column))


def _read_from_the_right(letters: Sequence[Letter], width: int) -> list[str]:
    """A sentence as it is seen, in lines of so many columns; 0 is one line."""
    text = _text(letters)
    level = levels(text, 1)
    lines = list(_broken(text, width)) if width else [range(len(text))]
    return [_seen(letters[line.start : line.stop], level[line.start : line.stop]) for line in lines]


def _broken(text: str, width: int) -> Iterator[range]:
    """Where the lines of a text stand in it: as many words in each as there is room for; a longer word is cut."""
    start = 0
    while _columns(text[start:]) > width:
        end = _as_far_as(text, start, width)
        blank = text.rfind(" ", start, end + 1)
        if text[start : max(blank, start)].strip():
            end = blank
        yield range(start, end)
        start = len(text) - len(text[end:].lstrip(" "))
    yield range(start, len(text))


def _as_far_as(text: str, start: int, width: int) -> int:
    """Where so many columns end; at least a letter farther."""
    end = start + 1
    while end < len(text) and _columns(text[start : end + 1]) <= width:
        end += 1
    return end


def _text(letters: Sequence[Letter]) -> str:
    return "".join(letter for letter, _ in letters)


def _columns(text: str) -> int:
    """How many columns a text takes, which neither colours nor marks do."""
    return cell_len(_without_marks(_COLOUR.sub("", text)))


def _is_from_left_to_right(text: str) -> bool:
    return text.startswith(LEFT_TO_RIGHT) and _end_of_isolate(text, 0, len(text)) == len(text) - 1


def _is_in_columns(text: str) -> bool:
    """Cells parted by blanks or by the fences of a board, or the rest of one that stands in a column."""
    text = _masked(text)
    return re.search(r"\S {2,}\S|^ {9,}", text) is not None or len(re.findall(f"[|│{FENCE}]", text)) > 2


def _goes_on(text: str, beside: str) -> bool:
    """Whether a line begins below or above a cell of a line in columns that is not its first."""
    other = _CONTROL.sub("", _COLOUR.sub("", beside))
    if not _is_in_columns(other):
        return False
    start = len(text) - len(text.lstrip(" "))
    cells = [cell for cell in _cells(other) if cell.start and other[cell.start : cell.stop].strip(" |│")]
    return any(_columns(other[: cell.start]) == start for cell in cells)


def _masked(text: str) -> str:
    """The same with no blanks and bars in commands and isolates, which are never parted."""
    return _KEPT_TOGETHER.sub(lambda found: "x" * len(found[0]), text)


def _cells(text: str) -> Iterator[range]:
    """Where cells, and what parts them, stand."""
    place = 0
    for part in _CELLS.split(_masked(text)):
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
