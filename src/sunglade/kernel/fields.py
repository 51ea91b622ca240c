"""Typed fields over plain memory: what Python reads as integers, and compiled code as a record, without any copying.

A class names its fields in order, and where they lie follows. mypy knows their types; compiled functions take the
objects themselves; NumPy, where somebody asks for an array, gets its description from the same names (`arrays`).
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar, overload

from sunglade.prebuilt.passing import IN_PAGE, Addressed, unwritten_bytes

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

WIDTHS: Final = {"q": 8, "i": 4, "h": 2, "H": 2, "b": 1, "B": 1, "d": 8, "f": 4}
"""Bytes of a number, by its code in `struct`."""
LARGE: Final = 1 << 20
"""Memories of more bytes than these are had from the system, which gives only what is written."""


class Field:
    """Something at one place of the memory."""

    offset: int
    size: int
    beside: Field | None = None
    """The field that lies at the same place, where there is one."""

    def __set_name__(self, owner: type[Memory], name: str) -> None:
        if name in ("data", "words") or hasattr(Memory, name):
            raise TypeError(f"a memory has something of its own called {name}; a field needs another name")
        self.name = name

    def bytes_of(self, memory: Memory) -> memoryview[int]:
        """The bytes at this place, to read and to write."""
        return memoryview(memory.data)[self.offset : self.offset + self.size]


class NumberField(Field):
    """Numbers of one width."""

    def __init__(self, *shape: int, code: str) -> None:
        self.code, self.shape = code, shape
        self.size = prod(shape) * WIDTHS[code]

    def view(self, memory: Memory) -> Any:
        """The numbers themselves, kept where Python looks first: the next question for a row does not come here."""
        mine = self.bytes_of(memory)
        memory.__dict__[self.name] = numbers = mine.cast(self.code, self.shape or (1,))  # type: ignore[call-overload]
        return numbers


class Number(NumberField):
    """One 64-bit integer."""

    def __init__(self) -> None:
        super().__init__(code="q")

    def __get__(self, memory: Memory, owner: type[Memory]) -> int:
        return memory.words[self.offset >> 3]

    def __set__(self, memory: Memory, value: int) -> None:
        memory.words[self.offset >> 3] = value


class Numbers(NumberField):
    """A row of integers, or a table of them that is asked with `[row, column]`."""

    def __init__(self, *shape: int, code: Literal["q", "i", "h", "H", "b", "B"] = "q") -> None:
        super().__init__(*shape, code=code)

    def __get__(self, memory: Memory, owner: type[Memory]) -> memoryview[int]:
        numbers: memoryview[int] = self.view(memory)
        return numbers


class Real(NumberField):
    """One floating-point number."""

    def __init__(self) -> None:
        super().__init__(code="d")

    def __get__(self, memory: Memory, owner: type[Memory]) -> float:
        number: float = self.view(memory)[0]
        return number

    def __set__(self, memory: Memory, value: float) -> None:
        self.view(memory)[0] = value


class Reals(NumberField):
    """A row or a table of floating-point numbers."""

    def __init__(self, *shape: int, code: Literal["d", "f"] = "d") -> None:
        super().__init__(*shape, code=code)

    def __get__(self, memory: Memory, owner: type[Memory]) -> memoryview[float]:
        numbers: memoryview[float] = self.view(memory)
        return numbers


class Words(Numbers):
    """Another field as 64-bit integers: the same memory."""

    def __init__(self, beside: Field) -> None:
        super().__init__(beside.size // WIDTHS["q"])
        self.beside = beside


class _NumbaType:
    """What Numba takes such an object for: a record of these fields. Found out when it first asks."""

    def __get__(self, memory: Memory | None, owner: type[Memory]) -> Any:
        from sunglade.kernel.arrays import numba_type

        owner._numba_type_ = found = numba_type(owner)
        return found


class Memory(Addressed):
    """Fields over bytes of their own. Copying and comparing are copying and comparing bytes."""

    fields: ClassVar[tuple[Field, ...]]
    size: ClassVar[int] = 0
    begins_empty: ClassVar[bool] = True
    """Whether all its numbers are 0 at first; who writes each before reading it may say no."""
    _numba_type_: Any = _NumbaType()

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(field for field in vars(cls).values() if isinstance(field, Field))
        for field in cls.fields:
            if field.beside is not None:
                field.offset = field.beside.offset
            else:
                field.offset = cls.size
                cls.size += field.size

    def __init__(self, content: bytes | bytearray | memoryview[int] | None = None) -> None:
        if content is None and self.size > LARGE:
            self._lie_in(_unwritten(self.size) if self.begins_empty or not IN_PAGE else unwritten_bytes(self.size))
        else:
            self._lie_in(bytearray(self.size if content is None else content))

    def _lie_in(self, data: bytearray | memoryview[int]) -> None:
        if len(data) != self.size:
            raise ValueError(f"a {type(self).__name__} has {self.size} bytes, not {len(data)}")
        self.data = data
        """The bytes. Numba finds them by this name."""
        self.words: memoryview[int] = memoryview(data).cast("q")

    @classmethod
    def inside(cls, data: memoryview[int]) -> Self:
        """Fields over a part of another memory."""
        part = cls.__new__(cls)
        part._lie_in(data)
        return part

    @classmethod
    def of(cls, other: Self | np.record) -> Self:
        """The same object, or what a NumPy record holds, copied."""
        return other if isinstance(other, cls) else cls(bytes(other))

    def copy(self) -> Self:
        """The same numbers in memory of their own."""
        return type(self)(self.data)

    def numbers(self, name: str) -> list[int]:
        """All numbers of a field of 64-bit integers, row by row."""
        return self.words[self._words_of(name)].tolist()

    def write(self, name: str, numbers: Sequence[int]) -> None:
        """Set all numbers of such a field."""
        self.words[self._words_of(name)] = array("q", numbers)

    def _words_of(self, name: str) -> slice:
        field = next(field for field in self.fields if field.name == name)
        return slice(field.offset >> 3, (field.offset + field.size) >> 3)

    def array(self) -> NDArray[np.void]:
        """A NumPy array of one record: the same memory."""
        import numpy as np

        from sunglade.kernel.arrays import dtype_of

        return np.frombuffer(self.data, dtype_of(type(self)))

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __eq__(self, other: object) -> bool:
        return self.data == other.data if isinstance(other, Memory) else NotImplemented

    def __reduce__(self) -> tuple[type[Self], tuple[bytes]]:
        return type(self), (bytes(self),)


Kind = TypeVar("Kind", bound=Memory)


class Part(Field, Generic[Kind]):
    """A memory inside another one. Setting it copies the bytes."""

    def __init__(self, kind: type[Kind]) -> None:
        self.kind, self.size = kind, kind.size

    def __get__(self, memory: Memory, owner: type[Memory]) -> Kind:
        if self.name not in memory.__dict__:
            memory.__dict__[self.name] = self.kind.inside(self.bytes_of(memory))
        part: Kind = memory.__dict__[self.name]
        return part

    def __set__(self, memory: Memory, other: Kind) -> None:
        self.bytes_of(memory)[:] = other.data


class Parts(Field, Generic[Kind]):
    """Several memories of one kind inside another one."""

    def __init__(self, kind: type[Kind], count: int) -> None:
        self.kind, self.count = kind, count
        self.size = count * kind.size

    def __get__(self, memory: Memory, owner: type[Memory]) -> Row[Kind]:
        memory.__dict__[self.name] = row = Row(self.kind, self.bytes_of(memory))
        return row


class Row(Generic[Kind]):
    """Memories one after another. Setting one copies the bytes."""

    def __init__(self, kind: type[Kind], data: memoryview[int]) -> None:
        self._kind, self._data = kind, data

    def _place(self, at: int) -> memoryview[int]:
        if not 0 <= at < len(self):
            raise IndexError(f"there are {len(self)}, counted from 0: none is at {at}")
        return self._data[at * self._kind.size : (at + 1) * self._kind.size]

    def __getitem__(self, at: int) -> Kind:
        return self._kind.inside(self._place(at))

    def __setitem__(self, at: int, other: Kind) -> None:
        self._place(at)[:] = other.data

    def __iter__(self) -> Iterator[Kind]:
        return map(self.__getitem__, range(len(self)))

    def __len__(self) -> int:
        return len(self._data) // self._kind.size


def _unwritten(size: int) -> memoryview[int]:
    """Zeros that cost nothing until they are written; a process that forks keeps its own."""
    private = {"flags": mmap.MAP_PRIVATE} if hasattr(mmap, "MAP_PRIVATE") else {}
    memory = mmap.mmap(-1, size, **private)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system without large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)


class Records(Protocol[Kind]):
    """An array of such memories, one after another: NumPy's, of their description there."""

    def __getitem__(self, at: int, /) -> Kind: ...

    def __setitem__(self, at: int, record: Kind, /) -> None: ...

    def __len__(self) -> int: ...


class Floats(Protocol):
    """An array of float32 numbers, one after another: whatever tells NumPy's array interface."""

    @overload
    def __getitem__(self, at: int, /) -> float: ...

    @overload
    def __getitem__(self, at: slice, /) -> Any: ...

    def __setitem__(self, at: int | slice, number: Any, /) -> None: ...

    def __len__(self) -> int: ...
