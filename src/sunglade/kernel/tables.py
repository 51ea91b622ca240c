"""Tables of numbers that the rules look up: arrays in compiled code, plain memory where the rules are interpreted."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import numba

INTERPRETED: Final = bool(numba.config.DISABLE_JIT)


class Table(Protocol):
    """Integers, asked with `table[row, column]`, or `table[place]` where there is only one row."""

    def __getitem__(self, at: int | tuple[int, ...], /) -> int: ...

    def __iter__(self) -> Iterator[int]: ...

    def __len__(self) -> int: ...


def table(rows: Sequence[Any], code: str = "q") -> Table:
    """A table of whole numbers as wide as `struct` has them by this code; rows may have rows of their own."""
    return _plain(rows, code) if INTERPRETED else _compiled(rows, code)


def _compiled(rows: Sequence[Any], code: str) -> Table:
    import numpy as np

    from sunglade.kernel.arrays import TYPES

    compiled: Table = np.array(rows, TYPES[code])
    return compiled


def _plain(rows: Sequence[Any], code: str) -> Table:
    shape, numbers = [len(rows)], list(rows)
    while isinstance(numbers[0], Sequence):
        shape.append(len(numbers[0]))
        numbers = [number for row in numbers for number in row]
    plain: Table = memoryview(array(code, numbers)).cast("B").cast(code, shape)  # type: ignore[call-overload]
    return plain
