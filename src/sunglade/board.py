"""The 37 spaces: names, leaves, neighbours, rays, reach. Plain tables, computed once (R-BOARD).

Spaces are numbers 0…36 in reading order (a1 = 0, d4 = 18, g4 = 36). A set of spaces is one integer, bit *n*
standing for space *n*. Nothing here knows a player, a piece or a rule beyond the shape of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

Space = int
SpaceSet = int
Coordinates = tuple[int, int]

RADIUS: Final = 3
ROWS: Final = "abcdefg"

COORDINATES: Final[tuple[Coordinates, ...]] = tuple(
    (q, r) for r in range(-RADIUS, RADIUS + 1) for q in range(max(-RADIUS, -RADIUS - r), min(RADIUS, RADIUS - r) + 1)
)
"""Axial (q, r) of each space, rows from the top, each from the left (R-BOARD-1)."""

SPACES: Final = range(len(COORDINATES))
SPACE_AT: Final[dict[Coordinates, Space]] = {at: space for space, at in enumerate(COORDINATES)}


def _name(space: Space) -> str:
    """Row letter and place in the row, from the left (R-BOARD-1)."""
    row = COORDINATES[space][1]
    place = sum(1 for other in SPACES[: space + 1] if COORDINATES[other][1] == row)
    return f"{ROWS[row + RADIUS]}{place}"


NAMES: Final[tuple[str, ...]] = tuple(_name(space) for space in SPACES)
SPACE_NAMED: Final[dict[str, Space]] = {name: space for space, name in enumerate(NAMES)}

CENTRE: Final[Space] = SPACE_AT[0, 0]


def distance(a: Coordinates, b: Coordinates) -> int:
    """Hex distance; nothing on the board blocks it (R-BOARD-4)."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


LEAVES: Final[tuple[int, ...]] = tuple(4 - distance(at, (0, 0)) for at in COORDINATES)
"""Richness of the soil: 1 leaf at the edge … 4 at the centre (R-BOARD-2)."""

SUN_CORNERS: Final[tuple[Space, ...]] = tuple(SPACE_NAMED[name] for name in ("a1", "a4", "d7", "g4", "g1", "d1"))
"""Where the sun stands at positions 0…5, clockwise (R-BOARD-3)."""

SUN_DIRECTIONS: Final[tuple[Coordinates, ...]] = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""Which way light runs from each sun position (R-BOARD-3); also the six directions of the board."""


def ray(start: Coordinates, direction: Coordinates, length: int = 2 * RADIUS + 1) -> list[Space]:
    """The spaces met on the straight way from `start`, itself not counted, nearest first."""
    spaces = []
    for step in range(1, length + 1):
        at = (start[0] + step * direction[0], start[1] + step * direction[1])
        if at in SPACE_AT:
            spaces.append(SPACE_AT[at])
    return spaces


def set_of(spaces: Iterable[Space]) -> SpaceSet:
    """The spaces as one integer, a bit each."""
    bits = 0
    for space in spaces:
        bits |= 1 << space
    return bits


def spaces_in(bits: SpaceSet) -> Iterator[Space]:
    """The spaces of a set, in index order."""
    bits = int(bits)
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def names_of(bits: SpaceSet) -> list[str]:
    """The names of a set's spaces, in index order."""
    return [NAMES[space] for space in spaces_in(bits)]


ALL_SPACES: Final[SpaceSet] = set_of(SPACES)
WITH_LEAVES: Final[tuple[SpaceSet, ...]] = tuple(
    set_of(space for space in SPACES if LEAVES[space] == leaves) for leaves in range(5)
)
"""The spaces of each richness: `WITH_LEAVES[1]` is the edge, `WITH_LEAVES[4]` the centre."""

NEIGHBOURS: Final[tuple[SpaceSet, ...]] = tuple(
    set_of(other for other in SPACES if distance(COORDINATES[space], COORDINATES[other]) == 1) for space in SPACES
)

SHADOW: Final[tuple[tuple[tuple[SpaceSet, ...], ...], ...]] = tuple(
    tuple(tuple(set_of(ray(COORDINATES[space], towards, size)) for space in SPACES) for size in range(4))
    for towards in SUN_DIRECTIONS
)
"""`SHADOW[sun][size][space]`: what a tree of that size there throws its shadow on (R-LIGHT-1)."""

SHADOW_TO_EDGE: Final[tuple[tuple[SpaceSet, ...], ...]] = tuple(
    tuple(set_of(ray(COORDINATES[space], towards)) for space in SPACES) for towards in SUN_DIRECTIONS
)
"""`SHADOW_TO_EDGE[sun][space]`: the Elder Tree's shadow (M-ELDER-2)."""

REACH: Final[tuple[tuple[SpaceSet, ...], ...]] = tuple(
    tuple(
        set_of(other for other in SPACES if 0 < distance(COORDINATES[space], COORDINATES[other]) <= size)
        for space in SPACES
    )
    for size in range(4)
)
"""`REACH[size][space]`: how far a tree of that size throws a seed (R-ACT-3)."""

STRAIGHT_TWO: Final[tuple[SpaceSet, ...]] = tuple(
    set_of(other for towards in SUN_DIRECTIONS for other in ray(COORDINATES[space], towards, 2)) for space in SPACES
)
"""One or two spaces away in a straight line (the Fox's Move seed, M-ANIMAL)."""


def _moon_hexes() -> list[Coordinates]:
    """The 18 places of the moon: ring 4 without its corners, counter-clockwise from the sun's start (M-MOON-1)."""
    ring = RADIUS + 1
    corners = [(ring * q // RADIUS, ring * r // RADIUS) for q, r in (COORDINATES[c] for c in SUN_CORNERS)]
    hexes = []
    for corner, following in zip(corners[:1] + corners[:0:-1], corners[:0:-1] + corners[:1], strict=True):
        towards = ((following[0] - corner[0]) // ring, (following[1] - corner[1]) // ring)
        hexes += [(corner[0] + step * towards[0], corner[1] + step * towards[1]) for step in range(1, ring)]
    return hexes


MOON_HEXES: Final[tuple[Coordinates, ...]] = tuple(_moon_hexes())
MOON_PLACES: Final = range(len(MOON_HEXES))

MOON_LINES: Final[tuple[tuple[tuple[Space, ...], ...], ...]] = tuple(
    tuple(tuple(ray(at, towards)) for towards in SUN_DIRECTIONS if (at[0] + towards[0], at[1] + towards[1]) in SPACE_AT)
    for at in MOON_HEXES
)
"""The two lines the moon lights from each place, nearest space first (M-MOON-2)."""


def _dams() -> list[tuple[Space, Space, Space]]:
    """Every place of the dam: its 2-leaf space, then its two 1-leaf spaces clockwise (M-ANIMAL, Beaver)."""
    edge = [_ring_space(step) for step in range(6 * RADIUS)]
    dams = []
    for first, second in zip(edge, edge[1:] + edge[:1], strict=True):
        (inner,) = spaces_in(NEIGHBOURS[first] & NEIGHBOURS[second] & WITH_LEAVES[2])
        dams.append((inner, first, second))
    return sorted(dams, key=lambda dam: sorted(dam))


def _ring_space(step: int) -> Space:
    """The edge space `step` places clockwise of a1."""
    corner, along = divmod(step, RADIUS)
    q, r = COORDINATES[SUN_CORNERS[corner]]
    to_q, to_r = COORDINATES[SUN_CORNERS[(corner + 1) % 6]]
    return SPACE_AT[q + along * (to_q - q) // RADIUS, r + along * (to_r - r) // RADIUS]


DAMS: Final[tuple[tuple[Space, Space, Space], ...]] = tuple(_dams())


def rotated(space: Space, turns: int = 1) -> Space:
    """Where a space goes when the board turns 60° clockwise `turns` times."""
    q, r = COORDINATES[space]
    for _ in range(turns % 6):
        q, r = -r, q + r
    return SPACE_AT[q, r]
