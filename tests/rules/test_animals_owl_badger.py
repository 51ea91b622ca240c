"""Owl and Badger (M-ANIMAL-3)."""

from typing import Any

import pytest

from positions import lights, lunars, piece, play, player, refused, turn

BADGER: dict[str, Any] = {"animals": "badger@d4 fox@e6", "lunar": 14}

# Owl


@pytest.mark.parametrize(("level", "cost", "light"), [(1, 5, 3), (2, 9, 7), (3, 12, 10)])
def test_night_hunt(level: int, cost: int, light: int) -> None:
    """M-ANIMAL-3-OWL: Night hunt"""
    game = play(turn(animals="owl@d4 fox@e6", lunar=14, light=2), f"owl.hunt {level}")
    assert (lunars(game)[0], lights(game)[0]) == (14 - cost, 2 + light)
    assert game.state()["activated"] == []
    assert [refused(game, f"owl.hunt {other}") for other in (1, 2, 3)] == ["ability_used"] * 3


def test_night_hunt_stops_at_the_light_cap() -> None:
    """M-ANIMAL-3-OWL, R-LIGHT-4: Night hunt"""
    assert lights(play(turn(animals="owl@d4 fox@e6", lunar=14, light=15), "owl.hunt 3"))[0] == 20
    assert lights(play(turn(animals="owl@d4 fox@e6", lunar=14, light=15, light_cap=None), "owl.hunt 3"))[0] == 25


def test_night_hunt_light_can_be_spent_at_once() -> None:
    """M-ANIMAL-3-OWL: Night hunt"""
    game = play(turn("d4:A1", animals="owl@d4 fox@e6", lunar=5), "owl.hunt 1", "buy medium")
    assert lights(game)[0] == 0


# Badger


def test_fertilise_1_turns_the_seed_into_an_available_small_tree() -> None:
    """M-ANIMAL-3-BADGER: Fertilise I"""
    game = turn("d4:A0", available={"A small": 1}, slots={"A seed": "..xx"}, **BADGER)
    play(game, "badger.fertilise 1")
    assert (piece(game, "d4"), player(game)["available"][1], player(game)["slots"][0]) == ("A1", 0, [1, 2, 2])
    assert (lunars(game)[0], lights(game)[0]) == (10, 0)


def test_fertilise_2_takes_the_cheapest_small_tree_of_the_player_board() -> None:
    """M-ANIMAL-3-BADGER: Fertilise II"""
    game = turn("d4:A0", available={"A small": 1}, slots={"A small": ".xx.", "A seed": "...x"}, **BADGER)
    play(game, "badger.fertilise 2")
    assert (piece(game, "d4"), player(game)["available"][1], player(game)["slots"][1]) == ("A1", 1, [3])
    assert (player(game)["slots"][0], lunars(game)[0]) == ([2, 2], 8)


def test_fertilise_the_seed_leaves_the_game_without_a_free_slot() -> None:
    """M-ANIMAL-3-BADGER, R-ACT-4"""
    game = play(turn("d4:A0", slots={"A seed": "xxxx"}, **BADGER), "badger.fertilise 1")
    assert (player(game)["slots"][0], player(game)["available"][0]) == ([1, 1, 2, 2], 1)


def test_fertilise_1_needs_a_small_tree_available_and_2_one_on_the_board() -> None:
    """M-ANIMAL-3-BADGER"""
    game = turn("d4:A0", available={"A small": 0}, **BADGER)
    assert refused(game, "badger.fertilise 1") == "none_available"
    assert "badger.fertilise 2" in game.legal
    game = turn("d4:A0", available={"A small": 1}, slots={"A small": "...."}, **BADGER)
    assert refused(game, "badger.fertilise 2") == "column_empty"
    assert "badger.fertilise 1" in game.legal


def test_fertilise_needs_an_own_seed_under_the_badger() -> None:
    """M-ANIMAL-3-BADGER"""
    for pieces in ("", "d4:B0", "d4:A1", "d5:A0"):
        for level in (1, 2):
            assert refused(turn(pieces, **BADGER), f"badger.fertilise {level}") == "no_own_seed"


def test_fertilise_not_where_the_seed_was_planted_this_turn() -> None:
    """M-ANIMAL-3-BADGER"""
    game = play(turn("d5:A1", light=1, **BADGER), "plant d5 d4")
    assert refused(game, "badger.fertilise 1") == refused(game, "badger.fertilise 2") == "activated"


@pytest.mark.parametrize("level", [1, 2])
def test_fertilise_is_no_action_so_the_tree_may_seed_or_grow_this_turn(level: int) -> None:
    """M-ANIMAL-3-BADGER"""
    game = play(turn("d4:A0", light=9, **BADGER), f"badger.fertilise {level}")
    assert game.state()["activated"] == []
    assert {"grow d4", "plant d4 d5"} <= set(game.legal)
    assert piece(play(game, "grow d4"), "d4") == "A2"


def test_fertilise_once_a_turn_also_elsewhere() -> None:
    """M-ANIMAL-2: Badger"""
    game = play(turn("d4:A0 d5:A0", **BADGER), "badger.fertilise 1", "step d5")
    assert refused(game, "badger.fertilise 1") == refused(game, "badger.fertilise 2") == "ability_used"
