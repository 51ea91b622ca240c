"""Many tables, one transaction: events that arrive while the disk is busy are committed together."""

from __future__ import annotations

import asyncio
from typing import Final

from sunglade.table.table_log import Append, TableLog

MOST_TOGETHER: Final = 200


class Committer:
    """Takes events and says, once the database has them for good, whether they were added."""

    def __init__(self, database: TableLog) -> None:
        self.asked = 0
        """How many events were ever asked for."""
        self._database = database
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._work: asyncio.Task[None] | None = None

    async def append(self, wanted: Append) -> bool:
        """Add an event; False when its place in the log, or its command, is taken."""
        self.asked += 1
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, done))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._commit())
        return await asyncio.shield(done)

    async def _commit(self) -> None:
        """Commit until nothing waits."""
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            try:
                added = await self._database.append([wanted for wanted, _ in batch])
            except Exception as error:
                for _, done in batch:
                    done.set_exception(error)
                continue
            for (_, done), is_in in zip(batch, added, strict=True):
                done.set_result(is_in)

    async def finish(self, limit_s: float) -> None:
        """Wait for what is under way, but no longer than a limit."""
        if self._work is not None:
            await asyncio.wait([self._work], timeout=limit_s)
