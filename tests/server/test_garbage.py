"""Dead objects that hold each other go while they are young, else in quiet moments or when there are too many."""

import asyncio
import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from server.process import sqlite_in
from sunglade.server import garbage
from sunglade.server.config import Config
from sunglade.server.connections import Place
from sunglade.server.database import Database
from sunglade.server.garbage import YOUNG, Garbage
from sunglade.server.http import PatientProtocol
from sunglade.server.limits import RATES, Limits
from sunglade.server.migrations import upgrade
from sunglade.server.run import _bound, _uvicorn
from sunglade.server.service import Service
from sunglade.server.websocket import PatientSocket
from sunglade.table.audience import Connection
from sunglade.table.live import Gone, Goodbye, Live
from sunglade.table.problems import ServerProblem

HANG_S = 300


class Ring:
    """Holds itself."""

    alive = 0

    def __init__(self) -> None:
        self.me = self
        Ring.alive += 1

    def __del__(self) -> None:
        Ring.alive -= 1


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Garbage]:
    """One that finds a hundredth of a percent worthwhile, and ten percent too much."""
    monkeypatch.setattr(garbage, "WORTHWHILE", 0.0001)
    monkeypatch.setattr(garbage, "MUST", 0.1)
    own = Garbage()
    own.start()
    Ring.alive = 0  # now that those of other tests are gone
    yield own
    own.stop()
    gc.unfreeze()


def old(count: int) -> list[Ring]:
    """Objects that have lived for long."""
    rings = [Ring() for _ in range(count)]
    gc.collect(0)
    gc.collect(1)
    return rings


def test_what_dies_young_goes_by_itself(collector: Garbage) -> None:
    for _ in range(10 * YOUNG[0]):
        Ring()
    assert Ring.alive < 3 * YOUNG[0]


def test_what_dies_old_waits_while_something_happens(collector: Garbage) -> None:
    old(1000).clear()
    assert not collector.look(happened=1)
    assert Ring.alive == 1000


def test_what_dies_old_goes_in_a_quiet_moment(collector: Garbage) -> None:
    collector.look(happened=7)
    old(1000).clear()
    assert collector.look(happened=7)
    assert Ring.alive == 0


def test_too_much_waits_for_nothing(collector: Garbage) -> None:
    old(200_000).clear()
    assert collector.look(happened=3)
    assert Ring.alive == 0


def test_what_grew_and_lives_is_not_looked_at_again_and_again(collector: Garbage) -> None:
    living = old(200_000)
    assert collector.look(happened=3)
    assert not collector.look(happened=4)
    assert len(living) == Ring.alive


def test_a_quiet_house_without_new_objects_is_left_alone(collector: Garbage) -> None:
    collector.look(happened=1)
    collector.look(happened=1)
    assert not collector.look(happened=1)


def test_afterwards_python_looks_again(collector: Garbage) -> None:
    collector.stop()
    assert gc.get_threshold()[2] < 1000


# Limits


def test_limits_forget_clients_whose_buckets_are_full_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full bucket says nothing that an absent one does not."""
    now = 1000.0
    monkeypatch.setattr("sunglade.server.limits.time.monotonic", lambda: now)
    limits = Limits(1.0)
    for number in range(1000):
        limits.spend("message", f"client {number}")
    assert len(limits._buckets["message"]) == 1000
    now += 10.0
    for number in range(600):
        limits.spend("message", f"another {number}")
    assert set(limits._buckets["message"]) == {f"another {number}" for number in range(600)}


def test_limits_do_not_forget_who_asks_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sunglade.server.limits.time.monotonic", lambda: 1000.0)
    limits, (_, burst) = Limits(1.0), RATES["message"]
    limits.spend("message", "greedy", count=burst)
    for number in range(1000):
        limits.spend("message", f"client {number}")
    with pytest.raises(ServerProblem):
        limits.spend("message", "greedy")


# Connections


def test_connections_that_end_leave_nothing_to_look_for(tmp_path: Path) -> None:
    """Else each of them, and the table it looked at, stays until everything is looked through."""

    async def story() -> None:
        database = Database(sqlite_in(tmp_path))
        await upgrade(database)
        service = Service(Config("", engines=1, limits=0), database)
        listening = _bound("127.0.0.1", 0)
        server = uvicorn.Server(_uvicorn(service))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.05)
        port = listening.getsockname()[1]
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api", timeout=HANG_S) as http:
            seats = [{"kind": "me"}, {"kind": "open"}]
            made = (await http.post("/tables", json={"seats": seats})).json()
        await come_and_go(port, made)  # what is made once is made now
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                await come_and_go(port, made)
            while alive():
                await asyncio.sleep(0.05)
        finally:
            gc.enable()
        server.should_exit = True
        await serving

    asyncio.run(asyncio.wait_for(story(), HANG_S))


async def come_and_go(port: int, made: dict[str, Any]) -> None:
    """A player who says something, a spectator who leaves without a word, and one whom nobody lets in."""
    url = f"ws://127.0.0.1:{port}/api/live"
    async with (
        connect(url, open_timeout=300) as player,
        connect(url, open_timeout=300) as spectator,
        connect(url, open_timeout=300) as stranger,
    ):
        await player.send(json.dumps({"type": "hello", "table": made["table"], "token": made["token"]}))
        await spectator.send(json.dumps({"type": "hello", "table": made["table"]}))
        await stranger.send(json.dumps({"type": "hello", "table": "unknown"}))
        for someone, wanted in ((player, "welcome"), (spectator, "welcome"), (stranger, "goodbye")):
            assert json.loads(await someone.recv())["type"] == wanted
        await player.send(json.dumps({"type": "command", "id": "c1", "do": "undo", "expected": 1}))
        while json.loads(await player.recv())["type"] != "refused":
            pass
        spectator.transport.abort()


def alive() -> list[object]:
    """What connections are made of."""
    kinds = (PatientProtocol, PatientSocket, ServerProtocol, Place, Connection, Live, Gone, Goodbye)
    return [thing for thing in gc.get_objects() if issubclass(type(thing), kinds)]


def test_a_part_of_the_housekeeping_that_fails_keeps_the_others_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above all not from marking the tables in use, which are deleted where nobody does."""

    async def story() -> None:
        service = Service(Config("", engines=1, limits=0), Database(sqlite_in(tmp_path)))
        done: asyncio.Queue[str] = asyncio.Queue()

        def fails() -> None:
            raise ZeroDivisionError

        async def stays() -> None:
            done.put_nowait("stay")

        async def advances() -> None:
            done.put_nowait("clock")

        monkeypatch.setattr(service._garbage, "look", lambda happened: fails())
        monkeypatch.setattr(service.players, "beat", fails)
        monkeypatch.setattr(service._clock, "advance", advances)
        monkeypatch.setattr(service.registry, "stay", stays)
        monkeypatch.setattr("sunglade.server.service.HOUSEKEEPING_S", 0.0)
        keeping = asyncio.create_task(service._keep_house())
        assert [await done.get() for _ in range(4)] == ["clock", "stay"] * 2
        keeping.cancel()
        await asyncio.wait([keeping])
        await service.database.close()

    asyncio.run(asyncio.wait_for(story(), 300))
