"""Rounds, turns, the first-player token (R-ROUND)."""

from typing import Any

import pytest

from positions import lights, play, turn
from sunglade import Game
from sunglade.kernel.rounds import revolution

PLACED = ["place a1", "place g4", "place a3", "place g2"]


def after_rounds(count: int, players: int = 2, **rules: Any) -> Game:
    """A game in which everybody only ended turns, in the round after `count` of them."""
    spaces = ("a1", "g4", "d1", "d7", "a3", "g2", "c1", "e6")
    game = play(Game(players, rules), *(f"place {space}" for space in spaces[: 2 * players]))
    return play(game, *["end"] * players * count)


def test_r_round_1_photosynthesis_comes_before_the_turns() -> None:
    """R-ROUND-1"""
    game = play(Game(2), *PLACED[:3])
    assert lights(game) == [0, 0]
    game.play(PLACED[3])
    assert (game.phase, game.round, lights(game)) == ("turn", 1, [2, 2])


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [({}, 18), ({"revolutions": 4}, 24), ({"rounds": 7}, 7), ({"rounds": 1, "revolutions": 4}, 1)],
)
def test_r_round_1_number_of_rounds(rules: dict[str, Any], rounds: int) -> None:
    """R-ROUND-1 (and R-ROUND-5: the game ends after the last)."""
    game = after_rounds(rounds - 1, **rules)
    assert (game.round, game.state()["rounds"], game.over) == (rounds, rounds, False)
    assert play(game, "end", "end").over


def test_r_round_2_the_sun_moves_clockwise_except_in_round_1() -> None:
    """R-ROUND-2"""
    suns = [after_rounds(count).state()["sun"] for count in range(14)]
    assert suns == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1]


def test_r_round_2_the_moved_sun_shines_in_the_same_round() -> None:
    """R-ROUND-2"""
    game = turn("a1:A1 a2:B1", round=5, player="A")  # the sun then shines along row a, from d1's side
    assert lights(play(game, "end", "end")) == [1, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r_round_3_turns_go_clockwise_from_the_first_player(players: int) -> None:
    """R-ROUND-3"""
    game = after_rounds(1, players)
    order = [game.player]
    for _ in range(players - 1):
        game.play("end")
        order.append(game.player)
        assert game.round == 2
    assert order == [(1 + place) % players for place in range(players)]


def test_r_round_3_any_number_of_actions_and_unspent_light_is_kept() -> None:
    """R-ROUND-3"""
    game = turn("d4:A2 d5:A1 g4:B1", light={"A": 9, "B": 3})
    play(game, "buy seed", "buy seed", "plant d4 d3", "buy small", "end")
    assert lights(game) == [9 - 1 - 1 - 1 - 2, 3]
    assert game.player == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r_round_4_the_first_player_token_passes_clockwise(players: int) -> None:
    """R-ROUND-4"""
    firsts = [after_rounds(count, players).state()["first"] for count in range(9)]
    assert firsts == [count % players for count in range(9)]


def test_r_round_4_the_token_stays_when_the_game_ends() -> None:
    """R-ROUND-4"""
    game = after_rounds(3, rounds=4)
    assert game.state()["first"] == 1
    assert play(game, "end", "end").over
    assert game.state()["first"] == 1


def test_r_round_4_a_revolution_is_six_rounds() -> None:
    """R-ROUND-4: the sun is back at its start when a counter goes, and with the last counter the game ends."""
    back = [count for count in range(18) if after_rounds(count).state()["sun"] == 0]
    assert back == [0, 6, 12]
    assert after_rounds(18).over


def test_r_round_4_which_revolution_a_round_belongs_to() -> None:
    """R-ROUND-4"""
    begun = [revolution(after_rounds(count).now) for count in range(18)]
    assert begun == [1] * 6 + [2] * 6 + [3] * 6
    assert revolution(Game(2).now) == 0


def test_r_round_5_what_stays_after_the_end() -> None:
    """R-ROUND-5"""
    game = after_rounds(18)
    state = game.state()
    assert (state["phase"], state["round"], state["sun"], state["first"]) == ("over", 18, 5, 1)
    assert (state["player"], game.player, game.legal) == (None, None, [])
    assert state["winners"] == game.winners == [0, 1]
    assert game.why_not("end") == "The game is over."


def test_r_round_5_before_the_end_there_are_no_winners() -> None:
    """R-ROUND-5"""
    assert after_rounds(17).state()["winners"] is None
    assert after_rounds(17).winners is None
