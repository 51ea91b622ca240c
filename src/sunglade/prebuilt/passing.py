"""How Python's values are passed to prebuilt functions, and checked: compiled code believes what it is given.

Numbers are passed as they are, records by their address, arrays by their address and lengths, tuples item by item.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from ctypes import addressof, c_bool, c_char, c_double, c_int64, c_ssize_t, c_void_p, py_object, pythonapi
from importlib import import_module
from typing import Any, ClassVar, Final, cast

IN_PAGE: Final = sys.platform == "emscripten"
"""There, memory that the system gives is written with zeros at once, all of it."""
NUMBERS: Final = {"int": c_int64, "bool": c_bool, "float": c_double, "none": None}
"""Numbers as ctypes knows them, by the names that the page of a library has for them."""


class Addressed:
    """What has its bytes in one place for as long as it lives."""

    data: bytearray | memoryview[int]
    size: ClassVar[int]
    _address: c_void_p | None = None

    @classmethod
    def from_param(cls, value: Any) -> c_void_p:
        """What ctypes passes for an argument of this class: the address of one, or of a NumPy record of that size."""
        if type(value) is not cls:
            (known,) = Array(f"|V{cls.size}", 0).spread(value)
        else:
            known = value._address
            if known is None:
                known = value._address = c_void_p(addressof(c_char.from_buffer(value.data)))
        return cast("c_void_p", known)


def unwritten_bytes(size: int) -> bytearray:
    """Bytes with anything in them: in a page, what is never written costs nothing."""
    make = pythonapi.PyByteArray_FromStringAndSize
    make.restype, make.argtypes = py_object, [c_void_p, c_ssize_t]
    made: bytearray = make(None, size)
    return made


class Array:
    """A NumPy array of numbers or records, one after another without gaps."""

    def __init__(self, typestr: str, dimensions: int) -> None:
        self._typestr, self._dimensions = typestr, dimensions
        self.passed = [c_void_p, *[c_int64] * dimensions]

    def spread(self, array: Any) -> Iterator[Any]:
        """Its address and its lengths."""
        told = getattr(array, "__array_interface__", None)
        if told is None:
            raise TypeError(f"a compiled function wants {self}, not {type(array).__name__}")
        found = Array(told["typestr"], len(told["shape"]))
        if str(found) != str(self) or told["strides"] is not None:
            raise TypeError(f"a compiled function wants {self}, not {found}{' with gaps' if told['strides'] else ''}")
        yield c_void_p(told["data"][0])
        yield from told["shape"]

    def __str__(self) -> str:
        return f"an array of {self._typestr} with {self._dimensions} dimensions"


class Several:
    """A tuple, or all arguments of a function. Numbers and records are passed on as they are: ctypes checks them."""

    def __init__(self, told: Sequence[Any]) -> None:
        kinds = [kind_of(each) for each in told]
        self.passed: list[Any] = [part for kind in kinds for part in getattr(kind, "passed", [kind])]
        self.are_single = not any(isinstance(kind, (Array, Several)) for kind in kinds)
        """Whether all items are numbers and records."""
        self._spread = [kind.spread if isinstance(kind, (Array, Several)) else None for kind in kinds]

    def spread(self, values: Sequence[Any]) -> Sequence[Any]:
        """All that its items become."""
        if self.are_single and len(values) == len(self.passed):
            return values
        parts: list[Any] = []
        for spread, value in zip(self._spread, values, strict=True):
            if spread is None:
                parts.append(value)
            else:
                parts += spread(value)
        return parts


def kind_of(told: Any) -> Any:
    """A kind of argument as the page of a library tells it."""
    if isinstance(told, list):
        return Several(told)
    if isinstance(told, dict):
        return Array(told["array"], told["dimensions"])
    if told in NUMBERS:
        return NUMBERS[told]
    module, _, name = told.rpartition(".")
    return getattr(import_module(module), name)
