"""Finding the prebuilt library for these sources and this processor, and the functions in it."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from ctypes import CDLL, c_int64
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, cast

from sunglade.prebuilt.passing import NUMBERS, Several
from sunglade.prebuilt.sources import LIBRARY_ROOMS, content_hash, fingerprint

FOLDER: Final = Path(__file__).parent
SUFFIXES: Final = {"win32": ".dll", "darwin": ".dylib", "emscripten": ".wasm"}
SUFFIX: Final = SUFFIXES.get(sys.platform, ".so")
ABILITIES: Final = {
    "x86-64-v4": ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "avx2", "bmi2", "fma", "movbe"),
    "x86-64-v3": ("abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"),
    "x86-64-v2": ("cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"),
}
"""What a processor of a kind can do, as Linux calls it, the most able kind first; v2 is all since about 2009."""
LOADED_WHEN_CALLED: Final = sys.platform == "emscripten"
"""In a page, where a memory image of the imported rooms is kept: code that was loaded could be no part of it."""
LEAST: Final = "x86-64-v2"
"""The kind that the others rest on: their libraries hold what is worth it."""


def machine(processor: str) -> str:
    """What the files for a kind of processor under this system are called by."""
    return f"{sys.platform}-{processor}"


def processors() -> list[str]:
    """The kinds of processor this one is, the most able first."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return [platform.machine()]
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("\nflags")[2].partition("\n")[0].split()
    except OSError:
        return [LEAST]
    return [kind for kind, wanted in ABILITIES.items() if set(wanted) <= set(flags)]


@cache
def find() -> Library | None:
    """The library for exactly these sources; `SUNGLADE_PREBUILT` names another folder, an empty one means none."""
    folder = os.environ.get("SUNGLADE_PREBUILT", str(FOLDER))
    kinds = processors() if folder else []
    library = None
    for processor in reversed(kinds):  # the least able first: without that one there are only parts
        found = _library(Path(folder, f"{machine(processor)}.json"), library)
        if found is None and library is None:
            return None
        library = found or library
    return library


def _library(page: Path, other: Library | None) -> Library | None:
    """The library that a page tells of, if that is for exactly these sources; what it lacks is in the other one."""
    if not page.is_file():
        return None
    # Not for this system after all, half written or damaged: Numba will do.
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        told, file = json.loads(page.read_bytes()), page.with_suffix(SUFFIX)
        if told["sources"] == fingerprint(LIBRARY_ROOMS) and told["library"] == content_hash(file):
            return Library(page.stem, told["functions"], file, other)
    return None


class Library:
    """Compiled functions by the names of the Python functions that they were made from."""

    def __init__(self, machine: str, functions: dict[str, Any], file: Path, other: Library | None = None) -> None:
        self.machine = machine
        self._functions = functions
        self._file = file
        self._other = other
        if not LOADED_WHEN_CALLED:
            self._code  # noqa: B018 - it can be loaded, or this is not the library

    @cached_property
    def _code(self) -> CDLL:
        code = CDLL(str(self._file))
        for told in self._functions.values():
            code[told["symbol"]]  # it is there, or this is not the library
        return code

    def holds(self, name: str) -> bool:
        """Whether there is such a function."""
        return name in self._functions or (self._other is not None and self._other.holds(name))

    def machines(self) -> list[str]:
        """What it was made for: most of it, then the few functions for which a more able kind is worth it."""
        if self._other is None or self._functions.keys() >= self._other._functions.keys():
            return [self.machine]
        return [*self._other.machines(), self.machine]

    def function(self, name: str) -> Callable[..., Any]:
        """The function for Python to call; others run meanwhile."""
        if name not in self._functions and self._other is not None:
            return self._other.function(name)
        told = self._functions[name]
        native = self._code[told["symbol"]]
        takes = Several(told["takes"])
        if isinstance(told["gives"], list):
            return _giving_several(native, takes, len(told["gives"]))
        native.restype, native.argtypes = NUMBERS[told["gives"]], takes.passed
        if takes.are_single:
            return cast("Callable[..., Any]", native)
        return lambda *arguments: native(*takes.spread(arguments))


def _giving_several(native: Any, takes: Several, count: int) -> Callable[..., tuple[int, ...]]:
    """A function that writes what it gives where its first argument says."""
    room_type = c_int64 * count
    native.restype, native.argtypes = None, [room_type, *takes.passed]

    def call(*arguments: Any) -> tuple[int, ...]:
        room = room_type()
        native(room, *(arguments if takes.are_single else takes.spread(arguments)))
        return tuple(room)

    return call
