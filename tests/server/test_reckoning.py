"""What results are worth: ratings find how strong people are, and say how well they know it."""

from __future__ import annotations

import math
import random

import pytest

from sunglade.bots.strengths import STRENGTHS
from sunglade.server.ratings.reckoning import NEW_SIGMA, SCALE, SURE, UNKNOWN, Rating, anchor, reckon
from sunglade.table.rated import rated_levels


def finish(strengths: list[float], rng: random.Random) -> list[int]:
    """Places drawn as the model has it: who comes first, then who of the others, and so on."""
    left, places = list(range(len(strengths))), [0] * len(strengths)
    for place in range(1, len(strengths) + 1):
        weights = [math.exp((strengths[seat] - max(strengths)) / SCALE) for seat in left]
        chosen = rng.choices(left, weights)[0]
        places[chosen] = place
        left.remove(chosen)
    return places


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ratings_come_to_peoples_strengths_and_intervals_hold_most_of_them(players: int) -> None:
    """Sixty people of known strength, each with sixty games against the levels and each other."""
    rng = random.Random(players)
    true = [rng.uniform(600.0, 1900.0) for _ in range(60)]
    known = [UNKNOWN] * 60
    levels = rated_levels(players)
    for _ in range(60):
        for person in range(60):
            others = [rng.choice([*range(60), *levels]) for _ in range(players - 1)]
            seats = [person, *(other for other in others)]
            if len(set(seats)) < len(seats):
                continue
            ratings = [anchor(seat, players) if isinstance(seat, str) else known[seat] for seat in seats]
            strengths = [anchor(seat, players).mu if isinstance(seat, str) else true[seat] for seat in seats]
            for seat, after in zip(seats, reckon(ratings, finish(strengths, rng)), strict=True):
                if not isinstance(seat, str):
                    known[seat] = after
    off = [abs(rating.mu - strength) for rating, strength in zip(known, true, strict=True)]
    held = sum(each <= SURE * rating.sigma for each, rating in zip(off, known, strict=True))
    assert sorted(off)[30] < 110
    assert held >= 52, f"{held} of 60"
    assert all(rating.sigma < NEW_SIGMA / 2 for rating in known)


def test_a_bot_stays_as_strong_as_it_was_measured_and_is_known_better_than_a_newcomer() -> None:
    for players, strengths in STRENGTHS.items():
        for level in rated_levels(players):
            assert anchor(level, players).mu == 1500 + strengths[level].elo
            assert anchor(level, players).sigma < NEW_SIGMA / 3


def test_who_wins_gains_what_who_loses_gives_and_everybody_is_known_better() -> None:
    winner, loser = reckon([UNKNOWN, UNKNOWN], [1, 2])
    assert winner.mu - UNKNOWN.mu == pytest.approx(UNKNOWN.mu - loser.mu) and winner.mu > UNKNOWN.mu
    assert winner.sigma < UNKNOWN.sigma > loser.sigma


def test_a_shared_place_between_equals_changes_nobodys_number() -> None:
    for players in (2, 3, 4):
        for after in reckon([UNKNOWN] * players, [1] * players):
            assert after.mu == pytest.approx(UNKNOWN.mu, abs=1e-6)


def test_beating_a_stronger_one_is_worth_more_than_beating_a_weaker_one() -> None:
    me = Rating(1200.0, 120.0)
    strong, weak = (reckon([me, anchor(level, 2)], [1, 2])[0] for level in ("oak", "seedling"))
    assert strong.mu - me.mu > 10 * (weak.mu - me.mu) > 0
