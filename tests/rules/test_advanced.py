"""The long game, and no planting or growing in shade (R-ADV)."""

from typing import Any

import pytest

from positions import SIZES, piece, play, refused, turn
from sunglade import Game, Rules


@pytest.mark.parametrize(("edition", "rounds"), [("us", 24), ("it", 25)])
def test_r_adv_1_four_revolutions(edition: str, rounds: int) -> None:
    """R-ADV-1"""
    assert Rules(edition, revolutions=4).rounds == rounds
    assert Rules(edition).revolutions == 3


def shade(pieces: str, plant: str = "target", light: int = 9, **position: Any) -> Game:
    """A turn of A's under sun 0, where shade forbids."""
    return turn(pieces, light=light, shade_forbids=True, shade_plant=plant, **position)


@pytest.mark.parametrize("caster", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 2])
def test_r_adv_2_no_growing_in_shade(caster: int, size: int) -> None:
    """R-ADV-2: the piece itself is tested as in R-LIGHT-2; any shadow reaches a seed."""
    game = shade(f"d4:B{caster} e4:A{size}", available={f"A {SIZES[size + 1]}": 1})
    if caster >= size:
        assert refused(game, "grow e4") == "shaded"
        assert game.why_not("grow e4") == (
            "e4 is in the shade of d4, and in this game you can’t plant or grow in the shade."
        )
    else:
        assert piece(play(game, "grow e4"), "e4") == f"A{size + 1}"


def test_r_adv_2_the_suns_position_now_counts() -> None:
    """R-ADV-2"""
    assert refused(shade("d4:B1 e4:A1", sun=0), "grow e4") == "shaded"
    assert "grow e4" in shade("d4:B1 e4:A1", sun=1).legal
    assert refused(shade("d4:B1 c3:A1", sun=3), "grow c3") == "shaded"


def test_r_adv_2_without_the_option_shade_does_not_matter() -> None:
    """R-ADV-2"""
    game = turn("d4:B3 e4:A1", light=9)
    assert {"grow e4", "plant e4 f4"} <= set(game.legal)


def test_r_adv_2_planting_tests_the_target_space() -> None:
    """R-ADV-2"""
    game = shade("d4:A2 b2:B1")  # d4 shades e4 and f4; b2 shades c3
    assert refused(game, "plant d4 e4") == refused(game, "plant d4 f4") == refused(game, "plant d4 c3") == "shaded"
    assert {"plant d4 d5", "plant d4 e3"} <= set(game.legal)


def test_r_adv_2_planting_tests_the_tree_of_origin() -> None:
    """R-ADV-2"""
    game = shade("c3:B2 d4:A1 a1:A1", "origin")
    assert refused(game, "plant d4 d5") == "shaded"
    assert "plant a1 b2" in game.legal  # into its own shadow: only the origin is tested


def test_r_adv_2_a_taller_origin_than_the_caster_may_plant() -> None:
    """R-ADV-2"""
    assert "plant d4 d5" in shade("c3:B1 d4:A2", "origin").legal


def test_r_adv_2_planting_tests_both() -> None:
    """R-ADV-2"""
    game = shade("c3:B2 d4:A1 a1:A1", "both")
    assert refused(game, "plant d4 d5") == "shaded"  # the origin is
    assert refused(game, "plant a1 b2") == "shaded"  # the target is
    assert "plant a1 a2" in game.legal


def test_r_adv_2_a_tree_grown_this_turn_throws_its_new_shadow() -> None:
    """R-ADV-2"""
    game = shade("d4:A1 e3:A2", available={"A medium": 1})
    assert "plant e3 f4" in game.legal
    assert refused(play(game, "grow d4"), "plant e3 f4") == "shaded"


def test_r_adv_2_buying_and_collecting_know_no_shade() -> None:
    """R-ADV-2"""
    assert {"collect e4", "buy seed"} <= set(shade("d4:B3 e4:A3").legal)
