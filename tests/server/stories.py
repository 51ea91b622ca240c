"""Stories that are told inside one process: a database of their own, and an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from sunglade.server.database import Database
from sunglade.server.migrations import upgrade

HANG_S = 300
"""Whatever takes longer never ends."""


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, HANG_S))


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await upgrade(database)
    try:
        yield database
    finally:
        await database.close()
