"""Finding the prebuilt library for these sources and this processor, and the functions in it."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from contextlib import suppress
from ctypes import CDLL, c_int64
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from sunglade.prebuilt.passing import NUMBERS, Several
from sunglade.prebuilt.sources import LIBRARY_ROOMS, content_hash, fingerprint

FOLDER: Final = Path(__file__).parent
SUFFIXES: Final = {"win32": ".dll", "darwin": ".dylib", "emscripten": ".wasm"}
SUFFIX: Final = SUFFIXES.get(sys.platform, ".so")
ABILITIES: Final = {
    "x86-64-v2": ("cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"),
}
"""What a processor of a kind can do, as Linux calls it, the most able kind first; v2 is all since about 2009."""


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
        return ["x86-64-v2"]
    return [kind for kind, wanted in ABILITIES.items() if set(wanted) <= set(flags)]


@cache
def find() -> Library | None:
    """The library for exactly these sources; `SUNGLADE_PREBUILT` names another folder, an empty one means none."""
    folder = os.environ.get("SUNGLADE_PREBUILT", str(FOLDER))
    pages = [Path(folder, f"{machine(processor)}.json") for processor in processors()] if folder else []
    for page in filter(Path.is_file, pages):
        # Not for this system after all, half written or damaged: Numba will do.
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            told, file = json.loads(page.read_bytes()), page.with_suffix(SUFFIX)
            if told["sources"] == fingerprint(LIBRARY_ROOMS) and told["library"] == content_hash(file):
                return Library(page.stem, told["functions"], file)
    return None


class Library:
    """Compiled functions by the names of the Python functions that they were made from."""

    def __init__(self, machine: str, functions: dict[str, Any], file: Path) -> None:
        self.machine = machine
        self._functions = functions
        self._code = CDLL(str(file))
        for told in functions.values():
            self._code[told["symbol"]]  # it is there, or this is not the library

    def holds(self, name: str) -> bool:
        """Whether there is such a function."""
        return name in self._functions

    def function(self, name: str) -> Callable[..., Any]:
        """The function for Python to call; others run meanwhile."""
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
