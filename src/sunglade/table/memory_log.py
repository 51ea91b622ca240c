"""Tables kept in memory (`TableLog`): for a page, for simulations, and for tests that need no database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sunglade.table.forgetting import Rewritten
from sunglade.table.memory_people import PeopleInMemory
from sunglade.table.saying import MOST_KEPT, Saying
from sunglade.table.table import Event
from sunglade.table.table_log import REPEATED, Also, Append, Founding, Holder, SeatCode, SpentCode


@dataclass(slots=True)
class Kept:
    """A table: its row, when it was last used, its events and what was told of each."""

    row: dict[str, Any]
    used: float
    events: list[Event] = field(default_factory=list)
    told: list[str | None] = field(default_factory=list)
    commands: dict[tuple[str, str], Event] = field(default_factory=dict)
    said: list[Saying] = field(default_factory=list)
    muted: set[int] = field(default_factory=set)


class MemoryLog(PeopleInMemory):
    """Everything in dictionaries. Nothing is ever waited for, so every question sees a whole world."""

    kind = "memory"

    def __init__(self, *, shared: bool = False, now: Callable[[], float] = time.time) -> None:
        """`shared` if several registries use it; `now` is the clock of those who lease tables."""
        super().__init__()
        self.shared = shared
        self.tables: dict[str, Kept] = {}
        self.seats: dict[str, Holder] = {}
        """By the hash of a token."""
        self.codes: dict[str, SeatCode] = {}
        self.running = 0.0
        """How many seconds servers have run."""
        self.listeners: list[Callable[[str], None]] = []
        self._now = now

    async def close(self) -> None:
        """There is nothing to let go of."""

    async def check(self) -> None:
        """Memory has no trouble."""

    async def listen(self, tell: Callable[[str], None]) -> None:
        """Tell what changes, for ever."""
        self.listeners.append(tell)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.listeners.remove(tell)

    def _tell(self, hints: list[str]) -> None:
        if hints:
            for listener in list(self.listeners):
                listener("\n".join(hints))

    # Events

    async def create(self, row: dict[str, Any], event: Event, holders: Sequence[Holder] = ()) -> None:
        """A new table with its first event."""
        self._found(row, event)
        for holder in holders:
            self._change(holder)

    async def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events, all that find their place; for each whether it did. Its place or its command may be taken."""
        added = [self._add(wanted) for wanted in batch]
        self._tell([f"{wanted.table} {wanted.event.seq}" for wanted, is_in in zip(batch, added, strict=True) if is_in])
        return added

    def _fits(self, wanted: Append) -> bool:
        kept, event = self.tables.get(wanted.table), wanted.event
        if kept is None or event.seq != len(kept.events) + 1:
            return False
        return event.holder is None or event.command is None or (event.holder, event.command) not in kept.commands

    def _add(self, wanted: Append) -> bool:
        if not self._fits(wanted):
            return False
        kept = self.tables[wanted.table]
        self._put(wanted.table, wanted.event, wanted.told)
        kept.row |= {column: wanted.row[column] for column in REPEATED}
        kept.used = self.running
        for change in wanted.also:
            self._change(change)
        return True

    def _put(self, table: str, event: Event, told: str | None) -> None:
        kept = self.tables[table]
        kept.events.append(event)
        kept.told.append(told)
        if event.holder is not None and event.command is not None:
            kept.commands[event.holder, event.command] = event

    def _change(self, change: Also) -> None:
        match change:
            case Founding(row, event):
                self._found(row, event)
            case Holder():
                self.seats[change.token] = change
            case SpentCode(code):
                self.codes.pop(code, None)

    def _found(self, row: dict[str, Any], event: Event) -> None:
        self.tables[row["id"]] = Kept({"leased_by": None, **row}, self.running)
        self._put(row["id"], event, "")

    def _events(self, table: str) -> list[Event]:
        kept = self.tables.get(table)
        return [] if kept is None else kept.events

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        """Events of a table after a sequence number, in order."""
        return self._events(table)[since : None if limit is None else since + limit]

    async def command(self, table: str, holder: str, command: str) -> Event | None:
        """The event a client's command became, if it did."""
        kept = self.tables.get(table)
        return None if kept is None else kept.commands.get((holder, command))

    async def newest(self, table: str, kind: str) -> Event | None:
        """The newest event of a kind in a table's log."""
        return next((event for event in reversed(self._events(table)) if event.kind == kind), None)

    async def names(self) -> list[str]:
        """The tables that are there."""
        return list(self.tables)

    async def seqs(self, names: Sequence[str]) -> dict[str, int]:
        """How far the logs of tables have come."""
        return {name: len(self.tables[name].events) for name in names if name in self.tables}

    async def told(self, table: str, since: int, last: int, limit: int) -> list[tuple[int, str | None]]:
        """What was told of events after a sequence number and up to another, in order."""
        kept = self.tables.get(table)
        told = [] if kept is None else kept.told[since:last][:limit]
        return [(since + 1 + place, text) for place, text in enumerate(told)]

    async def keep_told(self, table: str, told: Sequence[tuple[int, str]]) -> None:
        """Keep what is told of events that are in the log already."""
        if (kept := self.tables.get(table)) is not None:
            for seq, text in told:
                kept.told[seq - 1] = text

    async def rewrite(self, table: str, events: Sequence[Rewritten], holders: Collection[str]) -> None:
        """Take the name of some clients out of events that are in the log already, and from what they said."""
        if (kept := self.tables.get(table)) is None:
            return
        kept.said = [replace(said, name=None) if said.holder in holders else said for said in kept.said]
        for each in events:
            event = kept.events[each.seq - 1] = replace(kept.events[each.seq - 1], data=each.data)
            kept.told[each.seq - 1] = each.told
            if event.holder is not None and event.command is not None:
                kept.commands[event.holder, event.command] = event

    # Seats

    async def holders(self, names: Sequence[str]) -> list[Holder]:
        """Who has tokens at tables."""
        return [holder for holder in self.seats.values() if holder.table_id in names]

    async def known(self, tokens: Sequence[str]) -> list[Holder]:
        """Whose tokens (hashed) these are."""
        return [self.seats[token] for token in tokens if token in self.seats]

    async def add_holder(self, holder: Holder) -> None:
        """Give somebody a token."""
        self._change(holder)

    async def be_present(self, holders: Sequence[str], until: float) -> None:
        """Clients are connected to some process."""
        for token, holder in self.seats.items():
            if holder.id in holders:
                self.seats[token] = replace(holder, present_until=until)

    async def invitation(self, table: str) -> str | None:
        """A table's invitation (hashed)."""
        return self.tables[table].row["invite"] if table in self.tables else None

    async def invite(self, table: str, invitation: str) -> bool:
        """Change a table's invitation; whether it is there."""
        if table in self.tables:
            self.tables[table].row["invite"] = invitation
        return table in self.tables

    async def code(self, table: str, code: str) -> SeatCode | None:
        """The seat a code (hashed) is for."""
        found = self.codes.get(code)
        return found if found is not None and found.table_id == table else None

    async def keep_code(self, code: SeatCode) -> bool:
        """Keep a seat's new code instead of an older one; not for a table that is gone."""
        if code.table_id not in self.tables:
            return False
        place = code.place
        others = {key: row for key, row in self.codes.items() if row.place != place}
        self.codes = others | {code.code: code}
        return True

    # What nobody keeps

    async def say(self, hints: Sequence[str]) -> None:
        """Let other processes hear something."""
        self._tell(list(hints))

    # Talk

    async def keep_saying(self, table: str, saying: Saying) -> Saying | None:
        """Keep something that is said, once, with its number; the oldest of too many go. None: no such table."""
        kept = self.tables.get(table)
        if kept is None:
            return None
        same = (other for other in kept.said if (other.holder, other.id) == (saying.holder, saying.id))
        if (known := next(same, None)) is not None:
            return known
        new = replace(saying, number=kept.said[-1].number + 1 if kept.said else 1)
        kept.said = [*kept.said, new][-MOST_KEPT:]
        kept.used = self.running
        self._tell([f"{table} said {new.number}"])
        return new

    async def said(self, table: str, since: int, limit: int) -> list[Saying]:
        """What was said at a table after a number, in order."""
        kept = self.tables.get(table)
        return [] if kept is None else [saying for saying in kept.said if saying.number > since][:limit]

    async def newest_said(self, names: Sequence[str]) -> dict[str, int]:
        """The number of the newest thing said at each table."""
        there = {name: self.tables[name].said for name in names if name in self.tables}
        return {name: said[-1].number for name, said in there.items() if said}

    async def muted(self, table: str) -> frozenset[int]:
        """Seats that may say nothing more."""
        return frozenset(self.tables[table].muted) if table in self.tables else frozenset()

    async def mute(self, table: str, seat: int, *, muted: bool) -> bool:
        """Let a seat say nothing more, or again; whether the table is there."""
        if table in self.tables:
            self.tables[table].muted ^= {seat} if muted != (seat in self.tables[table].muted) else set()
        return table in self.tables

    # Bots

    async def lease(self, table: str, process: str, seconds: float) -> bool:
        """Have a table's bots to a process for some time, unless another one has."""
        if table not in self.tables:
            return False
        row, now = self.tables[table].row, self._now()
        if row["leased_until"] >= now and row["leased_by"] != process:
            return False
        row.update(leased_by=process, leased_until=now + seconds)
        return True

    async def renew(self, names: Sequence[str], process: str, seconds: float) -> None:
        """Go on to have them."""
        for name in names:
            if name in self.tables and self.tables[name].row["leased_by"] == process:
                self.tables[name].row["leased_until"] = self._now() + seconds

    async def release(self, table: str, process: str) -> None:
        """Leave a table's bots to others."""
        if table in self.tables and self.tables[table].row["leased_by"] == process:
            self.tables[table].row["leased_until"] = 0.0

    async def bots_due(self, after: str, limit: int) -> list[tuple[str, int]]:
        """Tables, in the order of their names, where a bot is to act and no process is at it; how far each has come."""
        now = self._now()
        due = [
            (name, kept.row["seq"])
            for name, kept in self.tables.items()
            if kept.row["bot_due"] and kept.row["leased_until"] < now and name > after
        ]
        return sorted(due)[:limit]

    async def leave_alone(self, table: str) -> None:
        """Nothing can be done for the bots and clocks of a table."""
        if table in self.tables:
            self.tables[table].row |= {"bot_due": False, "deadline": None}

    async def next_deadline(self) -> float | None:
        """The first deadline of all tables, in seconds in which servers ran."""
        return min((kept.row["deadline"] for kept in self.tables.values() if _is_due(kept)), default=None)

    async def overdue(self, ran: float, limit: int) -> list[tuple[str, int]]:
        """Tables with a deadline before that, the first ones first; how far each has come."""
        due = sorted((kept.row["deadline"], name) for name, kept in self.tables.items() if _is_due(kept))
        return [(name, self.tables[name].row["seq"]) for deadline, name in due if deadline < ran][:limit]

    # The lobby

    async def listings(self, status: str, limit: int, *, newest: bool = False) -> list[str]:
        """What the lobby tells of tables, while somebody of them is there: the oldest or the newest."""
        listed = [
            kept.row
            for kept in self.tables.values()
            if kept.row.get("listing") is not None
            and kept.row["status"] == status
            and kept.row.get("listed_until", 0.0) > self.running
        ]
        ordered = sorted(listed, key=lambda row: (row["created"], row["id"]), reverse=newest)
        return [row["listing"] for row in ordered[:limit]]

    async def attend(self, names: Sequence[str], seconds: float) -> None:
        """Somebody of these tables is there: they are listed for so long, by the clock of running servers."""
        for name in names:
            if name in self.tables:
                self.tables[name].row["listed_until"] = self.running + seconds

    # How long tables are kept

    async def clock(self) -> float:
        """How many seconds servers have run."""
        return self.running

    async def advance_clock(self, seconds: float) -> None:
        """It is so late, or later."""
        self.running = max(self.running, seconds)

    async def unmarked(self, names: Sequence[str], seconds: float) -> dict[str, bool]:
        """Tables that are there, and whether none has marked them as used for so long."""
        there = {name: self.tables[name] for name in names if name in self.tables}
        return {name: kept.used < self.running - seconds for name, kept in there.items()}

    async def mark(self, names: Sequence[str]) -> None:
        """Tables are in use."""
        for name in names:
            await self.keep(name)

    async def keep(self, table: str) -> bool:
        """A table is in use; whether it is there."""
        if table in self.tables:
            self.tables[table].used = self.running
        return table in self.tables

    async def mark_forgotten(self) -> None:
        """It is known of every table when it was used."""

    async def delete_idle(self, seconds: float, limit: int, *, uploaded: bool) -> list[str]:
        """Delete some tables, whole, that were not used for so long; which. Others are told."""
        idle = [
            name
            for name, kept in sorted(self.tables.items())
            if kept.row["uploaded"] == uploaded and kept.used < self.running - seconds
        ]
        for name in idle[:limit]:
            self._delete(name)
        self._tell([f"{name} deleted" for name in idle[:limit]])
        return idle[:limit]

    async def delete_table(self, name: str) -> bool:
        """Delete a table, whole, in use or not; whether it was there."""
        if name not in self.tables:
            return False
        self._delete(name)
        self._tell([f"{name} deleted"])
        return True

    def _delete(self, name: str) -> None:
        del self.tables[name]
        self.seats = {token: holder for token, holder in self.seats.items() if holder.table_id != name}
        self.codes = {code: row for code, row in self.codes.items() if row.table_id != name}


def _is_due(kept: Kept) -> bool:
    return kept.row.get("deadline") is not None
