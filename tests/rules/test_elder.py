"""The Elder Tree (M-ELDER)."""

import pytest

from positions import lights, lunars, play, refused, spaces, sunrise, turn
from sunglade import Game

BEHIND_B2 = {0: "c3 d4 e4 f4 g4", 1: "c2 d2 e1", 2: "b1", 3: "a1", 4: "a2", 5: "b3 b4 b5"}
"""The spaces behind b2 under each sun, nearest first."""


def test_m_elder_1_its_space_is_blocked_for_seeds_trees_and_animals() -> None:
    """M-ELDER-1"""
    game = turn("e4:A3", elder="d4", animals="fox@c3 owl@d5", light=9, lunar=9)
    assert refused(game, "plant e4 d4") == "elder_there"
    assert refused(game, "step d4") == refused(game, "fox.scare owl d4") == "elder_there"
    assert refused(play(Game(2, {"modules": ["elder"]}), "elder a1"), "place a1") == "elder_there"


def test_m_elder_1_nobody_can_collect_or_grow_it() -> None:
    """M-ELDER-1"""
    game = turn(elder="d4", light=20)
    assert refused(game, "collect d4") == refused(game, "grow d4") == refused(game, "plant d4 d5") == "not_yours"
    assert "d4" not in game.state()["spaces"]
    assert not int(game.record.empty) & spaces("d4")


def test_m_elder_1_the_boar_cannot_dig_it() -> None:
    """M-ELDER-1: the boar cannot even get there."""
    game = turn(elder="d4", animals="boar@d3 owl@e4", lunar=14)
    assert refused(game, "step d4") == "elder_there"
    assert refused(game, "boar.dig") == "not_yours"


def test_m_elder_1_seeds_fly_over_it() -> None:
    """M-ELDER-1"""
    assert "plant d3 d5" in turn("d3:A2", elder="d4", light=1).legal


@pytest.mark.parametrize("sun", range(6))
@pytest.mark.parametrize("size", [1, 2, 3])
def test_m_elder_2_its_shadow_reaches_the_edge_and_shades_every_size(sun: int, size: int) -> None:
    """M-ELDER-2"""
    for space in BEHIND_B2[sun].split():
        assert lights(sunrise(f"{space}:A{size}", sun, elder="b2")) == [0, 0]


def test_m_elder_2_beside_it_there_is_light() -> None:
    """M-ELDER-2"""
    assert lights(sunrise("c4:A3 d3:B3 a1:A1", sun=0, elder="b2")) == [3 + 1, 3]


def test_m_elder_2_a_tree_between_does_not_help() -> None:
    """M-ELDER-2"""
    game = sunrise("c3:A3 d4:B3", sun=0, elder="b2")
    assert lights(game) == [0, 0]
    assert turn("c3:A3 d4:B3", round=6, elder="b2").forecast()[0].shaded == {"c3": ["b2"], "d4": ["b2", "c3"]}


def test_m_elder_2_works_without_the_moon_and_with_shade_forbids() -> None:
    """M-ELDER-2"""
    game = turn("d4:A2 f4:A1", elder="a1", light=9, shade_forbids=True, available={"A large": 1, "A medium": 1})
    assert refused(game, "grow d4") == refused(game, "grow f4") == refused(game, "plant d4 e4") == "shaded"
    assert "plant d4 d5" in game.legal


def test_m_elder_3_it_cuts_the_moons_lines_behind_it_but_is_lit_itself() -> None:
    """M-ELDER-3"""
    game = turn(animals="fox@d3 owl@d5", elder="c5", moon_start=14)  # b5 c5 d5 e4 f3 g2 and a4 a3 a2 a1
    assert game.state()["moon"]["lit"] == ["a1", "a2", "a3", "a4", "b5", "c5"]


def test_m_elder_3_animals_behind_it_earn_nothing() -> None:
    """M-ELDER-3"""
    assert lunars(sunrise(sun=1, animals="fox@b5 owl@d5", elder="c5")) == [4, 2]


def test_m_elder_3_it_cuts_one_line_only() -> None:
    """M-ELDER-3"""
    game = turn(animals="fox@d3 owl@d5", elder="a4", moon_start=14)
    assert game.state()["moon"]["lit"] == ["a4", "b5", "c5", "d5", "e4", "f3", "g2"]


def test_m_elder_3_off_the_lines_it_cuts_nothing() -> None:
    """M-ELDER-3"""
    game = turn(animals="fox@d3 owl@d5", elder="d4", moon_start=14)
    assert len(game.state()["moon"]["lit"]) == 10


def test_m_elder_3_light_from_a_moonstone_still_reaches_behind_it() -> None:
    """M-ELDER-3"""
    game = turn(animals="fox@d3 owl@e3", elder="c5", stones="b5", moon_start=14)
    lit = game.state()["moon"]["lit"]
    assert {"b4", "c6"} <= set(lit)  # neighbours of the stone; c5 stands behind it on the line
    assert "d5" not in lit
    game = turn(animals="fox@d3 owl@e3", elder="b5", stones="a4 b4", moon_start=14)
    assert {"c4", "c5"} <= set(game.state()["moon"]["lit"])  # c5 lies in the Elder Tree's moon shadow, next to b4


def test_m_elder_3_a_stone_in_its_moon_shadow_is_not_lit_directly() -> None:
    """M-ELDER-3"""
    game = turn(animals="fox@d3 owl@e3", elder="b5", stones="d5", moon_start=14)
    assert game.state()["moon"]["lit"] == ["a1", "a2", "a3", "a4", "b5"]
