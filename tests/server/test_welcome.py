"""Who connects is told where they sit, whichever process they sat down with."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.process import sqlite_in
from server.stories import opened, run
from sunglade.server.limits import Limits
from sunglade.server.live import SocketWire
from sunglade.server.metrics import Metrics
from sunglade.table import live
from sunglade.table.live import TRY_LATER, Gone, Goodbye, Live
from sunglade.table.requests import CreateTable, SeatRequest
from sunglade.table.seating import setup_for
from sunglade.table.table_registry import TableRegistry
from sunglade.table.wish import Wish


class Socket:
    """A client that says hello, hears the welcome, and goes."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self.scope: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        self._hello = [json.dumps(hello)]

    async def receive(self) -> dict[str, Any]:
        if self._hello:
            return {"type": "websocket.receive", "text": self._hello.pop()}
        return {"type": "websocket.disconnect", "code": 1000}

    async def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))


def test_who_joined_with_another_process_is_welcomed_to_its_seat(tmp_path: Path) -> None:
    """The other has the table in memory and has not heard of it yet: the page would have shown a spectator's view."""

    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            here, there = (TableRegistry(database, Metrics(), ["greedy"], 10, shared=True) for _ in range(2))
            seats = [SeatRequest(kind="me", name="Ada"), SeatRequest(kind="open")]
            room = await here.create(setup_for(CreateTable(seats=seats), "ada", ["greedy"]))
            table = room.table.name
            await there.room(table)
            wish = Wish.of(table, "ben's secret, which nobody can guess", None)
            await here.fulfil(room, wish, lambda now: now.decide_seating("Ben", None, wish.holder))
            socket = Socket({"type": "hello", "table": table, "token": wish.token, "since": 0})
            house = SimpleNamespace(registry=there, limits=Limits(0.0), stopping=asyncio.Event())
            wire = SocketWire(cast(Any, socket), cast(Any, None))
            with contextlib.suppress(Gone):
                await Live(wire, cast(Any, house), "203.0.113.1").run()
        assert socket.told[0]["type"] == "welcome" and socket.told[0]["seats"] == [1]

    run(story())


def test_whose_hello_comes_late_may_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be the server that slept: the page took the refusal for good, and stayed without a connection."""

    class Silent(Socket):
        async def receive(self) -> dict[str, Any]:
            await asyncio.Future()
            raise AssertionError

    async def story() -> None:
        monkeypatch.setattr(live, "HELLO_S", 0.0)
        with pytest.raises(Goodbye) as goodbye:
            house = cast(Any, SimpleNamespace(registry=None))
            await Live(SocketWire(cast(Any, Silent({})), cast(Any, None)), house, "203.0.113.1").run()
        problem = goodbye.value.problem
        assert (problem.kind, goodbye.value.code, "retry_after" in problem.more) == ("busy", TRY_LATER, True)

    run(story())
