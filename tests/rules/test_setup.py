"""Pieces and set-up of the base game (R-SETUP)."""

import pytest

from positions import play, player, refused, starting, turn
from sunglade import BadRules, Game

EDGE = ["a1", "a2", "a3", "a4", "b1", "b5", "c1", "c6", "d1", "d7", "e1", "e6", "f1", "f5", "g1", "g2", "g3", "g4"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r_setup_1_each_player_owns_6_seeds_and_8_4_2_trees(players: int) -> None:
    """R-SETUP-1"""
    state = Game(players).state()
    assert len(state["players"]) == players
    for each in state["players"]:
        assert [a + len(s) for a, s in zip(each["available"], each["slots"], strict=True)] == [6, 8, 4, 2]


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_r_setup_1_two_to_four_players(players: int) -> None:
    """R-SETUP-1"""
    with pytest.raises(BadRules, match="from 2 to 4"):
        Game(players)


def test_r_setup_2_prices_of_the_player_board() -> None:
    """R-SETUP-2"""
    for seat in "ABCD":
        assert player(Game(4), seat)["slots"] == [[1, 1, 2, 2], [2, 2, 3, 3], [3, 3, 4], [4, 5]]


def test_r_setup_3_available_at_the_start() -> None:
    """R-SETUP-3"""
    for seat in "ABCD":
        start = player(Game(4), seat)
        assert (start["available"], start["light"], start["tokens"], start["points"]) == ([2, 4, 1, 0], 0, [], 0)


@pytest.mark.parametrize("players", [3, 4])
def test_r_setup_4_scoring_tokens(players: int) -> None:
    """R-SETUP-4"""
    assert Game(players).state()["tokens"] == [
        [14, 14, 13, 13, 13, 12, 12, 12, 12],
        [17, 16, 16, 14, 14, 13, 13],
        [19, 18, 18, 17, 17],
        [22, 21, 20],
    ]


def test_r_setup_4_two_players_leave_the_4_leaf_pile_in_the_box() -> None:
    """R-SETUP-4"""
    assert Game(2).state()["tokens"][3] == []
    assert [len(pile) for pile in Game(2).state()["tokens"]] == [9, 7, 5, 0]


def test_r_setup_4_with_two_players_the_centre_pays_from_the_3_leaf_pile() -> None:
    """R-SETUP-4"""
    game = play(turn("d4:A3", light=4), "collect d4")
    assert player(game)["tokens"] == [19]
    assert game.state()["tokens"][2] == [18, 18, 17, 17]


def test_r_setup_4_with_three_players_the_centre_pays_from_its_own_pile() -> None:
    """R-SETUP-4"""
    game = play(turn("d4:A3", players=3, light=4), "collect d4")
    assert player(game)["tokens"] == [22]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r_setup_5_two_laps_of_small_trees_clockwise_from_the_first_player(players: int) -> None:
    """R-SETUP-5"""
    game = Game(players)
    assert game.state()["first"] == 0
    order = []
    for space in EDGE[: 2 * players]:
        assert (game.phase, game.round) == ("placing", 0)
        assert game.state()["player"] == game.player
        order.append(game.player)
        game.play(f"place {space}")
    assert order == 2 * list(range(players))
    assert (game.phase, game.round, game.player) == ("turn", 1, 0)
    assert all(each["available"] == [2, 2, 1, 0] for each in game.state()["players"])
    assert set(game.state()["spaces"]) == set(EDGE[: 2 * players])


def test_r_setup_5_only_on_empty_1_leaf_spaces() -> None:
    """R-SETUP-5"""
    game = Game(2)
    assert game.legal == [f"place {space}" for space in EDGE]
    game.play("place c6")
    assert starting(game, "place") == [f"place {space}" for space in EDGE if space != "c6"]
    assert refused(game, "place c6") == "occupied"
    assert "one-leaf" in (game.why_not("place b2") or "")


def test_r_setup_6_the_sun_starts_at_position_0() -> None:
    """R-SETUP-6"""
    game = Game(2)
    assert (game.state()["sun"], game.state()["round"]) == (0, 0)
    play(game, "place a1", "place a2", "place a3", "place a4")
    assert (game.state()["sun"], game.state()["round"]) == (0, 1)


def test_r_setup_6_three_revolutions_four_in_the_long_game() -> None:
    """R-SETUP-6"""
    assert Game(2).state()["rounds"] == 3 * 6
    assert Game(2, {"revolutions": 4}).state()["rounds"] == 4 * 6
