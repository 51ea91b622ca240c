"""Work that is finished whatever becomes of those who asked for it, and ends that never take for ever."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any, Final, TypeVar

from sunglade.errors import SungladeError
from sunglade.table.problems import ServerProblem
from sunglade.table.trouble import DatabaseTrouble, log_trouble

T = TypeVar("T")
STOP_S: Final = 5.0
"""So long the end of the server waits for each of its parts."""
AGAIN_S: Final = 1.0
"""A task that is told to end and goes on is told again: Python 3.11 loses the word in some places."""

log = logging.getLogger("sunglade.server")


class Work:
    """Tasks that belong to the server: a connection that closes, or a request that is given up, ends none of them."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Any], None] = {}

    def begin(self, doing: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something that nobody waits for."""
        task = asyncio.create_task(doing)
        self._tasks[task] = None
        task.add_done_callback(self._tasks.pop)
        return task

    async def do(self, doing: Coroutine[Any, Any, T]) -> T:
        """Begin something and wait for it; who stops waiting stops nothing."""
        return await awaited(self.begin(doing))

    async def finish(self, limit_s: float) -> None:
        """Wait until everything is done; what takes longer is given up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + limit_s
        while self._tasks and (left := until - loop.time()) > 0:
            await asyncio.wait(self._tasks, timeout=left)
        if self._tasks:
            log.warning("work given up", extra={"count": len(self._tasks)})
            await end(self._tasks, AGAIN_S)


async def awaited(doing: asyncio.Future[T]) -> T:
    """Wait for something that others may wait for, too; who stops waiting stops nothing."""
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        doing.add_done_callback(_nobody_hears)
        raise
    finally:
        del doing  # for the reason given at `until_one_ends`


def _nobody_hears(task: asyncio.Future[Any]) -> None:
    """Whoever asked has gone: a refusal is of no interest to anybody else, anything else that went wrong is."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, DatabaseTrouble):
        log_trouble(error)
    elif error is not None and not isinstance(error, (SungladeError, ServerProblem)):
        log.error("work failed after its asker had gone", exc_info=error)


async def until_one_ends(*doing: Coroutine[Any, Any, None]) -> None:
    """Do several things at a time until one ends; then end the others. What it raised is raised.

    An exception holds the frames it came through, and with them all that they hold: a table, for one. So no frame here
    holds an exception, or a task that does; else only a search for garbage would find them.
    """
    tasks = [asyncio.create_task(work) for work in doing]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        failed = [error for error in (task.exception() for task in tasks if task.done()) if error is not None]
    finally:
        await end(tasks)
        tasks.clear()
    if failed:
        raise failed.pop()


async def end(tasks: Iterable[asyncio.Future[Any]], limit_s: float = STOP_S) -> None:
    """End tasks and wait for them, but no longer than a limit, whatever they do."""
    loop, given = asyncio.get_running_loop(), list(tasks)
    until, alive = loop.time() + limit_s, [task for task in given if not task.done()]
    while alive and (left := until - loop.time()) > 0:
        for task in alive:
            task.cancel()
        await asyncio.wait(alive, timeout=min(AGAIN_S, left))
        alive = [task for task in alive if not task.done()]
    if alive:
        log.warning("tasks did not end", extra={"count": len(alive)})
    for task in given:
        if task.done() and not task.cancelled():
            task.exception()  # whoever needed to know has been told
