"""The board and the printed numbers as arrays: what compiled code looks up (R-BOARD, R-SETUP)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sunglade import board
from sunglade.kernel import actions
from sunglade.rules import ANIMALS

Table = NDArray[np.int64]

SEED, SMALL, MEDIUM, LARGE = range(4)
SIZES: Final = ("seed", "small", "medium", "large")
PIECES: Final = ("seed", "small tree", "medium tree", "large tree")
"""What the pieces are called, by size."""

SLOT_PRICES: Final = ((1, 1, 2, 2), (2, 2, 3, 3), (3, 3, 4), (4, 5))
"""Prices printed beside the slots of a player board, cheapest first (R-SETUP-2)."""
STARTING_AVAILABLE: Final = (2, 4, 1, 0)
"""Pieces beside the player board at the start (R-SETUP-3)."""
TOKEN_PILES: Final = (
    (14, 14, 13, 13, 13, 12, 12, 12, 12),
    (17, 16, 16, 14, 14, 13, 13),
    (19, 18, 18, 17, 17),
    (22, 21, 20),
)
"""Scoring tokens of the 1- to 4-leaf piles, top first (R-SETUP-4)."""
TOKEN_COUNT: Final = sum(len(pile) for pile in TOKEN_PILES)
UNAFFORDABLE: Final = 1 << 50


def _array(values: object) -> Table:
    return np.array(values, dtype=np.int64)


def _prices() -> Table:
    """`PRICE[size, occupied slots]`: what the cheapest piece of the column costs (R-ACT-2)."""
    table = np.full((4, 16), UNAFFORDABLE, dtype=np.int64)
    for size, prices in enumerate(SLOT_PRICES):
        for occupied in range(1, 1 << len(prices)):
            table[size, occupied] = prices[(occupied & -occupied).bit_length() - 1]
    return table


def _returns() -> Table:
    """`RETURNED[lowest, size, occupied slots]`: the slots once a piece has come back (R-ACT-4)."""
    table = np.zeros((2, 4, 16), dtype=np.int64)
    for lowest in range(2):
        for size, prices in enumerate(SLOT_PRICES):
            for occupied in range(16):
                free = [slot for slot in range(len(prices)) if not occupied >> slot & 1]
                slot = (free[0] if lowest else free[-1]) if free else None
                table[lowest, size, occupied] = occupied if slot is None else occupied | 1 << slot
    return table


def _token_values() -> Table:
    table = np.zeros((4, max(map(len, TOKEN_PILES))), dtype=np.int64)
    for pile, values in enumerate(TOKEN_PILES):
        table[pile, : len(values)] = values
    return table


def _plant_numbers() -> NDArray[np.int16]:
    """`PLANT_NUMBER[origin, target]`: the action that plants so."""
    table = np.full((len(board.SPACES), len(board.SPACES)), -1, dtype=np.int16)
    for number, (origin, target) in enumerate(actions.PLANT_PAIRS):
        table[origin, target] = actions.PLANT + number
    return table


def _numbers_of(spaces: list[int]) -> Table:
    """Place of each space in a list of spaces; −1 for those not in it."""
    return _array([spaces.index(space) if space in spaces else -1 for space in board.SPACES])


def _moon_lit() -> Table:
    """`MOON_LIT[place, elder]`: what the moon's lines light, cut behind the Elder Tree (M-MOON-2, M-ELDER-3).

    The last column is for a board without an Elder Tree.
    """
    table = np.zeros((len(board.MOON_PLACES), len(board.SPACES) + 1), dtype=np.int64)
    for place, lines in enumerate(board.MOON_LINES):
        for elder in range(len(board.SPACES) + 1):
            seen = [line[: line.index(elder) + 1] if elder in line else line for line in lines]
            table[place, elder] = board.set_of(space for line in seen for space in line)
    return table


LEAVES: Final = _array(board.LEAVES)
SHADOW: Final = _array(board.SHADOW)
REACH: Final = _array(board.REACH)
PRICE: Final = _prices()
RETURNED: Final = _returns()
FULL_SLOTS: Final = _array([(1 << len(prices)) - 1 for prices in SLOT_PRICES])
TOKEN_VALUE: Final = _token_values()
PILE_SIZE: Final = _array([len(pile) for pile in TOKEN_PILES])
PLANT_NUMBER: Final = _plant_numbers()
# These three are narrow because a GPU has 64 KiB for all constants; read them through int().
PLANT_ORIGIN: Final = np.array([origin for origin, _ in actions.PLANT_PAIRS], dtype=np.int8)
PLANT_TARGET: Final = np.array([target for _, target in actions.PLANT_PAIRS], dtype=np.int8)
EDGE: Final = board.WITH_LEAVES[1]
EDGE_SPACE: Final = _array(list(board.spaces_in(EDGE)))
EDGE_NUMBER: Final = _numbers_of(list(board.spaces_in(EDGE)))

NEIGHBOURS: Final = _array(board.NEIGHBOURS)
SHADOW_TO_EDGE: Final = _array(board.SHADOW_TO_EDGE)
STRAIGHT_TWO: Final = _array(board.STRAIGHT_TWO)
MOON_LIT: Final = _moon_lit()
NO_ELDER: Final = len(board.SPACES)
RICH: Final = board.WITH_LEAVES[3]
"""The 3-leaf spaces, where animals start (M-SETUP-3)."""
RICH_SPACE: Final = _array(list(board.spaces_in(RICH)))
RICH_NUMBER: Final = _numbers_of(list(board.spaces_in(RICH)))
DAM_SPACES: Final = _array(board.DAMS)
"""`DAM_SPACES[dam]`: the order in which the dam lets grow (M-ANIMAL, Beaver)."""
DAM: Final = _array([board.set_of(dam) for dam in board.DAMS])
SCARED_NUMBER: Final = _array([actions.SCARED.index(a) if a in actions.SCARED else -1 for a in ANIMALS])
SCARED_ANIMAL: Final = _array([ANIMALS.index(animal) for animal in actions.SCARED])
