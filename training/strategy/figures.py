"""A mean and how sure it is, from a number of observations, their sum and the sum of their squares."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

SURE: Final = 1.96
"""Standard errors to each side of a mean: 95 %."""
VERY_SURE: Final = 3.0
"""The same where the best or worst of many are named: some of them look good by chance."""
FEW: Final = 30
"""With fewer observations nothing is told."""


class Figure(NamedTuple):
    """A mean with its standard error."""

    number: int
    mean: float
    error: float

    @classmethod
    def of(cls, sums: Sequence[float]) -> Figure:
        """From number, sum and sum of squares."""
        number, total, squares = sums
        if number < 2:
            return cls(int(number), total if number else math.nan, math.inf)
        mean = total / number
        variance = max(0.0, (squares - number * mean * mean) / (number - 1))
        return cls(int(number), mean, math.sqrt(variance / number))

    @property
    def low(self) -> float:
        """Where the interval begins."""
        return self.mean - SURE * self.error

    @property
    def high(self) -> float:
        """Where it ends."""
        return self.mean + SURE * self.error

    @property
    def known(self) -> bool:
        """Whether there are enough observations to tell it."""
        return self.number >= FEW

    def sign(self, than: float = 0.0, sure: float = SURE) -> int:
        """1 or −1 where the mean lies so many standard errors above or below a number, else 0."""
        return (self.mean - sure * self.error > than) - (self.mean + sure * self.error < than)

    def percent(self, places: int = 1) -> str:
        """As a percentage with its interval."""
        if not self.known:
            return "–"
        mean, half = 100 * self.mean, 100 * SURE * self.error
        return f"{mean:.{places}f} ± {half:.{places}f}".replace("-", "−")

    def text(self, places: int = 1, signed: bool = False) -> str:
        """With its interval."""
        if not self.known:
            return "–"
        sign = "+" if signed and self.mean > 0 else ""
        return f"{sign}{self.mean:.{places}f} ± {SURE * self.error:.{places}f}".replace("-", "−")


def added(all_sums: Iterable[Sequence[float]]) -> list[float]:
    """The sums of several groups together."""
    return [float(sum(column)) for column in zip(*all_sums, strict=True)]


def unfairness(shares: Sequence[Figure], draws: int = 2000) -> tuple[float, float, float]:
    """How far seats are from winning equally often, with its interval: the root of the mean squared deviation.

    Chance alone makes seats differ: what it would make is taken off. The interval comes from games drawn anew.
    """
    seats, games = len(shares), shares[0].number
    if games < FEW:
        return math.nan, math.nan, math.nan
    found = np.array([share.mean for share in shares])
    by_chance = (1 - 1 / seats) / seats / games
    drawn = np.random.default_rng(1).multinomial(games, found / found.sum(), draws) / games
    one = float(np.sqrt(max(0.0, ((found - 1 / seats) ** 2).mean() - by_chance)))
    low, middle, high = np.quantile(np.sqrt(((drawn - 1 / seats) ** 2).mean(1)), [0.025, 0.5, 0.975])
    return one, max(0.0, one + float(low - middle)), one + float(high - middle)
