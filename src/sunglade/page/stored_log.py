"""Tables that outlive the page: what is in memory is also in a store of the device, and there first.

A store is small (`Store`): texts by key, changed several at a time, all or none, as IndexedDB does in a transaction. An
event counts as done once the store has it. What is not stored can be lost without harm: who is connected, who leases.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, Protocol

from sunglade.table.archive import MISREAD
from sunglade.table.forgetting import Rewritten
from sunglade.table.memory_log import Kept, MemoryLog
from sunglade.table.problems import ServerProblem, unreadable_table
from sunglade.table.table import Event
from sunglade.table.table_log import REPEATED, Also, Append, Founding, Holder, SeatCode, SpentCode
from sunglade.table.trouble import DatabaseTrouble

Changes = dict[str, str | None]
"""New texts by key; None where there shall be none."""

DIGITS: Final = 8
"""Of a number in a key: keys in the order of their letters are events in their order."""
LATER: Final = {"deadline": None, "listing": None, "rating_due": False}
"""What rows have not that an older version wrote."""
NO_ROW: Final = {
    "changed": 0.0, "seq": 0, "status": "", "bot_due": False, "invite": None, "uploaded": False, "leased_by": None,
    "leased_until": 0.0, **LATER,
}  # fmt: skip
"""The row of a table that cannot be read: nobody has anything to do there."""

logger = logging.getLogger("sunglade.server")


class Store(Protocol):
    """Where texts are kept for good."""

    async def load(self) -> Mapping[str, str]:
        """Everything that is kept."""

    async def commit(self, changes: Changes) -> None:
        """Keep changes, all or none; whatever goes wrong is raised, such as a full disk."""


class StoredLog(MemoryLog):
    """A log in memory that stores before it tells."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._turn = asyncio.Lock()
        self._unreadable: dict[str, list[str]] = {}
        """Tables that this version cannot read, and the keys of their texts."""

    @classmethod
    async def opened(cls, store: Store) -> StoredLog:
        """The tables that a store has."""
        log = cls(store)
        log._take_up_all(await store.load())
        return log

    def _take_up_all(self, kept: Mapping[str, str]) -> None:
        for key in sorted(kept):
            self._take_up(key, kept[key])
        for name, table in self.tables.items():
            if not table.events and name not in self._unreadable:
                self._set_aside(name)

    def _take_up(self, key: str, text: str) -> None:
        """One text; the sort of keys brings a table's row before its events. What cannot be read stays as it is."""
        kind, _, rest = key.partition("/")
        name, _, place = rest.partition("/")
        is_of_table = kind in ("1-table", "2-event")
        try:
            if not (is_of_table and name in self._unreadable):
                self._read(kind, name, place, json.loads(text))
                return
        except MISREAD as error:
            logger.error("text cannot be read", extra={"key": key, "reason": f"{type(error).__name__}: {error}"})
            if is_of_table:
                self._set_aside(name)
        if is_of_table:
            self._unreadable[name].append(key)

    def _read(self, kind: str, name: str, place: str, told: Any) -> None:
        match kind:
            case "1-table":
                needed = {column for column in (*REPEATED, "invite", "uploaded") if column not in LATER}
                repeated = {column: told[column] for column in needed}
                self.tables[name] = Kept(
                    {"leased_by": None, **LATER, **told, **repeated, "leased_until": 0.0}, self.running
                )
            case "2-event":
                event = Event(**told["event"])
                if not len(self._events(name)) + 1 == event.seq == int(place):
                    raise ValueError(f"event {len(self._events(name)) + 1} is missing")
                self._put(name, event, told["told"])
            case "3-seat":
                self.seats[name] = Holder(**told)
            case "4-code":
                self.codes[name] = SeatCode(**told)

    def _set_aside(self, name: str) -> None:
        """A table that cannot be read: it is there, refuses to be opened, and can be deleted."""
        self._unreadable[name] = [_event_key(name, event.seq) for event in self._events(name)]
        self.tables[name] = Kept(dict(NO_ROW), self.running)

    async def _keep(self, changes: Changes) -> None:
        try:
            await self._store.commit(changes)
        except ServerProblem:  # nothing has happened, and the store knows why
            raise
        except Exception as error:
            raise DatabaseTrouble(f"{type(error).__name__}: {error}") from error

    # What changes

    async def create(self, row: dict[str, Any], event: Event, holders: Sequence[Holder] = ()) -> None:
        """A new table with its first event."""
        async with self._turn:
            await self._keep(self._all_of([Founding(row, event), *holders]))
            await super().create(row, event, holders)

    async def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events, all that find their place or none; for each whether it did. A table gets one at a time."""
        async with self._turn:
            fitting: dict[str, Append] = {}
            changes: Changes = {}
            for wanted in batch:
                if wanted.table not in fitting and self._fits(wanted):
                    fitting[wanted.table] = wanted
                    changes |= self._changes_by(wanted)
            if changes:
                await self._keep(changes)
            await super().append(list(fitting.values()))
            return [fitting.get(wanted.table) is wanted for wanted in batch]

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        """Events of a table after a sequence number, in order."""
        if table in self._unreadable:
            raise unreadable_table()
        return await super().log(table, since, limit)

    def _changes_by(self, wanted: Append) -> Changes:
        row = self.tables[wanted.table].row | {column: wanted.row[column] for column in REPEATED}
        event = _event(wanted.table, wanted.event, wanted.told)
        return {_key("1-table", wanted.table): json.dumps(row)} | event | self._all_of(wanted.also)

    def _all_of(self, changes: Sequence[Also]) -> Changes:
        """What else changes."""
        kept: Changes = {}
        for change in changes:
            match change:
                case Founding(row, event):
                    kept |= {_key("1-table", row["id"]): json.dumps(row)} | _event(row["id"], event, "")
                case Holder():
                    kept[_key("3-seat", change.token)] = json.dumps(asdict(change))
                case SpentCode(code):
                    kept[_key("4-code", code)] = None
        return kept

    async def keep_told(self, table: str, told: Sequence[tuple[int, str]]) -> None:
        """Keep what is told of events that are in the log already."""
        async with self._turn:
            events = {event.seq: event for event in self._events(table)}
            changes: Changes = {}
            for seq, text in told:
                changes |= _event(table, events[seq], text)
            await self._keep(changes)
            await super().keep_told(table, told)

    async def rewrite(self, table: str, events: Sequence[Rewritten], holders: Collection[str]) -> None:
        """Take the name of some clients out of events that are in the log already, and from what they said."""
        async with self._turn:
            kept = {event.seq: event for event in self._events(table)}
            changes: Changes = {}
            for each in events:
                changes |= _event(table, replace(kept[each.seq], data=each.data), each.told)
            await self._keep(changes)
            await super().rewrite(table, events, holders)

    async def add_holder(self, holder: Holder) -> None:
        """Give somebody a token."""
        async with self._turn:
            await self._keep(self._all_of([holder]))
            await super().add_holder(holder)

    async def invite(self, table: str, invitation: str) -> bool:
        """Change a table's invitation; whether it is there."""
        async with self._turn:
            if table in self.tables:
                row = self.tables[table].row | {"invite": invitation}
                await self._keep({_key("1-table", table): json.dumps(row)})
            return await super().invite(table, invitation)

    async def keep_code(self, code: SeatCode) -> bool:
        """Keep a seat's new code instead of an older one; not for a table that is gone."""
        async with self._turn:
            if code.table_id in self.tables:
                older = [key for key, other in self.codes.items() if other.place == code.place]
                gone: Changes = {_key("4-code", key): None for key in older}
                await self._keep(gone | {_key("4-code", code.code): json.dumps(asdict(code))})
            return await super().keep_code(code)

    # What is kept, to be taken elsewhere

    async def texts(self) -> Mapping[str, str]:
        """Everything that is kept, also what this version cannot read."""
        return await self._store.load()

    async def bring_in(self, name: str, texts: Mapping[str, str]) -> bool:
        """Keep a table from elsewhere, wholly or not at all. One that cannot be read is not taken: False."""
        async with self._turn:
            if name in self.tables:
                raise ServerProblem("bad_request", "this table is here already.")
            tried = StoredLog(self._store)
            tried._take_up_all(texts)
            if tried._unreadable or set(tried.tables) != {name}:
                return False
            await self._keep(dict(texts))
            self._take_up_all(texts)
            return True

    async def delete_table(self, name: str) -> bool:
        """Delete a table, whole, in use or not; whether it was there."""
        async with self._turn:
            if name in self.tables:
                await self._keep(self._whole(name))
                self._unreadable.pop(name, None)
            return await super().delete_table(name)

    def _whole(self, name: str) -> Changes:
        """Everything there is of a table, to be deleted."""
        seqs = range(1, len(self.tables[name].events) + 1)
        keys = [_key("1-table", name), *(_event_key(name, seq) for seq in seqs), *self._unreadable.get(name, ())]
        keys += [_key("3-seat", token) for token, holder in self.seats.items() if holder.table_id == name]
        keys += [_key("4-code", code) for code, row in self.codes.items() if row.table_id == name]
        return dict.fromkeys(keys)

    async def delete_idle(self, seconds: float, limit: int, *, uploaded: bool) -> list[str]:
        """On a device of one's own nothing is deleted that nobody deletes."""
        return []


def _key(kind: str, name: str) -> str:
    return f"{kind}/{name}"


def _event_key(table: str, seq: int) -> str:
    return f"2-event/{table}/{seq:0{DIGITS}}"


def _event(table: str, event: Event, told: str | None) -> Changes:
    return {_event_key(table, event.seq): json.dumps({"event": asdict(event), "told": told}, ensure_ascii=False)}
