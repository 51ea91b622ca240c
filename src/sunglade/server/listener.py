"""Hints from other processes on the same database. They only say that a log is worth reading again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from sunglade.table.table_log import TableLog
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import end

AGAIN_S: Final = 2.0
POLL_S: Final = 5.0
"""A hint can be lost with its connection, so rooms somebody looks at are read again now and then."""

log = logging.getLogger("sunglade.server")


class Listener:
    """Keeps a connection that listens, and a slow look at the logs besides."""

    def __init__(self, database: TableLog, registry: TableRegistry) -> None:
        self._database = database
        self._registry = registry
        self._tasks: list[asyncio.Task[None]] = []
        self._hints: asyncio.Queue[str] = asyncio.Queue(maxsize=10_000)

    async def start(self) -> None:
        """Listen, where there can be other processes."""
        if self._database.shared:
            self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._hear, self._poll)]

    async def stop(self) -> None:
        """Stop listening."""
        await end(self._tasks)

    async def _listen(self) -> None:
        """Listen for ever; begin again when it breaks."""
        while True:
            try:
                await self._database.listen(self._note)
            except Exception as error:  # whatever it is: who does not listen any more would miss everything
                log.warning("cannot listen", extra={"reason": str(error) or type(error).__name__})
            await asyncio.sleep(AGAIN_S)

    def _note(self, text: str) -> None:
        with contextlib.suppress(asyncio.QueueFull):  # the slow look will find it
            self._hints.put_nowait(text)

    async def _hear(self) -> None:
        while True:
            text = await self._hints.get()
            try:
                await self._registry.hear(text)
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("a hint could not be followed")

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            try:
                await self._registry.look_again()
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("logs could not be read again")
