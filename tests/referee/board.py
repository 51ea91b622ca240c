"""The board: spaces as axial coordinates (R-BOARD), and the places of the moon around it (M-MOON-1)."""

Space = tuple[int, int]


def distance(a: Space, b: Space) -> int:
    """Hex distance (R-BOARD-4)."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


CENTRE: Space = (0, 0)
ROWS = "abcdefg"

SPACES: list[Space] = []
"""All 37, row by row from the left (R-BOARD-1)."""
NAMES: dict[Space, str] = {}
for _row in range(-3, 4):
    _in_row = [(q, _row) for q in range(-3, 4) if distance((q, _row), CENTRE) <= 3]
    for _number, _space in enumerate(_in_row, start=1):
        SPACES.append(_space)
        NAMES[_space] = f"{ROWS[_row + 3]}{_number}"
NAMED = {name: space for space, name in NAMES.items()}
ON_BOARD = set(SPACES)

LEAVES = {space: 4 - distance(space, CENTRE) for space in SPACES}
"""The soil (R-BOARD-2)."""

DIRECTIONS: list[Space] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)]
"""Where the light of the sun's positions 0 to 5 runs to (R-BOARD-3). They are all the six directions there are."""

NEIGHBOURS: dict[Space, set[Space]] = {
    space: {other for other in SPACES if distance(space, other) == 1} for space in SPACES
}


def moved(space: Space, direction: Space, steps: int = 1) -> Space:
    """Where so many steps in a direction lead, on the board or off it."""
    return space[0] + steps * direction[0], space[1] + steps * direction[1]


def line(space: Space, direction: Space) -> list[Space]:
    """The spaces behind a place in a direction, up to the edge."""
    return [there for steps in range(1, 8) if (there := moved(space, direction, steps)) in ON_BOARD]


def in_order(spaces: set[Space]) -> list[str]:
    """Their names in index order."""
    return [NAMES[space] for space in SPACES if space in spaces]


def clockwise(spaces: list[Space]) -> list[Space]:
    """Two neighbouring outer spaces, the one first from which the other lies clockwise around the centre.

    Rows run downwards, so that turning right from a to b makes the product of their coordinates positive.
    """
    (a, b) = spaces
    return [a, b] if a[0] * b[1] - a[1] * b[0] > 0 else [b, a]


def _moon_places() -> list[Space]:
    """18 hexes around the board: its corners left out, counter-clockwise from the sun's first corner (M-MOON-1)."""
    corners = [(0, -4), (-4, 0), (-4, 4), (0, 4), (4, 0), (4, -4)]
    places = []
    for corner, following in zip(corners, [*corners[1:], corners[0]], strict=True):
        direction = ((following[0] - corner[0]) // 4, (following[1] - corner[1]) // 4)
        places += [moved(corner, direction, steps) for steps in (1, 2, 3)]
    return places


MOON_PLACES = _moon_places()


def moon_lines(place: int) -> list[list[Space]]:
    """The two straight lines inward from a place of the moon, one through each space it touches (M-MOON-2)."""
    hexagon = MOON_PLACES[place]
    return [line(hexagon, direction) for direction in DIRECTIONS if moved(hexagon, direction) in ON_BOARD]
