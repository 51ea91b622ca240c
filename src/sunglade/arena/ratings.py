"""Ratings from results: Bradley–Terry, generalised to several players and shared wins, on the scale of Elo.

A player of strength γ wins a game with probability γ ÷ the sum of the strengths on all its seats (with two players this
is Bradley–Terry, and Elo's logistic curve). A win shared by k counts 1/k for each. The strengths are the most likely
ones, everybody having also shared one game with an average player: so that who won everything has a finite rating. The
intervals come from the curvature of the likelihood; a rating is relative to the mean of those who took part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ELO: Final = 400 / math.log(10)
Z95: Final = 1.959964
"""Standard deviations on each side of an interval that holds 95 %."""
STEPS: Final = 200
SMALL_ENOUGH: Final = 1e-9
FARTHEST: Final = 2000.0
"""Elo points beyond its opponents that nobody is rated."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points above the mean, and the half width of the 95 % interval."""

    elo: float
    plus_minus: float


def ratings(seats: Sequence[Sequence[int]], shares: Sequence[Sequence[float]], count: int) -> list[Rating]:
    """A rating for each of `count` players; `seats` says who sat where in each game, `shares` who won how much."""
    strengths = np.zeros(count)
    wins = np.full(count, 0.5)
    for who, won in zip(seats, shares, strict=True):
        np.add.at(wins, list(who), won)
    games = np.asarray([list(who) for who in seats], dtype=np.int64)
    for _ in range(STEPS):
        gradient, information = _slope(strengths, wins, games)
        step = np.linalg.solve(information, gradient)
        strengths += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < SMALL_ENOUGH:
            break
    centred = np.eye(count) - 1 / count
    variance = centred @ np.linalg.inv(_slope(strengths, wins, games)[1]) @ centred.T
    strengths -= strengths.mean()
    return [
        Rating(ELO * float(strength), ELO * Z95 * math.sqrt(max(float(v), 0.0)))
        for strength, v in zip(strengths, np.diag(variance), strict=True)
    ]


class Score(NamedTuple):
    """What somebody won against opponents of a known rating, who had all other seats."""

    elo: float
    won: float
    games: int


def rating_among(scores: Sequence[Score], players: int) -> Rating:
    """The likeliest rating of who had these scores, on the opponents' scale, at tables of so many.

    As above half a game more is won and half a game lost, here against the weakest and the strongest opponent: so that
    who won or lost everything has a finite rating.
    """
    known = sorted(scores)
    games = [*((s.elo, s.won, float(s.games)) for s in known), (known[0].elo, 0.5, 0.5), (known[-1].elo, 0.0, 0.5)]
    low, high = known[0].elo - FARTHEST, known[-1].elo + FARTHEST
    while high - low > SMALL_ENOUGH * FARTHEST:
        middle = (low + high) / 2
        expected = sum(count * _chance(middle - elo, players) for elo, _, count in games)
        low, high = (middle, high) if expected < sum(won for _, won, _ in games) else (low, middle)
    chances = [(count, _chance(low - elo, players)) for elo, _, count in games]
    information = sum(count * chance * (1 - chance) for count, chance in chances)
    return Rating(low, ELO * Z95 / math.sqrt(information))


def _chance(ahead: float, players: int) -> float:
    """Of a win against opponents on all other seats, by Elo points ahead of them."""
    return 1 / (1 + (players - 1) * math.exp(-ahead / ELO))


def _slope(strengths: Array, wins: Array, games: NDArray[np.int64]) -> tuple[Array, Array]:
    """First derivative and (negative) second derivative of the log likelihood."""
    count = len(strengths)
    average = 1 / (1 + np.exp(-strengths))  # the game shared with an average player
    gradient = wins - average
    information = np.diag(average * (1 - average))
    if games.size:
        gamma = np.exp(strengths)[games]
        chance = gamma / gamma.sum(axis=1, keepdims=True)
        share = np.zeros((len(games), count))
        for seat in range(games.shape[1]):
            share[np.arange(len(games)), games[:, seat]] += chance[:, seat]
        gradient = gradient - share.sum(axis=0)
        information = information + np.diag(share.sum(axis=0)) - share.T @ share
    return gradient, information


def wilson(won: float, games: float) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson's score); shared wins count as parts."""
    if not games:
        return 0.0, 1.0
    z = Z95 * Z95 / games
    share = won / games
    middle = (share + z / 2) / (1 + z)
    half = math.sqrt(share * (1 - share) * z + z * z / 4) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)
