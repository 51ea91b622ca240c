"""Where in the network's answer the logit of each action stands.

Actions without a space are numbers of the table; actions on a space are numbers of that space, a column for each kind;
planting has a number for each pair of spaces; a dam is worth the sum of its three spaces in a column of its own. What
the base game needs comes first in each, as in the table of actions.
"""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BASE_ACTIONS, PLANT_PAIRS, SPACE_COUNT, TABLE, Action
from sunglade.kernel.record import NOWHERE

_SEEDS: Final = [number for number, action in enumerate(TABLE) if action.origin != NOWHERE]
_DAMS: Final = [number for number, action in enumerate(TABLE) if action.spaces]
_ELSEWHERE: Final = {*_SEEDS, *_DAMS}
_ON_TABLE: Final = [n for n, action in enumerate(TABLE) if action.space == NOWHERE and n not in _ELSEWHERE]
_ON_SPACE: Final = [n for n, action in enumerate(TABLE) if action.space != NOWHERE and n not in _ELSEWHERE]


def _column(action: Action) -> Action:
    """What actions on different spaces have in common."""
    return action._replace(space=NOWHERE)


_COLUMNS: Final = list(dict.fromkeys(_column(TABLE[number]) for number in _ON_SPACE))

BASE_TABLE_COLUMNS: Final = sum(number < BASE_ACTIONS for number in _ON_TABLE)
TABLE_COLUMNS: Final = len(_ON_TABLE)
BASE_SPACE_COLUMNS: Final = len({_column(TABLE[number]) for number in _ON_SPACE if number < BASE_ACTIONS})
SPACE_COLUMNS: Final = len(_COLUMNS) + 1
"""The last one is for dams."""
PAIRS: Final = [origin * SPACE_COUNT + target for origin, target in PLANT_PAIRS]
DAM_SPACES: Final = [list(TABLE[number].spaces) for number in _DAMS]


POINTS_SCALE: Final = 30.0
"""Points at the end are answered as so many times less: numbers about 1."""


def logit_places() -> list[int]:
    """For each action, its place among the table's numbers, each space's, the seeds' and the dams', in this order."""
    spaces = TABLE_COLUMNS
    seeds = spaces + SPACE_COLUMNS * SPACE_COUNT
    dams = seeds + len(PAIRS)
    place = {number: at for at, number in enumerate(_ON_TABLE)}
    for number in _ON_SPACE:
        action = TABLE[number]
        place[number] = spaces + _COLUMNS.index(_column(action)) * SPACE_COUNT + action.space
    place |= {number: seeds + at for at, number in enumerate(_SEEDS)}
    place |= {number: dams + at for at, number in enumerate(_DAMS)}
    return [place[number] for number in range(len(TABLE))]
