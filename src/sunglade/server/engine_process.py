"""An engine: a process that answers lines (docs/protocol.md, `sunglade engine`), several questions at a time.

Threads do everything that can wait for the process, so nothing that happens to it holds the server up. An engine ends
by itself when its input is closed, so none survives a server that was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Final

COMMAND: Final = (sys.executable, "-m", "sunglade", "engine")
MOST_LINE: Final = 16 * 1024 * 1024
BURY_S: Final = 5.0
"""So long the end of a process is waited for."""
PROCESS_CLOCK: Final = 2
"""Linux: the processor time of a process is a clock, known by the process' number and this."""

Request = dict[str, Any]
Answer = dict[str, Any]


class EngineDied(Exception):
    """An engine that does not answer any more."""


class EngineProcess:
    """A process that answers lines. Of its awaits none is without a limit."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.heard = 0
        """Lines that have come from it: as long as there are more, it lives."""
        self._command = command
        self._loop = asyncio.get_running_loop()
        self._gone: asyncio.Future[str] = self._loop.create_future()
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = False

    def start(self) -> None:
        """Start the process. If that fails, the first question tells."""
        threading.Thread(target=self._read, name="sunglade-engine", daemon=True).start()

    async def ask(self, request: Request, limit_s: float) -> Answer:
        """Send a question and wait for its answer."""
        if self._gone.done():
            raise EngineDied(self._gone.result())
        number = next(self._numbers)
        answer: asyncio.Future[Answer] = self._loop.create_future()
        self._waiting[number] = answer
        self._send({"id": number, **request})
        try:
            with contextlib.suppress(TimeoutError):  # which holds the task that asks: no other exception may hold it
                async with asyncio.timeout(limit_s):
                    return await answer
        finally:
            self._waiting.pop(number, None)
        raise EngineDied("took too long")

    def worked(self) -> float | None:
        """Processor time it has used, in seconds; None where that cannot be known."""
        process = self._process
        if process is None or not sys.platform.startswith("linux"):
            return None
        with contextlib.suppress(OSError):
            return time.clock_gettime((~process.pid << 3) | PROCESS_CLOCK)
        return None

    def call(self) -> None:
        """Let it give a sign of life, which `heard` counts. It does while it thinks, too."""
        self._send({"id": None, "cmd": "version"})

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._ending = True
        self._lines.put(None)
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    @property
    def gone(self) -> bool:
        """Whether nothing more will come from it."""
        return self._gone.done()

    async def wait_until_gone(self, limit_s: float = BURY_S) -> bool:
        """Wait until nothing more will come from it; whether that is so."""
        await asyncio.wait([self._gone], timeout=limit_s)
        return self.gone

    def _send(self, request: Request) -> None:
        self._lines.put(json.dumps(request, separators=(",", ":")).encode() + b"\n")

    # On the loop

    def _take(self, answer: Answer) -> None:
        self.heard += 1
        waiting = self._waiting.get(answer.get("id", -1))
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def _tell_end(self, reason: str) -> None:
        self._gone.set_result(reason)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(EngineDied(reason))

    # In threads

    def _read(self) -> None:
        """Start the process, hand on what it says, and bury it."""
        reason = "broke down"
        try:
            process = self._started()
            threading.Thread(target=self._write, args=[process], name="sunglade-engine-input", daemon=True).start()
            assert process.stdout is not None
            with process.stdout:
                while line := process.stdout.readline(MOST_LINE):
                    self._later(self._take, _answer(line))
        except ValueError as error:
            reason = f"spoke nonsense ({error})"
        except Exception as error:
            reason = f"could not be started ({error})"
        self.kill()
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(BURY_S)
        self._later(self._tell_end, reason)

    def _started(self) -> subprocess.Popen[bytes]:
        """The process; it inherits nothing but its three streams."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt at the keyboard is for the server, which then ends it
        )
        if self._ending:  # before there was anything to kill
            self._process.kill()
        return self._process

    def _write(self, process: subprocess.Popen[bytes]) -> None:
        """Hand it the questions. One that reads nothing holds up this thread only, until it is killed."""
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            while (line := self._lines.get()) is not None:
                process.stdin.write(line)
                process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()

    def _later(self, what: Callable[..., None], *given: Any) -> None:
        """On the loop, unless that has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *given)


def _answer(line: bytes) -> Answer:
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError("not an object")
    return answer
