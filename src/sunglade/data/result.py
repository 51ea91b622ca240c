"""How a game ended, for each of four seats; 0 for those that are not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sunglade import kernel
from sunglade.forecast import scores
from sunglade.kernel.record import Record
from sunglade.rules import MAX_PLAYERS


class Result(NamedTuple):
    """Points, places and shares of the win."""

    points: list[float]
    places: list[float]
    shares: list[float]


def result(s: Record) -> Result:
    """How a game ended: places by points, then by pieces on the board (R-END-2)."""
    found = scores(s)
    ranks = [(score.total, score.pieces) for score in found]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    shares = [float(np.float32(kernel.win_share(s, seat))) for seat in range(s.players)]  # as columns have them
    return Result(by_seat([score.total for score in found]), by_seat(places), by_seat(shares))


def by_seat(numbers: Sequence[float]) -> list[float]:
    """A number for each of four seats."""
    return [*numbers, *[0] * (MAX_PLAYERS - len(numbers))]
