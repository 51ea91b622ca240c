"""What is committed is adopted, whoever asked for it and whatever became of them."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import struct
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from server.games import BOT, ME
from server.process import Server, sqlite_in
from server.stories import HANG_S, opened, run
from sunglade.client import Client, Live
from sunglade.server.metrics import Metrics
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, CreateTable, SeatRequest
from sunglade.table.room import Room
from sunglade.table.seating import setup_for
from sunglade.table.table_log import Append, TableLog
from sunglade.table.table_registry import TableRegistry


class Gate:
    """Holds every commit until it is opened, and says when one has come."""

    def __init__(self, database: TableLog) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()
        self._append = database.append
        self.lose_answers = False
        database.append = self.append  # type: ignore[method-assign]

    async def append(self, batch: Sequence[Append]) -> Any:
        self.reached.set()
        await self.open.wait()
        added = await self._append(batch)
        if self.lose_answers:
            raise ConnectionError("the answer was lost")
        return added


@asynccontextmanager
async def one_table(folder: Path) -> AsyncIterator[tuple[TableRegistry, Room]]:
    """A registry with a table for two, both played by ada."""
    seats = [SeatRequest(kind="me", name=name) for name in ("Ada", "Ben")]
    async with opened(sqlite_in(folder)) as database:
        registry = TableRegistry(database, Metrics(), ["greedy"], 10, shared=False)
        yield registry, await registry.create(setup_for(CreateTable(seats=seats), "ada", ["greedy"]))


async def leave_while_others_act(registry: TableRegistry, room: Room) -> None:
    """The table leaves memory here, and another process, of which nothing is heard, goes on with it."""
    registry._shared = True
    registry.forget_idle(-1.0)
    other = TableRegistry(registry.database, Metrics(), ["greedy"], 10, shared=True)
    await other.act(await other.room(room.table.name), "ada", playing(room))


def playing(room: Room, name: str = "c1") -> Command:
    return Command(id=name, do="play", expected=room.table.seq, action=room.table.game.legal[0])


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.005)


def test_a_command_whose_asker_went_away_in_the_middle_of_the_commit_is_adopted(tmp_path: Path) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            gate, told = Gate(registry.database), []
            registry.on_change = lambda room: told.append(room.table.seq)
            asking = asyncio.create_task(registry.act(room, "ada", playing(room)))
            await gate.reached.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            gate.open.set()
            await until(lambda: room.table.seq == 2)
            assert told == [2]
            assert await registry.act(room, "ada", playing(room, "c2")) == 3

    run(story())


def test_what_the_server_itself_records_is_adopted_when_its_task_ends_in_the_middle_of_the_commit(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            gate = Gate(registry.database)
            intent = room.table.decide(playing(room), "ada", ["greedy"])
            asking = asyncio.create_task(registry.record(room, lambda _: intent))
            await gate.reached.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            gate.open.set()
            await until(lambda: room.table.seq == 2)

    run(story())


def test_a_commit_whose_answer_was_lost_is_adopted_by_itself(tmp_path: Path) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            gate = Gate(registry.database)
            gate.open.set()
            gate.lose_answers = True
            with pytest.raises(ConnectionError):
                await registry.act(room, "ada", playing(room))
            await until(lambda: room.table.seq == 2)

    run(story())


def test_a_table_that_left_memory_while_somebody_acts_there_is_not_loaded_a_second_time(tmp_path: Path) -> None:
    """Two rooms of one table would each believe in their own present."""

    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            registry.forget_idle(-1.0)
            assert registry.rooms == {}
            again = await registry.room(room.table.name)
            await registry.act(room, "ada", playing(room))
            assert again.table.seq == 2

    run(story())


def test_a_table_that_left_memory_and_comes_back_knows_what_others_did_meanwhile(tmp_path: Path) -> None:
    """Somebody may hold it for long, and a hint that is lost meanwhile is made up for by nobody."""

    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            await leave_while_others_act(registry, room)
            assert room.table.seq == 1
            assert await registry.room(room.table.name) is room
            assert room.table.seq == 2

    run(story())


def test_a_table_that_comes_back_is_given_to_nobody_before_its_log_was_read(tmp_path: Path) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            await leave_while_others_act(registry, room)
            async with room.lock:  # the log waits for it
                asking = [asyncio.create_task(registry.room(room.table.name)) for _ in range(3)]
                await asyncio.sleep(0.05)
                assert registry.rooms == {} and not any(task.done() for task in asking)
            assert [(await task).table.seq for task in asking] == [2, 2, 2]
            assert registry.rooms == {room.table.name: room}

    run(story())


def test_a_table_whose_log_could_not_be_read_on_does_not_come_back_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            await leave_while_others_act(registry, room)
            with monkeypatch.context() as patch:
                patch.setattr(registry.database, "log", unreadable)
                with pytest.raises(ConnectionError):
                    await registry.room(room.table.name)
            assert (await registry.room(room.table.name)).table.seq == 2

    run(story())


def test_a_table_that_is_deleted_while_it_comes_back_stays_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            registry._shared = True
            registry.forget_idle(-1.0)
            async with room.lock:
                asking = asyncio.create_task(registry.room(room.table.name))
                await asyncio.sleep(0.05)
                registry.close(room.table.name)
            with pytest.raises(ServerProblem, match="deleted"):
                await asking
            assert registry.rooms == {}

    run(story())


async def unreadable(*_: Any, **__: Any) -> Any:
    raise ConnectionError("the log cannot be read")


def test_the_end_of_the_server_waits_for_what_is_being_committed_but_not_for_ever(tmp_path: Path) -> None:
    async def story() -> None:
        async with one_table(tmp_path) as (registry, room):
            gate = Gate(registry.database)
            asking = asyncio.create_task(registry.act(room, "ada", playing(room)))
            await gate.reached.wait()
            ending = asyncio.create_task(registry.finish(HANG_S))
            gate.open.set()
            await ending
            assert room.table.seq == 2 and await asking == 2
            gate.open.clear()
            gate.reached.clear()
            stuck = asyncio.create_task(registry.act(room, "ada", playing(room, "c2")))
            await gate.reached.wait()
            await registry.finish(0.05)
            gate.open.set()
            await asyncio.gather(stuck, return_exceptions=True)

    run(story())


# A real process, real sockets


def frame(kind: int, content: bytes) -> bytes:
    """A WebSocket frame as a client sends it, its mask all zeros."""
    length = (
        bytes([0x80 | len(content)]) if len(content) < 126 else bytes([0x80 | 126]) + struct.pack("!H", len(content))
    )
    return bytes([0x80 | kind]) + length + bytes(4) + content


def connected(server: Server, table: str, token: str) -> socket.socket:
    """A WebSocket on which hello has been answered."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=HANG_S)
    connection.sendall(
        b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    _hear(connection, b"\r\n\r\n")
    connection.sendall(frame(1, json.dumps({"type": "hello", "table": table, "token": token}).encode()))
    _hear(connection, b'"welcome"')
    return connection


def _hear(connection: socket.socket, wanted: bytes) -> None:
    heard = b""
    while wanted not in heard:
        heard += (part := connection.recv(65536))
        assert part, heard


def test_a_move_sent_together_with_the_goodbye_is_seen_by_everybody(server: Server, client: Client) -> None:
    """Those who looked on leave at the same moment, so the server notices the goodbye while it commits."""
    for _ in range(6):
        table = client.create([ME, BOT, BOT])
        watching = [Live(server.url, table.table, None) for _ in range(8)]
        connection = connected(server, table.table, table.token)
        command = {"type": "command", "id": "c1", "do": "play", "expected": table.seq, "action": table.legal[0]}
        connection.sendall(frame(1, json.dumps(command).encode()) + frame(8, struct.pack("!H", 1000)))
        for live in watching:
            live._socket.socket.close()
        connection.close()
        hang = time.monotonic() + HANG_S
        while not (committed(server, table.table, "c1") and table.refresh()["seq"] > 1 and table.my_turn):
            assert time.monotonic() < hang, "the move is committed, but nobody sees it and the bots do not play on"
            time.sleep(0.05)


def committed(server: Server, table: str, command: str) -> bool:
    """Whether a command is in the log."""
    with sqlite3.connect(server.database.removeprefix("sqlite+aiosqlite:///"), timeout=300) as database:
        found = database.execute("SELECT 1 FROM events WHERE table_id = ? AND command = ?", (table, command))
        return found.fetchone() is not None
