"""The lobby: tables that anybody may join, and listed games that may be watched, told to all who look on.

What it tells of a table is in the table's row (`listing.py`), whichever process the people are with. As long as
somebody looks on, this process asks the log every few seconds, and at once when somebody comes to a table of its own;
what it tells is written once for everybody. A table is told of only while somebody of it is there, or was a short time
ago by the clock of running servers: the process where they are says so now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Final

from sunglade.table.audience import Audience, Connection
from sunglade.table.room import Room
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import end

LOOK_S: Final = 2.0
"""So soon everybody hears of tables of other processes."""
LEAST_S: Final = 0.3
"""What happens within this time is told together."""
STANDING_S: Final = 10.0
"""How games stand that are played is told so often; who seeks whom, at once."""
BEAT_S: Final = 10.0
"""How often it is said that people are there."""
ATTENDED_S: Final = 120.0
"""So long a table is told of after the last of its people has gone."""
ATTENDED_DAYS_S: Final = 2 * 24 * 3600.0
"""The same where turns take days: nobody has to stay for that."""
MOST_WAITING: Final = 100
MOST_RUNNING: Final = 30
MOST_LOOKING: Final = 1000
TOGETHER: Final = 8
"""So many are told at once: commands of those who play come in between."""

log = logging.getLogger("sunglade.server")


class Lobby:
    """What is told to whoever looks on, and who that is."""

    def __init__(self, registry: TableRegistry, now: Callable[[], float] | None = None) -> None:
        self._registry = registry
        self._log = registry.database
        self._now = now or time.monotonic
        self.told = b""
        """The newest `schema.LobbyView`, the same bytes for everybody; empty before the first look."""
        self._stale = True
        self._untold = False
        self._new: list[Room] = []
        self._waiting: list[str] = []
        self._running: list[str] = []
        self._looked = self._standing = self._beaten = float("-inf")
        self._audience = Audience(MOST_LOOKING, "into the lobby")
        self._looking = asyncio.Lock()
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        registry.on_listed = self.consider

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """Stop at once."""
        await end([self._task] if self._task else [])

    def wake_all(self) -> None:
        """Let everybody look again."""
        for connection in self._audience:
            connection.wake()

    # Who looks on

    def join(self, connection: Connection) -> None:
        """Somebody begins to look, or is refused."""
        self._audience.admit(connection, ())
        self._woken.set()

    def part(self, connection: Connection) -> None:
        """Somebody stops looking."""
        self._audience.part(connection)

    # What there is to see

    def consider(self) -> None:
        """Somebody came to a listed table, or went."""
        self._stale = True
        self._woken.set()

    def welcome(self, room: Room) -> None:
        """A table that shall be listed is there, and so is who made it."""
        self._new.append(room)
        self.consider()

    async def view(self) -> bytes:
        """The lobby as it is now; who asks at the same time gets the same."""
        if self._stale or self._now() - self._looked > LEAST_S:
            await self._look()
        if self._untold:
            self._woken.set()
        return self.told

    async def _look_on(self) -> None:
        while True:
            try:
                if self._audience:
                    await self._look()
                    await self._tell()
                else:
                    async with self._looking:
                        await self._beat()
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("the lobby was not looked at")
            await asyncio.sleep(LEAST_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._woken.wait()
            self._woken.clear()

    async def _look(self) -> None:
        """Ask the log; what is new is written once."""
        began = self._now()
        async with self._looking:
            if self._looked > began:
                return  # somebody asked while this waited
            began, self._stale = self._now(), False
            await self._beat()
            waiting = await self._log.listings("waiting", MOST_WAITING)
            running = await self._log.listings("playing", MOST_RUNNING, newest=True)
            self._looked = began
            if self.told and waiting == self._waiting and not self._is_worth_telling(running):
                return
            self._waiting, self._running, self._standing = waiting, running, began
            self.told = self._written()
            self._untold = True

    async def _tell(self) -> None:
        """Everybody is told what is new, a few at a time."""
        if self._untold:
            self._untold = False
            for number, connection in enumerate(list(self._audience), 1):
                connection.wake()
                if number % TOGETHER == 0:
                    await asyncio.sleep(0)

    def _is_worth_telling(self, running: list[str]) -> bool:
        """Whether other games run than before; how they stand is told now and then."""
        if running == self._running:
            return False
        return len(running) != len(self._running) or self._now() - self._standing >= STANDING_S

    def _written(self) -> bytes:
        start = self._registry.write({"type": "lobby", "now": time.time()})[:-1]
        waiting, running = ("[" + ",".join(told) + "]" for told in (self._waiting, self._running))
        return start + f',"waiting":{waiting},"running":{running}}}'.encode()

    # Who is there

    async def _beat(self) -> None:
        """Say of which listed tables people are here. Under the lock: whoever looks next sees it."""
        rooms, self._new = self._new, []
        if self._now() - self._beaten >= BEAT_S:
            self._beaten = self._now()
            rooms = list(self._registry.rooms.values())
        attended: dict[float, list[str]] = {ATTENDED_S: [], ATTENDED_DAYS_S: []}
        for room in rooms:
            if room.table.listed and not room.table.over and _is_attended(room):
                attended[_attended_s(room)].append(room.table.name)
        for seconds, names in attended.items():
            if names:
                await self._log.attend(names, seconds)


def _is_attended(room: Room) -> bool:
    return any(chair.kind == "person" and room.is_connected(chair.holder) for chair in room.table.chairs)


def _attended_s(room: Room) -> float:
    clock = room.table.setup.clock
    return ATTENDED_DAYS_S if clock is not None and clock["kind"] == "days" else ATTENDED_S
