"""Whether the server can keep what people do: it tries, for all who ask within a second together."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from sunglade.table.table_log import TableLog
from sunglade.table.trouble import DatabaseTrouble
from sunglade.table.work import awaited

GOOD_FOR_S: Final = 1.0
PATIENCE_S: Final = 5.0

log = logging.getLogger("sunglade.server")


class Health:
    """Writes to the database, now and then."""

    def __init__(self, database: TableLog) -> None:
        self._database = database
        self._trying: asyncio.Task[str | None] | None = None
        self._tried = -GOOD_FOR_S

    async def reason(self) -> str | None:
        """Why nothing can be kept; None when all is well."""
        if self._trying is None or (self._trying.done() and time.monotonic() - self._tried > GOOD_FOR_S):
            self._trying = asyncio.create_task(self._try())
        return await awaited(self._trying)

    async def _try(self) -> str | None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._database.check()
        except (DatabaseTrouble, TimeoutError) as error:
            log.warning("database cannot be written", extra={"reason": str(error) or "no answer"})
            return "the database cannot be written."
        finally:
            self._tried = time.monotonic()
        return None
