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

SIZE: Final = encode.OBSERVATION.itemsize
PLANE_SIZE: Final = 8 * encode.WORDS
TABLE_START: Final = PLANE_SIZE * len(encode.PLANES)


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
SOURCE_ACTION: Final = np.argsort(encode.TURNED_ACTION, axis=1)
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
    return encode.TURNED_ACTION[_checked_turns(turns)][actions]
