"""All rooms of this process: finding a table, carrying out commands, keeping up with what other processes commit."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol
from weakref import WeakValueDictionary

from sunglade.table.agreement import RULES_VERSION, Agreement
from sunglade.table.archive import PAGE, Archive, beginning, taking
from sunglade.table.committer import Committer
from sunglade.table.doorbell import Doorbell
from sunglade.table.json_text import JsonWriter, plain_json
from sunglade.table.listing import listing
from sunglade.table.problems import ServerProblem, no_such_table
from sunglade.table.requests import Command
from sunglade.table.retention import RunningClock, is_kept, mark_used
from sunglade.table.room import PRESENT_FOR_S, Room, encoded_events
from sunglade.table.seating import setup_of_rematch
from sunglade.table.table import GAME_EVENTS, OWNERS_COMMANDS, Event, Intent, Table
from sunglade.table.table_log import Also, Append, Founding, Holder, TableLog, new_holder_row
from sunglade.table.talk import Talks
from sunglade.table.tokens import hashed, new_table_name, new_token
from sunglade.table.wish import Wish
from sunglade.table.work import Work, awaited, end

ATTEMPTS: Final = 8
"""How often a command is tried again when other processes write to the same table."""
LATELY_S: Final = 60.0
"""Who plays without a connection asks at least so often."""
DOUBT_S: Final = (0.1, 5.0)
"""The first and the longest pause between two looks at the log for an event that may be there."""

BECOMES: Final = {
    "rename": "renamed", "leave": "left", "sit_again": "sat_again", "hand_over": "bot_took_over", "fill": "bot_sat",
    "stand_in": "bot_took_over", "reopen": "reopened",
    "resign": "resigned", "offer": "offered", "agree": "agreed", "decline": "declined", "withdraw": "withdrawn",
    "unlist": "unlisted",
}  # fmt: skip
"""The kinds of events that commands become; others are called the same."""

log = logging.getLogger("sunglade.server")


class Counters(Protocol):
    """What is counted, for whoever runs the tables."""

    def count_rooms(self, rooms: int) -> None:
        """So many tables are in memory."""

    def count_event(self, kind: str) -> None:
        """An event was committed."""

    def count_commit(self, seconds: float) -> None:
        """So long it took."""

    def count_refusal(self, kind: str) -> None:
        """Somebody was refused."""


class TableRegistry:
    """The tables that are in use, and how they change."""

    def __init__(
        self,
        database: TableLog,
        metrics: Counters,
        levels: Sequence[str],
        most_rooms: int,
        *,
        shared: bool,
        write: JsonWriter = plain_json,
        clock: RunningClock | None = None,
    ) -> None:
        """`clock` is what tables' clocks go by; without one they have none."""
        self.database = database
        self.clock = clock
        self.metrics = metrics
        self.levels = levels
        self.write = write
        self.archive = Archive(database, write)
        self.rooms: dict[str, Room] = {}
        self.committer = Committer(database)
        self.talks = Talks(database, write)
        self.on_change: Callable[[Room], None] = lambda room: None
        """Called after every event: wakes the bots."""
        self.bell = Doorbell()
        """Rung after every event, also of other processes."""
        self.on_listed: Callable[[], None] = lambda: None
        """Called when somebody has come to a listed table, or gone: wakes the lobby."""
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._held: WeakValueDictionary[str, Room] = WeakValueDictionary()  # also those that left, but are held
        self._work = Work()
        self._doubts: dict[str, asyncio.Task[None]] = {}
        self._most_rooms = most_rooms
        self._shared = shared  # other processes write to the same logs

    # Rooms

    async def room(self, name: str) -> Room:
        """A table's room, from the log where it is not in memory."""
        room = self.rooms.get(name)
        if room is not None:
            room.used = time.monotonic()
            return room
        if name not in self._loading:
            self._loading[name] = self._work.begin(self._load(name))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name, None))
        return await awaited(self._loading[name])

    async def _load(self, name: str) -> Room:
        """A room that left while somebody held it comes back: a table never has two rooms."""
        room = self._held.get(name)
        if room is None:
            room = await self._read(name)
            self._keep(room)
            self.on_change(room)
        else:
            await self.look_closer(room)  # nobody made up for hints that were lost while it was out
            room.check_open()
            self._keep(room)
        return room

    async def _read(self, name: str) -> Room:
        if not await is_kept(self.database, name):
            raise no_such_table()
        table, news = await self.archive.table(name)
        holders = await self.database.holders([name])
        if table.clocks is not None:
            await self._ran()
            self._hear_time(table.clocks.at)
        room = Room(table, {holder.token: holder.id for holder in holders}, news, self.write, self._time)
        room.present_until = {holder.id: holder.present_until for holder in holders}
        return room

    def _time(self) -> float | None:
        """The time by which clocks go, as far as it is known without asking."""
        return None if self.clock is None else self.clock.now()

    async def _ran(self) -> float | None:
        """The same, asked for where it is not surely known."""
        return None if self.clock is None else await self.clock.surely()

    def _hear_time(self, ran: float | None) -> None:
        if self.clock is not None and ran is not None:
            self.clock.hear(ran)

    def _keep(self, room: Room) -> None:
        self._make_space()
        room.used = time.monotonic()
        self.rooms[room.table.name] = self._held[room.table.name] = room
        self.metrics.count_rooms(len(self.rooms))

    def _make_space(self) -> None:
        """Let the rooms go that were not used for the longest time, nobody being there."""
        if len(self.rooms) < self._most_rooms:
            return
        idle = [
            (room.used, name) for name, room in self.rooms.items() if not room.connections and not room.lock.locked()
        ]
        for _, name in sorted(idle)[: max(1, self._most_rooms // 10)]:
            del self.rooms[name]

    def forget_idle(self, seconds: float) -> int:
        """Let rooms leave memory that nobody has looked at for so long; they come back from the log."""
        before = time.monotonic() - seconds
        idle = [
            name
            for name, room in self.rooms.items()
            if not room.connections and room.used < before and not room.lock.locked()
        ]
        for name in idle:
            del self.rooms[name]
        self.metrics.count_rooms(len(self.rooms))
        return len(idle)

    async def stay(self) -> None:
        """Tables in memory are in use: no process deletes them. Those that were deleted nevertheless are closed."""
        for name in await mark_used(self.database, list(self._held)):
            self.close(name)

    def close(self, name: str) -> None:
        """A table was deleted: whoever is there is told, and nothing happens at it any more."""
        self.rooms.pop(name, None)
        room = self._held.pop(name, None)
        if room is not None:
            log.warning("a table in use was deleted", extra={"table": name, "connections": len(room.connections)})
            room.close()

    async def _make_sure(self, room: Room) -> None:
        """Close a room whose table is no longer there."""
        if not await is_kept(self.database, room.table.name):
            self.close(room.table.name)

    async def catch_up(self, room: Room) -> bool:
        """Read what other processes added to the log; whether there was anything. Under the room's lock."""
        before, seated = room.table.seq, False
        while events := await self.database.log(room.table.name, since=room.table.seq, limit=PAGE):
            await self.archive.slowly(taking(room, events))
            self._hear_time(events[-1].ran)
            seated = seated or any(event.kind in ("sat", "moved", "sat_again") for event in events)
            if len(events) < PAGE:
                break
        if room.table.seq == before:
            return False
        self._changed(room)
        if seated:
            room.holders = {holder.token: holder.id for holder in await self.database.holders([room.table.name])}
        return True

    async def keep_up(self, room: Room, seq: int) -> None:
        """Make sure that a room knows an event that somebody has seen."""
        if room.table.seq < seq:
            await self._work.do(self._read_on(room, seq))

    async def look_closer(self, room: Room) -> None:
        """Before something is refused: other processes may have written what it depends on."""
        if self._shared:
            await self._work.do(self._read_on(room))

    async def _read_on(self, room: Room, seq: int | None = None) -> None:
        async with room.lock:
            if seq is None or room.table.seq < seq:
                await self.catch_up(room)

    async def holder(self, room: Room, token: str) -> str:
        """Who a token belongs to."""
        digest = hashed(token)
        if digest not in room.holders:
            known = [holder for holder in await self.database.known([digest]) if holder.table_id == room.table.name]
            if not known:
                raise ServerProblem("wrong_token", "this token is not good at this table.")
            room.holders[digest] = known[0].id
        return room.holders[digest]

    # Changes

    async def create(
        self,
        setup: Agreement,
        holders: Sequence[Callable[[str], Holder]] = (),
        *,
        invite: str | None = None,
        uploaded: bool = False,
    ) -> Room:
        """A new table, and who holds seats there."""
        row, event = await self._new_table(setup, invite=invite, uploaded=uploaded)
        await self.database.create(row, event, [holder(row["id"]) for holder in holders])
        self.metrics.count_event("created")
        return await self.room(row["id"])

    async def _new_table(
        self, setup: Agreement, *, invite: str | None, uploaded: bool = False
    ) -> tuple[dict[str, Any], Event]:
        """The row and the first event of a table."""
        name, now = new_table_name(), time.time()
        ran = None if setup.clock is None else await self._ran()
        event = Event(1, now, "created", None, setup.to_dict(), ran=ran)
        table = await self.archive.slowly(beginning(name, event))
        row = {"id": name, "created": now, "rules_version": RULES_VERSION, "invite": invite, "leased_until": 0.0}
        return row | {"uploaded": uploaded} | _row(table), event

    async def rematch(self, room: Room) -> dict[str, Any]:
        """The rematch of a game that is over: its table, and each holder's new number there."""
        if room.table.rematch is None:
            await self._make_rematch(room)
        event = await self.database.newest(room.table.name, "rematch")
        assert event is not None
        return event.data

    async def _make_rematch(self, room: Room) -> None:
        """The new table and the event that tells of it, both or neither."""
        setup, numbers = setup_of_rematch(room.table)
        row, first = await self._new_table(setup, invite=hashed(new_token()))
        told = {"table": row["id"], "holders": numbers}

        def decide(table: Table) -> Intent | None:
            return Intent("rematch", None, told) if table.rematch is None else None

        await self._work.do(self._carry_out(room, decide, [Founding(row, first)]))

    async def act(self, room: Room, holder: str, command: Command) -> int:
        """Carry out a command once, and say as which event. Committed before this returns.

        Whoever asks may go away at any moment: what was begun is finished, and what is committed is adopted.
        """
        key = (holder, command.id)
        event = await self._work.do(
            self._carry_out(room, lambda table: self._decided(room, table, holder, command), key=key)
        )
        assert event is not None
        return _same(event, command)

    def _decided(self, room: Room, table: Table, holder: str, command: Command) -> Intent:
        intent = table.decide(command, holder, self.levels, self._time())
        if command.do in OWNERS_COMMANDS and room.is_connected(table.chairs[intent.seat or 0].holder):
            raise ServerProblem("player_present", f"whoever has seat {intent.seat} is here.")
        return intent

    async def record(self, room: Room, decide: Callable[[Table], Intent | None]) -> None:
        """Record something that is no client's command, unless `decide` finds that it no longer applies."""
        await self._work.do(self._carry_out(room, decide))

    async def _carry_out(
        self,
        room: Room,
        decide: Callable[[Table], Intent | None],
        also: Sequence[Also] = (),
        key: tuple[str, str] | None = None,
    ) -> Event | None:
        """The event that comes of a decision; under a client's key once, however often it is wanted."""
        async with room.lock:
            for _ in range(ATTEMPTS):
                room.check_open()
                if key is not None and key in room.commands:
                    return room.commands[key]
                try:
                    intent = decide(room.table)
                except ServerProblem:
                    if (known := await self._kept(room, key)) is not None:
                        return known
                    if self._shared and await self.catch_up(room):
                        continue
                    raise
                if intent is None:
                    return None
                if (event := await self._append(room, intent, also)) is not None:
                    return event
                if not await self.catch_up(room):  # the place is free, so the key is known, or there is no table
                    if (known := await self._kept(room, key)) is not None:
                        return known
                    await self._make_sure(room)
        raise ServerProblem("busy", "this table is very busy; try again.", retry_after=0.5)

    async def _kept(self, room: Room, key: tuple[str, str] | None) -> Event | None:
        """The event a key has become already, and the room knows it. Under the room's lock."""
        event = None if key is None else await self.database.command(room.table.name, *key)
        if event is not None and event.seq > room.table.seq:
            await self.catch_up(room)
        return event

    async def _append(self, room: Room, intent: Intent, also: Sequence[Also]) -> Event | None:
        """Try an event on a copy of the table, commit it, and only then make the copy the table."""
        ran = None if room.table.clocks is None else await self._ran()
        event = Event(
            room.table.seq + 1, time.time(), intent.kind, intent.seat, intent.data, intent.holder, intent.command, ran
        )
        trial = room.table.copy()
        told = encoded_events(trial.apply(event), self.write)
        began = time.perf_counter()
        try:
            added = await self.committer.append(Append(trial.name, event, _row(trial), also, told.decode()))
        except Exception:
            self._doubt(room)
            raise
        self.metrics.count_commit(time.perf_counter() - began)
        if not added:
            return None
        room.adopt(trial, event, told)
        self.metrics.count_event(event.kind)
        self._changed(room)
        if room.table.setup.listed and event.kind not in GAME_EVENTS:
            self.on_listed()
        return event

    def _changed(self, room: Room) -> None:
        """Whoever waits for something to happen at a table hears of it."""
        self.on_change(room)
        self.bell.ring(room.table.name)

    def _doubt(self, room: Room) -> None:
        """A commit failed, or only its answer was lost: the log is asked until it says which."""
        name = room.table.name
        if name not in self._doubts:
            asking = self._doubts[name] = asyncio.create_task(self._settle(room))
            asking.add_done_callback(lambda _: self._doubts.pop(name, None))

    async def _settle(self, room: Room) -> None:
        pause, longest = DOUBT_S
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)
            try:
                await self._read_on(room)
                return
            except Exception as error:
                log.warning("log cannot be read", extra={"table": room.table.name, "reason": type(error).__name__})

    async def finish(self, limit_s: float) -> None:
        """Wait for what is being decided and committed, but no longer than a limit."""
        await self._work.finish(limit_s)
        await self.talks.finish(limit_s)
        await end(list(self._doubts.values()), limit_s)
        await self.committer.finish(limit_s)

    # Seats

    async def fulfil(
        self, room: Room, wish: Wish, decide: Callable[[Table], Intent], also: Sequence[Also] = ()
    ) -> Event:
        """Let a client have a seat; who wishes again under the same id has it already."""

        def wanted(table: Table) -> Intent:
            return replace(decide(table), holder=wish.holder, command=wish.command)

        new = [] if wish.token is None else [new_holder_row(wish.table, wish.holder, wish.token, wish.person)]
        event = await self._work.do(self._carry_out(room, wanted, [*new, *also], wish.key))
        assert event is not None
        if wish.token is not None:
            room.holders[hashed(wish.token)] = wish.holder
        return event

    async def fulfilled(self, room: Room, wish: Wish) -> Event | None:
        """The event by which a client has got already what it wishes for, if it has."""
        return room.commands.get(wish.key) or await self._work.do(self._look_up(room, wish.key))

    async def _look_up(self, room: Room, key: tuple[str, str]) -> Event | None:
        async with room.lock:
            return await self._kept(room, key)

    async def hear(self, hints: str) -> None:
        """Another process says that tables changed."""
        for line in hints.splitlines():
            name, _, what = line.partition(" ")
            room = self._held.get(name)
            if room is None:
                self.bell.ring(name)
                continue
            match what.split(" "):
                case [seq] if seq.isdigit():
                    await self.keep_up(room, int(seq))
                case ["said", number] if number.isdigit():
                    await self.talks.hear(room, int(number))
                case ["gone", holder]:
                    room.learn_gone(holder)
                case ["here", holder]:
                    room.learn_here(holder)
                case ["nudge", by, to] if by.isdigit() and to.isdigit():
                    with contextlib.suppress(ServerProblem):  # it was told here already
                        room.nudge(int(by), int(to))
                case _:
                    await self._make_sure(room)

    async def tell_who_came_and_went(self) -> None:
        """Keep when people were last seen, and tell other processes of those who came and those who went."""
        gone = [(room.table.name, holder) for room in self.rooms.values() for holder in room.gone]
        came = [(room.table.name, holder) for room in self.rooms.values() for holder in room.came]
        for room in self.rooms.values():
            room.gone.clear()
            room.came.clear()
        if gone:
            await self.database.be_present([holder for _, holder in gone], time.time())
        if self._shared and came:
            await self.database.be_present([holder for _, holder in came], time.time() + PRESENT_FOR_S)
        if self._shared and (gone or came):
            hints = [*(f"{name} gone {holder}" for name, holder in gone), *(f"{name} here {who}" for name, who in came)]
            await self.database.say(hints)

    async def nudge(self, room: Room, by: int, to: int) -> None:
        """Let the person in a seat know that another one waits, with whichever process they are."""
        room.nudge(by, to)
        if self._shared:
            await self.database.say([f"{room.table.name} nudge {by} {to}"])

    async def look_again(self) -> None:
        """Read the logs of rooms somebody looks at, in case a hint was lost; and who is with other processes."""
        lately = time.monotonic() - LATELY_S
        watched = [name for name, room in self.rooms.items() if room.connections or room.used > lately]
        for start in range(0, len(watched), 500):
            some = watched[start : start + 500]
            for name, seq in (await self.database.seqs(some)).items():
                if name in self.rooms:
                    await self.keep_up(self.rooms[name], seq)
            await self.talks.look_again([self.rooms[name] for name in some if name in self.rooms])
            await self._learn_presence(some)

    async def is_there(self, room: Room, holder: str) -> bool:
        """Whether a client is at a table, with this process or another one."""
        if self._shared and not room.has_connection(holder):
            await self._learn_presence([room.table.name])
        return room.is_connected(holder)

    async def _learn_presence(self, names: list[str]) -> None:
        for holder in await self.database.holders(names):
            room = self.rooms.get(holder.table_id)
            if room is not None:
                room.present_until[holder.id] = max(holder.present_until, room.present_until.get(holder.id, 0.0))


def _row(table: Table) -> dict[str, Any]:
    """What the table's row repeats of its log."""
    due = table.bot_to_act is not None and table.persons > 0
    deadline = None if table.clocks is None else table.clocks.deadline
    return {
        "changed": table.changed, "seq": table.seq, "status": table.status, "bot_due": due, "deadline": deadline,
        "listing": listing(table), "rating_due": table.setup.rated and table.over,
    }  # fmt: skip


def _same(event: Event, command: Command) -> int:
    """The event of a repeated command; another command under its id is refused."""
    same = event.kind == BECOMES.get(command.do, command.do)
    if command.do in (*OWNERS_COMMANDS, "fill"):
        same = same and event.seat == command.seat
    if command.do == "play":
        same = same and event.data.get("action") == command.action
    if command.do == "offer":
        same = same and event.data.get("offer") == command.offer
    if not same:
        raise ServerProblem("command_id_reused", f"command {command.id} was something else before.")
    return event.seq
