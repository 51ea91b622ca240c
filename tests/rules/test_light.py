"""Light and shadow (R-LIGHT)."""

import pytest

from positions import lights, piece, play, sunrise, turn
from sunglade import BadRules, Rules

BEHIND_THE_CENTRE = {0: "e4 f4 g4", 1: "e3 f2 g1", 2: "d3 d2 d1", 3: "c3 b2 a1", 4: "c4 b4 a4", 5: "d5 d6 d7"}
"""The three spaces behind d4 under each sun, nearest first."""


@pytest.mark.parametrize("sun", range(6))
@pytest.mark.parametrize("size", [1, 2, 3])
def test_r_light_1_a_shadow_is_as_long_as_the_tree_is_high(sun: int, size: int) -> None:
    """R-LIGHT-1"""
    for distance, space in enumerate(BEHIND_THE_CENTRE[sun].split(), start=1):
        game = sunrise(f"d4:A{size} {space}:B1", sun)
        assert lights(game) == [size, 0 if distance <= size else 1]


@pytest.mark.parametrize("sun", range(6))
def test_r_light_1_nothing_is_shaded_beside_or_before_the_tree(sun: int) -> None:
    """R-LIGHT-1"""
    shaded = BEHIND_THE_CENTRE[sun].split()
    around = ["c3", "c4", "d3", "d5", "e3", "e4"]
    light = {space: lights(sunrise(f"d4:A3 {space}:B1", sun))[1] for space in around}
    assert light == {space: 0 if space in shaded else 1 for space in around}


@pytest.mark.parametrize("caster", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_r_light_2_shaded_by_the_same_size_or_larger(caster: int, size: int) -> None:
    """R-LIGHT-2"""
    game = sunrise(f"d4:A{caster} e4:B{size}", sun=0)
    assert lights(game) == [caster, 0 if caster >= size else size]


def test_r_light_2_own_trees_shade_too() -> None:
    """R-LIGHT-2"""
    assert lights(sunrise("d4:A2 e4:A1 f4:A2", sun=0)) == [2, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r_light_2_everybodys_trees_shade_everybodys(players: int) -> None:
    """R-LIGHT-2"""
    for caster in "ABCD"[:players]:
        for size in (1, 2, 3):
            for seat, shaded in enumerate("ABCD"[:players]):
                game = sunrise(f"d4:{caster}{size} e4:{shaded}1", sun=0, players=players)
                assert lights(game)[seat] == (size if shaded == caster else 0)


def test_r_light_2_shaded_trees_still_cast_their_shadow() -> None:
    """R-LIGHT-2"""
    assert lights(sunrise("b2:A1 c3:B1 d4:A1", sun=0)) == [1, 0]


def test_r_light_2_a_taller_tree_between_does_not_stop_a_longer_shadow() -> None:
    """R-LIGHT-2"""
    assert lights(sunrise("d4:A3 e4:B1 g4:B3", sun=0)) == [3, 0]


def test_r_light_2_seeds_cast_no_shadow() -> None:
    """R-LIGHT-2"""
    assert lights(sunrise("d4:A0 e4:B1", sun=0)) == [0, 1]


def test_r_light_2_forecast_names_who_shades() -> None:
    """R-LIGHT-2"""
    game = turn("c3:A2 d4:B2 e4:A1 f4:B3", round=6, player="A")
    (ahead, *_) = game.forecast()
    assert ahead.sun == 0
    assert ahead.shaded == {"d4": ["c3"], "e4": ["c3", "d4"]}


def test_r_light_3_each_tree_gives_its_size_and_seeds_nothing() -> None:
    """R-LIGHT-3"""
    game = sunrise("a1:A1 a2:A2 a3:A3 a4:A0 g1:B3 g2:B3 g3:B0", sun=0)
    assert lights(game) == [6, 6]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_r_light_3_a_shaded_tree_gives_nothing(size: int) -> None:
    """R-LIGHT-3"""
    assert lights(sunrise(f"d4:A3 e4:B{size}", sun=0)) == [3, 0]


def test_r_light_3_every_player_gets_light() -> None:
    """R-LIGHT-3"""
    assert lights(sunrise("a1:A1 a2:B2 a3:C3 a4:D1 b1:D1", sun=0, players=4)) == [1, 2, 3, 2]


@pytest.mark.parametrize(("before", "after"), [(0, 5), (14, 19), (15, 20), (16, 20), (20, 20)])
def test_r_light_4_never_more_than_twenty(before: int, after: int) -> None:
    """R-LIGHT-4"""
    game = sunrise("a1:A3 a2:A2", sun=0, light={"A": before})
    assert lights(game) == [after, 0]


@pytest.mark.parametrize(("cap", "after"), [(0, 0), (3, 3), (4, 4), (30, 6), (None, 6)])
def test_r_light_4_option_light_cap(cap: int | None, after: int) -> None:
    """R-LIGHT-4"""
    assert lights(sunrise("a1:A3 a2:A3", sun=0, light_cap=cap)) == [after, 0]


def test_r_light_4_the_cap_is_0_to_255_or_none() -> None:
    """R-LIGHT-4"""
    assert [Rules(light_cap=cap).light_cap for cap in (0, 255, None)] == [0, 255, None]
    for cap in (-1, 256):
        with pytest.raises(BadRules):
            Rules(light_cap=cap)


def test_r_light_4_without_a_cap_light_grows_on() -> None:
    """R-LIGHT-4"""
    assert lights(sunrise("a1:A3", sun=0, light={"A": 500}, edition="eu")) == [503, 0]


def test_r_light_4_forecast_tells_what_the_cap_takes() -> None:
    """R-LIGHT-4"""
    ahead = turn("a1:A3", round=6, player="A", light=19).forecast()[0]
    assert (ahead.income, ahead.light, ahead.lost) == ([3, 0], [20, 0], [2, 0])


def test_r_light_4_light_at_the_cap_can_be_spent() -> None:
    """R-LIGHT-4"""
    game = play(turn("d4:A2", light=20, available={"A large": 1}), "grow d4")
    assert (lights(game)[0], piece(game, "d4")) == (17, "A3")
