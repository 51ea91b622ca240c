"""The past of tables: replayed from the log a little at a time, told from what was kept, by pages.

A log may have thousands of events. Whatever has to do with all of them takes turns with the rest of the server, and
with others who ask for the same: a few events, then everybody else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Iterable
from typing import Final, TypeVar

from sunglade.errors import SungladeError
from sunglade.table.agreement import RULES_VERSION, Agreement
from sunglade.table.json_text import JsonWriter, plain_json
from sunglade.table.problems import no_such_table, unreadable_table
from sunglade.table.room import MOST_TOLD, NEWS_KEPT, Room, encoded_events
from sunglade.table.table import Event, Table
from sunglade.table.table_log import TableLog
from sunglade.table.work import awaited

AT_ONCE: Final = 16
"""Events that are replayed before others have their turn: two or three milliseconds."""
PAGE: Final = 250
"""Events read from the log at a time."""
MISREAD: Final = (LookupError, TypeError, ValueError, AttributeError)
"""What comes of data that is not as this version writes it."""

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work in small steps, and what comes of it."""
News = tuple[int, bytes]
"""An event's number, and what was told of it."""

log = logging.getLogger("sunglade.server")


class Archive:
    """Reads logs, one reader at a time: all of them together never take more than a part of the server's time."""

    def __init__(self, database: TableLog, write: JsonWriter = plain_json) -> None:
        self._database = database
        self.write = write
        self._turn = asyncio.Lock()  # whoever waits gets it in order
        self._telling: dict[str, asyncio.Task[None]] = {}

    # Tables

    async def table(self, name: str) -> tuple[Table, list[News]]:
        """A table as its log tells it, and the newest news."""
        events = await self._database.log(name, limit=PAGE)
        if not events:
            raise no_such_table()
        first, *events = events
        news: list[News] = []
        try:
            table = await self.slowly(beginning(name, first))
            while events:
                await self.slowly(_replaying(table, events, news, self.write))
                del news[:-NEWS_KEPT]
                events = await self._database.log(name, since=table.seq, limit=PAGE)
        except (SungladeError, *MISREAD) as error:
            log.error("table cannot be replayed", extra={"table": name, "reason": f"{type(error).__name__}: {error}"})
            raise unreadable_table() from None
        return table, news

    async def slowly(self, steps: Steps[T]) -> T:
        """Carry out something long, taking turns with everything else."""
        while True:
            async with self._turn:
                try:
                    for _ in range(AT_ONCE):
                        next(steps)
                except StopIteration as end:
                    result: T = end.value
                    return result
                await asyncio.sleep(0)

    # What was told

    async def page(self, room: Room, since: int, until: int | None = None) -> News:
        """What was told after an event, and up to another, as a JSON list; and the number of the last event in it."""
        last = room.table.seq if until is None else until
        ready = room.news_between(since, last)
        if ready is not None:
            return last, ready
        kept = await self._kept(room, since, last)
        if any(told is None for _, told in kept):
            await self._tell_again(room.table.name)
            kept = await self._kept(room, since, last)
        if not kept:
            raise no_such_table()
        return kept[-1][0], f"[{','.join(told for _, told in kept if told)}]".encode()

    async def _kept(self, room: Room, since: int, last: int) -> list[tuple[int, str | None]]:
        """What the database has of it."""
        async with self._turn:
            return await self._database.told(room.table.name, since, last, MOST_TOLD)

    async def _tell_again(self, name: str) -> None:
        """Keep what is told of events that a version wrote which did not; for all who wait for it at once."""
        if name not in self._telling:
            self._telling[name] = asyncio.create_task(self._tell_all(name))
            self._telling[name].add_done_callback(lambda _: self._telling.pop(name, None))
        await awaited(self._telling[name])

    async def _tell_all(self, name: str) -> None:
        (first, *events) = await self._database.log(name, limit=PAGE)
        table, kept = await self.slowly(beginning(name, first)), [(first.seq, b"")]
        while events:
            await self.slowly(_replaying(table, events, kept, self.write))
            await self._database.keep_told(name, [(seq, told.decode()) for seq, told in kept])
            kept.clear()
            events = await self._database.log(name, since=table.seq, limit=PAGE)


def beginning(name: str, first: Event) -> Steps[Table]:
    """A table after its first event. A game that goes on at it may be long."""
    game = None
    for game in Agreement.from_dict(first.data).passing():  # noqa: B007 - the last one is wanted
        yield
    table = Table(name, first, game)
    if table.setup.rules_version != RULES_VERSION:
        raise ValueError(f"rules version {table.setup.rules_version}")
    return table


def _replaying(table: Table, events: Iterable[Event], news: list[News], write: JsonWriter) -> Steps[None]:
    for event in events:
        news.append((event.seq, encoded_events(table.apply(event), write)))
        yield


def taking(room: Room, events: Iterable[Event]) -> Steps[None]:
    """A room takes up what other processes put in its log."""
    for event in events:
        room.take(event)
        yield
