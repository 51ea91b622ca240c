"""Memory for float32 numbers that compiled code is quick with."""

from __future__ import annotations

from ctypes import addressof, c_char
from typing import Any, Final

from sunglade.kernel.compiler import way
from sunglade.kernel.fields import Floats
from sunglade.prebuilt.way import Way

FLOAT_BYTES: Final = 4
LINE: Final = 64
"""Bytes that a processor reads at once: memory begins with a line, so that no vector lies in two."""


class AlignedFloats:
    """Numbers, all 0 or with the bytes given, the lowest byte of each first."""

    def __init__(self, count: int, content: memoryview[int] | None = None) -> None:
        self._memory = bytearray(FLOAT_BYTES * count + LINE)
        address = addressof(c_char.from_buffer(self._memory))
        first = -address % LINE
        if content is not None:
            self._memory[first : first + FLOAT_BYTES * count] = content
        self.__array_interface__: Final[dict[str, Any]] = {
            "version": 3,
            "typestr": "<f4",
            "shape": (count,),
            "strides": None,
            "data": (address + first, False),
        }

    def floats(self) -> Floats:
        """The numbers as compiled functions take them in this process: Numba wants NumPy's array."""
        if way() is Way.PREBUILT:
            prebuilt: Any = self
            return prebuilt  # type: ignore[no-any-return]
        import numpy as np

        array: Floats = np.asarray(self)
        return array
