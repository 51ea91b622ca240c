"""Tables that outlive the page: what is in memory is also in a store of the device, and there first.

A store is small (`Store`): texts by key, changed several at a time, all or none, as IndexedDB does in a transaction. An
event counts as done once the store has it. What is not stored can be lost without harm: who is connected, who leases.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Protocol

from sunglade.table.memory_log import REPEATED, Kept, MemoryLog
from sunglade.table.problems import ServerProblem
from sunglade.table.table import Event
from sunglade.table.table_log import Also, Append, Founding, Holder, SeatCode, SpentCode
from sunglade.table.trouble import DatabaseTrouble

Changes = dict[str, str | None]
"""New texts by key; None where there shall be none."""

DIGITS: Final = 8
"""Of a number in a key: keys in the order of their letters are events in their order."""


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

    @classmethod
    async def opened(cls, store: Store) -> StoredLog:
        """The tables that a store has."""
        log = cls(store)
        kept = await store.load()
        for key in sorted(kept):
            kind, *name = key.split("/")
            log._take_up(kind, name, json.loads(kept[key]))
        return log

    def _take_up(self, kind: str, name: list[str], told: Any) -> None:
        """One text; the sort of keys brings a table's row before its events."""
        if kind == "1-table":
            self.tables[name[0]] = Kept({"leased_by": None, **told, "leased_until": 0.0}, self.running)
        elif kind == "2-event":
            self._put(name[0], Event(**told["event"]), told["told"])
        elif kind == "3-seat":
            self.seats[name[0]] = Holder(**told)
        elif kind == "4-code":
            self.codes[name[0]] = SeatCode(**told)

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
        """Add events one by one, those that find their place; for each whether it did."""
        added = []
        async with self._turn:
            for wanted in batch:
                if self._fits(wanted):
                    await self._keep(self._changes_by(wanted))
                added += await super().append([wanted])
        return added

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
                seat = (code.table_id, code.seat)
                older = [key for key, other in self.codes.items() if (other.table_id, other.seat) == seat]
                gone: Changes = {_key("4-code", key): None for key in older}
                await self._keep(gone | {_key("4-code", code.code): json.dumps(asdict(code))})
            return await super().keep_code(code)

    async def delete_table(self, name: str) -> bool:
        """Delete a table, whole, in use or not; whether it was there."""
        async with self._turn:
            if name in self.tables:
                await self._keep(self._whole(name))
            return await super().delete_table(name)

    def _whole(self, name: str) -> Changes:
        """Everything there is of a table, to be deleted."""
        seqs = range(1, len(self.tables[name].events) + 1)
        keys = [_key("1-table", name), *(_event_key(name, seq) for seq in seqs)]
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
