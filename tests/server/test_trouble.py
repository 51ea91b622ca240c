"""Trouble with the database: it is told as such, soon over when it is over, and fills no log."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.games import BOT, ME, OPEN, play_turn
from server.postgres import Postgres
from server.process import SRC, Server, sqlite_in
from server.stories import opened, run
from sunglade.client import Client, Refused, Seat
from sunglade.server import logs
from sunglade.server.config import Config
from sunglade.server.metrics import Metrics
from sunglade.table.autoplay import Autoplay
from sunglade.table.requests import Command, CreateTable, SeatRequest
from sunglade.table.seating import setup_for
from sunglade.table.table_registry import TableRegistry

Serve = Callable[..., Server]

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs limits of a running process")
TRIES = 30


@contextmanager
def full_disk(server: Server, folder: Path) -> Iterator[None]:
    """The server can write no further: its files may not grow."""
    assert server.process is not None
    most = max(file.stat().st_size for file in folder.glob("tables.sqlite*"))
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


def health(client: Client) -> tuple[int, dict[str, Any]]:
    answer = httpx.get(f"{client.url}/api/health", timeout=300)
    return answer.status_code, answer.json()


def until_health(client: Client, wanted: int) -> dict[str, Any]:
    """What health says when it says this: an answer is good for a second, so a fast test may still hear the last."""
    while (found := health(client))[0] != wanted:
        time.sleep(0.2)
    return found[1]


def rename_until_refused(seat: Seat) -> Refused:
    """Something that is written, again and again, until it cannot be any more."""
    for number in range(10_000):
        try:
            seat.command("rename", name=f"Ada{number % 100}", seat=0)
        except Refused as refused:
            return refused
    raise AssertionError("everything could be written")


@linux
def test_a_full_disk_is_told_and_passes(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        table = client.create([ME, ME])
        assert health(client)[1]["status"] == "ok"
        with full_disk(server, tmp_path), table.live() as live:
            refused = rename_until_refused(table)
            assert (refused.status, refused.kind) == (503, "busy") and refused.error["retry_after"] > 0
            for number in range(TRIES):
                body = {"id": f"try{number}", "do": "rename", "name": "Eva", "seat": 0}
                answer = httpx.post(
                    f"{client.url}/api/tables/{table.table}/commands",
                    json=body,
                    headers={"authorization": f"Bearer {table.token}"},
                    timeout=300,
                )
                assert answer.status_code == 503 and int(answer.headers["retry-after"]) >= 1
            name = live.command("rename", name="Eva", seat=0)
            while (message := live.receive())["type"] not in ("refused", "goodbye"):
                pass
            assert message["type"] == "goodbye" or message["id"] == name
            assert message["error"]["kind"] == "busy" and message["error"]["retry_after"] > 0
            told = until_health(client, 503)
            assert told["status"] == "failing" and "written" in told["reason"]
        until_health(client, 200)
        table.command("rename", name="Eva", seat=0)
        assert table.view["seats"][0]["name"] == "Eva"
    text = server.log.read_text()
    assert "Traceback" not in text
    assert len([line for line in text.splitlines() if '"level": "info"' not in line]) < TRIES


def test_a_postgresql_that_dies_is_told_and_comes_back(serve: Serve, tmp_path: Path) -> None:
    postgres = Postgres(tmp_path / "postgres")
    (tmp_path / "postgres").mkdir(exist_ok=True)
    postgres.start()
    try:
        server = serve(database=postgres.new_database())
        with server.client() as client:
            table = client.create([ME, OPEN])
            bots = client.create([ME, BOT, BOT])
            with table.live() as live:
                postgres.crash()
                for number in range(TRIES):
                    with pytest.raises(Refused) as refused:
                        table.command("rename", name=f"Ada{number}")
                    assert (refused.value.status, refused.value.kind) == (503, "busy")
                    assert refused.value.error["retry_after"] > 0
                live.command("rename", name="Eva")
                while (message := live.receive())["type"] not in ("refused", "goodbye"):
                    pass
                assert message["error"]["kind"] == "busy"
                with pytest.raises(Refused) as refused:
                    client.ask("GET", "/tables/unknown")
                assert refused.value.kind == "busy"
                until_health(client, 503)
                postgres.restart()
                until_health(client, 200)
            table.command("rename", name="Eva")
            play_turn(bots, random.Random(1))
            while not bots.my_turn:
                bots.wait()
        assert server.stop() == 0
        text = server.log.read_text()
        assert "Traceback" not in text
        assert len([line for line in text.splitlines() if '"level": "info"' not in line]) < TRIES
    finally:
        postgres.crash()
        postgres.stop()


def test_a_process_waits_for_a_postgresql_that_is_not_there_yet(tmp_path: Path) -> None:
    postgres = Postgres(tmp_path / "postgres")
    (tmp_path / "postgres").mkdir(exist_ok=True)
    postgres.start()
    try:
        url = postgres.new_database()
        postgres.crash()
        server = Server(url, tmp_path, "--limits", "0")
        starting = asyncio.run(_start_when_it_waits(server, postgres))
        with starting.client() as client:
            client.create([ME, ME])
        assert starting.stop() == 0
    finally:
        postgres.stop()


async def _start_when_it_waits(server: Server, postgres: Postgres) -> Server:
    starting = asyncio.get_running_loop().run_in_executor(None, server.start)
    while not server.log.exists() or "waiting for the database" not in server.log.read_text():
        await asyncio.sleep(0.1)
    postgres.restart()
    return await starting


@pytest.mark.parametrize("name", ["nothing", "tables"])
def test_a_database_that_never_comes_is_told_in_a_sentence(tmp_path: Path, postgres: Postgres, name: str) -> None:
    """Nobody listens there; there is no such database, which waiting does not change."""
    url = f"postgresql+asyncpg://tester@127.0.0.1:{postgres.port if name == 'tables' else 1}/{name}"
    options = ["--port", "0", "--no-browser", "--database", url, "--database-wait", "1"]
    command = [sys.executable, "-m", "sunglade", "serve", *options]
    environment = os.environ | {"PYTHONPATH": SRC}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "database" in done.stderr.splitlines()[-1]


# Bots whose process is gone


@pytest.mark.slow
def test_bots_of_a_dead_process_are_taken_over(serve: Serve, postgres: Postgres) -> None:
    url = postgres.new_database()
    dying, living = (serve("--bot-pace", "2", database=url) for _ in range(2))
    with dying.client() as client, living.client() as there:
        table = client.create([ME, BOT, BOT, BOT])
        while table.my_turn:
            table.play(table.legal[0])
        dying.kill()
        table.client = there
        while not table.my_turn:
            table.wait()


def test_bots_are_taken_over_also_where_a_process_missed_what_happened(tmp_path: Path) -> None:
    """Hints can be lost with the connection they come over."""

    class Engines:
        async def think(self, game: dict[str, Any], *_: Any, **__: Any) -> dict[str, Any]:
            from sunglade import Game

            return {"action": Game.from_dict(game).legal[0]}

    async def work() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            dying, living = (TableRegistry(database, Metrics(), ["greedy"], 10, shared=True) for _ in range(2))
            seats = [SeatRequest(kind="me"), SeatRequest(kind="bot", level="greedy")]
            room = await dying.create(setup_for(CreateTable(seats=seats), "ada", ["greedy"]))
            stale = await living.room(room.table.name)
            players = Autoplay(living, Engines(), Config(database="", bot_pace_s=0.0), "living")
            while room.table.bot_to_act is None:
                line, seq = room.table.game.legal[0], room.table.seq
                await dying.act(room, "ada", Command(id=f"c{seq}", do="play", expected=seq, action=line))
            players.start()
            while stale.table.seq <= room.table.seq:
                await asyncio.sleep(0.05)
            await players.stop()

    run(work())


# Logs


def test_what_is_said_again_and_again_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    now = 1000.0
    monkeypatch.setattr("sunglade.server.logs.time.monotonic", lambda: now)
    lines: list[dict[str, Any]] = []

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(logs.JsonLines().format(record)))

    handler, logger = Collecting(), logging.Logger("test")
    throttle = logs.Throttle()
    handler.addFilter(throttle)
    logger.addHandler(handler)
    for number in range(1000):
        logger.warning("database trouble", extra={"reason": f"number {number}"})
        logger.info("request")
    assert [line["what"] for line in lines if line["level"] == "warning"] == ["database trouble"]
    assert sum(line["level"] == "info" for line in lines) == 1000
    now += logs.QUIET_S + 1
    logger.warning("database trouble", extra={"reason": "the last"})
    assert (lines[-1]["reason"], lines[-1]["repeated"]) == ("the last", 999)
    logger.error("something else")
    assert lines[-1]["what"] == "something else" and "repeated" not in lines[-1]
