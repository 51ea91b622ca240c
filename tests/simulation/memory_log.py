"""A log in memory that all simulated processes share, and that fails as databases do.

What is asked for happens in the world, whether or not the asker lives to hear of it: a commit may fail, may succeed
while its answer is lost, or take longer than anybody waits.
"""

from __future__ import annotations

import asyncio
import contextvars
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from simulation.faults import Faults
from simulation.loop import OWNER, SeededLoop
from sunglade.table.table import Event
from sunglade.table.table_log import Also, Append, Founding, Holder, SeatCode, SpentCode
from sunglade.table.trouble import LIMIT_S, DatabaseTrouble

T = TypeVar("T")
QUICK_S: Final = (0.0, 0.001, 0.002, 0.005, 0.02)
SLOW_S: Final = (1.0, 30.0)
DOWN_S: Final = (1.0, 15.0)
NOTICE_S: Final = (0.0, 0.001, 0.01, 0.5)
REPEATED: Final = ("changed", "seq", "status", "bot_due")


@dataclass(slots=True)
class Kept:
    """A table, as the log keeps it."""

    row: dict[str, Any]
    used: float
    events: list[Event] = field(default_factory=list)
    told: list[str | None] = field(default_factory=list)
    commands: dict[tuple[str, str], Event] = field(default_factory=dict)


class Store:
    """What has been committed: the truth of a simulation."""

    def __init__(self) -> None:
        self.tables: dict[str, Kept] = {}
        self.holders: dict[str, Holder] = {}
        self.codes: dict[str, SeatCode] = {}
        self.clock = 0.0
        self.deleted: list[str] = []
        self.on_event: Callable[[str, Event], None] = lambda table, event: None
        self.on_append: Callable[[str, Kept], None] = lambda table, kept: None
        self.on_delete: Callable[[str, Kept], None] = lambda table, kept: None
        self.listeners: list[Callable[[str], None]] = []

    def found(self, row: dict[str, Any], event: Event) -> None:
        self.tables[row["id"]] = Kept({"leased_by": None, **row}, self.clock)
        self._put(row["id"], event, "")
        self.on_append(row["id"], self.tables[row["id"]])

    def append(self, batch: Sequence[Append]) -> list[bool]:
        added = [self._add(wanted) for wanted in batch]
        self.tell([f"{wanted.table} {wanted.event.seq}" for wanted, is_in in zip(batch, added, strict=True) if is_in])
        return added

    def _add(self, wanted: Append) -> bool:
        kept, event = self.tables.get(wanted.table), wanted.event
        if kept is None or event.seq <= len(kept.events):
            return False
        if event.holder is not None and event.command is not None and (event.holder, event.command) in kept.commands:
            return False
        assert event.seq == len(kept.events) + 1, f"event {event.seq} of {wanted.table} left a gap in its log"
        self._put(wanted.table, event, wanted.told)
        kept.row |= {column: wanted.row[column] for column in REPEATED}
        kept.used = self.clock
        for change in wanted.also:
            self.change(change)
        self.on_append(wanted.table, kept)
        return True

    def _put(self, table: str, event: Event, told: str | None) -> None:
        kept = self.tables[table]
        kept.events.append(event)
        kept.told.append(told)
        if event.holder is not None and event.command is not None:
            kept.commands[event.holder, event.command] = event
        self.on_event(table, event)

    def change(self, change: Also) -> None:
        match change:
            case Founding(row, event):
                self.found(row, event)
            case Holder():
                self.holders[change.token] = change
            case SpentCode(code):
                self.codes.pop(code, None)

    def tell(self, hints: list[str]) -> None:
        if hints:
            for listener in list(self.listeners):
                listener("\n".join(hints))

    def delete_idle(self, seconds: float, limit: int, uploaded: bool) -> list[str]:
        gone = [
            name
            for name, kept in sorted(self.tables.items())
            if kept.row["uploaded"] == uploaded and kept.used < self.clock - seconds
        ][:limit]
        for name in gone:
            kept = self.tables.pop(name)
            self.holders = {token: holder for token, holder in self.holders.items() if holder.table_id != name}
            self.codes = {code: row for code, row in self.codes.items() if row.table_id != name}
            self.deleted.append(name)
            self.on_delete(name, kept)
        self.tell([f"{name} deleted" for name in gone])
        return gone


class MemoryLog:
    """A `TableLog`: one process' way to the store."""

    kind = "memory"

    def __init__(self, store: Store, loop: SeededLoop, faults: Faults, chance: random.Random, *, shared: bool) -> None:
        self.shared = shared
        self._store = store
        self._loop = loop
        self._faults = faults
        self._chance = chance
        self._world = contextvars.copy_context()
        self._world.run(OWNER.set, None)
        self.down_until = -1.0

    async def _ask(self, what: Callable[[], T], *, commits: bool = False) -> T:
        """Let it be done in the world, and wait for the answer, but not for ever."""
        faults, chance, loop = self._faults, self._chance, self._loop
        if faults.strike("log_down", 0.05):
            self.down_until = loop.now + chance.uniform(*DOWN_S)
        answer: asyncio.Future[T] = loop.create_future()
        fails = faults.strike("log_fails") or loop.now < self.down_until
        lost = faults.strike("answer_lost") or (commits and faults.strike("commit_lost"))
        delay = chance.choice(QUICK_S)
        if faults.strike("log_slow"):
            delay += chance.uniform(*SLOW_S)

        def settle(error: Exception | None, result: Any = None) -> None:
            if answer.done():
                return
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(result)

        def happen() -> None:
            if fails:
                loop.call_later(0.0, settle, DatabaseTrouble("simulated failure"))
                return
            result = what()
            way = chance.choice(QUICK_S)
            loop.call_later(way, settle, DatabaseTrouble("simulated loss of an answer") if lost else None, result)

        self._world.run(loop.call_later, delay, happen)
        try:
            async with asyncio.timeout(LIMIT_S):
                return await answer
        except TimeoutError:
            raise DatabaseTrouble("no answer") from None

    async def close(self) -> None:
        """There is nothing to close."""

    async def check(self) -> None:
        await self._ask(lambda: None)

    async def listen(self, tell: Callable[[str], None]) -> None:
        """Notices come late, twice, or not at all."""
        broken: asyncio.Future[None] = self._loop.create_future()
        here = contextvars.copy_context()

        def notice(text: str) -> None:
            if self._faults.strike("listening_breaks") and not broken.done():
                broken.set_result(None)
            if broken.done() or self._faults.strike("notice_lost"):
                return
            for _ in range(2 if self._faults.strike("notice_doubled") else 1):
                self._loop.call_later(self._chance.choice(NOTICE_S), tell, text, context=here)

        self._store.listeners.append(notice)
        try:
            await broken
        finally:
            self._store.listeners.remove(notice)
        raise ConnectionError("simulated end of a connection")

    # Events

    async def create(self, row: dict[str, Any], event: Event, holders: Sequence[Holder] = ()) -> None:
        def work() -> None:
            self._store.found(row, event)
            for holder in holders:
                self._store.change(holder)

        await self._ask(work)

    async def append(self, batch: Sequence[Append]) -> list[bool]:
        wanted = list(batch)
        return await self._ask(lambda: self._store.append(wanted), commits=True)

    def _events(self, table: str) -> list[Event]:
        kept = self._store.tables.get(table)
        return [] if kept is None else kept.events

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        return await self._ask(lambda: self._events(table)[since : None if limit is None else since + limit])

    async def command(self, table: str, holder: str, command: str) -> Event | None:
        def work() -> Event | None:
            kept = self._store.tables.get(table)
            return None if kept is None else kept.commands.get((holder, command))

        return await self._ask(work)

    async def newest(self, table: str, kind: str) -> Event | None:
        return await self._ask(lambda: next((e for e in reversed(self._events(table)) if e.kind == kind), None))

    async def seqs(self, names: Sequence[str]) -> dict[str, int]:
        return await self._ask(lambda: {name: len(self._events(name)) for name in names if self._events(name)})

    async def told(self, table: str, since: int, last: int, limit: int) -> list[tuple[int, str | None]]:
        def work() -> list[tuple[int, str | None]]:
            kept = self._store.tables.get(table)
            told = [] if kept is None else kept.told[since:last][:limit]
            return [(since + 1 + place, text) for place, text in enumerate(told)]

        return await self._ask(work)

    async def keep_told(self, table: str, told: Sequence[tuple[int, str]]) -> None:
        def work() -> None:
            if (kept := self._store.tables.get(table)) is not None:
                for seq, text in told:
                    kept.told[seq - 1] = text

        await self._ask(work)

    # Seats

    async def holders(self, names: Sequence[str]) -> list[Holder]:
        return await self._ask(lambda: [h for h in self._store.holders.values() if h.table_id in names])

    async def known(self, tokens: Sequence[str]) -> list[Holder]:
        return await self._ask(lambda: [self._store.holders[t] for t in tokens if t in self._store.holders])

    async def add_holder(self, holder: Holder) -> None:
        await self._ask(lambda: self._store.change(holder))

    async def be_present(self, holders: Sequence[str], until: float) -> None:
        def work() -> None:
            for token, holder in self._store.holders.items():
                if holder.id in holders:
                    self._store.holders[token] = replace(holder, present_until=until)

        await self._ask(work)

    async def _row(self, table: str, change: Callable[[dict[str, Any]], T]) -> T | None:
        def work() -> T | None:
            kept = self._store.tables.get(table)
            return None if kept is None else change(kept.row)

        return await self._ask(work)

    async def invitation(self, table: str) -> str | None:
        return await self._row(table, lambda row: row["invite"])

    async def invite(self, table: str, invitation: str) -> bool:
        return await self._row(table, lambda row: row.update(invite=invitation) or True) or False

    async def code(self, table: str, code: str) -> SeatCode | None:
        def work() -> SeatCode | None:
            found = self._store.codes.get(code)
            return found if found is not None and found.table_id == table else None

        return await self._ask(work)

    async def keep_code(self, code: SeatCode) -> bool:
        def work() -> bool:
            if code.table_id not in self._store.tables:
                return False
            seat = (code.table_id, code.seat)
            others = {key: row for key, row in self._store.codes.items() if (row.table_id, row.seat) != seat}
            self._store.codes = others | {code.code: code}
            return True

        return await self._ask(work)

    # Bots

    async def lease(self, table: str, process: str, seconds: float) -> bool:
        def work(row: dict[str, Any]) -> bool:
            now = self._loop.now
            if row["leased_until"] >= now and row["leased_by"] != process:
                return False
            row.update(leased_by=process, leased_until=now + seconds)
            return True

        return await self._row(table, work) or False

    async def renew(self, names: Sequence[str], process: str, seconds: float) -> None:
        def work() -> None:
            for name in names:
                if name in self._store.tables and self._store.tables[name].row["leased_by"] == process:
                    self._store.tables[name].row["leased_until"] = self._loop.now + seconds

        await self._ask(work)

    async def release(self, table: str, process: str) -> None:
        def work(row: dict[str, Any]) -> None:
            if row["leased_by"] == process:
                row["leased_until"] = 0.0

        await self._row(table, work)

    async def bots_due(self, after: str, limit: int) -> list[tuple[str, int]]:
        def work() -> list[tuple[str, int]]:
            due = [
                (name, kept.row["seq"])
                for name, kept in self._store.tables.items()
                if kept.row["bot_due"] and kept.row["leased_until"] < self._loop.now and name > after
            ]
            return sorted(due)[:limit]

        return await self._ask(work)

    async def leave_alone(self, table: str) -> None:
        await self._row(table, lambda row: row.update(bot_due=False))

    # How long tables are kept

    async def clock(self) -> float:
        return await self._ask(lambda: self._store.clock)

    async def advance_clock(self, seconds: float) -> None:
        def work() -> None:
            self._store.clock = max(self._store.clock, seconds)

        await self._ask(work)

    async def unmarked(self, names: Sequence[str], seconds: float) -> dict[str, bool]:
        def work() -> dict[str, bool]:
            there = {name: self._store.tables[name] for name in names if name in self._store.tables}
            return {name: kept.used < self._store.clock - seconds for name, kept in there.items()}

        return await self._ask(work)

    async def mark(self, names: Sequence[str]) -> None:
        await self._ask(lambda: [self._mark(name) for name in names])

    async def keep(self, table: str) -> bool:
        return await self._ask(lambda: self._mark(table))

    def _mark(self, name: str) -> bool:
        if name not in self._store.tables:
            return False
        self._store.tables[name].used = self._store.clock
        return True

    async def mark_forgotten(self) -> None:
        await self._ask(lambda: None)

    async def delete_idle(self, seconds: float, limit: int, *, uploaded: bool) -> list[str]:
        return await self._ask(lambda: self._store.delete_idle(seconds, limit, uploaded))
