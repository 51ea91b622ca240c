"""The turtle's eight babies (M-ANIMAL-4)."""

from typing import Any

import pytest

from positions import lights, lunars, piece, play, player, refused, starting, turn
from sunglade import Game


def hatched(baby: str, pieces: str = "", **position: Any) -> Game:
    """The turtle far away, one baby in hand."""
    return turn(pieces, animals="turtle@g1 fox@g4", hatched=baby, **{"lunar": 14} | position)


@pytest.mark.parametrize("line", ["two", "small", "medium", "harvest d4", "light", "seed c3", "points", "leaf"])
def test_m_animal_4_every_baby_costs_one_lunar_point_and_leaves_the_game(line: str) -> None:
    """M-ANIMAL-4"""
    game = hatched(line.split()[0], "d4:A3", lunar=1)
    play(game, f"turtle.steps {line}")
    assert (lunars(game)[0], player(game)["babies"], player(game)["used"]) == (0, [], ["turtle.steps"])
    assert refused(hatched(line.split()[0], "d4:A3", lunar=0), f"turtle.steps {line}") == "lunar"


# two


def test_m_animal_4_two_lets_an_activated_space_act_again_once() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A1 e4:A1", light=20, available={"A medium": 2, "A large": 1})
    play(game, "grow d4")
    assert refused(game, "grow d4") == "activated"
    play(game, "turtle.steps two")
    assert game.state()["effects"] == ["two"]
    play(game, "grow d4")
    assert (piece(game, "d4"), "effects" in game.state()) == ("A3", False)
    assert refused(game, "collect d4") == "activated"


def test_m_animal_4_two_may_collect_what_grew_this_turn() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A2", light=20, available={"A large": 1})
    assert player(play(game, "grow d4", "turtle.steps two", "collect d4"))["tokens"] == [19]


def test_m_animal_4_two_plants_from_an_activated_origin_or_to_an_activated_target() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A2 c3:A3 e4:A1", light=20, activated="d4")
    play(game, "turtle.steps two")
    assert "plant d4 d5" in game.legal
    game = hatched("two", "d4:A2 c3:A3", light=20)
    play(game, "collect c3", "turtle.steps two", "plant d4 c3")
    assert (piece(game, "c3"), "effects" in game.state()) == ("A0", False)


def test_m_animal_4_two_does_not_help_where_both_spaces_are_activated() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A2", light=20, activated="d4 d5")
    play(game, "turtle.steps two")
    assert refused(game, "plant d4 d5") == "activated"
    assert "plant d4 d3" in game.legal


def test_m_animal_4_two_waits_while_no_activated_space_is_touched() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A1 a1:A1", light=20, activated="d4")
    play(game, "turtle.steps two", "buy seed", "plant a1 a2", "step f1")
    assert game.state()["effects"] == ["two"]


def test_m_animal_4_two_ends_with_the_turn() -> None:
    """M-ANIMAL-4-TWO"""
    game = play(hatched("two"), "turtle.steps two", "end")
    assert "effects" not in game.state()


def test_m_animal_4_two_lifts_nothing_but_activation() -> None:
    """M-ANIMAL-4-TWO"""
    game = hatched("two", "d4:A2 e4:A1", light=1, activated="d4 e4", shade_forbids=True, available={"A medium": 1})
    play(game, "turtle.steps two")
    assert refused(game, "grow d4") == "none_available"
    assert refused(game, "grow e4") == "shaded"


# small, medium


@pytest.mark.parametrize(("baby", "size"), [("small", 1), ("medium", 2)])
def test_m_animal_4_small_and_medium_bring_a_tree_to_the_available_area(baby: str, size: int) -> None:
    """M-ANIMAL-4-SMALL, M-ANIMAL-4-MEDIUM"""
    game = hatched(baby, slots={f"A {baby}": ".xx" if size == 2 else ".xxx"})
    before = player(game)
    after = player(play(game, f"turtle.steps {baby}"))
    assert after["available"][size] == before["available"][size] + 1
    assert after["slots"][size] == before["slots"][size][1:]
    assert (lights(game)[0], game.state()["activated"]) == (0, [])


@pytest.mark.parametrize("baby", ["small", "medium"])
def test_m_animal_4_small_and_medium_need_one_on_the_player_board(baby: str) -> None:
    """M-ANIMAL-4-SMALL, M-ANIMAL-4-MEDIUM"""
    empty = "...." if baby == "small" else "..."
    assert refused(hatched(baby, slots={f"A {baby}": empty}), f"turtle.steps {baby}") == "column_empty"


def test_m_animal_4_the_tree_may_be_used_in_the_same_turn() -> None:
    """M-ANIMAL-4-MEDIUM"""
    game = hatched("medium", "d4:A1", light=2, available={"A medium": 0})
    assert piece(play(game, "turtle.steps medium", "grow d4"), "d4") == "A2"


# harvest


def test_m_animal_4_harvest_collects_an_own_large_tree_for_free() -> None:
    """M-ANIMAL-4-HARVEST"""
    game = hatched("harvest", "b2:A3 c3:A3 c4:B3 d4:A2")
    lines = starting(game, "turtle.steps")
    assert lines == ["turtle.steps harvest b2", "turtle.steps harvest c3"]
    play(game, "turtle.steps harvest b2")
    assert (piece(game, "b2"), player(game)["tokens"], lights(game)[0]) == (".", [17], 0)
    assert (game.state()["activated"], player(game)["slots"][3]) == (["b2"], [5])


def test_m_animal_4_harvest_only_own_large_trees_not_activated() -> None:
    """M-ANIMAL-4-HARVEST"""
    game = hatched("harvest", "c4:B3 d4:A2 d3:A3", activated="d3")
    reasons = [refused(game, f"turtle.steps harvest {space}") for space in ("c4", "d4", "d3", "a1")]
    assert reasons == ["not_yours", "not_large", "activated", "not_yours"]


# light


@pytest.mark.parametrize(("before", "after"), [(0, 3), (17, 20), (18, 20), (20, 20)])
def test_m_animal_4_light_brings_three_up_to_the_cap(before: int, after: int) -> None:
    """M-ANIMAL-4-LIGHT"""
    game = play(hatched("light", light=before), "turtle.steps light")
    assert (lights(game)[0], game.state()["activated"]) == (after, [])


# seed


def test_m_animal_4_seed_plants_an_available_seed_anywhere_for_free() -> None:
    """M-ANIMAL-4-SEED"""
    game = hatched("seed", "d4:A1 d5:B1", elder="a2", stones="a3", activated="b2", light=0)
    free = starting(game, "turtle.steps")
    assert len(free) == 37 - 5  # two trees, Elder Tree, stone, one activated space
    play(game, "turtle.steps seed g4")
    assert (piece(game, "g4"), player(game)["available"][0], lights(game)[0]) == ("A0", 1, 0)
    assert game.state()["activated"] == ["b2", "g4"]
    assert refused(game, "grow g4") == "activated"


def test_m_animal_4_seed_needs_an_available_seed_and_an_empty_unactivated_space() -> None:
    """M-ANIMAL-4-SEED"""
    assert refused(hatched("seed", available={"A seed": 0}), "turtle.steps seed d4") == "none_available"
    game = hatched("seed", "d4:A1", elder="a2", stones="a3", activated="b2")
    reasons = [refused(game, f"turtle.steps seed {space}") for space in ("d4", "a2", "a3", "b2")]
    assert reasons == ["occupied", "elder_there", "stone_there", "activated"]


# points


def test_m_animal_4_points_are_three_points_at_the_end() -> None:
    """M-ANIMAL-4-POINTS"""
    game = hatched("points", lunar=5)
    assert player(game)["points"] == 5  # in the hand it counts nothing
    play(game, "turtle.steps points")
    assert [each["points"] for each in game.state()["players"]] == [4 + 3, 2]
    assert (player(game)["tokens"], game.scores()[0].moon) == ([], 7)
    assert player(play(game, "end"))["points"] == 7


# leaf


@pytest.mark.parametrize(("space", "token"), [("a2", 17), ("b2", 19), ("c3", 22), ("d4", 22)])
def test_m_animal_4_leaf_the_next_collect_pays_from_the_pile_one_leaf_higher(space: str, token: int) -> None:
    """M-ANIMAL-4-LEAF"""
    game = turn(f"{space}:A3", players=3, animals="turtle@g1 fox@g4 owl@g3", hatched="leaf", lunar=1, light=4)
    play(game, "turtle.steps leaf")
    assert game.state()["effects"] == ["leaf"]
    play(game, f"collect {space}")
    assert (player(game)["tokens"], "effects" in game.state()) == ([token], False)


def test_m_animal_4_leaf_is_for_one_collect() -> None:
    """M-ANIMAL-4-LEAF"""
    game = play(hatched("leaf", "a2:A3 a3:A3", light=8), "turtle.steps leaf", "collect a2", "collect a3")
    assert player(game)["tokens"] == [17, 14]


def test_m_animal_4_leaf_falls_through_an_empty_higher_pile() -> None:
    """M-ANIMAL-4-LEAF, R-ACT-5"""
    game = play(hatched("leaf", "c3:A3", light=4), "turtle.steps leaf", "collect c3")
    assert player(game)["tokens"] == [19]  # two players: no 4-leaf pile
    game = play(hatched("leaf", "a2:A3", light=4, taken=(0, 7, 0, 0)), "turtle.steps leaf", "collect a2")
    assert player(game)["tokens"] == [14]


def test_m_animal_4_leaf_waits_for_a_collect_and_ends_with_the_turn() -> None:
    """M-ANIMAL-4-LEAF"""
    game = play(hatched("leaf", "d4:A1", light=9, available={"A medium": 1}), "turtle.steps leaf", "grow d4")
    assert game.state()["effects"] == ["leaf"]
    assert "effects" not in play(game, "end").state()
