"""What people say to each other at a table: a reaction of a few, or a short text. It is no part of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sunglade.table.names import clean_line
from sunglade.table.problems import ServerProblem

REACTIONS: Final = ("hello", "well_played", "thanks", "wow", "oops", "thinking")
MOST_SIGNS: Final = 200
"""So long a text may be, once it is cleaned."""
MOST_KEPT: Final = 500
"""Sayings of a table that are kept: the newest."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Something that was said. `number` counts a table's sayings from 1; it is 0 as long as nobody keeps it."""

    at: float
    seat: int
    name: str | None
    """What its seat was called then; None where it is called by its species."""
    holder: str
    id: str
    """Chosen by the client: the same is said once, however often it is sent."""
    reaction: str | None
    text: str | None
    number: int = 0

    def is_same(self, other: Saying) -> bool:
        """Whether somebody only said it again."""
        return (self.seat, self.reaction, self.text) == (other.seat, other.reaction, other.text)

    def told(self) -> dict[str, object]:
        """What `schema.Saying` tells: not whose client it was."""
        return {
            "number": self.number, "at": self.at, "seat": self.seat, "name": self.name,
            "reaction": self.reaction, "text": self.text,
        }  # fmt: skip


def clean_text(text: str) -> str:
    """A text as it is kept: one line, in any writing system, with nothing that turns the writing around."""
    tidy = clean_line(text)
    if not tidy:
        raise ServerProblem("bad_request", "text: there is nothing in it that can be seen.")
    if len(tidy) > MOST_SIGNS:
        raise ServerProblem("bad_request", f"text: at most {MOST_SIGNS} signs can be said at once, not {len(tidy)}.")
    return tidy
