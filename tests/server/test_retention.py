"""Which tables are deleted: those that were idle while servers ran, never one in use, and always whole."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from server.games import ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from server.stories import HANG_S, opened, run
from sunglade.client import Refused
from sunglade.server import sql_schema as db
from sunglade.server.backup import backup, restore
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.table import retention
from sunglade.table.audience import Connection
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, CreateTable, SeatRequest
from sunglade.table.retention import DAY_S, RunningClock, retire
from sunglade.table.room import Room
from sunglade.table.seating import setup_for
from sunglade.table.table import Event
from sunglade.table.table_log import Append, SeatCode, new_holder_row
from sunglade.table.table_registry import TableRegistry

Serve = Callable[..., Server]
DAYS = 30.0


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of either kind."""
    if request.param == "sqlite":
        yield sqlite_in(tmp_path)
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        yield postgres.new_database()


def process(database: Database) -> TableRegistry:
    """The rooms of a process; others write to the same logs."""
    return TableRegistry(database, Metrics(), ["greedy"], 1000, shared=True)


async def new_table(registry: TableRegistry) -> Room:
    seats = [SeatRequest(kind="me", name=name) for name in ("Ada", "Ben")]
    setup = setup_for(CreateTable(seats=seats), "ada", ["greedy"])
    return await registry.create(setup, [lambda name: new_holder_row(name, "ada", f"token of {name}")])


async def idle_tables(database: Database, count: int, days: float = 2 * DAYS) -> list[str]:
    """Tables that nobody has used for so many days in which servers ran."""
    names = [(await new_table(process(database))).table.name for _ in range(count)]
    await pass_days(database, days)
    return names


async def pass_days(database: Database, days: float) -> None:
    """Servers run for so long."""
    await database.change(db.clock.update().values(seconds=db.clock.c.seconds + days * DAY_S))


def playing(room: Room, name: str = "c1") -> Command:
    return Command(id=name, do="play", expected=room.table.seq, action=room.table.game.legal[0])


async def there(database: Database) -> set[str]:
    """The tables there are at this moment, every one of them whole, and nothing of any other."""
    rows: dict[str, list[Any]] = {}
    async with database.engine.connect() as connection:
        if database.kind == "postgresql":
            connection = await connection.execution_options(isolation_level="REPEATABLE READ")
        for table in (db.tables, db.events, db.holders, db.codes):
            rows[table.name] = list(await connection.execute(table.select()))
    tables = {row.id: row.seq for row in rows["tables"]}
    assert {row.table_id for row in rows["events"] + rows["holders"] + rows["codes"]} == set(tables)
    for name, seq in tables.items():
        assert sorted(row.seq for row in rows["events"] if row.table_id == name) == list(range(1, seq + 1))
        assert [row.id for row in rows["holders"] if row.table_id == name] == ["ada"]
    return set(tables)


async def refusal(asked: Coroutine[Any, Any, Any]) -> str | None:
    try:
        await asked
    except ServerProblem as problem:
        return problem.kind
    return None


# The clock


def test_idle_tables_go_and_others_stay(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            old = await idle_tables(database, 3)
            new = await idle_tables(database, 3, days=0.0)
            assert set(await retire(database, DAYS, 0.0)) == set(old)
            assert await there(database) == set(new)
            assert await retire(database, DAYS, 0.0) == []

    run(story())


def test_a_clock_that_jumps_deletes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with opened(url) as database:
            registry, clock = process(database), RunningClock(database)
            name = (await new_table(registry)).table.name
            registry.close(name)
            now = time.time()
            for jump in (100 * DAY_S, 0.0, -100 * DAY_S):
                monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
                await clock.advance()
                await registry.stay()
                assert await retire(database, 1.0, 1.0) == []
            assert await there(database) == {name}

    run(story())


class Watch:
    """Tells the time that a test wants."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def seconds(database: Database) -> float:
    return float((await database.one(sa.select(db.clock.c.seconds))).seconds)


def test_several_processes_move_the_clock_no_faster_than_one(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            watch = Watch()
            clocks = [RunningClock(database, watch) for _ in range(3)]
            for _ in range(20):
                for clock in clocks:
                    await clock.advance()
                    watch.now += 5.0
            assert 20 * 15.0 - 30.0 <= await seconds(database) <= 20 * 15.0

    run(story())


def test_time_in_which_no_server_runs_or_one_stands_still_hardly_counts(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            watch = Watch()
            clock = RunningClock(database, watch)
            await clock.advance()
            watch.now += 100 * DAY_S
            await clock.advance()
            assert await seconds(database) == retention.STEP_S
            watch.now += 100 * DAY_S
            await RunningClock(database, watch).advance()
            assert await seconds(database) == retention.STEP_S

    run(story())


def test_tables_whose_use_was_not_kept_are_idle_from_now_on(url: str) -> None:
    """A process of an older version writes such rows while others run that count."""

    async def story() -> None:
        async with opened(url) as database:
            (name,) = await idle_tables(database, 1)
            await database.change(db.tables.update().values(used=None))
            assert await retire(database, DAYS, 0.0) == []
            await pass_days(database, DAYS + 1)
            assert await retire(database, DAYS, 0.0) == [name]

    run(story())


def test_a_restored_table_is_idle_from_then_on(url: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(url) as source, opened(f"sqlite+aiosqlite:///{tmp_path / 'new.sqlite'}") as database:
            (name,) = await idle_tables(source, 1)
            await backup(source, tmp_path / "backup.gz")
            await pass_days(database, 10 * DAYS)
            assert await restore(database, tmp_path / "backup.gz") == 1
            assert await retire(database, DAYS, 0.0) == []
            assert await there(database) == {name}

    run(story())


# Tables in use


def test_a_table_in_memory_of_any_process_is_not_deleted(url: str) -> None:
    """Whether somebody is connected, or a request is on its way to it."""

    async def story() -> None:
        async with opened(url) as database:
            names = await idle_tables(database, 3)
            here, elsewhere = process(database), process(database)
            rooms = [await here.room(names[0]), await elsewhere.room(names[1])]
            assert await retire(database, DAYS, 0.0) == [names[2]]
            await pass_days(database, 2 * DAYS)
            await here.stay()
            await elsewhere.stay()
            assert await retire(database, DAYS, 0.0) == []
            for registry, room in zip((here, elsewhere), rooms, strict=True):
                assert await registry.act(room, "ada", playing(room)) == 2
            assert await there(database) == set(names[:2])

    run(story())


def test_the_operator_cannot_wish_tables_in_use_away(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            room = await new_table(process(database))
            await pass_days(database, retention.MARKED_S * 2 / DAY_S)  # as late as a process may be to mark it
            assert await retire(database, 1e-9, 1e-9) == []
            assert await there(database) == {room.table.name}

    run(story())


def test_who_comes_while_a_table_is_deleted_is_told_that_there_is_none(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            (name,) = await idle_tables(database, 1)
            async with database.engine.begin() as connection:
                assert await connection.run_sync(database.delete, False, DAYS * DAY_S, retention.TOGETHER) == [name]
                coming = asyncio.create_task(refusal(process(database).room(name)))
                await asyncio.sleep(0.2)
            assert await coming == "unknown_table"
            assert await there(database) == set()

    run(story())


def test_no_code_for_a_seat_is_left_of_a_table_that_goes_meanwhile(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            (name,) = await idle_tables(database, 1)
            code = SeatCode("a code", name, 0, "ada", 1.0)
            assert await database.keep_code(code) and await database.keep_code(replace(code, code="a newer one"))
            async with database.engine.begin() as connection:
                assert await connection.run_sync(database.delete, False, DAYS * DAY_S, retention.TOGETHER) == [name]
                keeping = asyncio.create_task(database.keep_code(code))
                await asyncio.sleep(0.2)
            assert not await keeping
            assert await there(database) == set()

    run(story())


# Tables that are gone


async def lose(database: Database) -> None:
    """All tables go, whoever uses them, as when this process stood still for a month while others ran."""
    await pass_days(database, 2 * DAYS)
    await retire(database, DAYS, 0.0)


class Looking:
    """Somebody who is connected, and what they were told at the end."""

    def __init__(self, room: Room) -> None:
        self.told: list[str] = []
        room.join(Connection("ada", "127.0.0.1", lambda: None, lambda problem: self.told.append(problem.kind)))


def test_a_command_to_a_deleted_table_is_refused_and_everybody_told(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            registry = process(database)
            room = await new_table(registry)
            looking, first = Looking(room), playing(room)
            await registry.act(room, "ada", first)
            await lose(database)
            assert await refusal(registry.act(room, "ada", playing(room, "c2"))) == "unknown_table"
            assert looking.told == ["unknown_table"]
            for command in (first, playing(room, "c3")):
                assert await refusal(registry.act(room, "ada", command)) == "unknown_table"
            assert await refusal(registry.room(room.table.name)) == "unknown_table"
            with pytest.raises(ServerProblem, match="deleted"):
                Looking(room)
            await room.wait_for_news(since=room.table.seq, seconds=HANG_S)  # nobody waits any more
            assert await there(database) == set()

    run(story())


@pytest.mark.parametrize("how", ["hint", "look"])
def test_everybody_is_told_of_a_deleted_table_without_a_command(url: str, how: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            registry = process(database)
            room, looking = await new_table(registry), []
            looking.append(Looking(room))
            await lose(database)
            await (registry.hear(f"{room.table.name} deleted\n") if how == "hint" else registry.stay())
            assert looking[0].told == ["unknown_table"]
            assert registry.rooms == {}

    run(story())


def test_a_false_hint_deletes_nothing(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            registry = process(database)
            room = await new_table(registry)
            await registry.hear(f"{room.table.name} deleted\nunknown deleted\n")
            assert await registry.act(room, "ada", playing(room)) == 2

    run(story())


# At the same moment


def test_a_command_whose_table_is_being_deleted_is_refused_and_leaves_nothing(url: str) -> None:
    async def story() -> None:
        async with opened(url) as database:
            registry = process(database)
            room = await new_table(registry)
            await pass_days(database, 2 * DAYS)
            async with database.engine.begin() as connection:
                await connection.run_sync(database.delete, False, DAYS * DAY_S, retention.TOGETHER)
                asking = asyncio.create_task(refusal(registry.act(room, "ada", playing(room))))
                await asyncio.sleep(0.2)
                assert not asking.done()
            assert await asking == "unknown_table"
            assert await there(database) == set()

    run(story())


def test_a_table_whose_command_is_being_committed_is_not_deleted(postgres: Postgres) -> None:
    async def story() -> None:
        async with opened(postgres.new_database()) as database:
            (name,) = await idle_tables(database, 1)
            event = Event(2, time.time(), "rematch", None, {"table": "another", "holders": {}})
            row = {
                "changed": time.time(),
                "seq": 2,
                "status": "playing",
                "bot_due": False,
                "deadline": None,
                "listing": None,
                "rating_due": False,
            }
            async with database.engine.begin() as connection:
                assert await connection.run_sync(database._add, [Append(name, event, row)])
                assert await retire(database, DAYS, 0.0) == []
            assert await retire(database, DAYS, 0.0) == []
            assert await there(database) == {name}

    run(story())


def test_commands_and_deletions_in_the_same_moment(url: str) -> None:
    """Whichever comes first: acknowledged and kept, or refused and gone."""

    async def story() -> None:
        async with opened(url) as database:
            rng, kept = random.Random(1), set[str]()
            outcomes = set[str | None]()

            async def later(what: Coroutine[Any, Any, Any]) -> Any:
                await asyncio.sleep(rng.choice([0.0, 0.0, 0.001, 0.003]))
                return await what

            for number in range(40):
                registry = process(database)
                room = await new_table(registry)
                await pass_days(database, 2 * DAYS)
                await retention.mark_used(database, sorted(kept))
                acting = refusal(registry.act(room, "ada", playing(room)))
                deleting = retire(database, DAYS, 0.0)
                if number % 4 == 0:
                    refused, gone = await acting, await deleting
                elif number % 4 == 1:
                    gone, refused = await deleting, await acting
                else:
                    refused, gone = await asyncio.gather(later(acting), later(deleting))
                assert (refused, gone) in [(None, []), ("unknown_table", [room.table.name])]
                if refused is None:
                    kept.add(room.table.name)
                outcomes.add(refused)
                assert await there(database) == kept
            assert outcomes == {None, "unknown_table"}

    run(story())


def test_a_deletion_that_is_given_up_half_way_leaves_every_table_whole(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "TOGETHER", 2)

    async def story() -> None:
        async with opened(url) as database:
            names = set(await idle_tables(database, 12))
            for ticks in range(1, 60, 3):
                retiring = asyncio.create_task(retire(database, DAYS, 0.0))
                for _ in range(ticks):
                    await asyncio.sleep(0)
                retiring.cancel()
                await asyncio.gather(retiring, return_exceptions=True)
                assert await there(database) <= names
            await retire(database, DAYS, 0.0)
            assert await there(database) == set()

    run(story())


# Real processes


def clock_ahead(path: Path, days: float) -> None:
    """As if servers had run for so long."""
    with sqlite3.connect(path, timeout=300) as database:
        database.execute("UPDATE clock SET seconds = seconds + 86400.0 * ?", [days])


def names_in(path: Path) -> set[str]:
    with sqlite3.connect(path, timeout=300) as database:
        return {name for (name,) in database.execute("SELECT id FROM tables")}


@pytest.mark.slow
def test_a_server_deletes_idle_tables_and_leaves_those_alone_where_somebody_is(serve: Serve, tmp_path: Path) -> None:
    """A connection that says nothing for a month, and a table nobody has in memory."""
    server, path = serve("--keep-days", "5"), tmp_path / "tables.sqlite"
    with server.client() as client:
        idle, used = client.create([ME, ME]), client.create([ME, OPEN])
        server.stop()
        server.start()
        with used.live() as live:
            clock_ahead(path, 10)
            until = time.monotonic() + 300
            while idle.table in names_in(path):
                assert time.monotonic() < until, "the idle table stays"
                time.sleep(0.5)
            live.command("rename", name="Eva")
            while (message := live.receive())["type"] != "ack":
                assert message["type"] not in ("refused", "goodbye")
        server.kill()
        server.start()
        used.refresh()
        assert used.view["seats"][0]["name"] == "Eva"
        with pytest.raises(Refused, match="unknown_table"):
            idle.refresh()
    assert server.errors() == []


def test_players_connected_to_a_table_that_is_taken_away_are_told(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        table = client.create([ME, OPEN])
        with table.live() as live:
            with sqlite3.connect(tmp_path / "tables.sqlite", timeout=300) as database:
                for name, column in [("tables", "id"), ("events", "table_id"), ("holders", "table_id")]:
                    database.execute(f"DELETE FROM {name} WHERE {column} = ?", [table.table])
            identity, heard = live.command("rename", name="Eva"), []
            with pytest.raises(ConnectionClosed):
                while True:
                    heard.append(live.receive())
            refused = next(message for message in heard if message["type"] == "refused")
            assert (refused["id"], refused["error"]["kind"]) == (identity, "unknown_table")
            assert heard[-1]["type"] == "goodbye" and heard[-1]["error"]["kind"] == "unknown_table"
            assert "retry_after" not in heard[-1] and all(message["type"] != "ack" for message in heard)
        with pytest.raises(Refused, match="unknown_table"):
            table.command("rename", name="Eva")
    assert server.errors() == []
