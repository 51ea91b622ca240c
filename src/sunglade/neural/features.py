"""From observations to the network's inputs: which planes and numbers, and on what scale."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sunglade import board
from sunglade.encode import BASE_ACTIONS, BASE_PLANES, PLANES, TABLE, TABLE_BASE, WORDS, Observation
from sunglade.notation import ACTION_NAMES

PLANE_BYTES: Final = WORDS * 8
TABLE_OFFSET: Final = len(PLANES) * PLANE_BYTES
BASE_TABLE: Final = len(TABLE_BASE)
SPACES: Final = len(board.SPACES)

_SCALES: Final = {
    "light (at most 255)": 20.0,
    "points if the game ended now": 60.0,
    "sum of tokens": 60.0,
    "pieces on the board": 10.0,
    "light income": 10.0,
    "value on top": 20.0,
    "bought this turn": 2.0,
}


def table_scale() -> list[float]:
    """What each number of the table is divided by, so that all are about 0 to 1."""
    scale = [1.0] * len(TABLE)
    for index, name in enumerate(TABLE):
        for part, size in _SCALES.items():
            if part in name:
                scale[index] = size
    return scale


assert vars(Observation)["table"].offset == TABLE_OFFSET


@dataclass(frozen=True, slots=True)
class Sight:
    """How many planes, numbers of the table and actions, counted from the first, a network has learned."""

    planes: int
    table: int
    actions: int

    def version(self) -> str:
        """A short name for exactly what a network looks at and answers for: weights made for others are refused.

        It is its own, not that of the observation: an option or a module that is added there leaves it as it is.
        """
        names = (*PLANES[: self.planes], *TABLE[: self.table], *ACTION_NAMES[: self.actions])
        return sha256("\n".join(names).encode()).hexdigest()[:16]


BASE_GAME: Final = Sight(BASE_PLANES, BASE_TABLE, BASE_ACTIONS)
WHOLE_GAME: Final = Sight(len(PLANES), len(TABLE), len(ACTION_NAMES))
