"""A table in memory: its present, the news not everybody has yet, and who is looking."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Final

from sunglade.table.audience import Audience, Connection
from sunglade.table.json_text import JsonWriter, plain_json
from sunglade.table.problems import ServerProblem, table_deleted
from sunglade.table.table import Event, Table
from sunglade.table.talk import Talk

NEWS_KEPT: Final = 200
"""Events whose telling is kept in memory; who missed more gets it from the database."""
MOST_TOLD: Final = 600
"""Events told at once; the rest follows."""
COMMANDS_KEPT: Final = 64
"""Recent commands that are recognised without asking the database."""
WATCHING_S: Final = 0.5
"""So long it may take until everybody is told how many watch."""
NUDGE_S: Final = 60.0
"""So long a person waits before they nudge again at this table."""
PRESENT_FOR_S: Final = 40.0
"""So long a request, or a connection's last sign of life, makes somebody count as connected."""

Told = dict[str, Any]


class Room:
    """A table, its connections, and what is told to them. Everything that changes it runs under `lock`."""

    def __init__(
        self,
        table: Table,
        holders: dict[str, str],
        news: list[tuple[int, bytes]],
        write: JsonWriter = plain_json,
        ran: Callable[[], float | None] = lambda: None,
    ) -> None:
        """`ran` tells the time by which clocks go."""
        self.table = table
        self._ran = ran
        self._write = write
        self.holders = holders  # hash of a token → holder
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.opened = time.time()
        """Since when this process knows who is here."""
        self.connections = Audience()
        self.present_until: dict[str, float] = {}  # by holder; connections to this process count anyway
        self.came: dict[str, None] = {}  # holders whose first connection began: others are told at the next sweep
        self.gone: dict[str, None] = {}  # and those whose last one ended
        self._nudged: dict[int, float] = {}  # by seat: when that person last nudged somebody
        self._presence: dict[str, Any] | None = None
        self._clients: dict[str, str] = {}  # by holder: the address of the last sign of life
        self.commands: OrderedDict[tuple[str, str], Event] = OrderedDict()
        self.analysis_progress: tuple[int, int] | None = None
        self.hindrance: ServerProblem | None = None
        self.talk = Talk()
        self._closed = False
        self._news: deque[tuple[int, bytes]] = deque(news, maxlen=NEWS_KEPT)
        self._view: bytes | None = None
        self._changed = asyncio.Event()
        self._announcing: asyncio.TimerHandle | None = None

    # What happens

    def take(self, event: Event) -> None:
        """Take up an event that another process put in the log."""
        self.adopt(self.table, event, encoded_events(self.table.apply(event), self._write))

    def adopt(self, table: Table, event: Event, told: bytes) -> None:
        """The table as it is after an event that is in the log for good; wake everybody."""
        self.table = table
        self.hindrance = None
        if event.kind == "forgotten":  # what was told before may tell the name; the log no longer does
            self._news.clear()
            self.commands.clear()
            self.talk = self.talk.anew()
        self._news.append((event.seq, told))
        if event.holder is not None and event.command is not None:
            self.commands[event.holder, event.command] = event
            while len(self.commands) > COMMANDS_KEPT:
                self.commands.popitem(last=False)
        self.refresh()

    def hinder(self, problem: ServerProblem) -> None:
        """What a bot did could not be kept; whoever looks is told why, until something happens."""
        if self.hindrance is None or self.hindrance.kind != problem.kind:  # told once, however often it is tried again
            self.hindrance = problem
            self.wake_all()

    def refresh(self) -> None:
        """Something about the view changed."""
        self._view = None
        self.wake_all()

    def wake_all(self) -> None:
        """Let everybody look again."""
        self.used = time.monotonic()
        self._changed.set()
        self._changed = asyncio.Event()
        for connection in self.connections:
            connection.wake()

    async def wait_for_news(self, since: int, seconds: float) -> None:
        """Return when there is an event after `since`, or when the time is over."""
        until = asyncio.get_running_loop().time() + seconds
        while self.table.seq <= since and not self._closed:
            left = until - asyncio.get_running_loop().time()
            if left <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()

    def close(self) -> None:
        """The table is no more; whoever is here is told."""
        self._closed = True
        for connection in self.connections:
            connection.end(table_deleted())
        self.wake_all()

    def check_open(self) -> None:
        """Refuse what comes to a table that is no more."""
        if self._closed:
            raise table_deleted()

    # What is told

    def news_between(self, since: int, last: int) -> bytes | None:
        """What happened after an event up to another, as a JSON list; None where that is too long ago for memory."""
        if since >= last:
            return b"[]"
        if not self.remembers(since):
            return None
        return b"[" + b",".join(told for seq, told in self._news if since < seq <= last) + b"]"

    def remembers(self, since: int) -> bool:
        """Whether everything that happened after an event is still in memory."""
        return since >= self.table.seq or (bool(self._news) and self._news[0][0] <= since + 1)

    def view(self) -> bytes:
        """The view as JSON, made once for everybody."""
        if self._view is None:
            self._view = self._write(self.table.view())
        now = {
            "seats": self.seats_view(),
            "watching": self.watching(),
            "stand_in_at": self.stand_in_at(),
            "ran": self._ran() if self.table.clocks is not None else None,
        }
        presence = self._write(now)
        return self._view[:-1] + b"," + presence[1:]

    def time_left(self) -> float | None:
        """How many seconds whoever is to act has left; None where no clock runs."""
        deadline = None if self.table.clocks is None else self.table.clocks.deadline
        now = self._ran()
        return None if deadline is None or now is None else max(0.0, deadline - now)

    def seats_view(self) -> list[dict[str, Any]]:
        """Who sits where, and who is there (schema.SeatView)."""
        return [
            {
                "seat": seat,
                "kind": chair.kind,
                "name": self.table.called(seat),
                "level": chair.level,
                "adapts": chair.adapts,
                "next_level": self.table.next_level(seat),
                "playing": chair.playing,
                "resigned": seat in self.table.resigned,
                "this_turn": chair.this_turn,
                "connected": chair.kind == "person" and self.is_connected(chair.holder),
                "away_since": self.away_since(chair.holder),
            }
            for seat, chair in enumerate(self.table.chairs)
        ]

    # Who is there

    def join(self, connection: Connection) -> None:
        """Somebody begins to look, or is refused."""
        self.check_open()
        is_new = connection.holder is not None and not self.has_connection(connection.holder)
        self.connections.admit(connection, self._players())
        if connection.holder is not None and is_new:
            self.came[connection.holder] = None
            self.gone.pop(connection.holder, None)
        self._announce(connection)

    def part(self, connection: Connection) -> None:
        """Somebody stops looking."""
        self.connections.part(connection)
        if connection.holder is not None and not self.has_connection(connection.holder):
            self.present_until[connection.holder] = time.time()
            self.gone[connection.holder] = None
            self.came.pop(connection.holder, None)
        self._announce(connection)

    def learn_gone(self, holder: str) -> None:
        """Another process says that somebody's last connection to it has ended; who is still here says so again."""
        if self.has_connection(holder):
            self.came[holder] = None
        else:
            self.present_until[holder] = min(time.time(), self.present_until.get(holder, 0.0))
            self.look_around()

    def learn_here(self, holder: str) -> None:
        """Another process says that somebody is connected to it."""
        self.present_until[holder] = max(time.time() + PRESENT_FOR_S, self.present_until.get(holder, 0.0))
        self.look_around()

    def look_around(self) -> None:
        """Somebody's last sign of life may be too long ago: then whoever looks is told, though nothing happened."""
        presence = self.presence()
        if presence != self._presence:
            self._presence = presence
            self.wake_all()

    def _players(self) -> list[str]:
        return [chair.holder for chair in self.table.chairs if chair.holder is not None]

    def _announce(self, connection: Connection) -> None:
        """Who plays is told of at once; how many watch, a little later: many come and go together."""
        if connection.holder in self._players():
            self.wake_all()
        elif self._announcing is None:
            self._announcing = asyncio.get_running_loop().call_later(WATCHING_S, self._announced)

    def _announced(self) -> None:
        self._announcing = None
        self.wake_all()

    def notice(self, holder: str, client: str) -> None:
        """Somebody without a connection gave a sign of life."""
        self.present_until[holder] = time.time() + PRESENT_FOR_S
        self._clients[holder] = client

    def people(self) -> list[str]:
        """Who is here, by address: bots think for them in turn. Those with other processes by their number here."""
        now, connected = time.time(), [connection.address for connection in self.connections]
        present = [holder for holder, until in self.present_until.items() if until > now]
        return list(dict.fromkeys([*connected, *(self._clients.get(holder, holder) for holder in present)]))

    def is_connected(self, holder: str | None) -> bool:
        """Whether a client is here, or was a moment ago with another process."""
        if holder is None:
            return False
        return self.has_connection(holder) or time.time() < self.present_until.get(holder, 0.0)

    def away_since(self, holder: str | None) -> float | None:
        """When a client went; None for one that is here."""
        return None if holder is None or self.is_connected(holder) else self.present_until.get(holder, 0.0)

    def stand_in_at(self) -> float | None:
        """When a bot stands in for the person to act, who is away while another one waits; None where none will.

        Nobody knows who was here before this process knew the table: those get their time from then on. Where there are
        clocks, they decide alone.
        """
        table = self.table
        if table.clocks is not None:
            return None
        grace, seat = table.setup.takeover_after, table.game.player
        if grace is None or seat is None or table.status != "playing" or table.chairs[seat].playing != "person":
            return None
        holder = table.chairs[seat].holder
        away = self.away_since(holder)
        others = {chair.holder for chair in table.chairs if chair.kind == "person"} - {holder}
        if away is None or not any(self.is_connected(other) for other in others):
            return None
        return max(away, table.turn_since, self.opened) + grace

    def nudge(self, by: int, to: int) -> None:
        """Let the person in one seat know that another one waits; not too often. Nobody keeps it."""
        wait = self._nudged[by] + NUDGE_S - time.monotonic() if by in self._nudged else 0.0
        if wait > 0:
            raise ServerProblem("too_fast", f"wait {wait:.0f} seconds before you nudge again.", retry_after=wait)
        self._nudged[by] = time.monotonic()
        for connection in self.connections:
            if connection.holder is not None and connection.holder == self.table.chairs[to].holder:
                connection.say({"type": "nudge", "by": by, "seat": to})

    def has_connection(self, holder: str) -> bool:
        """Whether a client is connected to this process."""
        return self.connections.count(holder) > 0

    def watching(self) -> int:
        """How many spectators look."""
        return self.connections.spectators(self._players())

    def presence(self) -> dict[str, Any]:
        """What `schema.Presence` tells."""
        people = [chair.holder if chair.kind == "person" else None for chair in self.table.chairs]
        return {
            "type": "presence",
            "connected": [self.is_connected(holder) for holder in people],
            "away_since": [self.away_since(holder) for holder in people],
            "watching": self.watching(),
            "stand_in_at": self.stand_in_at(),
        }


def encoded_events(told: list[Told], write: JsonWriter = plain_json) -> bytes:
    """Events as JSON, separated by commas."""
    return write(told)[1:-1]
