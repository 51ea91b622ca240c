"""Beaver (M-ANIMAL-3)."""

from typing import Any

import pytest

from positions import lights, lunars, piece, play, player, refused, starting, turn
from sunglade import Game, board

FREE: dict[str, Any] = {"lunar": 14, "river": list(board.NAMES)}


def beaver(at: str, pieces: str = "", **position: Any) -> Game:
    return turn(pieces, animals=f"beaver@{at} fox@d4", **FREE | position)


ORDERS = [
    tuple(spaces.split())
    for spaces in (
        *("b2 a1 a2", "b3 a2 a3", "b4 a3 a4", "b4 a4 b5", "c5 b5 c6", "d6 c6 d7"),
        *("d6 d7 e6", "e5 e6 f5", "f4 f5 g4", "f4 g4 g3", "f3 g3 g2", "f2 g2 g1"),
        *("f2 g1 f1", "e2 f1 e1", "d2 e1 d1", "d2 d1 c1", "c2 c1 b1", "b2 b1 a1"),
    )
]
"""Every place of the dam, once round the board: the 2-leaf space, then the two 1-leaf spaces clockwise."""


def dam_line(spaces: tuple[str, ...]) -> str:
    return "beaver.dam " + " ".join(sorted(spaces))


def test_there_are_eighteen_places_for_the_dam() -> None:
    """M-ANIMAL-3-BEAVER: Build dam: three mutually adjacent spaces, two of 1 leaf and one of 2"""
    assert len({dam_line(order) for order in ORDERS}) == 18
    for order in ORDERS:
        at = [board.SPACE_NAMED[space] for space in order]
        assert [board.LEAVES[space] for space in at] == [2, 1, 1]
        assert all(one == two or board.NEIGHBOURS[one] >> two & 1 for one in at for two in at)
    found = {line for space in board.NAMES if space != "d4" for line in starting(beaver(space), "beaver.dam")}
    assert found == {dam_line(order) for order in ORDERS}


def test_the_dam_covers_the_beavers_space() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    assert sorted(starting(beaver("a1"), "beaver.dam")) == ["beaver.dam a1 a2 b2", "beaver.dam a1 b1 b2"]
    assert starting(beaver("b3"), "beaver.dam") == ["beaver.dam a2 a3 b3"]
    assert starting(beaver("c3"), "beaver.dam") == []
    assert refused(beaver("a1"), "beaver.dam a2 a3 b3") == "not_on_dam"


def test_the_dam_covers_a_river_space() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = beaver("a2", river=["a1", "d4"])
    assert starting(game, "beaver.dam") == ["beaver.dam a1 a2 b2"]
    assert refused(game, "beaver.dam a2 a3 b3") == "no_river"


def test_no_dam_on_a_stone_or_the_elder_tree() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    assert refused(beaver("a2", stones="b2"), "beaver.dam a1 a2 b2") == "blocked"
    assert refused(beaver("a2", elder="a1"), "beaver.dam a1 a2 b2") == "blocked"
    assert "beaver.dam a2 a3 b3" in beaver("a2", elder="a1", stones="b2").legal


def test_not_exactly_where_it_lies_now() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = beaver("a2", dam="a1 a2 b2")
    assert refused(game, "beaver.dam a1 a2 b2") == "dam_there"
    assert game.why_not("beaver.dam a2 a3 b3") is None
    assert play(game, "beaver.dam a2 a3 b3").state()["dam"] == ["a2", "a3", "b3"]  # overlapping is fine


def test_the_old_place_is_free_again_after_a_move() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = play(beaver("a2", dam="a1 a2 b2"), "beaver.dam a2 a3 b3", "end", "end", "end")
    assert play(game, "beaver.dam a1 a2 b2").state()["dam"] == ["a1", "a2", "b2"]


def test_trees_animals_and_activation_do_not_hinder_the_dam() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = turn("a1:A3 a2:B1", animals="beaver@a1 fox@a2", activated="a1 b2", **FREE)
    assert "beaver.dam a1 a2 b2" in game.legal


@pytest.mark.parametrize("size", [0, 1, 2])
def test_everything_on_the_dam_grows_for_free(size: int) -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    sizes = ("seed", "small", "medium", "large")
    game = beaver("a1", f"a1:A{size} a2:B{size}", available={f"{seat} {sizes[size + 1]}": 1 for seat in "AB"})
    play(game, "beaver.dam a1 a2 b2")
    assert (piece(game, "a1"), piece(game, "a2")) == (f"A{size + 1}", f"B{size + 1}")
    assert (lights(game), lunars(game)[0]) == ([0, 0], 8)
    assert player(game)["available"][size + 1] == player(game, "B")["available"][size + 1] == 0


def test_pieces_whose_next_size_is_not_available_stay() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = beaver("a1", "a1:A2 a2:B1 b2:A3", available={"A large": 0, "B medium": 0})
    play(game, "beaver.dam a1 a2 b2")
    assert [piece(game, space) for space in ("a1", "a2", "b2")] == ["A2", "B1", "A3"]


def test_activated_pieces_grow_too() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = play(beaver("a1", "a1:A0", light=1, available={"A medium": 1}), "grow a1", "beaver.dam a1 a2 b2")
    assert piece(game, "a1") == "A2"


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_the_2_leaf_space_first_then_clockwise(order: tuple[str, ...]) -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    for at_hand in range(4):
        game = beaver(order[0], " ".join(f"{space}:A0" for space in order), available={"A small": at_hand})
        play(game, dam_line(order))
        assert [piece(game, space) for space in order] == ["A1"] * at_hand + ["A0"] * (3 - at_hand)


def test_replaced_pieces_return_to_their_owners_boards() -> None:
    """M-ANIMAL-3-BEAVER, R-ACT-4: Build dam"""
    game = beaver("a1", "a1:A1 a2:B0", slots={"A small": "..xx", "B seed": "...."})
    play(game, "beaver.dam a1 a2 b2")
    assert (player(game)["slots"][1], player(game, "B")["slots"][0]) == ([2, 3, 3], [2])


def test_a_returned_piece_does_not_serve_the_next_growth() -> None:
    """M-ANIMAL-3-BEAVER: Build dam: it lies on the player board, not in the available area"""
    game = beaver("a1", "b2:A1 a1:A0", available={"A small": 0, "A medium": 1})
    play(game, "beaver.dam a1 a2 b2")
    assert (piece(game, "b2"), piece(game, "a1")) == ("A2", "A0")


def test_then_all_three_spaces_are_activated() -> None:
    """M-ANIMAL-3-BEAVER: Build dam"""
    game = beaver("a1", "a1:A0 a3:A1", light=9)
    play(game, "beaver.dam a1 a2 b2")
    assert game.state()["activated"] == ["a1", "a2", "b2"]
    assert refused(game, "grow a1") == refused(game, "plant a3 a2") == "activated"


def test_strengthen_grows_the_own_piece_for_free() -> None:
    """M-ANIMAL-3-BEAVER: Strengthen"""
    game = beaver("a2", "a2:A2", dam="a1 a2 b2", available={"A large": 1}, slots={"A medium": "..."})
    play(game, "beaver.strengthen")
    assert (piece(game, "a2"), lights(game)[0], lunars(game)[0]) == ("A3", 0, 9)
    assert (player(game)["available"][3], player(game)["slots"][2]) == (0, [4])
    assert game.state()["activated"] == ["a2"]


@pytest.mark.parametrize(
    ("pieces", "dam", "reason"),
    [
        ("a2:A1", "", "no_dam"),
        ("a2:A1", "a3 a4 b4", "no_dam"),
        ("", "a1 a2 b2", "not_yours"),
        ("a2:B1", "a1 a2 b2", "not_yours"),
        ("a1:A1", "a1 a2 b2", "not_yours"),
        ("a2:A3", "a1 a2 b2", "fully_grown"),
        ("a2:A2", "a1 a2 b2", "none_available"),
    ],
)
def test_strengthen_needs_an_own_piece_on_a_dam_space(pieces: str, dam: str, reason: str) -> None:
    """M-ANIMAL-3-BEAVER: Strengthen"""
    assert refused(beaver("a2", pieces, dam=dam), "beaver.strengthen") == reason


def test_no_strengthening_right_after_building_there() -> None:
    """M-ANIMAL-3-BEAVER"""
    game = play(beaver("a2", "a2:A0", available={"A small": 2, "A medium": 1}), "beaver.dam a1 a2 b2")
    assert refused(game, "beaver.strengthen") == "activated"


def test_strengthen_then_build_elsewhere() -> None:
    """M-ANIMAL-2: Beaver"""
    game = beaver("a2", "a2:A0", dam="a1 a2 b2", available={"A small": 1, "A medium": 1})
    play(game, "beaver.strengthen", "beaver.dam a2 a3 b3")
    assert (piece(game, "a2"), player(game)["used"]) == ("A2", ["beaver.strengthen", "beaver.dam"])
    assert lunars(game)[0] == 14 - 5 - 6
