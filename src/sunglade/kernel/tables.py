"""Tables of numbers that the rules look up: arrays where Numba compiles, plain memory where it does not."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from sunglade.kernel.compiler import way
from sunglade.prebuilt.way import Way


class Table(Protocol):
    """Integers, asked with `table[row, column]`, or `table[place]` where there is only one row."""

    def __getitem__(self, at: int | tuple[int, ...], /) -> int: ...

    def __iter__(self) -> Iterator[int]: ...

    def __len__(self) -> int: ...


def table(rows: Sequence[Any], code: str = "q") -> Table:
    """A table of whole numbers as wide as `struct` has them by this code; rows may have rows of their own."""
    plain = _plain(rows, code)
    return as_array(plain) if way() is Way.NUMBA else plain


def as_array(plain: memoryview) -> Table:
    """The same table as Numba wants it."""
    import numpy as np

    from sunglade.kernel.arrays import TYPES

    array: Table = np.array(plain, TYPES[plain.format])
    return array


def _plain(rows: Sequence[Any], code: str) -> memoryview:
    shape, numbers = [len(rows)], list(rows)
    while isinstance(numbers[0], Sequence):
        shape.append(len(numbers[0]))
        numbers = [number for row in numbers for number in row]
    plain: memoryview = memoryview(array(code, numbers)).cast("B").cast(code, shape)  # type: ignore[call-overload]
    return plain
