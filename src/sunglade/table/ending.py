"""How a game ends that its players do not play to the end. The rules know nothing of it, and neither does its file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sunglade.forecast import scores
from sunglade.game import Game

RESIGNED: Final = "resigned"
AGREED: Final = "agreed"


@dataclass(frozen=True, slots=True)
class Ending:
    """Why nobody plays on: somebody resigned (`seat`) and was the last who had to, or all agreed to it."""

    how: str
    seat: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """As game files and results tell it."""
        return {"how": self.how} if self.seat is None else {"how": self.how, "seat": self.seat}


def best_of(game: Game, seats: Collection[int]) -> list[int]:
    """Who of some is ahead: most points, then most pieces on the board, else together (R-END-2)."""
    standing = {p: (score.total, score.pieces) for p, score in enumerate(scores(game.now)) if p in seats}
    return [p for p in standing if standing[p] == max(standing.values())]
