"""Paragraphs and tables of the guide, and what its chapters have in common."""

from __future__ import annotations

import textwrap
from typing import Any, Final

from training.strategy.figures import Figure
from training.strategy.plan import PLAYERS

WORDS: Final = {2: "two", 3: "three", 4: "four"}
HEADS: Final = [f"{players} players" for players in PLAYERS]

Counts = dict[str, Any]
Pages = dict[str, str]
"""Files of docs/ by their names."""


def of(counts: Counts, chapter: str, players: int) -> Counts:
    """What was counted for a chapter with so many players."""
    found: Counts = counts[chapter][str(players)]
    return found


def prose(words: str) -> list[str]:
    """A paragraph."""
    return [*textwrap.wrap(" ".join(words.split()), 150, break_on_hyphens=False), ""]


def item(words: str) -> list[str]:
    """An item of a list."""
    return textwrap.wrap(words, 150, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table."""
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows), ""]


def listed(words: list[str]) -> str:
    """Words as a list in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def compared(counts: Counts, chapter: str, names: dict[str, str], percent: tuple[str, ...] = ()) -> list[str]:
    """A table of what the winner has, what the others have on average, and the difference."""
    rows = []
    for name, words in names.items():
        row = [words]
        for players in PLAYERS:
            found = of(counts, chapter, players)["compared"][name]
            winner, others, more = (Figure.of(found[which]) for which in ("winner", "others", "more"))
            scale, told = (100, more.percent()) if name in percent else (1, more.text(2, signed=True))
            row.append(f"{scale * winner.mean:.1f} / {scale * others.mean:.1f}; {told}")
        rows.append(row)
    return table(["winner / others; difference", *HEADS], rows)
