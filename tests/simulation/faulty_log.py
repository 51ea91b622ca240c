"""A log in memory that all simulated processes share, and that fails as databases do.

What is asked for happens in the world, whether or not the asker lives to hear of it: a commit may fail, may succeed
while its answer is lost, or take longer than anybody waits.
"""

from __future__ import annotations

import asyncio
import contextvars
import random
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from simulation.faults import Faults
from simulation.loop import OWNER, SeededLoop
from simulation.rated import RatedStore
from simulation.told import ToldStore
from sunglade.table.memory_log import Kept, MemoryLog
from sunglade.table.saying import Saying
from sunglade.table.table import Event
from sunglade.table.table_log import Append
from sunglade.table.trouble import LIMIT_S, DatabaseTrouble

T = TypeVar("T")
QUICK_S: Final = (0.0, 0.001, 0.002, 0.005, 0.02)
SLOW_S: Final = (1.0, 30.0)
DOWN_S: Final = (1.0, 15.0)
NOTICE_S: Final = (0.0, 0.001, 0.01, 0.5)


class Store(MemoryLog):
    """What has been committed: the truth of a simulation, and whoever watches over it."""

    def __init__(self, loop: SeededLoop) -> None:
        super().__init__(shared=True, now=lambda: loop.now)
        self.deleted: list[str] = []
        self.asked_at = 0.0
        """When what happens now was asked for."""
        self.targets = ToldStore(self)
        self.rated = RatedStore(self)
        self.on_event: Callable[[str, Event], None] = lambda table, event: None
        self.on_append: Callable[[str, Kept], None] = lambda table, kept: None
        self.on_delete: Callable[[str, Kept], None] = lambda table, kept: None
        self.on_said: Callable[[str], None] = lambda table: None

    def _found(self, row: dict[str, Any], event: Event) -> None:
        super()._found(row, event)
        self.on_append(row["id"], self.tables[row["id"]])

    def _add(self, wanted: Append) -> bool:
        kept = self.tables.get(wanted.table)
        no_gap = kept is None or wanted.event.seq <= len(kept.events) + 1
        assert no_gap, f"event {wanted.event.seq} of {wanted.table} left a gap in its log"
        added = super()._add(wanted)
        if added:
            self.on_append(wanted.table, self.tables[wanted.table])
        return added

    def _put(self, table: str, event: Event, told: str | None) -> None:
        super()._put(table, event, told)
        self.on_event(table, event)

    async def keep_saying(self, table: str, saying: Saying) -> Saying | None:
        """Something is said."""
        kept = await super().keep_saying(table, saying)
        if kept is not None:
            self.on_said(table)
        return kept

    def _delete(self, name: str) -> None:
        kept = self.tables[name]
        super()._delete(name)
        self.deleted.append(name)
        self.on_delete(name, kept)


def _at_once(asked: Coroutine[Any, Any, T]) -> T:
    """The answer of something that waits for nothing."""
    try:
        asked.send(None)
    except StopIteration as end:
        answer: T = end.value
        return answer
    raise AssertionError("the store made somebody wait")


def _asked(name: str, *, commits: bool = False) -> Callable[..., Coroutine[Any, Any, Any]]:
    """A question of `TableLog` that is put to the store over a way on which things go wrong."""

    async def ask(self: FaultyLog, *given: Any, **named: Any) -> Any:
        question = getattr(self._store, name)
        return await self._ask(lambda: _at_once(question(*given, **named)), commits=commits)

    return ask


class FaultyLog:
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
        asked_at = loop.now
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
            self._store.asked_at = asked_at
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

    check = _asked("check")
    create = _asked("create")
    append = _asked("append", commits=True)
    log = _asked("log")
    command = _asked("command")
    newest = _asked("newest")
    seqs = _asked("seqs")
    told = _asked("told")
    keep_told = _asked("keep_told")
    holders = _asked("holders")
    known = _asked("known")
    add_holder = _asked("add_holder")
    be_present = _asked("be_present")
    invitation = _asked("invitation")
    invite = _asked("invite")
    code = _asked("code")
    keep_code = _asked("keep_code")
    say = _asked("say")
    lease = _asked("lease")
    renew = _asked("renew")
    release = _asked("release")
    bots_due = _asked("bots_due")
    next_deadline = _asked("next_deadline")
    overdue = _asked("overdue")
    leave_alone = _asked("leave_alone")
    listings = _asked("listings")
    attend = _asked("attend")
    clock = _asked("clock")
    advance_clock = _asked("advance_clock")
    unmarked = _asked("unmarked")
    mark = _asked("mark")
    keep = _asked("keep")
    mark_forgotten = _asked("mark_forgotten")
    delete_idle = _asked("delete_idle")
    delete_table = _asked("delete_table")
    link = _asked("link")
    tables_of = _asked("tables_of")
    add_person = _asked("add_person")
    person_by_key = _asked("person_by_key")
    change_person = _asked("change_person")
    person_used = _asked("person_used")
    keep_person_code = _asked("keep_person_code")
    person_code = _asked("person_code")
    spend_person_code = _asked("spend_person_code")
    begin_to_forget = _asked("begin_to_forget")
    people_leaving = _asked("people_leaving")
    people_unused = _asked("people_unused")
    forget_person = _asked("forget_person")
    keep_saying = _asked("keep_saying", commits=True)
    said = _asked("said")
    newest_said = _asked("newest_said")
    muted = _asked("muted")
    mute = _asked("mute")
    rewrite = _asked("rewrite")
