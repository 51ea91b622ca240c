"""One server process for one SQLite file: a second one would not hear of the first one's events."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from sunglade.errors import BadRequest


class FileLock:
    """Held until the process ends, however it does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[Any] | None = None

    def acquire(self) -> None:
        """Take the lock, or say who has it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self._path, "a+")  # noqa: SIM115 - held open on purpose
        try:
            _lock(self._file)
        except OSError:
            self._file.close()
            raise BadRequest(
                f"another server uses {self._path.with_suffix('')}; stop it, or choose another --database."
            ) from None

    def release(self) -> None:
        """Let go of it."""
        if self._file is not None:
            self._file.close()


if os.name == "nt":
    import msvcrt

    def _lock(file: IO[Any]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:
    import fcntl

    def _lock(file: IO[Any]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
