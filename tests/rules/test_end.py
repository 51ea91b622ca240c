"""Score and winners (R-END)."""

from typing import Any

import pytest

from positions import play, player, turn
from sunglade import Game
from sunglade.forecast import Score


def last_turn(pieces: str = "", **position: Any) -> Game:
    """The last turn of a game, B's; it ends with `end`."""
    return turn(pieces, round=1, rounds=1, player="B", **position)


@pytest.mark.parametrize(("light", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (20, 6)])
def test_r_end_1_three_leftover_light_are_a_point(light: int, points: int) -> None:
    """R-END-1"""
    assert player(turn(light=light))["points"] == points


@pytest.mark.parametrize(("light", "points"), [(0, 0), (1, 1), (3, 1), (4, 2), (20, 7)])
def test_r_end_1_leftover_up(light: int, points: int) -> None:
    """R-END-1"""
    assert player(turn(light=light, leftover="up"))["points"] == points


def test_r_end_1_tokens_and_leftover_light() -> None:
    """R-END-1"""
    game = turn("d4:B1", taken=(2, 0, 1, 0), collector="A", light=7)
    assert player(game)["points"] == 14 + 14 + 19 + 2
    assert game.scores()[0] == Score(tokens=47, leftover=2, moon=0, total=49, pieces=0)
    assert game.scores()[1] == Score(tokens=0, leftover=0, moon=0, total=0, pieces=1)


def test_r_end_2_most_points_win() -> None:
    """R-END-2"""
    game = play(last_turn("a1:B1 a2:B1", taken=(1, 0, 0, 0), collector="A"), "end")
    assert game.over and game.winners == game.state()["winners"] == [0]


def test_r_end_2_a_tie_goes_to_the_most_seeds_and_trees_on_the_board() -> None:
    """R-END-2"""
    game = play(last_turn("a1:A3 a2:A3 b1:B0 b2:B0 b3:B1", light={"A": 2, "B": 0}), "end")
    assert game.winners == [1]


def test_r_end_2_points_come_before_pieces() -> None:
    """R-END-2"""
    game = play(last_turn("b1:B0 b2:B0 b3:B1 b4:B1 a1:B1 a2:B1 a3:B1", light={"A": 3, "B": 2}), "end")
    assert game.winners == [0]


def test_r_end_2_still_tied_they_share_the_win() -> None:
    """R-END-2"""
    game = play(last_turn("a1:A3 a2:A0 b1:B0 b2:B1", light={"A": 2, "B": 1}), "end")
    assert game.winners == [0, 1]


def test_r_end_2_two_of_three_share() -> None:
    """R-END-2"""
    game = turn("a1:A1 c3:C1", players=3, round=1, rounds=1, player="C", light={"A": 3, "B": 5, "C": 4})
    assert play(game, "end").winners == [0, 2]


def test_r_end_2_all_four_share() -> None:
    """R-END-2"""
    game = turn(players=4, round=1, rounds=1, player="D")
    assert play(game, "end").winners == [0, 1, 2, 3]


def test_r_end_2_more_light_is_no_tie_break() -> None:
    """R-END-2"""
    game = play(last_turn("a1:A1 b1:B1", light={"A": 5, "B": 3}), "end")
    assert game.winners == [0, 1]
