"""The board and the printed numbers as tables: what the rules look up (R-BOARD, R-SETUP)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sunglade import board
from sunglade.kernel import actions
from sunglade.kernel.tables import Table, table
from sunglade.rules import ANIMALS

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


def _price(prices: tuple[int, ...], occupied: int) -> int:
    """What the cheapest piece of a column costs (R-ACT-2)."""
    cheapest = (occupied & -occupied).bit_length() - 1
    return prices[cheapest] if 0 <= cheapest < len(prices) else UNAFFORDABLE


def _returned(prices: tuple[int, ...], occupied: int, lowest: bool) -> int:
    """The slots of a column once a piece has come back (R-ACT-4)."""
    free = [slot for slot in range(len(prices)) if not occupied >> slot & 1]
    return occupied | 1 << (free[0] if lowest else free[-1]) if free else occupied


def _plant_number(origin: int, target: int) -> int:
    """The action that plants so; −1 where even a large tree cannot."""
    return _PLANT_NUMBERS.get((origin, target), -1)


_PLANT_NUMBERS: Final = {pair: actions.PLANT + number for number, pair in enumerate(actions.PLANT_PAIRS)}


def _numbers_of(spaces: list[int]) -> Table:
    """Place of each space in a list of spaces; −1 for those not in it."""
    return table([spaces.index(space) if space in spaces else -1 for space in board.SPACES])


def _lit(lines: Sequence[Sequence[int]], elder: int) -> int:
    """What the moon's lines light, cut behind the Elder Tree (M-MOON-2, M-ELDER-3)."""
    seen = [line[: line.index(elder) + 1] if elder in line else line for line in lines]
    return board.set_of(space for line in seen for space in line)


LEAVES: Final = table(board.LEAVES)
SHADOW: Final = table(board.SHADOW)
REACH: Final = table(board.REACH)
PRICE: Final = table([[_price(prices, occupied) for occupied in range(16)] for prices in SLOT_PRICES])
"""`PRICE[size, occupied slots]`"""
RETURNED: Final = table(
    [
        [[_returned(prices, occupied, lowest) for occupied in range(16)] for prices in SLOT_PRICES]
        for lowest in (False, True)
    ]
)
"""`RETURNED[lowest, size, occupied slots]`"""
FULL_SLOTS: Final = table([(1 << len(prices)) - 1 for prices in SLOT_PRICES])
_MOST_TOKENS: Final = max(map(len, TOKEN_PILES))
TOKEN_VALUE: Final = table([[*pile, *[0] * (_MOST_TOKENS - len(pile))] for pile in TOKEN_PILES])
PILE_SIZE: Final = table([len(pile) for pile in TOKEN_PILES])
# These three are narrow because a GPU has 64 KiB for all constants; read them through int().
PLANT_NUMBER: Final = table(
    [[_plant_number(origin, target) for target in board.SPACES] for origin in board.SPACES], code="h"
)
PLANT_ORIGIN: Final = table([origin for origin, _ in actions.PLANT_PAIRS], code="b")
PLANT_TARGET: Final = table([target for _, target in actions.PLANT_PAIRS], code="b")
EDGE: Final = board.WITH_LEAVES[1]
EDGE_SPACE: Final = table(list(board.spaces_in(EDGE)))
EDGE_NUMBER: Final = _numbers_of(list(board.spaces_in(EDGE)))

NEIGHBOURS: Final = table(board.NEIGHBOURS)
SHADOW_TO_EDGE: Final = table(board.SHADOW_TO_EDGE)
STRAIGHT_TWO: Final = table(board.STRAIGHT_TWO)
NO_ELDER: Final = len(board.SPACES)
MOON_LIT: Final = table([[_lit(lines, elder) for elder in range(NO_ELDER + 1)] for lines in board.MOON_LINES])
"""`MOON_LIT[place, elder]`; the last column is for a board without an Elder Tree."""
RICH: Final = board.WITH_LEAVES[3]
"""The 3-leaf spaces, where animals start (M-SETUP-3)."""
RICH_SPACE: Final = table(list(board.spaces_in(RICH)))
RICH_NUMBER: Final = _numbers_of(list(board.spaces_in(RICH)))
DAM_SPACES: Final = table(board.DAMS)
"""`DAM_SPACES[dam]`: the order in which the dam lets grow (M-ANIMAL, Beaver)."""
DAM: Final = table([board.set_of(dam) for dam in board.DAMS])
SCARED_NUMBER: Final = table([actions.SCARED.index(a) if a in actions.SCARED else -1 for a in ANIMALS])
SCARED_ANIMAL: Final = table([ANIMALS.index(animal) for animal in actions.SCARED])
