"""Turtle (M-ANIMAL-3); its babies are in test_babies.py."""

from typing import Any

from positions import lunars, paid, piece, play, player, refused, turn
from sunglade import Game
from sunglade.rules import BABIES

SHORE = "light seed two leaf small points"
USUAL: dict[str, Any] = {"lunar": 14, "babies": SHORE}


def turtle(at: str, pieces: str = "", **position: Any) -> Game:
    return turn(pieces, animals=f"turtle@{at} fox@e6", **(USUAL | position))


def test_hatch_takes_the_baby_under_the_turtle() -> None:
    """M-ANIMAL-3-TURTLE: Hatch"""
    game = play(turtle("a4"), "turtle.hatch")
    assert (player(game)["babies"], lunars(game)[0]) == (["seed"], 10)
    assert game.state()["face_down"] == ["a1", "d1", "d7", "g1", "g4"]
    assert game.state()["activated"] == []


def test_hatch_each_shore_space_has_its_baby() -> None:
    """M-ANIMAL-3-TURTLE, M-SETUP-4: Hatch"""
    hatched = [player(play(turtle(at), "turtle.hatch"))["babies"] for at in ("a1", "a4", "d1", "d7", "g1", "g4")]
    assert hatched == [[baby] for baby in SHORE.split()]


def test_hatch_needs_a_baby_there() -> None:
    """M-ANIMAL-3-TURTLE: Hatch"""
    assert refused(turtle("a2"), "turtle.hatch") == "no_baby"
    game = play(turtle("a1"), "turtle.hatch", "end", "end", "end")
    assert refused(game, "turtle.hatch") == "no_baby"


def test_hatch_once_a_turn() -> None:
    """M-ANIMAL-2: Turtle"""
    game = play(turtle("a1", shore=["a1", "a2", "a3", "b1", "b2", "b3"]), "turtle.hatch", "step a2")
    assert refused(game, "turtle.hatch") == "ability_used"


def test_hatch_does_not_mind_trees_or_activation() -> None:
    """M-ANIMAL-3-TURTLE: Hatch"""
    assert "turtle.hatch" in turtle("a1", "a1:B2", activated="a1").legal


def test_babies_are_kept_in_the_order_they_hatched() -> None:
    """M-ANIMAL-3-TURTLE: Hatch"""
    game = turtle("a2", shore=["a1", "a2", "a3", "b1", "b2", "b3"])
    play(game, "turtle.hatch", "end", "end", "end", "step a1", "turtle.hatch")
    assert player(game)["babies"] == ["seed", "light"]
    assert player(game, "B")["babies"] == []


def test_first_steps_of_the_baby_just_hatched() -> None:
    """M-ANIMAL-2: Turtle, two names combine"""
    game = play(turtle("a1"), "turtle.hatch", "turtle.steps light")
    assert (player(game)["babies"], player(game)["light"], lunars(game)[0]) == ([], 3, 9)
    assert player(game)["used"] == ["turtle.hatch", "turtle.steps"]


def test_first_steps_wherever_the_turtle_is() -> None:
    """M-ANIMAL-3-TURTLE: First steps"""
    for at in ("d4", "a2", "g4"):
        assert "turtle.steps light" in turtle(at, hatched="light", babies=None).legal


def test_first_steps_cost_one_lunar_point() -> None:
    """M-ANIMAL-3-TURTLE: First steps"""
    assert lunars(paid("turtle.steps light", 1, animals="turtle@d4 owl@e4", hatched="light"))[0] == 0


def test_first_steps_need_the_baby() -> None:
    """M-ANIMAL-3-TURTLE: First steps"""
    game = turtle("d4", "d3:A3", light=9)
    for baby in BABIES:
        line = f"turtle.steps {baby}" + (" d3" if baby == "harvest" else " d5" if baby == "seed" else "")
        assert refused(game, line) == "baby_not_hatched"
    assert refused(turtle("d4", hatched="light", babies=None), "turtle.steps leaf") == "baby_not_hatched"


def test_first_steps_once_a_turn_then_the_baby_leaves_the_game() -> None:
    """M-ANIMAL-3-TURTLE: First steps"""
    game = play(turtle("d4", hatched="light leaf two", babies=None), "turtle.steps leaf")
    assert player(game)["babies"] == ["light", "two"]
    assert refused(game, "turtle.steps light") == "ability_used"
    play(game, "end", "end", "end", "turtle.steps light")
    assert player(game)["babies"] == ["two"]


def test_babies_do_not_block_trees() -> None:
    """M-SETUP-5: Turtle"""
    game = play(turtle("a1", "a2:A1", light=3), "plant a2 a1")
    assert piece(game, "a1") == "A0"
    assert "turtle.hatch" in game.legal
