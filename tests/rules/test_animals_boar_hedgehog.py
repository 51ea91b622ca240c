"""Boar and Hedgehog (M-ANIMAL-3)."""

from typing import Any

import pytest

from positions import lights, piece, play, player, refused, turn

BOAR: dict[str, Any] = {"animals": "boar@d4 fox@e6", "lunar": 14}
HEDGEHOG: dict[str, Any] = {"animals": "hedgehog@d4 fox@e6", "lunar": 14}

# Boar


def test_dig_collects_without_paying_light() -> None:
    """M-ANIMAL-3-BOAR: Dig I"""
    game = play(turn("d4:A3", players=3, light=1, lunar=5, animals="boar@d4 fox@e6 owl@a1"), "boar.dig")
    assert (piece(game, "d4"), player(game)["tokens"], lights(game)[0]) == (".", [22], 1)
    assert player(game)["slots"][3] == [4, 5]
    assert game.state()["activated"] == ["d4"]


def test_dig_needs_an_own_large_tree_under_the_boar() -> None:
    """M-ANIMAL-3-BOAR: Dig I"""
    assert refused(turn("d4:B3 d5:A3", **BOAR), "boar.dig") == "not_yours"
    assert refused(turn("d4:A2", **BOAR), "boar.dig") == "not_large"
    assert refused(turn(**BOAR), "boar.dig") == "not_yours"


def test_dig_falls_through_empty_piles_like_collecting() -> None:
    """M-ANIMAL-3-BOAR: Dig I"""
    game = play(turn("d4:A3", taken=(0, 0, 5, 0), **BOAR), "boar.dig")
    assert player(game)["tokens"] == [17]


def test_dig2_also_plants_an_available_seed_there() -> None:
    """M-ANIMAL-3-BOAR: Dig II"""
    game = play(turn("d4:A3", available={"A seed": 1}, **BOAR), "boar.dig2")
    assert (piece(game, "d4"), player(game)["tokens"]) == ("A0", [19])
    assert (player(game)["available"][0], player(game)["slots"][0]) == (0, [1, 1, 2, 2])
    assert (player(game)["lunar"], player(game)["used"]) == (14 - 8, ["boar.dig"])
    assert game.state()["activated"] == ["d4"]
    assert refused(game, "grow d4") == "activated"


def test_dig2_needs_an_available_seed() -> None:
    """M-ANIMAL-3-BOAR: Dig II"""
    assert refused(turn("d4:A3", available={"A seed": 0}, **BOAR), "boar.dig2") == "none_available"


def test_dig_once_a_turn_also_elsewhere() -> None:
    """M-ANIMAL-2: Boar"""
    game = play(turn("d4:A3 d5:A3", light=4, **BOAR), "boar.dig", "step d5")
    assert refused(game, "boar.dig") == "ability_used"
    assert "collect d5" in game.legal


def test_no_dig_where_the_tree_grew_this_turn() -> None:
    """M-ANIMAL-3-BOAR"""
    game = play(turn("d4:A2", light=3, available={"A large": 1}, **BOAR), "grow d4")
    assert refused(game, "boar.dig") == refused(game, "boar.dig2") == "activated"


def test_no_replanting_after_a_dig_in_the_same_turn() -> None:
    """M-ANIMAL-3-BOAR"""
    game = play(turn("d4:A3 d5:A1", light=4, **BOAR), "boar.dig")
    assert refused(game, "plant d5 d4") == "activated"


ANY = {**BOAR, "boar_digs": "any"}


def test_dig_any_tree_goes_back_to_its_owner_and_the_token_to_the_boars_player() -> None:
    """M-ANIMAL-3-BOAR: boar_digs any"""
    game = play(turn("d4:B3", light=1, slots={"B large": ".."}, **ANY), "boar.dig")
    assert (piece(game, "d4"), lights(game), game.state()["activated"]) == (".", [1, 0], ["d4"])
    assert (player(game)["tokens"], player(game)["slots"][3], player(game)["lunar"]) == ([19], [4, 5], 9)
    assert (player(game, "B")["tokens"], player(game, "B")["slots"][3]) == ([], [5])


@pytest.mark.parametrize(("return_slot", "back"), [("highest", [5]), ("lowest", [4])])
def test_dig_any_tree_goes_back_as_any_piece_does(return_slot: str, back: list[int]) -> None:
    """M-ANIMAL-3-BOAR, R-ACT-4: boar_digs any"""
    game = turn("d4:B3", slots={"A large": "..", "B large": ".."}, return_slot=return_slot, **ANY)
    assert player(play(game, "boar.dig"), "B")["slots"][3] == back
    assert player(game)["slots"][3] == []


def test_dig2_any_tree_plants_an_own_seed() -> None:
    """M-ANIMAL-3-BOAR: boar_digs any"""
    game = play(turn("d4:B3", available={"A seed": 1, "B seed": 2}, **ANY), "boar.dig2")
    assert (piece(game, "d4"), player(game)["tokens"]) == ("A0", [19])
    assert (player(game)["available"][0], player(game, "B")["available"][0]) == (0, 2)


def test_dig_any_tree_includes_the_own() -> None:
    """M-ANIMAL-3-BOAR: boar_digs any"""
    game = play(turn("d4:A3 d5:B3", slots={"A large": ".x"}, **ANY), "boar.dig")
    assert (piece(game, "d4"), piece(game, "d5"), player(game)["slots"][3]) == (".", "B3", [4, 5])


def test_dig_any_tree_of_any_opponent_but_a_large_one_and_not_the_elder_tree() -> None:
    """M-ANIMAL-3-BOAR: boar_digs any"""
    three = turn("d4:C3", players=3, lunar=5, animals="boar@d4 fox@e6 owl@a1", boar_digs="any")
    assert player(play(three, "boar.dig"))["tokens"] == [22]
    for pieces in ("", "d4:B2", "d4:A2", "d4:B0", "d5:B3"):
        assert refused(turn(pieces, **ANY), "boar.dig") == refused(turn(pieces, **ANY), "boar.dig2") == "no_large_tree"


def test_dig_any_tree_keeps_the_other_conditions() -> None:
    """M-ANIMAL-3-BOAR: boar_digs any"""
    assert refused(turn("d4:B3", activated="d4", **ANY), "boar.dig") == "activated"
    assert refused(turn("d4:B3", **ANY | {"lunar": 4}), "boar.dig") == "lunar"
    assert refused(turn("d4:B3", available={"A seed": 0}, **ANY), "boar.dig2") == "none_available"
    assert refused(turn("d4:B3", light=9, **ANY), "collect d4") == "not_yours"


# Hedgehog


def test_run_allows_one_more_step() -> None:
    """M-ANIMAL-3-HEDGEHOG: Run"""
    game = play(turn(**HEDGEHOG), "step d5")
    assert refused(game, "step d6") == "no_step_left"
    play(game, "hedgehog.run", "step d6")
    assert (player(game)["at"], player(game)["steps"], player(game)["lunar"]) == ("d6", 2, 13)
    assert refused(game, "step d7") == "no_step_left"
    assert refused(game, "hedgehog.run") == "ability_used"


def test_run_may_come_before_the_first_step() -> None:
    """M-ANIMAL-3-HEDGEHOG: Run"""
    game = play(turn(**HEDGEHOG), "hedgehog.run", "step d5", "step d6")
    assert player(game)["at"] == "d6"


def test_run_is_for_this_turn_only() -> None:
    """M-ANIMAL-3-HEDGEHOG: Run"""
    game = play(turn(**HEDGEHOG), "hedgehog.run", "end", "end", "end", "step d5")
    assert refused(game, "step d6") == "no_step_left"


def test_hedgehog_plants_straight_from_the_player_board() -> None:
    """M-ANIMAL-3-HEDGEHOG: Plant"""
    game = play(turn(light=0, available={"A seed": 0}, **HEDGEHOG), "hedgehog.plant")
    assert (piece(game, "d4"), player(game)["slots"][0], player(game)["available"][0]) == ("A0", [1, 2, 2], 0)
    assert (lights(game)[0], player(game)["lunar"], game.state()["activated"]) == (0, 11, ["d4"])
    assert refused(game, "grow d4") == "activated"


def test_hedgehog_takes_the_cheapest_seed() -> None:
    """M-ANIMAL-3-HEDGEHOG: Plant"""
    game = play(turn(slots={"A seed": ".x.x"}, **HEDGEHOG), "hedgehog.plant")
    assert player(game)["slots"][0] == [2]


def test_hedgehog_needs_an_empty_space_and_a_seed_on_the_board() -> None:
    """M-ANIMAL-3-HEDGEHOG: Plant"""
    assert refused(turn("d4:A1", **HEDGEHOG), "hedgehog.plant") == "occupied"
    assert refused(turn("d4:B0", **HEDGEHOG), "hedgehog.plant") == "occupied"
    assert refused(turn(slots={"A seed": "...."}, **HEDGEHOG), "hedgehog.plant") == "column_empty"


def test_hedgehog_does_not_plant_where_a_tree_was_collected_this_turn() -> None:
    """M-ANIMAL-3-HEDGEHOG: Plant"""
    game = play(turn("d4:A3", light=4, **HEDGEHOG), "collect d4")
    assert refused(game, "hedgehog.plant") == "activated"


def test_hedgehog_needs_no_tree_near() -> None:
    """M-ANIMAL-3-HEDGEHOG: Plant"""
    assert "hedgehog.plant" in turn(**HEDGEHOG).legal
