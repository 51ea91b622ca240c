"""What a result is worth: OpenSkill's Bradley–Terry model over Elo points, everybody at a table against everybody.

In games of two, three and four strengths are different things, so each has a model of its own. How large its steps are
and how wide intervals have to be was chosen by simulated games of people whose strength is known (docs/decisions.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from openskill.models import BradleyTerryFull

from sunglade.bots.strengths import STRENGTHS

MAPLE: Final = 1500.0
"""What the level `maple` has, with any number of players."""
SURE: Final = 1.96 * 1.25
"""So many deviations to each side are told: results of one table are no independent facts, as the model takes them."""
NEW_MU: Final = 1200.0
NEW_SIGMA: Final = 350.0
"""Somebody of whom nothing is known: most likely between the weakest level and a bit above `maple`."""
DRIFT: Final = 7.0
"""People change: so much uncertainty comes back with every game."""
SCALE: Final = 400.0 / math.log(10.0)
"""Ahead by 400 points, one wins ten times as often as one loses."""
STEP: Final = {2: 0.5, 3: 0.65, 4: 0.65}
"""The model's `beta` by the number of players, as a share of what `SCALE` would make it: smaller ones learn faster."""


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
def _model(players: int) -> BradleyTerryFull:
    return BradleyTerryFull(NEW_MU, NEW_SIGMA, beta=STEP[players] * SCALE / math.sqrt(2.0), tau=DRIFT)


def reckon(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """What everybody has after a game in which they came in these places; the same place is shared."""
    model = _model(len(ratings))
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(one.mu, one.sigma) for (one,) in after]
