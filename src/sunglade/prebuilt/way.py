"""How the kernel runs in this process: prebuilt if it was built for these sources, else by Numba, else interpreted."""

from __future__ import annotations

import os
from enum import Enum
from importlib.util import find_spec

from sunglade.prebuilt.library import find


class Way(Enum):
    """Ways to run the same functions."""

    PREBUILT = "prebuilt"
    NUMBA = "compiled by Numba"
    INTERPRETED = "interpreted"


def chosen() -> Way:
    """The way that a process begins with; found out without waiting for Numba."""
    if _is_set("NUMBA_DISABLE_JIT"):
        return Way.INTERPRETED
    if not _is_set("NUMBA_BOUNDSCHECK") and find() is not None:
        return Way.PREBUILT
    return Way.NUMBA if find_spec("numba") else Way.INTERPRETED


def interprets_for_want() -> bool:
    """Whether a process interprets only because it has neither a fitting library nor Numba."""
    return chosen() is Way.INTERPRETED and not _is_set("NUMBA_DISABLE_JIT")


def _is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def described() -> str:
    """The way in words, for people."""
    way, library = chosen(), find()
    if way is Way.PREBUILT and library is not None:
        most, *wider = library.machines()
        return f"prebuilt for {most}" + (f" (the network for {wider[-1]})" if wider else "")
    if way is Way.INTERPRETED:
        return "interpreted"
    from importlib.metadata import version

    return f"compiled by Numba {version('numba')}"
