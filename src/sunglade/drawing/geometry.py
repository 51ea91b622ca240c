"""Where things are on the picture: hexes with a point upwards, rows horizontal, the centre of the board at (0, 0)."""

from __future__ import annotations

import math
from typing import Final

from sunglade import board
from sunglade.drawing.markup import Point

SIDE: Final = 48.0
"""From the middle of a hex to its corners."""
APART: Final = SIDE * math.sqrt(3)
"""From the middle of a hex to the middle of the next."""
GAP: Final = 2.2
RIM: Final = 4.62 * APART
"""From the centre to the corners of the rim on which sun and moon travel."""
GROUND: Final = 3.74 * APART


def middle(at: board.Coordinates) -> Point:
    """The middle of a hex, on the board or on the rim."""
    q, r = at
    return APART * (q + r / 2), 1.5 * SIDE * r


def hexagon(x: float, y: float, side: float = SIDE - GAP) -> list[Point]:
    """The corners of a space, a point upwards."""
    return [(x + side * math.sin(k * math.pi / 3), y - side * math.cos(k * math.pi / 3)) for k in range(6)]


def big_hexagon(size: float) -> list[Point]:
    """The corners of the whole board, in the order of the sun's positions (R-BOARD-3)."""
    return [(size * math.cos(a), size * math.sin(a)) for a in (math.radians(60 * k - 120) for k in range(6))]


def direction(sun: int) -> Point:
    """The way of the light as a vector of length 1 (R-BOARD-3)."""
    x, y = middle(board.SUN_DIRECTIONS[sun])
    return x / APART, y / APART
