"""A live connection for all tables of somebody: how they stand, and again how each stands where something happened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Protocol

from sunglade.table.house import House
from sunglade.table.requests import MyTables
from sunglade.table.table_log import Holder
from sunglade.table.work import until_one_ends

BREATH_S: Final = 0.5
"""The least time between two messages: bots play fast."""
AGAIN_S: Final = 60.0
"""A hint of another process can be lost; whoever looks at many tables hears of it by then."""


class Line(Protocol):
    """The connection, as `Live` has it."""

    async def send(self, told: bytes) -> None:
        """Hand a message over."""

    async def hear_pings(self) -> None:
        """Answer pings until the connection ends."""


class Inbox:
    """What one connection looks at."""

    def __init__(self, line: Line, house: House, asked: MyTables, write: Callable[[Any], bytes]) -> None:
        self._line = line
        self._house = house
        self._write = write
        self._tokens = asked.tokens
        self._changed: set[str] = set()
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Tell how all stand, then what changes."""
        found = await self._house.holders(self._tokens)
        names = {holder.table_id for holder in found if holder is not None}
        with self._house.registry.bell.watch(names, self._ring):
            await self._send(list(enumerate(found)))
            await until_one_ends(self._line.hear_pings(), self._tell(found))

    def _ring(self, name: str) -> None:
        self._changed.add(name)
        self._news.set()

    async def _tell(self, found: list[Holder | None]) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    await self._news.wait()
            self._news.clear()
            changed, self._changed = self._changed, set()
            if not changed:
                changed = {holder.table_id for holder in found if holder is not None}
            await self._send([(at, who) for at, who in enumerate(found) if who is not None and who.table_id in changed])
            await asyncio.sleep(BREATH_S)

    async def _send(self, some: list[tuple[int, Holder | None]]) -> None:
        tables = [{"at": at, **await self._house.summary(who)} for at, who in some]
        await self._line.send(self._write({"type": "mine", "tables": tables}))
