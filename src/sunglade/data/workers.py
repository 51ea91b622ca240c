"""Processes that play games of a set side by side."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import threading
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from sunglade.data.columns import Columns
from sunglade.data.plan import Plan
from sunglade.data.playing import play
from sunglade.errors import BadRequest, SungladeError

_CONTEXT: Final = multiprocessing.get_context("spawn")


def played(plan: Plan, numbers: Iterable[int], jobs: int) -> Iterator[tuple[int, Columns]]:
    """Every game with its number, as they end; in this process where there is one job."""
    if jobs == 1:
        yield from ((number, play(plan, number)) for number in numbers)
        return
    waiting = iter(numbers)
    busy: dict[Connection, tuple[BaseProcess, int]] = {}
    try:
        for number in waiting:
            process, pipe = _started(plan)
            busy[pipe] = process, number
            pipe.send(number)
            if len(busy) == jobs:
                break
        while busy:
            ready = wait(list(busy))
            for pipe in [each for each in busy if each in ready]:
                process, number = busy.pop(pipe)
                yield number, _heard(pipe, number)
                following = next(waiting, None)
                if following is None:
                    pipe.close()  # that ends it
                else:
                    busy[pipe] = process, following
                    pipe.send(following)
    finally:
        for process, _ in busy.values():
            process.terminate()


def _heard(pipe: Connection, number: int) -> Columns:
    """A game that a process has played."""
    try:
        found: Columns | str = pipe.recv()
    except (EOFError, OSError):
        raise BadRequest(f"the process that played game {number} died; the games before are kept.") from None
    if isinstance(found, str):
        raise BadRequest(found)
    return found


def _started(plan: Plan) -> tuple[BaseProcess, Connection]:
    """A new process, and the pipe to it. It does not hear interrupts: who started it ends it."""
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_work, args=(theirs, plan), daemon=True)
    with _without_interrupts():
        process.start()
    theirs.close()
    return process, ours


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that begins meanwhile ignores interrupts from its first moment; only the main thread can say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Connection, plan: Plan) -> None:
    """The life of such a process: play what it is told, until the pipe is closed."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            try:
                pipe.send(play(plan, pipe.recv()))
            except SungladeError as error:
                pipe.send(error.message)
