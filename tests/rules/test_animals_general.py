"""Steps, and what all abilities have in common (M-ANIMAL-1, M-ANIMAL-2, M-ANIMAL-3)."""

from typing import Any

import pytest

from positions import lights, lunars, paid, piece, play, player, refused, starting, sunrise, turn

ABILITIES = [
    # action, cost in lunar points, and a position of A's in which it can be done
    ("boar.dig", 5, {"pieces": "d4:A3", "animals": "boar@d4 owl@e6"}),
    ("boar.dig2", 8, {"pieces": "d4:A3", "animals": "boar@d4 owl@e6"}),
    ("hedgehog.run", 1, {"animals": "hedgehog@d4 owl@e6"}),
    ("hedgehog.plant", 3, {"animals": "hedgehog@d4 owl@e6"}),
    ("squirrel.eat", 5, {"pieces": "a1:B0", "animals": "squirrel@a1 owl@e6"}),
    ("squirrel.eat", 6, {"pieces": "b2:B0", "animals": "squirrel@b2 owl@e6"}),
    ("squirrel.eat", 7, {"pieces": "c3:B0", "animals": "squirrel@c3 owl@e6"}),
    ("squirrel.eat", 8, {"pieces": "d4:B0", "animals": "squirrel@d4 owl@e6"}),
    ("fox.scare owl d7", 1, {"animals": "fox@d4 owl@e6"}),
    ("fox.move d5", 3, {"pieces": "d4:B0", "animals": "fox@d4 owl@e6"}),
    ("owl.hunt 1", 5, {"animals": "owl@d4 fox@e6"}),
    ("owl.hunt 2", 9, {"animals": "owl@d4 fox@e6"}),
    ("owl.hunt 3", 12, {"animals": "owl@d4 fox@e6"}),
    ("badger.fertilise 1", 4, {"pieces": "d4:A0", "animals": "badger@d4 fox@e6"}),
    ("badger.fertilise 2", 6, {"pieces": "d4:A0", "animals": "badger@d4 fox@e6"}),
    ("beaver.dam a1 a2 b2", 6, {"animals": "beaver@a2 fox@e6"}),
    ("beaver.strengthen", 5, {"pieces": "a2:A1", "animals": "beaver@a2 fox@e6", "dam": "a1 a2 b2"}),
    ("turtle.hatch", 4, {"animals": "turtle@a1 fox@e6"}),
    ("turtle.steps light", 1, {"animals": "turtle@d4 fox@e6", "hatched": "light"}),
    ("turtle.steps harvest d3", 1, {"pieces": "d3:A3", "animals": "turtle@d4 fox@e6", "hatched": "harvest"}),
    ("turtle.steps seed d3", 1, {"animals": "turtle@d4 fox@e6", "hatched": "seed"}),
]
STEAL = ("fox.steal owl", 4, {"animals": "fox@d4 owl@d5"})
each_ability = pytest.mark.parametrize(("line", "cost", "position"), [*ABILITIES, STEAL], ids=lambda x: str(x)[:20])


def name_of(line: str) -> str:
    return line.split()[0].removesuffix("2")


# M-ANIMAL-1: steps


def test_m_animal_1_one_free_step_to_a_neighbouring_space() -> None:
    """M-ANIMAL-1"""
    game = turn(animals="owl@d4 fox@a1", light=3, lunar=0)
    assert starting(game, "step") == [f"step {space}" for space in ("c3", "c4", "d3", "d5", "e3", "e4")]
    assert refused(game, "step d6") == "not_next"
    play(game, "step e4")
    assert (player(game)["at"], player(game)["steps"], lights(game)[0], lunars(game)[0]) == ("e4", 1, 3, 0)
    assert player(game, "B")["steps"] == 0
    assert refused(game, "step e5") == "no_step_left"


def test_m_animal_1_at_any_moment_of_the_turn() -> None:
    """M-ANIMAL-1"""
    game = play(turn("d4:A1", animals="owl@d4 fox@a1", light=9), "buy seed", "plant d4 d5")
    play(game, "step d5", "buy seed")
    assert player(game)["at"] == "d5"


def test_m_animal_1_the_step_is_optional_and_comes_back_every_turn() -> None:
    """M-ANIMAL-1"""
    game = play(turn(animals="owl@d4 fox@a1"), "step d5", "end")
    assert (player(game)["steps"], game.player) == (0, 1)
    play(game, "step a2", "end", "end")
    assert (game.player, player(game)["at"], player(game, "B")["at"]) == (0, "d5", "a2")
    assert "step d6" in game.legal


def test_m_animal_1_not_onto_animal_stone_or_elder_tree() -> None:
    """M-ANIMAL-1"""
    game = turn(animals="owl@d4 fox@d5", stones="c3", elder="e4")
    assert [refused(game, f"step {s}") for s in ("d5", "c3", "e4")] == ["animal_there", "stone_there", "elder_there"]
    assert starting(game, "step") == ["step c4", "step d3", "step e3"]


def test_m_animal_1_trees_and_seeds_of_anybody_do_not_hinder_animals() -> None:
    """M-ANIMAL-1"""
    game = turn("d5:B3 e4:A0", animals="owl@d4 fox@a1")
    assert {"step d5", "step e4"} <= set(game.legal)


def test_m_animal_1_animals_never_hinder_seeds_and_trees() -> None:
    """M-ANIMAL-1"""
    game = turn("d4:A2 d5:A1", animals="owl@d6 fox@d5", light=20, available={"A medium": 1})
    assert {"plant d4 d6", "grow d5"} <= set(game.legal)
    assert "collect d5" in turn("d5:A3", animals="owl@d6 fox@d5", light=4).legal
    assert lights(sunrise("e4:A1", sun=0, animals="owl@d4 fox@c3")) == [1, 0]  # they throw no shadow


def test_m_animal_1_nobody_elses_animal_moves_in_ones_turn() -> None:
    """M-ANIMAL-1"""
    game = turn(animals="owl@d4 fox@a1")
    assert refused(game, "step a2") == "not_next"


def test_without_module_moon_there_are_no_animals() -> None:
    game = turn("d4:A1", light=9, elder="a1", stones="a2")
    assert refused(game, "step d5") == refused(game, "boar.dig") == refused(game, "owl.hunt 1") == "no_animals"


# M-ANIMAL-2: abilities


@each_ability
def test_m_animal_2_cost(line: str, cost: int, position: dict[str, Any]) -> None:
    """M-ANIMAL-2"""
    game = paid(line, cost, **position)
    assert lunars(game)[0] == (2 if line == "fox.steal owl" else 0)
    assert player(game)["used"] == [name_of(line)]


@each_ability
def test_m_animal_2_each_name_once_a_turn(line: str, cost: int, position: dict[str, Any]) -> None:
    """M-ANIMAL-2"""
    assert line in turn(lunar={"A": 14, "B": 9}, **position).legal
    assert refused(turn(lunar={"A": 14, "B": 9}, used=name_of(line), **position), line) == "ability_used"


@each_ability
def test_m_animal_2_again_in_the_next_turn(line: str, cost: int, position: dict[str, Any]) -> None:
    """M-ANIMAL-2"""
    game = turn(lunar={"A": 14, "B": 9}, used=name_of(line), **position)
    play(game, "end")
    assert player(game)["used"] == []
    play(game, "end", "end")
    assert (game.player, line in game.legal) == (0, True)


@each_ability
def test_m_animal_2_only_with_that_animal(line: str, cost: int, position: dict[str, Any]) -> None:
    """M-ANIMAL-2"""
    mine, other = position["animals"].split()
    swapped = {**position, "animals": f"{other} {mine}", "hatched": ""}
    assert refused(turn(lunar=14, light=9, **swapped), line) == "other_animal"


def test_m_animal_2_different_names_combine() -> None:
    """M-ANIMAL-2"""
    game = turn("d4:A0", animals="fox@d4 owl@d6", lunar={"A": 14, "B": 9})
    play(game, "fox.scare owl d5", "fox.move d3", "fox.steal owl")
    assert player(game)["used"] == ["fox.scare", "fox.move", "fox.steal"]
    assert lunars(game) == [14 - 1 - 3 - 4 + 2, 7]


def test_m_animal_2_the_levels_of_an_ability_are_one_name() -> None:
    """M-ANIMAL-2"""
    game = play(turn(animals="owl@d4 fox@e6", lunar=14), "owl.hunt 1")
    assert refused(game, "owl.hunt 2") == "ability_used"
    game = turn("d4:A3", animals="boar@d4 fox@e6", lunar=14, used="boar.dig")
    assert refused(game, "boar.dig2") == "ability_used"


def test_m_animal_2_lunar_points_are_no_light() -> None:
    """M-ANIMAL-2"""
    game = turn(animals="owl@d4 fox@e6", lunar=4, light=20)
    assert refused(game, "owl.hunt 1") == "lunar"


SHADED: dict[str, Any] = {"shade_forbids": True, "shade_plant": "both", "lunar": 14, "light": 9}
"""Sun 0 with B's large tree on c3: d4 lies in shade."""


def test_m_animal_2_shade_forbids_does_not_bind_abilities() -> None:
    """M-ANIMAL-2"""
    dark = "c3:B3"
    game = turn(f"{dark} d4:A1", animals="hedgehog@e4 owl@e6", **SHADED)
    assert refused(game, "plant d4 e4") == "shaded"
    assert piece(play(game, "hedgehog.plant"), "e4") == "A0"
    game = turn(f"{dark} d4:A0", animals="badger@d4 owl@e6", **SHADED)
    assert refused(game, "grow d4") == "shaded"
    assert piece(play(game, "badger.fertilise 1"), "d4") == "A1"
    assert refused(game, "grow d4") == refused(game, "plant d4 d5") == "shaded"  # base actions stay bound
    assert "turtle.steps seed d4" in turn(dark, animals="turtle@a1 owl@e6", hatched="seed", **SHADED).legal
    assert piece(play(turn(f"{dark} d4:A3", animals="boar@d4 owl@e6", **SHADED), "boar.dig2"), "d4") == "A0"


def test_m_animal_2_shade_forbids_does_not_bind_the_beaver() -> None:
    """M-ANIMAL-2"""
    position = SHADED | {"available": {"A medium": 1}}
    game = turn("a1:B3 b2:A1", animals="beaver@b2 owl@e6", **position)
    assert refused(game, "grow b2") == "shaded"
    assert piece(play(game, "beaver.dam a1 a2 b2"), "b2") == "A2"
    game = turn("a1:B3 b2:A1", animals="beaver@b2 owl@e6", dam="a1 a2 b2", **position)
    assert piece(play(game, "beaver.strengthen"), "b2") == "A2"


NO_FRESH: dict[str, Any] = {"use_bought": False, "light": 20, "lunar": 14}


@pytest.mark.parametrize(
    ("buy", "line", "position"),
    [
        ("seed", "boar.dig2", {"pieces": "d4:A3", "animals": "boar@d4 fox@e6"}),
        ("small", "badger.fertilise 1", {"pieces": "d4:A0", "animals": "badger@d4 fox@e6"}),
        ("medium", "beaver.strengthen", {"pieces": "a2:A1", "animals": "beaver@a2 fox@e6", "dam": "a1 a2 b2"}),
        ("seed", "turtle.steps seed d3", {"animals": "turtle@d4 fox@e6", "hatched": "seed"}),
    ],
)
def test_m_animal_2_a_piece_bought_this_turn_serves_no_ability_either(
    buy: str, line: str, position: dict[str, Any]
) -> None:
    """M-ANIMAL-2"""
    none = {f"A {buy}": 0}
    game = turn(available=none, **position, **NO_FRESH)
    assert refused(game, line) == "none_available"
    assert refused(play(game, f"buy {buy}"), line) == "bought_now"
    assert line in turn(available={f"A {buy}": 1}, **position, **NO_FRESH).legal
    assert line in play(turn(available=none, **position, **NO_FRESH | {"use_bought": True}), f"buy {buy}").legal


def test_m_animal_2_a_bought_piece_does_not_grow_on_the_dam() -> None:
    """M-ANIMAL-2"""
    position: dict[str, Any] = {"animals": "beaver@a1 fox@e6", "available": {"A medium": 0}}
    game = play(turn("a1:A1", **position, **NO_FRESH), "buy medium", "beaver.dam a1 a2 b2")
    assert piece(game, "a1") == "A1"
    game = play(turn("a1:A1", **position, **NO_FRESH | {"use_bought": True}), "buy medium", "beaver.dam a1 a2 b2")
    assert piece(game, "a1") == "A2"


def test_m_animal_2_other_peoples_pieces_on_the_dam_do_not_wait() -> None:
    """M-ANIMAL-2"""
    game = turn("a1:B1", animals="beaver@a1 fox@e6", available={"B medium": 1}, **NO_FRESH)
    assert piece(play(game, "buy medium", "beaver.dam a1 a2 b2"), "a1") == "B2"


def test_m_animal_2_a_tree_got_from_a_baby_is_not_bought() -> None:
    """M-ANIMAL-2"""
    game = turn("d4:A1", animals="turtle@a1 fox@e6", hatched="medium", available={"A medium": 0}, **NO_FRESH)
    play(game, "turtle.steps medium")
    assert player(game)["fresh"] == [0, 0, 0, 0]
    assert piece(play(game, "grow d4"), "d4") == "A2"


def test_m_animal_2_legal_even_if_it_brings_nothing() -> None:
    """M-ANIMAL-2"""
    game = play(turn(animals="owl@d4 fox@e6", lunar=14, light=20), "owl.hunt 3")
    assert (lights(game)[0], lunars(game)[0]) == (20, 2)
    game = play(turn(animals="beaver@a1 fox@e6", lunar=6), "beaver.dam a1 a2 b2")
    assert (game.state()["dam"], game.state()["spaces"]) == (["a1", "a2", "b2"], {})
    assert (
        lights(play(turn(animals="turtle@d4 fox@e6", hatched="light", light=20, lunar=1), "turtle.steps light"))[0]
        == 20
    )


# M-ANIMAL-3: activation

ACTIONS_ON_A_SPACE = [
    ("boar.dig", "d4", {"pieces": "d4:A3", "animals": "boar@d4 fox@e6"}),
    ("boar.dig2", "d4", {"pieces": "d4:A3", "animals": "boar@d4 fox@e6"}),
    ("hedgehog.plant", "d4", {"animals": "hedgehog@d4 fox@e6"}),
    ("beaver.strengthen", "a2", {"pieces": "a2:A1", "animals": "beaver@a2 fox@e6", "dam": "a1 a2 b2"}),
    ("turtle.steps harvest d3", "d3", {"pieces": "d3:A3", "animals": "turtle@d4 fox@e6", "hatched": "harvest"}),
    ("turtle.steps seed d3", "d3", {"animals": "turtle@d4 fox@e6", "hatched": "seed"}),
]
NOT_ACTIONS = [
    ("squirrel.eat", "d4", {"pieces": "d4:B0", "animals": "squirrel@d4 fox@e6"}),
    ("fox.move d5", "d4", {"pieces": "d4:A0", "animals": "fox@d4 owl@e6"}),
    ("badger.fertilise 1", "d4", {"pieces": "d4:A0", "animals": "badger@d4 fox@e6"}),
    ("badger.fertilise 2", "d4", {"pieces": "d4:A0", "animals": "badger@d4 fox@e6"}),
    ("hedgehog.run", "d4", {"animals": "hedgehog@d4 fox@e6"}),
    ("owl.hunt 1", "d4", {"animals": "owl@d4 fox@e6"}),
    ("turtle.hatch", "a1", {"animals": "turtle@a1 fox@e6"}),
]


@pytest.mark.parametrize(("line", "space", "position"), ACTIONS_ON_A_SPACE, ids=lambda x: str(x)[:20])
def test_m_animal_3_planting_growing_and_collecting_needs_and_activates_the_space(
    line: str, space: str, position: dict[str, Any]
) -> None:
    """M-ANIMAL-3"""
    assert refused(turn(lunar=14, activated=space, **position), line) == "activated"
    assert play(turn(lunar=14, **position), line).state()["activated"] == [space]


@pytest.mark.parametrize(("line", "space", "position"), NOT_ACTIONS, ids=lambda x: str(x)[:20])
def test_m_animal_3_the_others_activate_nothing(line: str, space: str, position: dict[str, Any]) -> None:
    """M-ANIMAL-3"""
    assert play(turn(lunar=14, **position), line).state()["activated"] == []


def test_m_animal_3_a_step_activates_nothing() -> None:
    """M-ANIMAL-3"""
    game = turn("d5:A1", animals="owl@d4 fox@e6", light=9, activated="d5")
    assert play(game, "step d5").state()["activated"] == ["d5"]
