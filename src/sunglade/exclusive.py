"""One process at a time: a lock file, held while a folder or a database is in use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sunglade.errors import BadRequest

if TYPE_CHECKING:
    from filelock import BaseFileLock


def held(path: Path, taken: str, patience_s: float = 0.0) -> BaseFileLock:
    """A lock, held until it is released or the process ends, however it does; where another keeps it: `taken`."""
    from filelock import FileLock, Timeout  # only here: what only reads results, or trains, needs no lock

    lock = FileLock(path)
    try:
        lock.acquire(timeout=patience_s)
    except Timeout:
        raise BadRequest(taken) from None
    return lock
