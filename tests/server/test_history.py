"""Long logs hold nobody up: tables are replayed a little at a time, what was told is kept and read by pages."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.long_tables import HOLDER, TOKEN, put
from server.process import Server, sqlite_in
from server.stories import opened, run
from sunglade import Game
from sunglade.client import Live
from sunglade.server.config import Config
from sunglade.server.metrics import Metrics
from sunglade.server.service import Service
from sunglade.table.answers import whole_past
from sunglade.table.archive import AT_ONCE
from sunglade.table.requests import Command, HintRequest
from sunglade.table.room import MOST_TOLD, Room
from sunglade.table.table import Event, Table
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble

Serve = Callable[..., Server]


class Turns:
    """Counts the loop's turns, and how often a table's event was applied in each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.applied: Counter[int] = Counter()
        self._turn = 0
        apply = Table.apply

        def counted(table: Table, event: Event) -> list[dict[str, Any]]:
            self.applied[self._turn] += 1
            return apply(table, event)

        monkeypatch.setattr(Table, "apply", counted)

    async def count(self) -> None:
        while True:
            self._turn += 1
            await asyncio.sleep(0)


def with_registry(folder: Path, work: Callable[[TableRegistry], Awaitable[None]]) -> None:
    """Do something with real rooms on a real database."""

    async def all_of_it() -> None:
        async with opened(sqlite_in(folder)) as database:
            await work(TableRegistry(database, Metrics(), ["greedy"], 10, shared=False))

    run(all_of_it())


def after(told: list[dict[str, Any]], seq: int) -> list[dict[str, Any]]:
    return [event for event in told if event["seq"] > seq]


async def pages(registry: TableRegistry, room: Room, since: int) -> list[dict[str, Any]]:
    """Everything that was told after an event, page by page."""
    told: list[dict[str, Any]] = []
    while since < room.table.seq:
        since, page = await registry.archive.page(room, since)
        told += json.loads(page)
    return told


def test_a_long_log_is_replayed_a_little_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(registry: TableRegistry) -> None:
        await put(registry.database, "long", 1500)
        turns = Turns(monkeypatch)
        counting = asyncio.create_task(turns.count())
        room = await registry.room("long")
        counting.cancel()
        assert room.table.seq == 1500 and sum(turns.applied.values()) == 1499
        assert max(turns.applied.values()) <= AT_ONCE

    with_registry(tmp_path, work)


def test_what_was_told_is_kept_and_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(registry: TableRegistry) -> None:
        told = await put(registry.database, "long", 1500)
        room = await registry.room("long")
        turns = Turns(monkeypatch)
        assert await pages(registry, room, 0) == json.loads(f"[{','.join(told[1:])}]")
        assert not turns.applied

    with_registry(tmp_path, work)


def test_a_log_of_a_version_that_kept_nothing_told_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(registry: TableRegistry) -> None:
        told = await put(registry.database, "long", 1500, untold=True)
        room = await registry.room("long")
        turns = Turns(monkeypatch)
        counting = asyncio.create_task(turns.count())
        both = await asyncio.gather(pages(registry, room, 0), pages(registry, room, 3))
        counting.cancel()
        assert both[0] == json.loads(f"[{','.join(told[1:])}]") and both[1] == after(both[0], 3)
        assert sum(turns.applied.values()) == 1499 and max(turns.applied.values()) <= AT_ONCE
        assert await pages(registry, room, 0) == both[0]
        assert sum(turns.applied.values()) == 1499

    with_registry(tmp_path, work)


@pytest.mark.parametrize("good", [0, 1])
def test_trouble_while_the_past_is_told_is_a_refusal_or_cuts_the_answer_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: int
) -> None:
    """Never an error: what has begun cannot be refused any more."""

    async def work(registry: TableRegistry) -> None:
        await put(registry.database, "long", 1500)
        room, read = await registry.room("long"), registry.database.told
        asked = 0

        async def told(*wanted: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked > good:
                raise DatabaseTrouble("gone")
            return await read(*wanted)

        monkeypatch.setattr(registry.database, "told", told)
        if not good:
            with pytest.raises(DatabaseTrouble):
                await whole_past(registry.archive, room, 0)
            return
        answer = await whole_past(registry.archive, room, 0)
        assert not isinstance(answer, bytes)
        text = b"".join([part async for part in answer])
        assert text.startswith(b"[{") and not text.endswith(b"]")

    with_registry(tmp_path, work)


def test_a_table_that_goes_on_while_its_past_is_read_leaves_nothing_out(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        await put(registry.database, "long", 900)
        room = await registry.room("long")

        async def play() -> None:
            for number in range(30):
                seq = room.table.seq
                game, name = room.table.game, f"new{number}"
                command = Command(id=name, do="play", expected=seq, action=game.legal[-1])
                if game.undoable():
                    command = Command(id=name, do="undo", expected=seq)
                await registry.act(room, HOLDER, command)

        told, _ = await asyncio.gather(pages(registry, room, 0), play())
        told += await pages(registry, room, told[-1]["seq"])
        assert sorted({event["seq"] for event in told}) == list(range(2, room.table.seq + 1))
        assert [event["seq"] for event in told] == sorted(event["seq"] for event in told)

    with_registry(tmp_path, work)


@pytest.fixture
def long_table(serve: Serve, tmp_path: Path) -> tuple[Server, list[dict[str, Any]]]:
    """A server with a table of 1,500 events, and what was told of them."""

    async def fill() -> list[str]:
        async with opened(sqlite_in(tmp_path)) as database:
            return await put(database, "long", 1500)

    told = asyncio.run(fill())
    return serve(), json.loads(f"[{','.join(told[1:])}]")


def test_old_clients_get_everything_over_http(long_table: tuple[Server, list[dict[str, Any]]]) -> None:
    server, told = long_table
    with httpx.Client(base_url=server.url, timeout=300) as http:
        assert http.get("/api/tables/long/events").json() == told
        assert http.get("/api/tables/long/events", params={"since": 1400}).json() == after(told, 1400)
        update = http.get("/api/tables/long").json()
        assert (update["seq"], update["events"], update["view"]["seq"]) == (1500, told, 1500)
        command = {"id": "new", "do": "rename", "name": "Eva", "seat": 0, "expected": 0}
        headers = {"authorization": f"Bearer {TOKEN}"}
        answer = http.post("/api/tables/long/commands", json=command, headers=headers).json()
        assert answer["acknowledged"] == 1501 and len(answer["events"]) == len(told) + 1
    assert server.errors() == []


def test_a_connection_that_knows_nothing_is_told_everything_by_pages(
    long_table: tuple[Server, list[dict[str, Any]]],
) -> None:
    server, told = long_table
    with Live(server.url, "long", None, since=0) as live:
        message, heard = live.welcome, list(live.welcome["events"])
        assert message["more"] is True and message["view"]["seq"] == 1500
        while message.get("more"):
            assert len({event["seq"] for event in message["events"]}) <= MOST_TOLD
            assert message["seq"] == heard[-1]["seq"] < 1500
            message = live.receive()
            heard += message.get("events", [])
        assert heard == told and message["seq"] == 1500
    with Live(server.url, "long", None, since=1200) as live:
        assert live.welcome["events"] == after(told, 1200) and "more" not in live.welcome


def test_nothing_is_played_again_for_bots_hints_and_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that they need is what was agreed, dealt and done: work that does not grow with a kernel's calls."""
    pushed, asked = Counter[str](), []
    push = Game._push

    def counted(game: Game, number: int) -> None:
        pushed["actions"] += 1
        push(game, number)

    async def think(game: dict[str, Any], *_: Any, **__: Any) -> dict[str, Any]:
        asked.append(game)
        return {"action": Game.from_dict(game).legal[0], "value": None, "lines": []}

    async def work(service: Service) -> None:
        await put(service.database, "long", 10)
        room = await service.registry.room("long")
        game = room.table.game
        while len(game.actions) < 150:
            game.play(game.legal[0])
        wanted = game.redacted().to_dict()
        monkeypatch.setattr(service.engines, "think", think)
        monkeypatch.setattr(Game, "_push", counted)
        shown = json.loads(await service.house.download("long", None, "client"))
        assert {key: shown[key] for key in wanted} == wanted and pushed["actions"] == 0
        await service.house.hint("long", HintRequest(ms=50), TOKEN, "client")
        await service.players._choose(room, 100)
        assert asked == [wanted, wanted] and pushed["actions"] == 2 * len(game.actions)  # by the engines of this test

    async def with_service() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            await work(Service(Config(""), database))

    run(with_service())
