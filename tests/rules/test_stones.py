"""Moonstones (M-STONE)."""

import pytest

from positions import lights, lunars, play, refused, spaces, sunrise, turn
from sunglade import Game, board


def around(names: str) -> set[str]:
    """The neighbours of spaces, these not counted."""
    near = {n for name in names.split() for n in board.names_of(board.NEIGHBOURS[board.SPACE_NAMED[name]])}
    return near - set(names.split())


def lit(stones: str, place: int = 15, elder: str = "") -> set[str]:
    """What is lit with these stones; from place 15 the lines are a4 b5 c6 d7 and a3 b3 c3 d3 e2 f1."""
    game = turn(animals="fox@g3 owl@g2", stones=stones, moon_start=place, elder=elder)
    return set(game.state()["moon"]["lit"])


LINES_15 = set(["a4", "b5", "c6", "d7", "a3", "b3", "c3", "d3", "e2", "f1"])


def test_m_stone_1_its_space_is_blocked_for_seeds_trees_and_animals() -> None:
    """M-STONE-1"""
    game = turn("e4:A3", stones="d4", animals="fox@c3 owl@d5", light=9, lunar=9)
    assert refused(game, "plant e4 d4") == "stone_there"
    assert refused(game, "step d4") == refused(game, "fox.scare owl d4") == "stone_there"
    assert (
        refused(play(Game(2, {"modules": ["stones"]}), "stone a1", "stone a2", "stone a3"), "place a1") == "stone_there"
    )
    assert not int(game.record.empty) & spaces("d4")


def test_m_stone_1_stones_never_move() -> None:
    """M-STONE-1"""
    game = turn("e4:A1", stones="a1 d4", animals="fox@c3 owl@d5")
    assert play(game, *["end"] * 12).state()["stones"] == ["a1", "d4"]


@pytest.mark.parametrize(("size", "light"), [(1, 0), (2, 2), (3, 3)])
def test_m_stone_2_its_sun_shadow_is_a_small_trees(size: int, light: int) -> None:
    """M-STONE-2"""
    assert lights(sunrise(f"d4:A{size}", sun=0, stones="c3")) == [light, 0]


def test_m_stone_2_its_shadow_is_one_space_long() -> None:
    """M-STONE-2"""
    assert lights(sunrise("e4:A1", sun=0, stones="c3")) == [1, 0]


def test_m_stone_2_it_shades_small_trees_and_seeds_where_shade_forbids() -> None:
    """M-STONE-2"""
    for size in (0, 1):
        game = turn(f"d4:A{size}", stones="c3", light=9, shade_forbids=True, available={"A medium": 1})
        assert refused(game, "grow d4") == "shaded"
    game = turn("d4:A2", stones="c3 e3", light=9, shade_forbids=True, available={"A large": 1})
    assert "grow d4" in game.legal
    assert refused(game, "plant d4 f3") == "shaded"  # behind the stone on e3


def test_m_stone_2_the_forecast_names_it() -> None:
    """M-STONE-2"""
    assert turn("d4:A1", stones="c3", round=6).forecast()[0].shaded == {"d4": ["c3"]}


def test_m_stone_3_a_stone_in_the_dark_lights_nothing() -> None:
    """M-STONE-3"""
    assert lit("e4 e5") == LINES_15


def test_m_stone_3_a_lit_stone_lights_its_six_neighbours() -> None:
    """M-STONE-3"""
    assert lit("d3") == LINES_15 | around("d3")
    assert len(lit("d3")) == 10 + 4  # two of the six lie on the line


def test_m_stone_3_a_stone_does_not_stop_a_moon_line() -> None:
    """M-STONE-3"""
    assert lit("a3 b3") >= LINES_15


def test_m_stone_3_a_chain_of_three_in_a_line_lights_ten_more_spaces() -> None:
    """M-STONE-3"""
    ten = around("d3 d4 d5")
    assert len(ten) == 10
    assert lit("d3 d4 d5") == LINES_15 | {"d3", "d4", "d5"} | ten  # only d3 lies on a line


def test_m_stone_3_light_goes_through_bent_chains_of_any_length() -> None:
    """M-STONE-3"""
    chain = "d3 d4 e4 f4 g3 g2"
    game = turn(animals="fox@a1 owl@a2", stones=chain, moon_start=15)
    assert set(game.state()["moon"]["lit"]) == LINES_15 | set(chain.split()) | around(chain)


def test_m_stone_3_a_gap_breaks_the_chain() -> None:
    """M-STONE-3"""
    assert lit("d3 d5") == LINES_15 | around("d3")


def test_m_stone_3_the_centre_can_be_lit_by_a_stone() -> None:
    """M-STONE-3"""
    assert "d4" in lit("d3")
    assert lunars(sunrise(sun=1, animals="fox@d4 owl@f1", stones="d5")) == [4, 2]  # place 14 lights d5


def test_m_stone_3_an_animal_lit_twice_earns_once() -> None:
    """M-STONE-3, M-MOON-5"""
    assert lunars(sunrise(sun=1, animals="fox@c5 owl@f1", stones="d5 b5")) == [4, 2]


def test_m_stone_3_the_elder_tree_does_not_stop_diffusion() -> None:
    """M-STONE-3, M-ELDER-3"""
    lines = set(["a4", "b5", "c6", "d7", "a3", "b3"])  # cut behind b3
    assert lit("", elder="b3") == lines
    assert lit("a3 b4 c4", elder="b3") == lines | around("a3 b4 c4") | {"b4", "c4"}
    assert "c3" in lit("a3 b4 c4", elder="b3")  # in the moon shadow of b3, next to c4
