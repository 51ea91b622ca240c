"""The parts of a network's weights as they are played with: what they are called, their shapes, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from math import prod
from typing import Final

from sunglade.kernel.actions import SPACE_COUNT
from sunglade.kernel.fields import Memory, Number, Numbers
from sunglade.neural.forward.products import PANEL
from sunglade.neural.heads import SPACE_COLUMNS, TABLE_COLUMNS

MOST_LAYERS: Final = 64
BLOCK: Final = ("qkv", "out", "wide", "narrow")
QKV, OUT, WIDE, NARROW = range(len(BLOCK))
SEAT_COLUMNS: Final = 12
"""Of each of four seats the logit of winning, that of the margin's value, and the points at the end."""
OWNER_COLUMNS: Final = 5
"""Behind the columns of a space's actions: nobody has a piece there at the end; whoever is to act; the seats after."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a network, and how many planes, numbers of the table and actions it knows, counted from the first."""

    width: int
    layers: int
    heads: int
    reach: int
    planes: int
    table: int
    actions: int

    def __post_init__(self) -> None:
        whole = all(number > 0 for number in astuple(self)) and self.layers <= MOST_LAYERS
        if not whole or self.width % PANEL or self.width % self.heads:
            raise ValueError(
                f"a network is a multiple of {PANEL} and of its heads wide, with 1 to {MOST_LAYERS} layers"
            )


class Layout(Memory):
    """The size of a network, and where its parts begin, for compiled code."""

    width = Number()
    layers = Number()
    heads = Number()
    reach = Number()
    planes = Number()
    table = Number()
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


def panels(depth: int, columns: int) -> tuple[int, int, int]:
    """The shape of a matrix that `products.product` takes: panels of so many columns, row after row."""
    return padded(columns) // PANEL, depth, PANEL


def parts(size: Size) -> dict[str, tuple[int, ...]]:
    """Every part of the weights by its name, with its shape, in the order of the file."""
    d = size.width
    found: dict[str, tuple[int, ...]] = {
        "table_first": (size.table, 2 * d),
        "table_first_bias": (2 * d,),
        "table_second": panels(2 * d, d),
        "table_second_bias": (d,),
        "share": panels(d, d),
        "spaces": (size.planes, d),
        "place": (SPACE_COUNT, d),
    }
    for layer in range(size.layers):
        found |= {
            f"block.{layer}.qkv": panels(d, 3 * d),
            f"block_bias.{layer}.qkv": (3 * d,),
            f"block.{layer}.out": panels(d, d),
            f"block_bias.{layer}.out": (d,),
            f"block.{layer}.wide": panels(d, 3 * d),
            f"block_bias.{layer}.wide": (3 * d,),
            f"block.{layer}.narrow": (3, *panels(d, d)),
            f"block_bias.{layer}.narrow": (d,),
        }
    on_space = PANEL + 2 * padded(size.reach)
    return found | {
        "on_table": panels(d, TABLE_COLUMNS),
        "on_table_bias": (padded(TABLE_COLUMNS),),
        "on_space": panels(d, on_space),
        "on_space_bias": (on_space,),
        "seats_first": panels(2 * d, 2 * d),
        "seats_first_bias": (2 * d,),
        "seats_second": panels(2 * d, SEAT_COLUMNS),
        "seats_second_bias": (padded(SEAT_COLUMNS),),
    }


assert SPACE_COLUMNS + OWNER_COLUMNS <= PANEL, "what is asked of a space, but planting, is one panel"


def places(size: Size) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """Name, shape and first number of every part: they lie one behind the other."""
    at = 0
    for name, shape in parts(size).items():
        yield name, shape, at
        at += prod(shape)


def layout_of(size: Size) -> Layout:
    """The same for compiled code."""
    layout = Layout()
    for name in ("width", "layers", "heads", "reach", "planes", "table", "actions"):
        setattr(layout, name, getattr(size, name))
    for name, _, at in places(size):
        field, _, inside = name.partition(".")
        if inside:
            layer, _, kind = inside.partition(".")
            getattr(layout, field)[int(layer), BLOCK.index(kind)] = at
        else:
            setattr(layout, field, at)
    return layout
