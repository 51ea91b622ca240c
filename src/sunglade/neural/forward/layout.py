"""Where the parts of a network's weights lie: for compiled code, and for whoever reads or writes a file of weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sunglade.kernel.fields import Memory, Number, Numbers
from sunglade.neural.forward.products import PANEL

MOST_LAYERS: Final = 64
BLOCK: Final = ("qkv", "out", "wide", "narrow")
QKV, OUT, WIDE, NARROW = range(len(BLOCK))


class Layout(Memory):
    """The size of a network, and where its weights begin in the numbers of its file."""

    width = Number()
    layers = Number()
    heads = Number()
    reach = Number()
    planes = Number()  # what it looks at and answers for, counted from the first
    numbers = Number()
    actions = Number()
    table_first = Number()
    table_first_bias = Number()
    table_second = Number()
    table_second_bias = Number()
    share = Number()
    spaces = Number()
    place = Number()
    block = Numbers(MOST_LAYERS, len(BLOCK))
    block_bias = Numbers(MOST_LAYERS, len(BLOCK))
    on_table = Number()
    on_table_bias = Number()
    on_space = Number()
    on_space_bias = Number()
    seats_first = Number()
    seats_first_bias = Number()
    seats_second = Number()
    seats_second_bias = Number()


def padded(columns: int) -> int:
    """Columns of whole panels."""
    return -(-columns // PANEL) * PANEL


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a network, and how much it has learned to see and to do."""

    width: int
    layers: int
    heads: int
    reach: int
    planes: int
    numbers: int
    actions: int
