"""Threads that help a thinker and stay from one thought to the next."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

MAX_THREADS: Final = 1 if sys.platform == "emscripten" else 64
"""A page in a browser has no others than its own."""

Result = TypeVar("Result")


class Helpers:
    """Begin with the first work and end with their thinker. A copy, or a forked process, gets its own."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def submit(self, work: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Let a helper do something; its result is to be asked for."""
        if self._pool is None or self._process != os.getpid():  # threads are left behind when a process forks
            self._pool, self._process = ThreadPoolExecutor(self._threads), os.getpid()
        return self._pool.submit(work, *arguments)

    def __getstate__(self) -> dict[str, object]:
        """Threads cannot be copied."""
        return {"_threads": self._threads, "_pool": None, "_process": 0}
