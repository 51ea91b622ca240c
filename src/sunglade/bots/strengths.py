"""How strong bots are, as measured: what evaluations (`arena/tasks.py`) and rated games (`table/rated.py`) go by.

Every figure is of games of the base game from random set-ups, told with its number of games in docs/evaluation.md.
Those of `oak` and `sequoia` are from games against the level below, docs/bots.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Strength:
    """In Elo points, `maple` being 0; the true one is within so many of it with a certainty of 95 %."""

    elo: float
    within: float


STRENGTHS: Final[dict[int, dict[str, Strength]]] = {
    2: {
        "random": Strength(-1073.0, 109.0),
        "seedling": Strength(-1004.0, 103.0),
        "sapling": Strength(-550.0, 82.0),
        "birch": Strength(-280.0, 93.0),
        "maple": Strength(0.0, 121.0),
        "oak": Strength(291.0, 131.0),
        "sequoia": Strength(938.0, 171.0),
    },
    3: {
        "random": Strength(-1205.0, 227.0),
        "seedling": Strength(-978.0, 134.0),
        "sapling": Strength(-624.0, 84.0),
        "birch": Strength(-385.0, 84.0),
        "maple": Strength(0.0, 108.0),
    },
    4: {
        "random": Strength(-1044.0, 229.0),
        "seedling": Strength(-954.0, 184.0),
        "sapling": Strength(-678.0, 108.0),
        "birch": Strength(-432.0, 86.0),
        "maple": Strength(0.0, 100.0),
    },
}
"""By the number of players, weakest first. A bot is here when it was seen to win and to lose against others."""


def elos(players: int, *bots: str) -> dict[str, float]:
    """The strengths of some bots."""
    return {bot: STRENGTHS[players][bot].elo for bot in bots}
