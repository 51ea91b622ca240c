"""A sheet of characters with colours: what text drawings are made on."""

from __future__ import annotations

from typing import Final, NamedTuple

from sunglade.words.speech import fence


class Style(NamedTuple):
    """How characters look where colour is allowed: numbers of the 256-colour palette."""

    ink: int | None = None
    paper: int | None = None
    bold: bool = False
    faint: bool = False
    unseen_in_colour: bool = False
    """For signs that only stand in for colour."""

    def codes(self) -> str:
        """The terminal's escape sequence for this style."""
        numbers = ["1"] * self.bold + ["2"] * self.faint
        numbers += [f"38;5;{self.ink}"] if self.ink is not None else []
        numbers += [f"48;5;{self.paper}"] if self.paper is not None else []
        return f"\x1b[{';'.join(numbers)}m" if numbers else ""


PLAIN: Final = Style()
FAINT: Final = Style(faint=True)
BOLD: Final = Style(bold=True)
RESET: Final = "\x1b[0m"


class Canvas:
    """Lines that grow as they are written on. Later writing covers earlier."""

    def __init__(self) -> None:
        self._lines: list[list[tuple[str, Style]]] = []

    @property
    def height(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write text from a column on; return the column after it."""
        while len(self._lines) <= y:
            self._lines.append([])
        line = self._lines[y]
        line += [(" ", PLAIN)] * (x + len(text) - len(line))
        line[x : x + len(text)] = [(letter, style) for letter in text]
        return x + len(text)

    def lines(self, *, colour: bool) -> list[str]:
        """The lines as text, without blanks at their ends."""
        return [_coloured(line) if colour else _plain(line) for line in self._lines]


def _plain(line: list[tuple[str, Style]]) -> str:
    return "".join(letter for letter, _ in line).rstrip()


def _coloured(line: list[tuple[str, Style]]) -> str:
    text, current = "", PLAIN
    for letter, style in line[: _visible_length(line)]:
        if style != current:
            text += (RESET if current.codes() else "") + style.codes()
            current = style
        text += f"{fence()} {fence()}" if style.unseen_in_colour else letter
    return text + (RESET if current.codes() else "")


def _visible_length(line: list[tuple[str, Style]]) -> int:
    """Where the blanks at the end begin; a blank on coloured paper is seen."""
    length = len(line)
    while length and _unseen(*line[length - 1]):
        length -= 1
    return length


def _unseen(letter: str, style: Style) -> bool:
    return style.unseen_in_colour or (letter == " " and style.paper is None)
