"""The moon: places, light, tracker, phases, lunar points (M-MOON)."""

import math
from typing import Any

import pytest

from positions import lunars, play, player, sunrise, turn
from sunglade import Game, board

LINES = [
    ("a1 a2 a3 a4", "b1 c2 d3 e3 f3 g3"),
    ("b1 b2 b3 b4 b5", "c1 d2 e2 f2 g2"),
    ("c1 c2 c3 c4 c5 c6", "d1 e1 f1 g1"),
    ("d1 c1 b1 a1", "e1 e2 e3 e4 e5 e6"),
    ("e1 d2 c2 b2 a2", "f1 f2 f3 f4 f5"),
    ("f1 e2 d3 c3 b3 a3", "g1 g2 g3 g4"),
    ("g1 f1 e1 d1", "g2 f3 e4 d5 c5 b5"),
    ("g2 f2 e2 d2 c1", "g3 f4 e5 d6 c6"),
    ("g3 f3 e3 d3 c2 b1", "g4 f5 e6 d7"),
    ("g4 g3 g2 g1", "f5 e5 d5 c4 b3 a2"),
    ("f5 f4 f3 f2 f1", "e6 d6 c5 b4 a3"),
    ("e6 e5 e4 e3 e2 e1", "d7 c6 b5 a4"),
    ("d7 e6 f5 g4", "c6 c5 c4 c3 c2 c1"),
    ("c6 d6 e5 f4 g3", "b5 b4 b3 b2 b1"),
    ("b5 c5 d5 e4 f3 g2", "a4 a3 a2 a1"),
    ("a4 b5 c6 d7", "a3 b3 c3 d3 e2 f1"),
    ("a3 b4 c5 d6 e6", "a2 b2 c2 d2 e1"),
    ("a2 b3 c4 d5 e5 f5", "a1 b1 c1 d1"),
]
"""The two lines from each place of the moon. The first spaces follow each other round the edge, counter-clockwise."""


def moon(start: int, rounds: int = 1, turns: str = "at_once") -> list[dict[str, Any]]:
    """The moon of each round in which everybody only ends turns."""
    game = Game(2, {"modules": ["moon"], "moon_start": start, "rounds": rounds, "moon_turns": turns})
    while game.phase != "turn":
        game.play(game.legal[0])
    seen = [game.state()["moon"]]
    for _ in range(rounds - 1):
        seen.append(play(game, "end", "end").state()["moon"])
    return seen


def turns_over(start: int, rounds: int) -> str:
    """The phases, by following tracker and sun on their way and looking whether they meet."""
    phases = "c"
    apart = start + 5 + 0.5  # how far the tracker is ahead of the sun's corner
    for _ in range(rounds - 1):
        met = any(place % 18 == 0 for place in range(math.ceil(apart), math.floor(apart + 8) + 1))
        phases += phases[-1] if not met else "c" if phases[-1] == "F" else "F"
        apart += 8
    return phases


def test_m_moon_1_eighteen_places_each_touching_two_outer_spaces() -> None:
    """M-MOON-1"""
    assert len(board.MOON_HEXES) == len(set(board.MOON_HEXES)) == 18
    for hex_, lines in zip(board.MOON_HEXES, LINES, strict=True):
        assert board.distance(hex_, (0, 0)) == 4
        touched = {
            name for name, at in zip(board.NAMES, board.COORDINATES, strict=True) if board.distance(hex_, at) == 1
        }
        assert touched == {line.split()[0] for line in lines}


def test_m_moon_1_numbered_counter_clockwise_from_the_suns_start_corner() -> None:
    """M-MOON-1"""
    # The edge counter-clockwise from a1; place p lies between its spaces p and p + 1.
    edge = [
        "a1",
        "b1",
        "c1",
        "d1",
        "e1",
        "f1",
        "g1",
        "g2",
        "g3",
        "g4",
        "f5",
        "e6",
        "d7",
        "c6",
        "b5",
        "a4",
        "a3",
        "a2",
        "a1",
    ]
    for place, lines in enumerate(LINES):
        assert {line.split()[0] for line in lines} == set(edge[place : place + 2])


@pytest.mark.parametrize("place", range(18))
def test_m_moon_2_two_lines_of_ten_spaces_never_the_centre(place: int) -> None:
    """M-MOON-2"""
    lit = moon(place)[0]["lit"]
    assert lit == sorted(" ".join(LINES[place]).split())
    assert len(lit) == 10 and "d4" not in lit


@pytest.mark.parametrize("place", range(18))
def test_m_moon_2_trees_do_not_stop_moonlight(place: int) -> None:
    """M-MOON-2"""
    first, second = (line.split()[0] for line in LINES[place])
    game = turn(f"{first}:A3 {second}:B3", animals="fox@d4 owl@e4", moon_start=place)
    assert game.state()["moon"]["lit"] == sorted(" ".join(LINES[place]).split())


def test_m_moon_3_default_start() -> None:
    """M-MOON-3"""
    state = Game(2, {"modules": ["moon"]}).state()["moon"]
    assert (state["at"], state["tracker"], state["full"]) == (9, 14, False)


@pytest.mark.parametrize("start", range(18))
def test_m_moon_3_any_start_crescent_up_tracker_five_ahead(start: int) -> None:
    """M-MOON-3"""
    first = moon(start)[0]
    assert (first["at"], first["tracker"], first["full"]) == (start, (start + 5) % 18, False)


def test_m_moon_4_phases_of_the_default_start() -> None:
    """M-MOON-4"""
    phases = "".join("F" if each["full"] else "c" for each in moon(9, 18))
    assert phases == "c F F c c F F F c c F F c c F F F c".replace(" ", "")


@pytest.mark.parametrize("start", range(18))
def test_m_moon_4_the_moon_goes_to_the_tracker_and_turns_when_tracker_and_sun_cross(start: int) -> None:
    """M-MOON-4"""
    seen = moon(start, 30)
    assert [each["at"] for each in seen[1:]] == [each["tracker"] for each in seen[:-1]]
    assert all(each["tracker"] == (each["at"] + 5) % 18 for each in seen)
    assert "".join("F" if each["full"] else "c" for each in seen) == turns_over(start, 30)


def test_m_moon_4_the_turned_moon_pays_in_the_same_round() -> None:
    """M-MOON-4: in round 2 the moon has just become full."""
    assert lunars(sunrise(sun=1, animals="fox@d5 owl@d3")) == [4, 2]


def test_m_moon_4_phases_of_the_default_start_where_the_tracker_turns_over() -> None:
    """M-MOON-4: moon_turns on_arrival"""
    phases = "".join("F" if each["full"] else "c" for each in moon(9, 18, "on_arrival"))
    assert phases == "c c F F c c F F F c c F F c c F F F".replace(" ", "")


@pytest.mark.parametrize("start", range(18))
def test_m_moon_4_the_moon_takes_the_trackers_face_when_it_gets_there(start: int) -> None:
    """M-MOON-4: moon_turns on_arrival"""
    at_once, later = moon(start, 30), moon(start, 30, "on_arrival")
    assert [each["full"] for each in later] == [False, *(each["full"] for each in at_once[:-1])]
    for name in ("at", "tracker", "lit"):
        assert [each[name] for each in later] == [each[name] for each in at_once]


def test_m_moon_4_forecast_knows_when_the_moon_turns() -> None:
    """M-MOON-4: moon_turns on_arrival"""
    for turns, faces in (("at_once", [1, 1, 0, 0, 1, 1]), ("on_arrival", [0, 1, 1, 0, 0, 1])):
        game = turn(animals="fox@d5 owl@d3", moon_turns=turns)
        assert [ahead.moon.full for ahead in game.forecast() if ahead.moon] == faces


def test_m_moon_4_the_moon_that_turns_on_arrival_pays_as_it_looks() -> None:
    """M-MOON-4, M-MOON-5: moon_turns on_arrival"""
    assert lunars(sunrise(sun=1, animals="fox@d5 owl@d3", moon_turns="on_arrival")) == [3, 2]


@pytest.mark.parametrize(("sun", "full", "gain"), [(1, True, 2), (3, False, 1)])
def test_m_moon_5_an_animal_in_the_moonlight_earns_1_or_2(sun: int, full: bool, gain: int) -> None:
    """M-MOON-5"""
    game = sunrise(sun=sun, animals="fox@d5 owl@d3")  # places 14 and 6 both light d5
    assert game.state()["moon"]["full"] == full
    assert lunars(game) == [2 + gain, 2]


def test_m_moon_5_also_in_round_1() -> None:
    """M-MOON-5"""
    game = Game(2, {"modules": ["moon"]}, deal={"animals": [["fox", "owl"], ["boar", "badger"]]})
    play(game, "draft fox", "draft boar", "animal d3", "animal d5", "place a1", "place a2", "place b1")
    assert lunars(game) == [2, 2]
    assert lunars(play(game, "place c1")) == [3, 2]  # d5 is lit from place 9


@pytest.mark.parametrize(("before", "after"), [(11, 13), (12, 14), (13, 14), (14, 14)])
def test_m_moon_5_at_most_14(before: int, after: int) -> None:
    """M-MOON-5"""
    assert lunars(sunrise(sun=1, animals="fox@d5 owl@d3", lunar={"A": before})) == [after, 2]


def test_m_moon_5_forecast_tells_moon_and_income() -> None:
    """M-MOON-5"""
    ahead = turn(animals="fox@d5 owl@d3", lunar={"A": 13}).forecast()[0].moon
    assert ahead is not None
    assert (ahead.at, ahead.full, ahead.income, ahead.lunar) == (14, True, [2, 0], [14, 2])


def test_m_moon_6_leftover_lunar_points_are_points() -> None:
    """M-MOON-6"""
    game = turn(animals="fox@d4 owl@d3", lunar={"A": 7, "B": 0}, light={"A": 3, "B": 8})
    assert [each["points"] for each in game.state()["players"]] == [7 + 1, 2]
    assert (game.scores()[0].moon, game.scores()[1].moon) == (7, 0)


def test_m_moon_6_without_the_moon_there_are_none() -> None:
    """M-MOON-6"""
    assert player(turn(elder="d4"))["points"] == 0
