"""Several processes on one PostgreSQL, people who stay away, reverse proxies."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from server.games import BOT, ME, OPEN, play_out, play_turn
from server.postgres import Postgres, packaged
from server.process import Server
from sunglade.client import Live, Seat

Serve = Callable[..., Server]
HANG_S = 300


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[list[Server]]:
    """Two processes, one database."""
    url, folder = postgres.new_database(), tmp_path_factory.mktemp("two")
    servers = [Server(url, folder, "--limits", "0").start() for _ in range(2)]
    yield servers
    for server in servers:
        server.stop()
        assert server.errors() == []


def test_the_tests_have_a_postgresql_where_the_machine_has_none(tmp_path: Path) -> None:
    server = Postgres(tmp_path, packaged())
    server.start()
    assert server.new_database()
    server.stop()


def test_two_processes_serve_the_same_table(two: list[Server]) -> None:
    with two[0].client() as here, two[1].client() as there:
        ada = here.create([ME, OPEN, BOT], rules={"rounds": 3})
        ben = there.join(ada.table, str(ada.invite), "Ben")
        play_out(ada, ben, rng=random.Random(1))
        assert ada.view["state"] == ben.view["state"] and ada.over
        events = [client.ask("GET", f"/tables/{ada.table}/events") for client in (here, there)]
        assert events[0] == events[1]


def test_an_update_crosses_processes(two: list[Server]) -> None:
    with two[0].client() as here, two[1].client() as there:
        ada = here.create([ME, OPEN])
        ben = there.join(ada.table, str(ada.invite), "Ben")
        ada.refresh()
        with ben.live() as live, Live(there.url, ada.table, None) as watching:
            ada.play(ada.legal[0])
            for listener in (live, watching):
                while (told := listener.receive())["type"] != "update":
                    pass
                assert [event["kind"] for event in told["events"]] == ["place"]


def test_what_one_process_has_not_heard_of_yet_is_not_refused(two: list[Server]) -> None:
    """The end of a game comes to one process, the wish for a rematch a moment later to the other."""
    with two[0].client() as here, two[1].client() as there:
        table = here.create([ME, ME], rules={"rounds": 1})
        for _ in range(15):
            there.sit(table.table, table.token)  # so that it has the table in memory
            while not table.over:
                table.play("end" if "end" in table.legal else table.legal[0])
            table.client = there
            table = table.rematch()
            table.client = here


def test_the_same_seat_through_both_processes(two: list[Server]) -> None:
    """A client that changes processes in the middle of its turn, and sends its commands to both."""
    with two[0].client() as here, two[1].client() as there:
        seats = [here.create([ME, ME])]
        seats.append(there.sit(seats[0].table, seats[0].token))
        rng = random.Random(2)
        for number in range(80):
            one, other = rng.sample(seats, 2)
            one.refresh()
            line, name = rng.choice(one.legal), f"n{number}"
            first = one.play(line, identity=name, expected=one.seq)
            again = Seat.command(other, "play", action=line, identity=name, expected=one.seq - 1)
            assert first["acknowledged"] == again["acknowledged"]
        assert len(seats[0].game()["actions"]) == 80


def test_a_bot_takes_over_for_who_stays_away_and_gives_the_seat_back(serve: Serve) -> None:
    with serve().client() as client:
        ada = client.create([ME, OPEN], takeover_after=10, takeover_level="random")
        ben = client.join(ada.table, str(ada.invite), "Ben")
        with ben.live():
            ada.refresh()
        with ada.live() as live:
            ada.play(ada.legal[0])
            kinds: list[str] = []
            while "bot_took_over" not in kinds:
                told = live.receive(timeout=300)
                kinds += [event["kind"] for event in told.get("events", [])]
            ben.refresh()
            assert ben.view["seats"][1]["playing"] == "bot" and ben.view["seats"][1]["kind"] == "person"
            ben.command("back")
            assert ben.view["seats"][1]["playing"] == "person"


def _kill_engines(server: Server, by: signal.Signals = signal.SIGKILL) -> int:
    """Kill the server's bot engines; how many there were."""
    assert server.process is not None
    engines = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    for engine in engines:
        os.kill(int(engine), by)
    return len(engines)


def _wait_for_bots(server: Server) -> None:
    while httpx.get(f"{server.url}/api/health", timeout=300).json()["bots"] != "ready":
        time.sleep(0.1)


def _play_on(table: Seat, rng: random.Random) -> None:
    """A turn, and those of the bots, whose engines were stopped just now."""
    stopped = time.monotonic()
    play_turn(table, rng)
    while not table.my_turn:
        table.wait(5)
        assert time.monotonic() - stopped < HANG_S
    print(f"next move after {time.monotonic() - stopped:.1f} s")


def test_bots_play_on_when_all_engines_are_stopped(serve: Serve) -> None:
    """They are noticed by their silence: nobody waits until the time for thinking is over, twice."""
    server, rng = serve("--bots", "2"), random.Random(1)
    with server.client() as client:
        table = client.create([ME, BOT, BOT], rules={"rounds": 3})
        play_out(table, rng=rng, rounds=1)
        for _ in range(2):
            _wait_for_bots(server)
            assert _kill_engines(server, signal.SIGSTOP) == 2
            _play_on(table, rng)
    assert server.errors() == []


def test_bots_play_on_when_engines_are_stopped_again_and_again_while_they_load(serve: Serve) -> None:
    """One that loads is given time, one that is stopped is not, however many there were before it."""
    server, rng = serve("--bots", "2"), random.Random(1)
    with server.client() as client:
        table = client.create([ME, BOT, BOT], rules={"rounds": 3})
        play_out(table, rng=rng, rounds=1)
        for _ in range(8):
            _kill_engines(server, signal.SIGSTOP)
            time.sleep(rng.uniform(0.5, 4))
        _kill_engines(server, signal.SIGSTOP)
        _play_on(table, rng)
    assert server.errors() == []


def test_bot_engines_that_die_are_replaced_also_while_they_start(serve: Serve) -> None:
    server, rng = serve(), random.Random(1)
    with server.client() as client:
        table = client.create([ME, BOT, BOT], rules={"rounds": 3})
        for _ in range(4):
            while not _kill_engines(server):
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.1))
        for _ in range(3):
            _wait_for_bots(server)
            _kill_engines(server)
            if table.my_turn:
                play_turn(table, rng)
            while not table.over and not table.my_turn:
                table.wait()
    assert server.errors() == []


def test_behind_a_proxy_under_a_path(serve: Serve, tmp_path: Path) -> None:
    server = serve("--root-path", "/games", "--allow-host", "example.org", "--proxy", "127.0.0.1")
    headers = {"host": "example.org", "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=300) as proxy:
        own = {"origin": "https://example.org"}
        made = proxy.post("/api/tables", json={"seats": [ME, BOT]}, headers=own)
        assert made.status_code == 201
        assert proxy.post("/games/api/tables", json={"seats": [ME, BOT]}, headers=own).status_code == 201
        page = proxy.get("/t/anything")
        assert page.status_code == 200 and ('href="/games/' in page.text)
        assert proxy.get("/api/openapi.json").json()["servers"] == [{"url": "/games"}]
    assert '"client": "203.0.113.7"' in server.log.read_text()
    assert server.errors() == []
