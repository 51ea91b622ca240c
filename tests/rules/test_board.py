"""The board: spaces, soil, sun, distance (R-BOARD)."""

import pytest

from positions import turn
from sunglade import board

ROWS = {
    "a": "a1 a2 a3 a4",
    "b": "b1 b2 b3 b4 b5",
    "c": "c1 c2 c3 c4 c5 c6",
    "d": "d1 d2 d3 d4 d5 d6 d7",
    "e": "e1 e2 e3 e4 e5 e6",
    "f": "f1 f2 f3 f4 f5",
    "g": "g1 g2 g3 g4",
}
LINES = ["a1 b2 c3 d4 e4 f4 g4", "a4 b4 c4 d4 e3 f2 g1", "d7 d6 d5 d4 d3 d2 d1"]
"""From corner to opposite corner, as the light of sun positions 0, 1 and 2 runs; 3, 4 and 5 run them backwards."""


def at(name: str) -> tuple[int, int]:
    return board.COORDINATES[board.SPACE_NAMED[name]]


def test_r_board_1_thirty_seven_spaces_named_by_row_and_place() -> None:
    """R-BOARD-1"""
    assert list(board.NAMES) == " ".join(ROWS.values()).split()
    assert [board.SPACE_NAMED[name] for name in ("a1", "d4", "g4")] == [0, 18, 36]
    assert board.NAMES[board.CENTRE] == "d4"


def test_r_board_1_axial_coordinates() -> None:
    """R-BOARD-1"""
    assert [at(name) for name in ("a1", "a4", "b1", "d1", "d4", "d7", "e1", "g1", "g4")] == [
        (0, -3), (3, -3), (-1, -2), (-3, 0), (0, 0), (3, 0), (-3, 1), (-3, 3), (0, 3),
    ]  # fmt: skip
    inside = {(q, r) for q in range(-9, 10) for r in range(-9, 10) if max(abs(q), abs(r), abs(q + r)) <= 3}
    assert set(board.COORDINATES) == inside
    assert all(at(name)[1] == "abcdefg".index(name[0]) - 3 for name in board.NAMES)


def test_r_board_2_soil_is_richer_towards_the_centre() -> None:
    """R-BOARD-2"""
    assert [board.LEAVES.count(leaves) for leaves in (1, 2, 3, 4)] == [18, 12, 6, 1]
    assert board.names_of(board.WITH_LEAVES[3]) == ["c3", "c4", "d3", "d5", "e3", "e4"]
    assert board.names_of(board.WITH_LEAVES[4]) == ["d4"]
    edge = "a1 a2 a3 a4 b1 b5 c1 c6 d1 d7 e1 e6 f1 f5 g1 g2 g3 g4"
    assert board.names_of(board.WITH_LEAVES[1]) == edge.split()


@pytest.mark.parametrize("sun", range(6))
def test_r_board_3_light_runs_from_the_suns_corner_through_the_centre(sun: int) -> None:
    """R-BOARD-3"""
    line = LINES[sun % 3].split()[:: 1 if sun < 3 else -1]
    assert board.NAMES[board.SUN_CORNERS[sun]] == line[0]
    assert [board.NAMES[space] for space in board.ray(at(line[0]), board.SUN_DIRECTIONS[sun])] == line[1:]


def test_r_board_3_corners_and_directions() -> None:
    """R-BOARD-3"""
    assert [board.NAMES[corner] for corner in board.SUN_CORNERS] == ["a1", "a4", "d7", "g4", "g1", "d1"]
    assert board.SUN_DIRECTIONS == ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))


def test_r_board_4_distance_is_hex_distance() -> None:
    """R-BOARD-4"""
    pairs = {"a1 a1": 0, "a1 a2": 1, "a1 b1": 1, "a1 b3": 2, "a1 g4": 6, "a4 g1": 6, "d1 d7": 6, "b2 e2": 3, "d4 g1": 3}
    assert {pair: board.distance(*map(at, pair.split())) for pair in pairs} == pairs
    assert board.names_of(board.NEIGHBOURS[board.CENTRE]) == ["c3", "c4", "d3", "d5", "e3", "e4"]
    assert board.names_of(board.NEIGHBOURS[board.SPACE_NAMED["a1"]]) == ["a2", "b1", "b2"]


def test_r_board_4_nothing_on_the_board_blocks_distance() -> None:
    """R-BOARD-4"""
    ring = "c3:B3 c4:B3 d3:B2 d5:B2 e3:B2 e4:B2"
    game = turn(f"d4:A2 {ring}", light=1)
    assert "plant d4 d6" in game.legal and "plant d4 b2" in game.legal


def test_a_turn_of_the_board_turns_the_suns_corners() -> None:
    corners = list(board.SUN_CORNERS)
    assert [board.rotated(corner) for corner in corners] == corners[1:] + corners[:1]
    assert all(board.rotated(space, 6) == space == board.rotated(board.rotated(space, 2), -2) for space in board.SPACES)
