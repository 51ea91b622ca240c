"""A mean and how sure it is, from a number of observations, their sum and the sum of their squares."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

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
        """As a percentage with its interval; where all were alike, the exact one: that they were may be chance."""
        if not self.known:
            return "–"
        mean, half = 100 * self.mean, 100 * (SURE * self.error or 1 - 0.025 ** (1 / self.number))
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


def unfairness(shares: Sequence[Figure], sure: float = SURE) -> tuple[float, float, float]:
    """How far seats are from winning equally often, with its interval: the root of the mean squared deviation.

    Chance alone makes seats differ: what it would make is taken off. The squared deviations, in units of what chance
    makes, follow a non-central chi-square, and the interval has all that make neither as few nor as many too seldom.
    """
    seats, games = len(shares), shares[0].number
    if games < FEW:
        return math.nan, math.nan, math.nan
    freedom, unit = seats - 1, games * seats**2
    found = unit * sum((share.mean - 1 / seats) ** 2 for share in shares) / seats
    seldom = math.erfc(sure / math.sqrt(2)) / 2
    # Seats that are more equal than chance makes fair ones show nothing more: no less than its mean is looked up.
    limits = max(0, found - freedom), _excess(found, freedom, 1 - seldom), _excess(max(found, freedom), freedom, seldom)
    one, low, high = (math.sqrt(limit / unit) for limit in limits)
    return one, low, high


def _excess(found: float, freedom: int, chance: float) -> float:
    """The non-centrality with which a chi-square is at most `found` with this chance; 0 if none makes it so likely."""
    low, high = 0.0, (math.sqrt(found) + 10) ** 2  # ten standard errors further is more than anybody asks for
    for _ in range(40):
        middle = (low + high) / 2
        if chi_square(found, freedom, middle) > chance:
            low = middle
        else:
            high = middle
    return low


def chi_square(most: float, freedom: int, excess: float) -> float:
    """How likely a non-central chi-square is at most so much: central ones, mixed as a Poisson distribution says."""
    half, mean = most / 2, excess / 2
    central = math.erf(math.sqrt(half)) if freedom % 2 else -math.expm1(-half)
    for more in range(2 - freedom % 2, freedom, 2):
        central -= _term(half, more / 2)
    likely = 0.0
    for more in range(int(mean + 12 * math.sqrt(mean) + 30)):
        likely += _term(mean, more) * central
        central = max(0.0, central - _term(half, freedom / 2 + more))
    return likely


def _term(mean: float, power: float) -> float:
    """A term of the exponential series, as a part of its sum."""
    if mean == 0:
        return float(power == 0)
    return math.exp(power * math.log(mean) - mean - math.lgamma(power + 1))
