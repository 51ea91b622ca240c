"""What is said at tables: kept beside the game, told to whoever listens, known to no rule and to no bot.

A table's talk is read when somebody listens, not before; then it stays in memory with the room. Sayings are numbered
by whatever keeps them, so all processes tell the same ones in the same order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sunglade.table.json_text import JsonWriter
from sunglade.table.problems import ServerProblem, table_deleted
from sunglade.table.saying import MOST_KEPT, Saying
from sunglade.table.table_log import TableLog
from sunglade.table.work import Work

if TYPE_CHECKING:
    from sunglade.table.room import Room

PAGE: Final = 100
"""Sayings that are read or told at a time."""


@dataclass(slots=True)
class Talk:
    """What was said at a table, as far as this process has read it."""

    is_read: bool = False
    is_wanted: bool = False
    """Whether somebody has listened: then what is said with other processes is read as well."""
    last: int = 0
    """The number of the newest one."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _told: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=MOST_KEPT))

    def anew(self) -> Talk:
        """The same talk, to be read again."""
        return Talk(is_wanted=self.is_wanted)

    def take(self, said: Iterable[Saying], write: JsonWriter) -> None:
        """More was said."""
        for saying in said:
            self._told.append((saying.number, write(saying.told())))
            self.last = saying.number

    def since(self, number: int, most: int = MOST_KEPT) -> tuple[int, bytes]:
        """What was said after a number, as a JSON list, and the number of the last of it."""
        later = [(at, told) for at, told in self._told if at > number][:most]
        return later[-1][0] if later else number, b"[" + b",".join(told for _, told in later) + b"]"


class Talks:
    """The talk of all tables of this process."""

    def __init__(self, database: TableLog, write: JsonWriter) -> None:
        self._database = database
        self._write = write
        self._work = Work()

    async def say(self, room: Room, saying: Saying) -> int:
        """Say something once, and tell its number. When this returns it is kept.

        Whoever asks may go away at any moment: what is kept is told to the others.
        """
        return await self._work.do(self._say(room, saying))

    async def _say(self, room: Room, saying: Saying) -> int:
        name = room.table.name
        muted = await self._database.muted(name)
        if saying.seat in muted:
            raise ServerProblem("muted", "whoever runs this server lets this seat say nothing more.")
        kept = await self._database.keep_saying(name, saying)
        if kept is None:
            raise table_deleted()
        if not kept.is_same(saying):
            raise ServerProblem("command_id_reused", f"{saying.id} was something else before.")
        await self._read_on(room, kept.number)
        return kept.number

    async def keep_up(self, room: Room, number: int = 0) -> None:
        """Make sure that a room knows what was said, up to a number that somebody has seen."""
        if not room.talk.is_read or room.talk.last < number:
            await self._work.do(self._read_on(room, number))

    async def _read_on(self, room: Room, number: int) -> None:
        """Read what was said since, in order; wake those who listen."""
        talk = room.talk
        talk.is_wanted = True
        async with talk.lock:
            if talk.is_read and number and talk.last >= number:
                return
            while said := await self._database.said(room.table.name, talk.last, PAGE):
                talk.take(said, self._write)
            talk.is_read = True
        room.wake_all()

    async def hear(self, room: Room, number: int) -> None:
        """Another process says that something was said."""
        if room.talk.is_wanted:
            await self.keep_up(room, number)

    async def look_again(self, rooms: Sequence[Room]) -> None:
        """Read what was said, in case a hint was lost."""
        listening = {room.table.name: room for room in rooms if room.talk.is_wanted}
        if listening:
            for name, number in (await self._database.newest_said(list(listening))).items():
                await self.keep_up(listening[name], number)

    async def finish(self, limit_s: float) -> None:
        """Wait for what is being kept, but no longer than a limit."""
        await self._work.finish(limit_s)
