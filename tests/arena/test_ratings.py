"""Ratings: the textbook's values where there are some, and intervals that hold the truth as often as they say."""

import math
import random

import pytest

from sunglade.arena.ratings import ratings, wilson


def test_two_players_get_elos_logistic_curve() -> None:
    """75 % of many games are 191 points apart."""
    first, second = ratings([[0, 1]] * 4000, [[1, 0]] * 3000 + [[0, 1]] * 1000, 2)
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=1)
    assert first.elo == pytest.approx(-second.elo)


def test_a_shared_win_counts_in_parts() -> None:
    shared = ratings([[0, 1]] * 100, [[0.5, 0.5]] * 100, 2)
    assert shared[0].elo == pytest.approx(0, abs=1e-6)
    half_of_it_shared = ratings([[0, 1]] * 100, [[0.5, 0.5]] * 50 + [[1, 0]] * 50, 2)
    all_decided = ratings([[0, 1]] * 100, [[1, 0]] * 75 + [[0, 1]] * 25, 2)
    assert half_of_it_shared[0].elo == pytest.approx(all_decided[0].elo)


def test_one_of_four_equals_is_expected_to_win_a_quarter() -> None:
    rated = ratings([[0, 1, 1, 1]] * 400, [[1, 0, 0, 0]] * 100 + [[0, 1, 0, 0]] * 300, 2)
    assert rated[0].elo - rated[1].elo == pytest.approx(0, abs=0.5)


def test_who_won_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    few, many = (ratings([[0, 1]] * games, [[1, 0]] * games, 2)[0] for games in (10, 1000))
    assert 200 < few.elo < many.elo < 2000 and few.plus_minus > 150


def test_without_games_nobody_is_better() -> None:
    assert [rating.elo for rating in ratings([], [], 3)] == [0, 0, 0]


def test_ratings_do_not_depend_on_the_order_of_seats_or_games() -> None:
    seats = [[0, 1, 2], [2, 0, 1], [1, 2, 0]] * 10
    shares = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]] * 10
    turned = ratings([who[::-1] for who in reversed(seats)], [won[::-1] for won in reversed(shares)], 3)
    assert [r.elo for r in turned] == pytest.approx([r.elo for r in ratings(seats, shares, 3)])


def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    draw = random.Random(1)
    chance, held, rated_well = 0.7, 0, 0
    truth = 400 * math.log10(chance / (1 - chance)) / 2
    for _ in range(300):
        won = [draw.random() < chance for _ in range(150)]
        low, high = wilson(sum(won), len(won))
        held += low <= chance <= high
        rating = ratings([[0, 1]] * 150, [[1, 0] if w else [0, 1] for w in won], 2)[0]
        rated_well += abs(rating.elo - truth) <= rating.plus_minus
    assert 275 <= held <= 297 and 275 <= rated_well <= 297


def test_wilson_knows_its_edges() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(10, 10)[1] == pytest.approx(1) and wilson(0, 10)[0] == pytest.approx(0)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
