"""Joining and taking over are like commands: whoever got no answer asks again and gets the same one."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.games import ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from server.stories import opened, run
from sunglade.client import Client, Refused, Seat
from sunglade.server import sql_schema as db
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import CreateTable, SeatRequest
from sunglade.table.seating import setup_for
from sunglade.table.table_log import SpentCode
from sunglade.table.table_registry import TableRegistry
from sunglade.table.wish import Wish

Serve = Callable[..., Server]
ID = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


def sat(client: Client, table: str) -> list[int]:
    return [event["seat"] for event in client.ask("GET", f"/tables/{table}/events") if event["kind"] == "sat"]


def test_who_joins_again_with_the_same_id_gets_the_same_seat_and_token(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben", identity=ID)
    again = client.join(ada.table, str(ada.invite), "Ben", identity=ID)
    assert (again.token, again.seats) == (ben.token, ben.seats) == (ben.token, [1])
    assert client.join(ada.table, str(ada.invite), "Cleo", identity=OTHER).token != ben.token
    assert sat(client, ada.table) == [1, 2]
    again = client.join(ada.table, str(ada.invite), "Ben", identity=ID)  # now that every seat is taken
    again.command("rename", name="Benjamin")


def test_the_answer_comes_again_although_the_invitation_is_no_longer_good(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben", identity=ID)
    client.ask("POST", f"/tables/{ada.table}/invite", token=ada.token)
    assert client.join(ada.table, str(ada.invite), "Ben", identity=ID).token == ben.token
    with pytest.raises(Refused, match="wrong_invite"):
        client.join(ada.table, str(ada.invite), "Ben", identity=OTHER)


def test_a_client_that_sits_here_already_takes_one_more_seat_for_each_id(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    for identity in (ID, ID, OTHER, OTHER):
        wish = {"invite": ada.invite, "name": "Ada too", "id": identity}
        answer = client.ask("POST", f"/tables/{ada.table}/join", wish, token=ada.token)
        assert answer["token"] == ada.token
    assert answer["seats"] == [0, 1, 2] and sat(client, ada.table) == [1, 2]


def test_who_claims_again_with_the_same_id_gets_the_same_seat_and_token(client: Client) -> None:
    phone = client.create([ME, OPEN])
    code = phone.move(0)
    laptop = client.claim(phone.table, code, identity=ID)
    again = client.claim(phone.table, code, identity=ID)
    assert (again.token, again.seats) == (laptop.token, [0])
    with pytest.raises(Refused, match="wrong_invite"):
        client.claim(phone.table, code, identity=OTHER)
    again.command("rename", name="Ada")


def test_an_id_is_for_one_seat(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben", identity=ID)
    with pytest.raises(Refused, match="command_id_reused"):
        client.claim(ada.table, ada.move(0), identity=ID)
    assert ben.refresh()["view"]["seats"][0]["kind"] == "person"


def test_clients_that_send_no_id_sit_down_as_before(client: Client) -> None:
    ada = client.create([ME, OPEN, OPEN])
    wish = {"invite": ada.invite, "name": "Ben"}
    answers = [client.ask("POST", f"/tables/{ada.table}/join", wish) for _ in range(2)]
    assert [answer["seats"] for answer in answers] == [[1], [2]]
    assert answers[0]["token"] != answers[1]["token"]


@pytest.mark.parametrize("identity", ["short", "x" * 65, "with a space in the middle of it"])
def test_an_id_that_could_be_guessed_is_refused(client: Client, identity: str) -> None:
    ada = client.create([ME, OPEN])
    with pytest.raises(Refused, match="bad_request"):
        client.join(ada.table, str(ada.invite), "Ben", identity=identity)


def test_neither_ids_nor_tokens_are_kept(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create([ME, OPEN])
        ben = client.join(ada.table, str(ada.invite), "Ben", identity=ID)
        moved = client.claim(ada.table, ada.move(0), identity=OTHER)
    server.stop()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.sqlite*")) + server.log.read_bytes()
    assert [secret for secret in (ID, OTHER, ben.token, moved.token) if secret.encode() in kept] == []


# Cut off in the middle


async def table_for(database: Database, shared: bool) -> tuple[list[TableRegistry], str]:
    """Two registries on one database, as of two processes, and a table with two open seats."""
    registries = [TableRegistry(database, Metrics(), [], 10, shared=shared) for _ in range(2)]
    seats = [SeatRequest(kind="me", name="Ada"), *[SeatRequest(kind="open")] * 2]
    room = await registries[0].create(setup_for(CreateTable(seats=seats), "ada", ["greedy"]))
    return registries, room.table.name


def test_the_same_wish_sent_to_two_processes_at_once_takes_one_seat(postgres: Postgres) -> None:
    async def story() -> None:
        async with opened(postgres.new_database()) as database:
            registries, name = await table_for(database, shared=True)

            async def join(registry: TableRegistry, wish: Wish) -> int | None:
                room = await registry.room(name)
                event = await registry.fulfil(room, wish, lambda now: now.decide_seating("Ben", None, wish.holder))
                return event.seat

            for identity in (ID, OTHER):
                wish = Wish.of(name, identity, None)
                seats = await asyncio.gather(*(join(registry, wish) for registry in registries * 3))
                assert len(set(seats)) == 1
            log = await database.log(name)
            assert [event.kind for event in log] == ["created", "sat", "sat"]

    run(story())


def test_a_code_is_used_up_together_with_the_move_it_brings(tmp_path: Path) -> None:
    """A server that dies between the two would leave a seat that nobody can take over."""

    async def story() -> None:
        async with opened(sqlite_in(tmp_path)) as database:
            (registry, _), name = await table_for(database, shared=False)
            code = db.codes.insert().values(code="c", table_id=name, seat=0, holder="ada", expires=1e12)
            await database.change(code)
            room, wish = await registry.room(name), Wish.of(name, ID, None)

            def refuse(now: Any) -> Any:
                raise ServerProblem("wrong_invite", "no.")

            with pytest.raises(ServerProblem):
                await registry.fulfil(room, wish, refuse, [SpentCode("c")])
            assert await database.one(db.codes.select()) is not None

    run(story())


@pytest.mark.slow
def test_whoever_joins_while_the_server_is_killed_again_and_again_gets_a_seat(serve: Serve, tmp_path: Path) -> None:
    """Asked until there is an answer, a wish takes one seat, and its token is good."""
    server, rng, over = serve(), random.Random(1), threading.Event()
    refused: list[str] = []

    def again(ask: Callable[[Client], Seat]) -> Seat:
        while True:
            try:
                return ask(server.client())
            except (OSError, httpx.TransportError):
                pass
            except Refused as error:
                assert error.kind in ("busy", "shutting_down"), error

    def leave(client: Client, seat: Seat) -> Seat:
        seat.client = client
        seat.command("leave", identity="go")
        return seat

    def join_and_leave(ada: Seat) -> None:
        identity = f"{rng.getrandbits(128):032x}"
        ben = again(lambda client: client.join(ada.table, str(ada.invite), "Ben", identity=identity))
        assert ben.seats == [1]
        again(lambda client: leave(client, ben))

    def play() -> None:
        try:
            while not over.is_set():
                ada = again(lambda client: client.create([ME, OPEN]))
                for _ in range(6):
                    join_and_leave(ada)
        except Exception as error:
            refused.append(repr(error))

    players = [threading.Thread(target=play) for _ in range(3)]
    for player in players:
        player.start()
    for _ in range(6):
        over.wait(rng.uniform(0.2, 0.8))
        server.kill()
        server.start()
    over.set()
    for player in players:
        player.join(60)
    server.stop()
    assert refused == [] and server.errors() == []
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        found = database.execute("SELECT COUNT(*), COUNT(DISTINCT holder) FROM events WHERE kind = 'sat'").fetchone()
    assert found[0] == found[1] > 6
