"""Records as NumPy and Numba know them, for arrays of many: the same fields, names and places."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sunglade.kernel.fields import Field, Memory, NumberField, Part, Parts
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.record import Record

TYPES: Final = {
    "q": np.int64, "i": np.int32, "h": np.int16, "H": np.uint16, "b": np.int8, "B": np.uint8,
    "d": np.float64, "f": np.float32,
}  # fmt: skip
"""Numbers by their code in `struct`."""
_MADE: Final[dict[type[Memory], np.dtype[np.void]]] = {}


def dtype_of(kind: type[Memory]) -> np.dtype[np.void]:
    """NumPy's description of such a memory."""
    if kind not in _MADE:
        fields = {
            "names": [field.name for field in kind.fields],
            "formats": [_format(field) for field in kind.fields],
            "offsets": [field.offset for field in kind.fields],
            "itemsize": kind.size,
        }
        _MADE[kind] = np.dtype((np.record, np.dtype(fields)))  # type: ignore[call-overload]
    return _MADE[kind]


def _format(field: Field) -> Any:
    """What NumPy has at the place of a field."""
    if isinstance(field, NumberField):
        return TYPES[field.code], field.shape
    if isinstance(field, Parts):
        return dtype_of(field.kind), (field.count,)
    assert isinstance(field, Part)
    return dtype_of(field.kind)


def numba_type(kind: type[Memory]) -> Any:
    """Numba's description: what it makes of NumPy's."""
    import numba

    return numba.from_dtype(dtype_of(kind))


STATE: Final = dtype_of(Record)
LEGAL_LIST: Final = dtype_of(LegalList)
