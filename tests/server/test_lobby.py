"""The lobby: who is listed and who never is, how anybody joins, and that it updates itself for everybody at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from server.postgres import Postgres
from server.process import Server, sqlite_in
from sunglade.client import Client, Refused, Seat
from sunglade.server import schema
from sunglade.table import lobby as lobbies
from sunglade.table.audience import Connection
from sunglade.table.house import House
from sunglade.table.live import Gone, Live
from sunglade.table.lobby import Lobby
from sunglade.table.memory_log import MemoryLog
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, CreateTable, Join, SeatRequest
from sunglade.table.retention import RunningClock
from sunglade.table.table_registry import TableRegistry

Serve = Callable[..., Server]
ME: dict[str, Any] = {"kind": "me", "name": "Ada"}
OPEN = {"kind": "open"}


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server with a lobby for the tests of this file: each looks for its own tables."""
    folder = tmp_path_factory.mktemp("lobby")
    running = Server(sqlite_in(folder), folder, "--limits", "0", "--lobby").start()
    yield running
    running.stop()
    assert running.errors() == []


def seek(client: Client, *more: dict[str, Any], **options: Any) -> Seat:
    """A table that anybody may join."""
    return client.create([ME, *(more or (OPEN,))], listed=True, **options)


def lobby(server: Server) -> schema.LobbyView:
    told = httpx.get(f"{server.url}/api/lobby", timeout=300)
    assert told.status_code == 200, told.text
    return schema.LobbyView.model_validate(told.json())


def waiting(server: Server, *seats: Seat) -> list[str]:
    """Which of some tables anybody may join, as the lobby has it."""
    return _of(seats, lobby(server).waiting)


def running(server: Server, *seats: Seat) -> list[str]:
    """Which of some games may be watched, as the lobby has it."""
    return _of(seats, lobby(server).running)


def _of(seats: tuple[Seat, ...], told: list[schema.Listing]) -> list[str]:
    names = {seat.table for seat in seats}
    return [listing.table for listing in told if listing.table in names]


def listed(server: Server, seat: Seat) -> schema.Listing:
    told = lobby(server)
    (listing,) = (listing for listing in (*told.waiting, *told.running) if listing.table == seat.table)
    return listing


def comes_to(look: Callable[[], Any], wanted: Any) -> None:
    """Look again until it is so: what is told of others' tables comes a little later."""
    while look() != wanted:
        time.sleep(0.1)


def come(server: Server, table: str, **more: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/tables/{table}/join", json=more, timeout=300)


def kind_of(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["kind"])


@contextlib.contextmanager
def entered(server: Server) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300) as line:
        line.send(json.dumps({"type": "lobby"}))
        yield line


def next_of(line: ClientConnection, kind: str) -> Any:
    """The next message of a kind: the lobby may change in between."""
    while (told := json.loads(line.recv(timeout=300)))["type"] != kind:
        pass
    return told


def heard(line: ClientConnection) -> schema.LobbyView:
    return schema.LobbyView.model_validate(next_of(line, "lobby"))


def until(line: ClientConnection, wanted: Callable[[schema.LobbyView], bool]) -> None:
    """Listen until it is so."""
    while not wanted(heard(line)):
        pass


# Whether there is one


def test_by_default_a_server_has_no_lobby(client: Client, server: Server) -> None:
    assert client.meta()["lobby"] is False
    assert kind_of(httpx.get(f"{server.url}/api/lobby", timeout=300)) == "no_lobby"
    with pytest.raises(Refused) as refused:
        seek(client)
    assert refused.value.kind == "no_lobby"
    table = client.create([ME, OPEN]).table
    assert kind_of(come(server, table, name="Eve")) == "wrong_invite"
    with entered(server) as line:
        assert json.loads(line.recv(timeout=300))["error"]["kind"] == "no_lobby"


def test_a_server_without_its_lobby_no_longer_lets_anybody_join(tmp_path: Path, serve: Serve) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'kept.sqlite'}"
    first = serve("--lobby", database=url)
    with first.client() as client:
        seat = seek(client)
    first.stop()
    second = serve(database=url)
    assert kind_of(come(second, seat.table, name="Eve")) == "wrong_invite"
    with second.client() as client:
        assert client.join(seat.table, str(seat.invite), "Ben").seats == [1], "the invitation stays good"


# What is told


def test_a_seek_tells_who_seeks_whom_for_what(serving: Server) -> None:
    with serving.client() as client:
        assert client.meta()["lobby"] is True
        clock = {"kind": "days", "turn": 2, "reserve": 0, "then": "turn", "vacation": 7}
        rules = {"edition": "de", "modules": ["moon"], "revolutions": 4}
        seat = seek(client, OPEN, {"kind": "bot", "level": "greedy"}, rules=rules, clock=clock, assistance=False)
        listing = listed(serving, seat)
        assert (listing.table, listing.status, listing.players) == (seat.table, "waiting", 3)
        assert (listing.edition, listing.modules, listing.differing) == ("de", ["moon"], ["revolutions"])
        assert listing.clock is not None and (listing.clock.kind, listing.clock.turn) == ("days", 2)
        assert listing.assistance is False and listing.created <= lobby(serving).now
        assert [(one.kind, one.name) for one in listing.seats[:2]] == [("person", "Ada"), ("open", None)]
        assert (listing.seats[2].kind, listing.seats[2].level) == ("bot", "greedy")
        assert seat.view["settings"]["listed"] is True


def test_private_tables_are_never_listed_whatever_becomes_of_them(serving: Server) -> None:
    with serving.client() as client:
        lone = client.create([ME, OPEN])
        two = client.create([ME, OPEN], spectators=True)
        client.join(two.table, str(two.invite), "Ben")
        client.create([ME, {"kind": "bot", "level": "greedy"}])
        over = client.create([ME, OPEN])
        other = client.join(over.table, str(over.invite), "Ben")
        over.command("resign")
        rematch = other.rematch()
        seen = seek(client)
        told = httpx.get(f"{serving.url}/api/lobby", timeout=300).text
        assert waiting(serving, seen) == [seen.table]
        for name in (lone.table, two.table, over.table, rematch.table):
            assert name not in told
            assert kind_of(come(serving, name, name="Eve")) == "wrong_invite"


def test_nothing_secret_is_told(serving: Server) -> None:
    with serving.client() as client:
        seat = seek(client, seed=4711, rules={"edition": "us", "modules": ["moon"]})
        told = httpx.get(f"{serving.url}/api/lobby", timeout=300).text
        assert seat.table in told
        for secret in (seat.token, str(seat.invite), "4711", '"deal"', '"holder"', '"seed"'):
            assert secret not in told


@pytest.mark.parametrize(
    "name", ["<b onclick='x'>&\"", "𝕊un 🌲🏽‍🌾", "שלום \u202e1", "a\x00b\nc", "‮‮x", "'; DROP TABLE tables;--"]
)
def test_names_with_every_kind_of_sign_are_only_names(serving: Server, name: str) -> None:
    with serving.client() as client:
        seat = client.create([{"kind": "me", "name": name}, OPEN], listed=True)
        listing = listed(serving, seat)
        kept = seat.view["seats"][0]["name"]
        assert listing.seats[0].name == kept
        assert not set(kept) & set("\u202e\x00\n")
        answer = come(serving, seat.table, name=name, id="w" * 22)
        assert answer.json()["view"]["seats"][1]["name"] == kept


def test_a_listed_table_needs_an_open_seat(serving: Server) -> None:
    with serving.client() as client, pytest.raises(Refused) as refused:
        client.create([ME, {"kind": "bot", "level": "greedy"}], listed=True)
    assert refused.value.kind == "bad_request"


# Coming and going


def test_anybody_joins_once_and_is_told_the_same_again(serving: Server) -> None:
    with serving.client() as client:
        seat = seek(client, OPEN, OPEN)
        wish = {"name": "Ben", "id": "b" * 30}
        first = come(serving, seat.table, **wish).json()
        assert first["seats"] == [1]
        again = come(serving, seat.table, **wish).json()
        assert (again["token"], again["seats"]) == (first["token"], first["seats"])
        mine = {"Authorization": f"Bearer {first['token']}"}
        second = httpx.post(
            f"{serving.url}/api/tables/{seat.table}/join", json={"id": "c" * 30}, headers=mine, timeout=300
        )
        assert kind_of(second) == "seat_taken", "nobody takes two seats of a table that others wait for"
        assert come(serving, seat.table, name="Cleo", id="d" * 30).json()["seats"] == [2]
        assert kind_of(come(serving, seat.table, name="Dora", id="e" * 30)) == "seat_taken"
        comes_to(lambda: (waiting(serving, seat), running(serving, seat)), ([], [seat.table]))
        assert come(serving, seat.table, **wish).json()["token"] == first["token"], "also when the game has begun"


def test_the_last_seat_is_given_once_to_many_who_ask_at_once(serving: Server) -> None:
    with serving.client() as client:
        seat = seek(client)
        with ThreadPoolExecutor(20) as crowd:
            answers = list(crowd.map(lambda n: come(serving, seat.table, name=f"P{n}", id=f"{n:030}"), range(20)))
        assert sorted(answer.status_code for answer in answers) == [200] + 19 * [409]
        assert {kind_of(answer) for answer in answers if answer.status_code == 409} == {"seat_taken"}


def test_a_seek_that_is_withdrawn_is_gone_and_only_the_invitation_lets_in(serving: Server) -> None:
    with serving.client() as client:
        seat = seek(client)
        stranger = seek(client)
        with pytest.raises(Refused) as refused:
            client.ask("POST", f"/tables/{seat.table}/commands", {"id": "x", "do": "unlist"}, token=stranger.token)
        assert refused.value.kind == "wrong_token"
        seat.command("unlist")
        assert seat.view["settings"]["listed"] is False and seat.events[-1]["kind"] == "unlisted"
        comes_to(lambda: waiting(serving, seat, stranger), [stranger.table])
        assert kind_of(come(serving, seat.table, name="Eve")) == "wrong_invite"
        with pytest.raises(Refused) as refused:
            seat.command("unlist")
        assert refused.value.kind == "not_listed"
        client.join(seat.table, str(seat.invite), "Ben")
        assert running(serving, seat) == [], "nor is it told of when it is played"


def test_a_seek_whose_maker_left_and_one_that_is_deleted_are_gone(serve: Serve, tmp_path: Path) -> None:
    from sunglade.cli import main

    url = f"sqlite+aiosqlite:///{tmp_path / 'gone.sqlite'}"
    server = serve("--lobby", database=url)
    with server.client() as client:
        left, closed, stays = seek(client), seek(client), seek(client)
        comes_to(lambda: waiting(server, left, closed, stays), [left.table, closed.table, stays.table])
        left.command("leave")
        comes_to(lambda: waiting(server, left, closed, stays), [closed.table, stays.table])
        assert main(["tables", "close", closed.table, "--database", url]) == 0
        comes_to(lambda: waiting(server, left, closed, stays), [stays.table])


def test_listed_games_are_told_of_with_round_points_and_players_until_they_are_over(serving: Server) -> None:
    with serving.client() as client:
        seat, quiet = seek(client), seek(client, spectators=False)
        come(serving, seat.table, name="Ben", id="b" * 30)
        come(serving, quiet.table, name="Ben", id="b" * 30)
        comes_to(lambda: running(serving, seat, quiet), [seat.table])
        game = listed(serving, seat)
        assert (game.status, game.round, game.points) == ("playing", 0, [0, 0])
        assert [one.name for one in game.seats] == ["Ada", "Ben"]
        seat.command("resign")
        comes_to(lambda: running(serving, seat, quiet), [])


# Live


def test_the_lobby_updates_by_itself(serving: Server) -> None:
    with serving.client() as client, entered(serving) as line:
        heard(line)
        seat = seek(client)
        until(line, lambda told: _of((seat,), told.waiting) == [seat.table])
        come(serving, seat.table, name="Ben", id="b" * 30)
        until(line, lambda told: _of((seat,), told.waiting) == [] and _of((seat,), told.running) == [seat.table])


def test_a_ping_is_answered_in_the_lobby(serving: Server) -> None:
    with entered(serving) as line:
        heard(line)
        line.send(json.dumps({"type": "ping"}))
        assert next_of(line, "pong")["type"] == "pong"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "command", "id": "1", "do": "play", "expected": 1, "action": "end"},
        {"type": "command", "id": "1", "do": "unlist"},
        {"type": "lobby"},
        {"type": "hello", "table": "x"},
        [],
    ],
)
def test_in_the_lobby_nothing_can_be_done(serving: Server, message: Any) -> None:
    with entered(serving) as line:
        heard(line)
        line.send(json.dumps(message))
        assert next_of(line, "refused")["error"]["kind"] == "bad_request"


def test_who_looks_too_often_and_who_lists_too_much_is_told_to_wait(serve: Serve) -> None:
    server = serve("--lobby", "--limits", "1")
    looks = [httpx.get(f"{server.url}/api/lobby", timeout=300) for _ in range(60)]
    assert kind_of(looks[-1]) == "too_fast" and looks[0].status_code == 200
    with server.client() as client:
        with pytest.raises(Refused) as refused:
            for _ in range(20):
                seek(client)
        assert refused.value.kind == "too_fast"
        client.create([ME, OPEN])  # among friends it goes on


def test_guessing_tables_without_an_invitation_is_told_to_wait(serve: Serve) -> None:
    server = serve("--lobby", "--limits", "1")
    with server.client() as client:
        table = client.create([ME, OPEN]).table
        kinds = [kind_of(come(server, table, name="Eve", id=f"{n:030}")) for n in range(40)]
    assert kinds[0] == "wrong_invite" and kinds[-1] == "too_fast"


def test_a_banned_address_sees_no_lobby_and_joins_nothing(serve: Serve, tmp_path: Path) -> None:
    banned = tmp_path / "banned.txt"
    banned.write_text("127.0.0.1\n")
    server = serve("--lobby", "--banned", str(banned))
    for answer in (httpx.get(f"{server.url}/api/lobby", timeout=300), come(server, "x", name="Eve")):
        assert answer.status_code in (403, 429) and "waiting" not in answer.text


def test_processes_on_one_database_see_each_others_tables(postgres: Postgres, serve: Serve) -> None:
    url = postgres.new_database()
    one, two = serve("--lobby", database=url), serve("--lobby", database=url)
    with one.client() as client, entered(two) as line:
        heard(line)
        seat = seek(client)
        until(line, lambda told: _of((seat,), told.waiting) == [seat.table])
        answers = [come(server, seat.table, name="Ben", id=f"{number:030}") for number, server in enumerate((two, one))]
        assert [answer.status_code for answer in answers] == [200, 409]
        until(line, lambda told: _of((seat,), told.waiting) == [] and _of((seat,), told.running) == [seat.table])


# Shared work, and time


class Wire:
    """A client that looks on, in the test's own process."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._said = ['{"type": "lobby"}']

    async def receive(self) -> str:
        if self._said:
            return self._said.pop()
        await asyncio.get_running_loop().create_future()
        raise Gone

    async def send(self, text: str) -> None:
        self.heard.append(text)

    def seated(self) -> None: ...


class Free:
    """No limits."""

    def spend(self, what: str, client: str, count: float = 1.0) -> None: ...


class Counters:
    def count_rooms(self, rooms: int) -> None: ...

    def count_event(self, kind: str) -> None: ...

    def count_commit(self, seconds: float) -> None: ...

    def count_refusal(self, kind: str) -> None: ...


class Stage:
    """A house with a lobby over a log in memory, whose clock the test moves."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.clock = RunningClock(self.log)
        self.registry = TableRegistry(self.log, Counters(), ["greedy"], 100, shared=False, clock=self.clock)
        self.lobby = Lobby(self.registry)

        async def aside(work: Callable[..., Any], *given: Any) -> Any:
            return work(*given)

        nobody: Any = None
        self.house = House(self.registry, nobody, nobody, Free(), aside, talk=False, lobby=self.lobby)

    async def seek(self, **more: Any) -> dict[str, Any]:
        seats = [SeatRequest("me", "Ada"), SeatRequest("open")]
        told: dict[str, Any] = json.loads(await self.house.create(CreateTable(seats, listed=True, **more), "here"))
        return told

    async def waiting(self) -> list[str]:
        await self.lobby._look()
        return [listing["table"] for listing in json.loads(self.lobby.told)["waiting"]]


def on_a_stage(story: Callable[[Stage], Awaitable[None]], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK_S", "LEAST_S"):
        monkeypatch.setattr(lobbies, name, 0.01)

    async def play() -> None:
        stage = Stage()
        stage.lobby.start()
        try:
            await story(stage)
        finally:
            await stage.lobby.stop()

    asyncio.run(play())


def test_two_hundred_who_look_on_cost_one_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(stage: Stage) -> None:
        written, asked = [], []
        write, listings = stage.lobby._written, stage.log.listings
        monkeypatch.setattr(stage.lobby, "_written", lambda: written.append(1) or write())  # type: ignore[func-returns-value]

        async def counted(*given: Any, **more: Any) -> list[str]:
            asked.append(given)
            return await listings(*given, **more)

        monkeypatch.setattr(stage.log, "listings", counted)
        crowd = [Wire() for _ in range(200)]
        lives = [asyncio.create_task(Live(wire, stage.house, f"10.0.0.{n}").run()) for n, wire in enumerate(crowd)]
        while not all(wire.heard for wire in crowd):
            await asyncio.sleep(0)
        before = len(written)
        seat = await stage.seek()
        while not all(seat["table"] in wire.heard[-1] for wire in crowd):
            await asyncio.sleep(0)
        assert len(written) == before + 1
        assert before <= 2, "those who came together were told the same"
        assert len({id(wire.heard[-1]) for wire in crowd}) >= 1 and len({wire.heard[-1] for wire in crowd}) == 1
        quiet = len(written)
        looked = len(asked)
        while len(asked) < looked + 6:
            await asyncio.sleep(0.01)
        assert len(written) == quiet, "nothing is written where nothing is new"
        for live in lives:
            live.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
        assert not stage.lobby._audience

    on_a_stage(story, monkeypatch)


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [(None, lobbies.ATTENDED_S), ({"kind": "days", "turn": 2}, lobbies.ATTENDED_DAYS_S)],
    ids=["at once", "by correspondence"],
)
def test_a_seek_of_which_nobody_is_there_any_more_is_gone_after_a_while_of_running(
    monkeypatch: pytest.MonkeyPatch, clock: dict[str, Any] | None, seconds: float
) -> None:
    from sunglade.table.requests import ClockRequest

    async def story(stage: Stage) -> None:
        seat = await stage.seek(clock=None if clock is None else ClockRequest(**clock))
        room = await stage.registry.room(seat["table"])
        while await stage.waiting() != [seat["table"]]:
            await asyncio.sleep(0)
        (holder,) = room.present_until
        room.present_until[holder] = 0.0  # and nobody is connected
        await asyncio.sleep(0.05)
        monkeypatch.setattr(stage.lobby, "_beaten", float("-inf"))
        stage.log.running += seconds - 1.0
        assert await stage.waiting() == [seat["table"]]
        stage.log.running += 2.0
        assert await stage.waiting() == []
        room.join(Connection(holder, "here", lambda: None, lambda problem: None))
        monkeypatch.setattr(stage.lobby, "_beaten", float("-inf"))
        while await stage.waiting() != [seat["table"]]:
            await asyncio.sleep(0)

    on_a_stage(story, monkeypatch)


def test_a_table_that_nobody_seeks_for_any_more_lets_nobody_in_by_an_old_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision is taken with the table as it is, not as the lobby told of it."""

    async def story(stage: Stage) -> None:
        seat = await stage.seek()
        assert await stage.waiting() == [seat["table"]]
        await stage.house.command(seat["table"], Command("1", "unlist"), seat["token"], "here")
        with pytest.raises(ServerProblem) as refused:
            await stage.house.join(seat["table"], Join(name="Eve", id="e" * 30), None, "there")
        assert refused.value.kind == "wrong_invite"

    on_a_stage(story, monkeypatch)
