"""What `render()` gives: the board as text, as a small picture of plain shapes, or printed for people to watch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sunglade import board, drawing
from sunglade.errors import BadRequest
from sunglade.kernel import shadows
from sunglade.kernel.record import NOWHERE, Record

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
RENDER_FPS: Final = 4

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Grid = NDArray[np.float32]
Shape = Callable[[Grid, Grid], NDArray[np.bool_]]

HEIGHT: Final = 400
WIDTH: Final = 420
_SMOOTH: Final = 2
"""Drawn so many times larger and averaged, so that edges are not jagged."""
_SPACE: Final = 30.0
"""Distance from the middle of a space to its corners."""
_GROUND: Final[Colour] = (38, 50, 44)
_SOIL: Final[tuple[Colour, ...]] = ((0, 0, 0), (196, 190, 128), (150, 176, 92), (104, 152, 72), (62, 122, 62))
"""By leaves, poorest first."""
_SHADED: Final = 0.62
_PLAYERS: Final[tuple[Colour, ...]] = ((64, 128, 230), (245, 200, 60), (40, 200, 130), (235, 110, 50))
_ELDER: Final[Colour] = (92, 58, 40)
_STONE: Final[Colour] = (176, 182, 196)
_SUN: Final[Colour] = (255, 214, 90)
_WHITE: Final[Colour] = (250, 250, 245)
_RADIUS: Final = (5.0, 11.0, 16.0, 22.0)
"""Of a seed, a small, a medium and a large tree."""


def checked_render_mode(mode: str | None) -> str | None:
    """A render mode that there is, or None for no rendering."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadRequest(f"render_mode must be one of {', '.join(RENDER_MODES)} or None, not {mode!r:.60}.")
    return mode


def rendered(record: Record, mode: str | None) -> str | Picture | None:
    """A position in a render mode; `human` prints it and gives nothing back."""
    if mode == "rgb_array":
        return picture(record)
    if mode == "ansi":
        return drawing.text(record)
    if mode == "human":
        sys.stdout.write(drawing.text(record) + "\n")
        sys.stdout.flush()
    return None


def picture(record: Record) -> Picture:
    """The board from above: soil by richness, darker in the shade; species differ by shape as well as colour."""
    canvas = _Canvas()
    canvas.image[:] = _soil_in_shade(record)
    for player in range(record.players):
        for size in range(4):
            for space in board.spaces_in(record.pieces[player, size]):
                canvas.piece(_middle(space), player, _RADIUS[size])
    for space in board.spaces_in(record.elder):
        canvas.disc(_middle(space), 24.0, _ELDER)
    for space in board.spaces_in(record.stones):
        canvas.diamond(_middle(space), 18.0, _STONE)
    for player in range(record.players):
        if record.at[player] != NOWHERE:
            x, y = _middle(record.at[player])
            canvas.disc((x, y + 14.0), 8.0, _WHITE)
            canvas.disc((x, y + 14.0), 5.5, _PLAYERS[player])
    x, y = _middle(board.SUN_CORNERS[record.sun])
    canvas.disc((x + (x - WIDTH / 2) * 0.25, y + (y - HEIGHT / 2) * 0.25), 16.0, _SUN)
    return canvas.smoothed()


def _middle(space: int) -> tuple[float, float]:
    """Where the middle of a space is in the picture."""
    q, r = board.COORDINATES[space]
    return WIDTH / 2 + _SPACE * 3**0.5 * (q + r / 2), HEIGHT / 2 + _SPACE * 1.5 * r


def _space_map() -> NDArray[np.int64]:
    """The space that each pixel belongs to: the nearest one, if it is near enough; −1 beside the board."""
    y, x = np.mgrid[0 : HEIGHT * _SMOOTH, 0 : WIDTH * _SMOOTH].astype(np.float32) / _SMOOTH
    distances = np.stack([(x - mx) ** 2 + (y - my) ** 2 for mx, my in map(_middle, board.SPACES)])
    nearest: NDArray[np.int64] = distances.argmin(axis=0)
    nearest[distances.min(axis=0) > (_SPACE * 0.94) ** 2] = -1
    return nearest


_MAP: Final[list[NDArray[np.int64]]] = []


def _soil_in_shade(record: Record) -> Picture:
    """The empty board under the sun of this round."""
    if not _MAP:
        _MAP.append(_space_map())
    dark = shadows(record, record.sun)[0]
    colours = np.array([*(_SOIL[leaves] for leaves in board.LEAVES), _GROUND], np.float32)
    for space in board.spaces_in(dark):
        colours[space] *= _SHADED
    return colours.astype(np.uint8)[_MAP[0]]


class _Canvas:
    """Shapes on a picture."""

    def __init__(self) -> None:
        self.image = np.zeros((HEIGHT * _SMOOTH, WIDTH * _SMOOTH, 3), np.uint8)

    def piece(self, middle: tuple[float, float], player: int, radius: float) -> None:
        """A seed or tree: round, diamond, square or triangle by its owner."""
        shape = (self.disc, self.diamond, self.square, self.triangle)[player]
        shape(middle, radius + 2.0, _GROUND)
        shape(middle, radius, _PLAYERS[player])

    def disc(self, middle: tuple[float, float], radius: float, colour: Colour) -> None:
        """A filled circle."""
        self._fill(middle, radius, lambda x, y: x * x + y * y <= radius * radius, colour)

    def diamond(self, middle: tuple[float, float], radius: float, colour: Colour) -> None:
        """A square on its corner."""
        self._fill(middle, radius, lambda x, y: abs(x) + abs(y) <= radius, colour)

    def square(self, middle: tuple[float, float], radius: float, colour: Colour) -> None:
        """An upright square."""
        self._fill(middle, radius, lambda x, y: np.maximum(abs(x), abs(y)) <= 0.8 * radius, colour)

    def triangle(self, middle: tuple[float, float], radius: float, colour: Colour) -> None:
        """A fir."""
        self._fill(middle, radius, lambda x, y: (y <= 0.7 * radius) & (abs(x) <= 0.6 * (y + radius)), colour)

    def _fill(self, middle: tuple[float, float], radius: float, inside: Shape, colour: Colour) -> None:
        left, top = (max(int((at - radius) * _SMOOTH), 0) for at in middle)
        part = self.image[top : top + int(2 * radius + 2) * _SMOOTH, left : left + int(2 * radius + 2) * _SMOOTH]
        y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]].astype(np.float32)
        part[inside((x + left) / _SMOOTH - middle[0], (y + top) / _SMOOTH - middle[1])] = colour

    def smoothed(self) -> Picture:
        """The picture in its real size."""
        fine = self.image.astype(np.uint16)
        parts = [fine[y::_SMOOTH, x::_SMOOTH] for y in range(_SMOOTH) for x in range(_SMOOTH)]
        return (sum(parts[1:], parts[0]) // len(parts)).astype(np.uint8)
