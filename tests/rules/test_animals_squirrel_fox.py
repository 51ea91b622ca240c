"""Squirrel and Fox (M-ANIMAL-3)."""

from typing import Any

import pytest

from positions import lights, lunars, piece, play, player, refused, starting, turn

SQUIRREL: dict[str, Any] = {"animals": "squirrel@d4 owl@e6", "lunar": 14}
FOX: dict[str, Any] = {"animals": "fox@d4 owl@e6", "lunar": {"A": 14, "B": 5}}

# Squirrel


def test_squirrel_may_take_two_steps() -> None:
    """M-ANIMAL-3-SQUIRREL: passive"""
    game = play(turn(**SQUIRREL), "step d5", "step d6")
    assert (player(game)["at"], player(game)["steps"], player(game)["lunar"]) == ("d6", 2, 14)
    assert refused(game, "step d7") == "no_step_left"


def test_each_step_of_the_squirrel_must_be_legal() -> None:
    """M-ANIMAL-3-SQUIRREL: passive"""
    game = turn(animals="squirrel@d4 owl@d5")
    assert refused(game, "step d5") == "animal_there"  # no jumping over
    assert refused(game, "step d6") == "not_next"


@pytest.mark.parametrize(("space", "leaves"), [("a1", 1), ("b2", 2), ("c3", 3), ("d4", 4)])
def test_eat_costs_more_and_brings_more_on_rich_soil(space: str, leaves: int) -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    game = turn(f"{space}:B0", animals=f"squirrel@{space} owl@e6", lunar={"A": 14, "B": 2}, slots={"B seed": "..xx"})
    play(game, "squirrel.eat")
    assert (piece(game, space), lunars(game), lights(game)) == (".", [14 - 4 - leaves, 2], [leaves, 1])
    assert player(game, "B")["slots"][0] == [1, 2, 2]


def test_eat_with_return_slot_lowest() -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    game = turn("d4:B0", slots={"B seed": "...x"}, return_slot="lowest", **SQUIRREL)
    assert player(play(game, "squirrel.eat"), "B")["slots"][0] == [1, 2]


def test_eat_a_seed_without_free_slot_leaves_the_game() -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    game = play(turn("d4:B0", slots={"B seed": "xxxx"}, **SQUIRREL), "squirrel.eat")
    assert player(game, "B")["slots"][0] == [1, 1, 2, 2]
    assert player(game, "B")["available"][0] == 1


def test_eat_only_opponents_seeds() -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    for pieces in ("", "d4:A0", "d4:B1", "d4:A1", "d5:B0"):
        assert refused(turn(pieces, **SQUIRREL), "squirrel.eat") == "no_foreign_seed"


def test_eat_is_not_an_action_on_the_space() -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    game = turn("d4:B0 d5:A1", light=1, activated="d4", **SQUIRREL)
    assert play(game, "squirrel.eat").state()["activated"] == ["d4"]
    game = play(turn("d4:B0 d5:A1", light=1, **SQUIRREL), "squirrel.eat", "plant d5 d4")
    assert piece(game, "d4") == "A0"


def test_eat_light_stops_at_the_cap() -> None:
    """M-ANIMAL-3-SQUIRREL, R-LIGHT-4: Eat"""
    game = play(turn("d4:B0", light={"A": 18, "B": 20}, **SQUIRREL), "squirrel.eat")
    assert lights(game) == [20, 20]


def test_eat_the_seed_of_any_opponent() -> None:
    """M-ANIMAL-3-SQUIRREL: Eat"""
    game = turn("d4:C0", players=3, animals="squirrel@d4 owl@e6 fox@a1", lunar=14)
    assert lights(play(game, "squirrel.eat")) == [4, 0, 1]


# Fox: Scare


def test_scare_moves_another_animal_one_space_at_any_distance() -> None:
    """M-ANIMAL-3-FOX: Scare"""
    game = turn(**FOX)
    near_e6 = ["d6", "d7", "e5", "f5"]
    assert starting(game, "fox.scare") == [f"fox.scare owl {space}" for space in near_e6]
    play(game, "fox.scare owl f5")
    assert (player(game, "B")["at"], player(game)["at"], lunars(game)) == ("f5", "d4", [13, 5])


def test_scare_moves_legally_for_an_animal() -> None:
    """M-ANIMAL-3-FOX: Scare"""
    game = turn(animals="fox@d5 owl@d6", elder="c6", stones="e5", lunar=1)
    assert refused(game, "fox.scare owl d5") == "animal_there"
    assert refused(game, "fox.scare owl c6") == "elder_there"
    assert refused(game, "fox.scare owl e5") == "stone_there"
    assert refused(game, "fox.scare owl d4") == "not_next"
    assert refused(game, "fox.scare boar d4") == "not_in_play"


def test_scare_any_of_several_animals() -> None:
    """M-ANIMAL-3-FOX: Scare"""
    game = turn(players=3, animals="fox@d4 owl@a1 boar@g4", lunar=1)
    assert {line.split()[1] for line in starting(game, "fox.scare")} == {"owl", "boar"}
    assert player(play(game, "fox.scare boar g3"), "C")["at"] == "g3"


def test_scare_takes_no_step_from_its_victim() -> None:
    """M-ANIMAL-3-FOX: Scare"""
    game = play(turn(**FOX), "step d5", "fox.scare owl d6", "end")
    assert (game.player, player(game, "B")["steps"]) == (1, 0)
    assert "step d7" in game.legal


def test_scare_only_an_animal_beside_the_fox() -> None:
    """M-ANIMAL-3-FOX: fox_scares adjacent"""
    game = turn(players=3, animals="fox@d4 owl@d5 boar@g4", lunar=1, fox_scares="adjacent")
    assert starting(game, "fox.scare") == [f"fox.scare owl {space}" for space in ("c4", "c5", "d6", "e4", "e5")]
    assert refused(game, "fox.scare boar g3") == "not_beside"
    assert player(play(game, "fox.scare owl d6"), "B")["at"] == "d6"


def test_scare_needs_the_fox_beside_before_not_after() -> None:
    """M-ANIMAL-3-FOX: fox_scares adjacent"""
    game = turn(animals="fox@d4 owl@d6", lunar=2, fox_scares="adjacent")
    assert refused(game, "fox.scare owl d5") == "not_beside"
    assert "fox.scare owl d7" in play(game, "step d5").legal


def test_scare_beside_moves_legally_for_an_animal() -> None:
    """M-ANIMAL-3-FOX: fox_scares adjacent"""
    game = turn(animals="fox@d5 owl@d6", elder="c6", stones="e5", lunar=1, fox_scares="adjacent")
    assert starting(game, "fox.scare") == [f"fox.scare owl {space}" for space in ("c5", "d7", "e6")]
    assert refused(game, "fox.scare owl c6") == "elder_there"
    assert refused(game, "fox.scare boar d4") == "not_in_play"


# Fox: Move seed


def test_move_seed_one_or_two_spaces_in_a_straight_line() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = turn("d4:B0", **FOX)
    straight = ["b2", "b4", "c3", "c4", "d2", "d3", "d5", "d6", "e3", "e4", "f2", "f4"]
    assert starting(game, "fox.move") == [f"fox.move {space}" for space in straight]
    assert refused(game, "fox.move b3") == refused(game, "fox.move d7") == "not_straight"
    play(game, "fox.move d6")
    assert (piece(game, "d4"), piece(game, "d6"), lunars(game)) == (".", "B0", [11, 5])


def test_move_seed_jumps_over_anything() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = turn("d4:A0 d5:B3", animals="fox@d4 owl@e6", elder="c3", stones="e4", lunar=3)
    assert {"fox.move d6", "fox.move b2", "fox.move f4"} <= set(game.legal)


def test_move_seed_to_an_empty_space_only() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = turn("d4:A0 d5:B3", animals="fox@d4 owl@e6", elder="c3", stones="e4", lunar=3)
    reasons = [refused(game, f"fox.move {space}") for space in ("d5", "c3", "e4")]
    assert reasons == ["occupied", "elder_there", "stone_there"]


def test_move_seed_needs_a_seed_under_the_fox() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    for pieces in ("", "d4:A1", "d5:A0"):
        assert refused(turn(pieces, **FOX), "fox.move d3") == "no_seed"


def test_move_seed_may_go_onto_an_animal_or_baby() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = turn("b2:A0", animals="fox@b2 turtle@b3", lunar=3)
    assert {"fox.move b3", "fox.move a1"} <= set(game.legal)


def test_move_seed_onto_an_activated_space() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = play(turn("d4:A0", activated="d5", **FOX), "fox.move d5")
    assert game.state()["activated"] == ["d5"]
    assert refused(game, "grow d5") == "activated"


def test_move_seed_is_not_an_action() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = play(turn("d4:A0", light=1, **FOX), "fox.move d5")
    assert game.state()["activated"] == []
    assert piece(play(game, "grow d5"), "d5") == "A1"


def test_move_seed_a_seed_planted_this_turn_stays_activated() -> None:
    """M-ANIMAL-3-FOX: Move seed"""
    game = play(turn("d3:A1", light=9, **FOX), "plant d3 d4", "fox.move d6")
    assert game.state()["activated"] == ["d3", "d4", "d6"]
    assert refused(game, "grow d6") == "activated"


# Fox: Steal


@pytest.mark.parametrize(("had", "stolen"), [(1, 1), (2, 2), (3, 2), (14, 2)])
def test_steal_up_to_two_lunar_points(had: int, stolen: int) -> None:
    """M-ANIMAL-3-FOX: Steal"""
    game = play(turn(animals="fox@d4 owl@d5", lunar={"A": 4, "B": had}), "fox.steal owl")
    assert lunars(game) == [stolen, had - stolen]


def test_steal_needs_a_neighbour_with_lunar_points() -> None:
    """M-ANIMAL-3-FOX: Steal"""
    assert refused(turn(animals="fox@d4 owl@d6", lunar={"A": 14, "B": 9}), "fox.steal owl") == "not_beside"
    assert refused(turn(animals="fox@d4 owl@d5", lunar={"A": 14, "B": 0}), "fox.steal owl") == "nothing_to_steal"
    assert refused(turn(animals="fox@d4 owl@d5", lunar={"A": 14, "B": 9}), "fox.steal boar") == "not_in_play"


def test_steal_from_one_of_several_neighbours() -> None:
    """M-ANIMAL-3-FOX: Steal"""
    game = turn(players=3, animals="fox@d4 owl@d5 boar@d3", lunar={"A": 9, "B": 5, "C": 6})
    assert sorted(starting(game, "fox.steal")) == ["fox.steal boar", "fox.steal owl"]
    assert lunars(play(game, "fox.steal boar")) == [7, 5, 4]
    assert refused(game, "fox.steal owl") == "ability_used"


def test_steal_after_scaring_the_animal_here() -> None:
    """M-ANIMAL-2: Fox"""
    game = play(turn(animals="fox@d4 owl@d6", lunar={"A": 5, "B": 9}), "fox.scare owl d5", "fox.steal owl")
    assert lunars(game) == [2, 7]


# Fox: Steal light

LIGHT: dict[str, Any] = {"animals": "fox@d4 owl@d5", "fox_steals": "light"}


@pytest.mark.parametrize(("had", "stolen"), [(1, 1), (2, 2), (3, 2), (20, 2)])
def test_steal_up_to_two_light(had: int, stolen: int) -> None:
    """M-ANIMAL-3-FOX: fox_steals light"""
    game = play(turn(lunar={"A": 4, "B": 9}, light={"A": 5, "B": had}, **LIGHT), "fox.steal owl")
    assert (lights(game), lunars(game)) == ([5 + stolen, had - stolen], [0, 9])


@pytest.mark.parametrize(("cap", "had", "after"), [(20, 19, 20), (20, 20, 20), (7, 6, 7), (None, 20, 22)])
def test_steal_light_over_the_cap_is_lost_to_both(cap: int | None, had: int, after: int) -> None:
    """M-ANIMAL-3-FOX, R-LIGHT-4: fox_steals light"""
    game = turn(lunar={"A": 4, "B": 2}, light={"A": had, "B": 5}, light_cap=cap, **LIGHT)
    assert lights(play(game, "fox.steal owl")) == [after, 3]


def test_steal_light_needs_a_neighbour_with_light_whatever_the_moon_gave() -> None:
    """M-ANIMAL-3-FOX: fox_steals light"""
    assert (
        refused(turn(lunar={"A": 14, "B": 9}, light={"A": 9, "B": 0}, **LIGHT), "fox.steal owl") == "no_light_to_steal"
    )
    assert "fox.steal owl" in turn(lunar={"A": 4, "B": 0}, light={"B": 1}, **LIGHT).legal
    far = {**LIGHT, "animals": "fox@d4 owl@d6"}
    assert refused(turn(lunar=14, light={"B": 9}, **far), "fox.steal owl") == "not_beside"
    assert refused(turn(lunar=3, light={"B": 9}, **LIGHT), "fox.steal owl") == "lunar"


def test_steal_light_from_one_of_several_neighbours() -> None:
    """M-ANIMAL-3-FOX: fox_steals light"""
    three = {**LIGHT, "animals": "fox@d4 owl@d5 boar@d3"}
    game = turn(players=3, lunar={"A": 9, "B": 0, "C": 0}, light={"A": 1, "B": 3, "C": 1}, **three)
    assert lights(play(game, "fox.steal boar")) == [2, 3, 0]
    assert refused(game, "fox.steal owl") == "ability_used"
