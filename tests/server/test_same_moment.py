"""Things that happen at the same moment: what is committed and not yet known, who listens and does not take it."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic_core import to_json

from server.process import sqlite_in
from server.stories import opened, run
from sunglade import bots
from sunglade.bots.strengths import STRENGTHS
from sunglade.server.limits import Limits
from sunglade.server.metrics import Metrics
from sunglade.server.ratings.book import SqlBook
from sunglade.server.ratings.desk import Ratings
from sunglade.table.answers import Answer
from sunglade.table.audience import Connection
from sunglade.table.autoplay import AT_ONCE, Autoplay
from sunglade.table.house import House
from sunglade.table.live import MOST_ANSWERS, Live
from sunglade.table.memory_log import MemoryLog
from sunglade.table.people import PAGE
from sunglade.table.requests import Command, CreateTable, Join, NewPerson, SeatRequest
from sunglade.table.room import Room
from sunglade.table.saying import Saying
from sunglade.table.table import Event, Intent
from sunglade.table.table_log import Append, Holder, TableLog
from sunglade.table.table_registry import TableRegistry
from sunglade.table.tokens import new_token
from sunglade.table.trouble import DatabaseTrouble

HERE = "203.0.113.1"
ADA = [SeatRequest("me", "Ada"), SeatRequest("open")]


def house_of(log: TableLog, *, shared: bool = False) -> House:
    registry = TableRegistry(log, Metrics(), bots.names(), 1000, shared=shared, write=to_json)
    nobody = cast(Any, None)
    return House(registry, nobody, nobody, Limits(0.0), asyncio.to_thread, talk=True, ratings=True)


async def whole(answer: Answer) -> bytes:
    return answer if isinstance(answer, bytes) else b"".join([part async for part in answer])


async def somebody(house: House, name: str = "Ada") -> str:
    """The key of somebody new."""
    return str(json.loads(await house.people.add(NewPerson(new_token(), name), HERE))["key"])


async def two(house: House) -> tuple[Room, str, str]:
    """A table that has begun, and the tokens of Ada, who is to act, and of Ben."""
    made = json.loads(await house.create(CreateTable(ADA), HERE))
    joined = json.loads(await house.join(made["table"], Join(made["invite"], "Ben"), None, HERE))
    return await house.registry.room(made["table"]), made["token"], joined["token"]


async def rated(house: House) -> tuple[str, str]:
    """A rated game against a bot, and the token of whoever plays it."""
    seats = [SeatRequest("me", "Ada"), SeatRequest("bot", level="sapling")]
    wanted = CreateTable(seats, assistance=False, rated=True)
    made = json.loads(await house.create(wanted, HERE, await somebody(house)))
    return made["table"], made["token"]


def test_a_result_that_is_committed_before_the_table_knows_of_it_counts(tmp_path: Path) -> None:
    """The row of a table told that its game is over, the table in memory did not yet: it counted for nobody."""

    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            house = house_of(database)
            book = SqlBook(database)
            desk = Ratings(house, book, lambda person: None, offered=True, ranking=False)
            (name, token), committed, adopted = await rated(house), asyncio.Event(), asyncio.Event()
            commit = house.registry.committer.append

            async def slow(wanted: Append) -> bool:
                added = await commit(wanted)
                committed.set()
                await adopted.wait()
                return added

            house.registry.committer.append = slow  # type: ignore[method-assign]
            resigning = asyncio.create_task(house.command(name, Command("c", "resign"), token, HERE))
            await committed.wait()
            assert await book.due(10) == [name]
            counting = asyncio.create_task(desk._count(name))
            await asyncio.wait([counting], timeout=1.0)
            adopted.set()
            await asyncio.gather(resigning, counting)
            await desk._count(name)
            counted = await book.counted(name)
            assert counted is not None and [each.place for each in counted.seats] == [2, 1]
            await house.registry.finish(5)

    run(story())


def test_a_bot_whose_strength_is_no_longer_known_makes_a_result_count_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade it could not be reckoned with, and neither could any result after it."""

    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            house = house_of(database)
            book = SqlBook(database)
            desk = Ratings(house, book, lambda person: None, offered=True, ranking=False)
            name, token = await rated(house)
            await house.command(name, Command("c", "resign"), token, HERE)
            monkeypatch.delitem(STRENGTHS[2], "sapling")
            await desk._count(name)
            counted = await book.counted(name)
            assert counted is not None and counted.seats == () and await book.due(10) == []
            await house.registry.finish(5)

    run(story())


class Deaf:
    """A client that takes nothing after the welcome, and then says as much as it is allowed to."""

    def __init__(self, hello: dict[str, Any]) -> None:
        ping = {"type": "ping"}
        self._said = [hello, ping, *[ping] * MOST_ANSWERS]
        self._welcomed = False
        self._waiting = asyncio.Event()

    async def receive(self) -> str:
        if len(self._said) == MOST_ANSWERS:
            await self._waiting.wait()
        if not self._said:
            await asyncio.Future()
        return json.dumps(self._said.pop(0))

    async def send(self, text: str) -> None:
        if self._welcomed:
            self._waiting.set()
            await asyncio.Future()
        self._welcomed = True

    def seated(self) -> None: ...


def test_who_takes_no_messages_harms_nobody_who_nudges_them() -> None:
    """The end of that connection was raised in the request of whoever nudged."""

    async def story() -> None:
        house = house_of(MemoryLog())
        room, ada, ben = await two(house)
        live = Live(Deaf({"type": "hello", "table": room.table.name, "token": ada}), house, HERE)
        running = asyncio.create_task(live.run())
        while len(live._answers) < MOST_ANSWERS and not running.done():
            await asyncio.sleep(0)
        assert json.loads(await house.nudge(room.table.name, ben, HERE)) == {"seat": 0}
        running.cancel()
        await asyncio.wait([running])

    run(story())


def test_who_listens_hears_other_processes_also_after_somebody_was_forgotten() -> None:
    async def story() -> None:
        log = MemoryLog(shared=True)
        here, there = (house_of(log, shared=True) for _ in range(2))
        room, *_ = await two(here)
        name = room.table.name
        other = await there.registry.room(name)
        await there.registry.talks.keep_up(other)  # somebody listens there
        await here.registry.record(room, lambda table: Intent("forgotten", None, {"seats": [0]}))
        await there.registry.hear(f"{name} {room.table.seq}")
        saying = Saying(time.time(), 1, "Ben", "ben", "first", "hello", None)
        number = await here.registry.talks.say(room, saying)
        await there.registry.hear(f"{name} said {number}")
        assert other.talk.last == number

    run(story())


def test_looking_after_many_tables_takes_turns_with_everything_else() -> None:
    async def story() -> None:
        house = house_of(MemoryLog())
        players = Autoplay(house.registry, cast(Any, None), cast(Any, None), "p")
        for _ in range(3 * AT_ONCE):
            await house.create(CreateTable(ADA), HERE)
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(others())
        await players._look_after()
        other.cancel()
        assert turns >= 3

    run(story())


def test_who_is_connected_is_there_for_all_processes_as_long_as_one_has_them() -> None:
    """Whoever had just come to another process, or closed one of two tabs, counted as away for up to twenty seconds."""

    async def story() -> None:
        log = MemoryLog(shared=True)
        houses = [house_of(log, shared=True) for _ in range(3)]
        room, ada, _ = await two(houses[0])
        rooms = [await house.registry.room(room.table.name) for house in houses]
        hints: list[str] = []
        log.listeners.append(hints.append)

        async def sweep() -> None:
            """As each process does every other second; twice, so that answers are heard as well."""
            for _ in range(2):
                for house in houses:
                    await house.registry.tell_who_came_and_went()
                heard, hints[:] = list(hints), []
                for hint in heard:
                    for house in houses:
                        await house.registry.hear(hint)

        def are_there() -> list[bool]:
            return [each.presence()["connected"][0] for each in rooms]

        for each in rooms:
            each.present_until.clear()  # nobody has asked for anything lately
        assert are_there() == [False, False, False]
        holder = await houses[0].registry.holder(room, ada)
        tabs = [Connection(holder, HERE, lambda: None, lambda problem: None) for _ in range(2)]
        for each, tab in zip(rooms, tabs, strict=False):
            each.join(tab)
        await sweep()
        assert are_there() == [True, True, True]
        rooms[0].part(tabs[0])
        await sweep()
        assert are_there() == [True, True, True]
        rooms[1].part(tabs[1])
        await sweep()
        assert are_there() == [False, False, False]

    run(story())


class Slow(MemoryLog):
    """Tells no log until it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()
        self.may.set()

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        await self.may.wait()
        return await super().log(table, since, limit)


def test_whoever_is_forgotten_after_a_crash_keeps_nobody_from_the_rest_of_the_housekeeping() -> None:
    """Somebody may have a thousand tables: meanwhile no lease was renewed, and nobody's presence."""

    async def story() -> None:
        log = Slow()
        house = house_of(log)
        await house.create(CreateTable(ADA), HERE, await somebody(house))
        (person,) = log.people
        await log.begin_to_forget(person)  # as far as the process came that was killed
        log.may.clear()
        await house.people.forget_all()
        assert person in log.people
        log.may.set()
        await house.people.finish(60)
        assert person not in log.people
        assert all(chair.name is None for room in house.registry.rooms.values() for chair in room.table.chairs)

    run(story())


class Failing(MemoryLog):
    """Tells the first page of somebody's tables, and fails at the second."""

    async def tables_of(self, person: str, before: tuple[float, str] | None, limit: int) -> list[Holder]:
        if before is not None:
            raise DatabaseTrouble("gone")
        return await super().tables_of(person, before, limit)


def test_an_export_that_breaks_off_is_no_json_and_no_error_of_the_server() -> None:
    async def story() -> None:
        house = house_of(Failing())
        key = await somebody(house)
        for _ in range(PAGE + 1):
            await house.create(CreateTable(ADA), HERE, key)
        broken = await whole(await house.people.export(key, HERE))
        assert broken.count(b'"game":') == PAGE
        with pytest.raises(ValueError, match="delimiter"):
            json.loads(broken)

    run(story())
