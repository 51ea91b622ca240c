"""What a result is worth: OpenSkill's Plackett–Luce model over Elo points.

In games of two, three and four strengths are different things, so each has a model of its own; `beta` is such that
somebody ahead of each of the others by 400 points wins ten times as often as each of them, as with two players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from openskill.models import PlackettLuce

from sunglade.bots.strengths import STRENGTHS

MAPLE: Final = 1500.0
"""What the level `maple` has, with any number of players."""
SURE: Final = 1.96
"""So many deviations to each side hold 95 %."""
NEW_MU: Final = 1200.0
NEW_SIGMA: Final = 350.0
"""Somebody of whom nothing is known: most likely between the weakest level and a bit above `maple`."""
DRIFT: Final = 3.5
"""People change: so much uncertainty comes back with every game."""
SCALE: Final = 400.0 / math.log(10.0)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is: the likeliest number, and how far off it may be (one deviation)."""

    mu: float
    sigma: float

    def told(self) -> dict[str, int]:
        """As `schema.Rating` tells it."""
        off = SURE * self.sigma
        return {"rating": round(self.mu), "low": round(self.mu - off), "high": round(self.mu + off)}


UNKNOWN: Final = Rating(NEW_MU, NEW_SIGMA)


def anchor(level: str, players: int) -> Rating:
    """How strong a bot is, as measured. No result changes it."""
    strength = STRENGTHS[players][level]
    return Rating(MAPLE + strength.elo, strength.within / SURE)


@cache
def _model(players: int) -> PlackettLuce:
    return PlackettLuce(NEW_MU, NEW_SIGMA, beta=SCALE / math.sqrt(players), tau=DRIFT)


def reckon(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """What everybody has after a game in which they came in these places; the same place is shared."""
    model = _model(len(ratings))
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(one.mu, one.sigma) for (one,) in after]
