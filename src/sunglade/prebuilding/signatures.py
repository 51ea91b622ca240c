"""What a function takes and gives, from its annotations: for Numba, and for the page that goes with a library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import types

from sunglade.kernel.arrays import dtype_of
from sunglade.kernel.fields import Floats, Memory, Records

NUMBERS = {int: types.int64, bool: types.boolean, float: types.float64, type(None): types.none}


@dataclass(frozen=True, slots=True)
class Signature:
    """The annotations of a function."""

    takes: tuple[Any, ...]
    gives: Any

    @property
    def numba_types(self) -> tuple[Any, ...]:
        """The arguments as Numba knows them."""
        return tuple(map(numba_type, self.takes))

    def told(self) -> dict[str, Any]:
        """As `prebuilt.passing.kind_of` reads it."""
        return {"takes": [told(hint) for hint in self.takes], "gives": told(self.gives)}


def signature_of(function: Callable[..., Any]) -> Signature:
    """What a function's annotations say."""
    hints = get_type_hints(function)
    gives = hints.pop("return")
    return Signature(tuple(hints.values()), gives)


def numba_type(hint: Any) -> Any:
    """An annotation as Numba's type."""
    if hint in NUMBERS:
        return NUMBERS[hint]
    if get_origin(hint) is tuple:
        return types.Tuple([numba_type(item) for item in get_args(hint)])
    if isinstance(hint, type) and issubclass(hint, Memory):
        return numba.from_dtype(dtype_of(hint))
    dtype, dimensions = _array(hint)
    return types.Array(numba.from_dtype(dtype), dimensions, "C")


def told(hint: Any) -> Any:
    """An annotation as JSON."""
    if hint in NUMBERS:
        return "none" if hint is type(None) else hint.__name__
    if get_origin(hint) is tuple:
        return [told(item) for item in get_args(hint)]
    if isinstance(hint, type) and issubclass(hint, Memory):
        return f"{hint.__module__}.{hint.__name__}"
    dtype, dimensions = _array(hint)
    return {"array": dtype.str, "dimensions": dimensions}


def _array(hint: Any) -> tuple[np.dtype[Any], int]:
    """What an array holds, and how many dimensions it has."""
    if get_origin(hint) is Records:
        return dtype_of(get_args(hint)[0]), 1
    if hint is Floats:
        return np.dtype(np.float32), 1
    if get_origin(hint) is np.ndarray:
        shape, dtype = get_args(hint)
        return np.dtype(get_args(dtype)[0]), len(get_args(shape))
    raise TypeError(f"an entry takes and gives numbers, records, arrays and tuples of them, not {hint}")
