"""The observation as one vector of bytes, the same in every interface, and how to turn it with the board.

First come the planes, 40 numbers each: one for every space and three that are always 0, so that a plane is five whole
words for CPU and GPU. Then comes the table. `encode.PLANES` and `encode.TABLE` name every number.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import board, encode
from sunglade.errors import BadRequest
from sunglade.kernel.printed import PIECES
from sunglade.rules import MAX_PLAYERS

BASE_ACTIONS: Final = encode.BASE_ACTIONS
"""How many actions the base game has: the first ones."""
SIZE: Final = encode.OBSERVATION.itemsize
PLANE_SIZE: Final = 8 * encode.WORDS
TABLE_START: Final = PLANE_SIZE * len(encode.PLANES)
STATE_SIZE: Final = SIZE + MAX_PLAYERS
"""Of `state()` and `states()`: an observation, and which seat is to act."""


def index_of_plane(plane: int, space: int) -> int:
    """Where a plane's number for a space is in the vector."""
    return PLANE_SIZE * plane + space


def _names() -> tuple[str, ...]:
    names = ["always 0"] * SIZE
    for plane, what in enumerate(encode.PLANES):
        for space, name in enumerate(board.NAMES):
            names[index_of_plane(plane, space)] = f"{what}: {name}"
    names[TABLE_START : TABLE_START + len(encode.TABLE)] = encode.TABLE
    return tuple(names)


NAMES: Final = _names()
"""What each number of the vector tells."""


def planes_of(observations: NDArray[Any]) -> NDArray[Any]:
    """(…, planes, 37) of vectors (…, 2832), without a copy."""
    shape = (*observations.shape[:-1], len(encode.PLANES), PLANE_SIZE)
    return observations[..., :TABLE_START].reshape(shape)[..., : len(board.SPACES)]


def table_of(observations: NDArray[Any]) -> NDArray[Any]:
    """(…, table) of vectors (…, 2832), without a copy."""
    return observations[..., TABLE_START : TABLE_START + len(encode.TABLE)]


def with_player(observations: NDArray[Any], player: Any) -> NDArray[np.uint8]:
    """Vectors (…, 2832) as seat 0 sees the position, and four numbers more: 1 for the seat to act."""
    acts = np.asarray(player)[..., None] == np.arange(MAX_PLAYERS)
    return np.concatenate([observations, acts], axis=-1, dtype=np.uint8, casting="unsafe")


# Scale


def _scale() -> NDArray[np.float32]:
    """One over the most that each number is in a game by the books."""
    most = np.ones(SIZE, np.float32)
    for index, name in enumerate(encode.TABLE):
        for ending, value in _MOST.items():
            if name.endswith(ending):
                most[TABLE_START + index] = value
    return np.asarray(1 / most, np.float32)


_MOST: Final = {
    "light (at most 255)": 20,
    "points if the game ended now": 100,
    "sum of tokens": 100,
    "pieces on the board": 20,
    **{f"light income {ahead} round(s) ahead": 20 for ahead in range(1, encode.SUNS_AHEAD + 1)},
    **{f"value on top of the {leaves}-leaf pile": 22 for leaves in (1, 2, 3, 4)},
    **{f"{size} of mine bought this turn and waiting": 4 for size in PIECES},
    "steps my animal has taken": 6,
    "moonstones still to be placed": 3,
}
"""The numbers that are not 0 or 1, and about the most they come to; more is possible, and rare."""
SCALE: Final = _scale()
"""What to multiply an observation by, so that every number lies mostly between 0 and 1."""


# The base game alone

BASE: Final = np.concatenate(
    [np.arange(PLANE_SIZE * encode.BASE_PLANES), np.arange(TABLE_START, TABLE_START + len(encode.TABLE_BASE))]
)
"""Where the numbers are that the base game needs: the others are always 0 without modules."""


def base_observation(observations: NDArray[Any]) -> NDArray[Any]:
    """Vectors (…, 2832) of the base game without what only the modules use: (…, 2067)."""
    return observations[..., BASE]


def base_mask(masks: NDArray[Any]) -> NDArray[Any]:
    """Masks (…, 1409), or anything else with one number an action, without the modules' actions: a view."""
    return masks[..., :BASE_ACTIONS]


# Turning


def _turned_indices() -> NDArray[np.int64]:
    """`SOURCE[turns, index]`: which number of a vector stands at the index when the board is turned so often."""
    table = np.tile(np.arange(SIZE), (6, 1))
    sun = TABLE_START + encode.TABLE.index("sun at 0, as the board is turned")
    for turns in range(6):
        for space in board.SPACES:
            planes = np.arange(len(encode.PLANES)) * PLANE_SIZE
            table[turns, planes + board.rotated(space, turns)] = planes + space
        for position in range(6):
            table[turns, sun + (position + turns) % 6] = sun + position
    return table


SOURCE: Final = _turned_indices()
TURNED_ACTION: Final = np.array(encode.TURNED_ACTION)
SOURCE_ACTION: Final = np.argsort(TURNED_ACTION, axis=1)
"""`SOURCE_ACTION[turns, action]`: which action becomes this one when the board is turned so often."""


def _checked_turns(turns: int) -> int:
    if not 0 <= turns < 6:
        raise BadRequest(f"the board can be turned 0 to 5 times by 60°, not {turns!r:.60}.")
    return int(turns)


def turned_observation(observations: NDArray[Any], turns: int) -> NDArray[Any]:
    """Vectors (…, 2832) as they are on the board turned clockwise by 60° so many times."""
    return observations[..., SOURCE[_checked_turns(turns)]]


def turned_mask(masks: NDArray[Any], turns: int) -> NDArray[Any]:
    """Masks (…, actions), or anything else with one number an action (policies, visits), on the turned board."""
    return masks[..., SOURCE_ACTION[_checked_turns(turns)]]


def turned_action(actions: Any, turns: int) -> Any:
    """Action numbers, one or an array, on the turned board. `turned_action(…, 6 - turns)` takes it back."""
    return TURNED_ACTION[_checked_turns(turns)][actions]
