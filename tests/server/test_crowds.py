"""Crowds: players come before spectators, no address takes all places, and files are kept for what needs them."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from server.games import BOT, ME, play_turn
from server.process import Server
from sunglade.client import Client
from sunglade.server.connections import Connections, Place
from sunglade.server.metrics import Metrics
from sunglade.table.audience import MOST_OF_ONE, MOST_SPECTATORS, Audience, Connection
from sunglade.table.problems import ServerProblem

Serve = Callable[..., Server]

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="needs several addresses of one machine, and limits of files"
)


def reach(server: Server, address: str = "127.0.0.1") -> socket.socket:
    """A connection from one of this machine's addresses."""
    return socket.create_connection(("127.0.0.1", server.port), timeout=300, source_address=(address, 0))


@contextmanager
def watching(
    server: Server, table: str, address: str = "127.0.0.1", token: str | None = None, **headers: str
) -> Iterator[tuple[ClientConnection, dict[str, Any]]]:
    """A WebSocket from one of this machine's addresses, and the first answer."""
    url = f"ws://127.0.0.1:{server.port}/api/live"
    with connect(
        url, sock=reach(server, address), additional_headers=headers, ping_interval=None, open_timeout=300
    ) as live:
        live.send(json.dumps({"type": "hello", "table": table, **({"token": token} if token else {})}))
        yield live, json.loads(live.recv(timeout=300))


def last_words(live: ClientConnection) -> dict[str, Any]:
    """The last message of a connection that is ended."""
    message: dict[str, Any] = {}
    try:
        while True:
            message = json.loads(live.recv(timeout=300))
    except ConnectionClosed:
        return message


@linux
def test_spectators_never_lock_players_out(client: Client, server: Server) -> None:
    table = client.create([ME, ME])
    with ExitStack() as crowd:
        firsts = [crowd.enter_context(watching(server, table.table))[1] for _ in range(MOST_SPECTATORS + 5)]
        assert [first["type"] for first in firsts] == ["welcome"] * MOST_SPECTATORS + ["goodbye"] * 5
        assert firsts[-1]["error"]["kind"] == "too_many" and firsts[-1]["retry_after"] > 0
        with table.live() as live:
            assert live.welcome["seats"] == [0, 1]
            table.play(table.legal[0])
        with watching(server, table.table, "127.0.0.2") as (_, first):
            assert first["type"] == "welcome"


def test_a_player_with_too_many_connections_loses_the_oldest(client: Client) -> None:
    table = client.create([ME, ME])
    with ExitStack() as tabs:
        oldest, *others = [tabs.enter_context(table.live()) for _ in range(MOST_OF_ONE + 1)]
        assert last_words(oldest._socket)["error"]["kind"] == "too_many"
        table.play(table.legal[0])
        for other in others:
            while other.receive()["type"] != "update":
                pass


@linux
def test_an_address_has_so_many_connections(serve: Serve) -> None:
    server = serve("--limits", "1", "--connections-each", "20")
    with server.client() as client:
        table = client.create([ME, ME])
    with ExitStack() as crowd:
        crowd.enter_context(watching(server, table.table, "127.0.0.2", table.token))
        lives = [crowd.enter_context(watching(server, table.table, "127.0.0.2"))[0] for _ in range(19)]
        lives.append(crowd.enter_context(watching(server, table.table, "127.0.0.2"))[0])
        assert last_words(lives[0])["error"]["kind"] == "too_many"
        lives[1].send(json.dumps({"type": "ping"}))
        while json.loads(lives[1].recv(timeout=300))["type"] != "pong":
            pass
        with watching(server, table.table, "127.0.0.3") as (_, first):
            assert first["type"] == "welcome"


@linux
def test_behind_a_proxy_addresses_are_those_the_proxy_tells(serve: Serve) -> None:
    server = serve("--limits", "1", "--connections-each", "5", "--proxy", "127.0.0.1")
    with server.client() as client:
        table = client.create([ME, ME])
    with ExitStack() as crowd:
        for number in range(10):
            one = {"X-Forwarded-For": f"2001:db8:{number}::1"}
            assert crowd.enter_context(watching(server, table.table, **one))[1]["type"] == "welcome"
        same = [
            crowd.enter_context(watching(server, table.table, **{"X-Forwarded-For": f"2001:db8:ff::{number}"}))[0]
            for number in range(6)
        ]
        assert last_words(same[0])["error"]["kind"] == "too_many"


def engines(server: Server) -> list[int]:
    assert server.process is not None
    found = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    return [int(engine) for engine in found]


def wait_for_bots(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=300) as http:
        while http.get("/api/health").json()["bots"] != "ready":
            time.sleep(0.1)


@linux
def test_files_are_kept_for_players_and_bots_when_ten_addresses_take_all_there_are(serve: Serve) -> None:
    server, rng = serve(files=(128, 256)), random.Random(1)
    with server.client() as client, ExitStack() as crowd:
        wait_for_bots(server)
        table = client.create([ME, BOT])
        live = crowd.enter_context(table.live())
        for number in range(600):
            address = f"127.0.0.{2 + number % 10}"
            if number % 3:
                crowd.enter_context(reach(server, address)).sendall(b"GET /api/he")
            else:
                with suppress(OSError, EOFError, ConnectionClosed):  # made to go before it was told anything
                    crowd.enter_context(watching(server, table.table, address))
        for engine in engines(server):
            os.kill(engine, signal.SIGKILL)
        wait_for_bots(server)
        with server.client() as another:
            assert another.sit(table.table, table.token).seats == [0]
        play_turn(table, rng)
        while not table.my_turn:
            table.wait()
        live.send({"type": "ping"})
        while live.receive()["type"] != "pong":
            pass
    assert server.errors() == []


@linux
def test_a_low_limit_of_files_is_raised_as_far_as_it_may_be(serve: Serve) -> None:
    server = serve(files=(100, 400))
    assert server.process is not None
    with open(f"/proc/{server.process.pid}/limits") as limits:
        (line,) = [line for line in limits if line.startswith("Max open files")]
    assert line.split()[3:5] == ["400", "400"]


# The parts


class Crowd:
    """Connections of one's own: who had to go."""

    def __init__(self, most: int, most_each: int) -> None:
        self.connections = Connections(most, most_each, Metrics(), proxied=False)
        self.open: dict[int, Place] = {}
        self.numbers = iter(range(10**9))

    def enter(self, address: str, *, plays: bool) -> int | None:
        number = next(self.numbers)
        self.open[number] = None  # type: ignore[assignment]
        place = self.connections.enter(number, address, lambda problem: self.end(number))
        if number in self.open:
            self.open[number] = place
            if plays:
                self.connections.seat(place)
            return number
        return None

    def end(self, number: int) -> None:
        self.open.pop(number)

    def leave(self, number: int) -> None:
        self.open.pop(number, None)
        self.connections.leave(number)


steps = st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 9)), max_size=80)


@given(steps, st.integers(1, 12), st.integers(1, 6))
def test_places_are_never_more_than_there_may_be(
    given_steps: list[tuple[int, bool, int]], most: int, most_each: int
) -> None:
    crowd = Crowd(most, most_each)
    for who, plays, what in given_steps:
        before = {number: place for number, place in crowd.open.items() if place.plays}
        guests = sum(not place.plays for place in crowd.open.values())
        if what == 0 and crowd.open:
            crowd.leave(min(crowd.open))
            continue
        crowd.enter(f"203.0.113.{who}", plays=plays)
        assert len(crowd.open) <= most
        each = [place.address for place in crowd.open.values()]
        assert all(each.count(address) <= most_each for address in each)
        if guests:
            assert set(before) <= set(crowd.open), "a player had to go while there were others"


def test_whoever_has_most_connections_gives_one_up() -> None:
    crowd = Crowd(10, 0)
    many = [crowd.enter("203.0.113.1", plays=False) for _ in range(9)]
    one = crowd.enter("203.0.113.2", plays=False)
    for _ in range(3):
        crowd.enter("203.0.113.3", plays=False)
    assert list(crowd.open)[:6] == many[3:] and one in crowd.open


@given(st.lists(st.tuples(st.sampled_from(["ada", "ben", None, "left"]), st.integers(0, 4)), max_size=300))
def test_an_audience_has_its_limits_and_counts_right(coming: list[tuple[str | None, int]]) -> None:
    audience = Audience()
    ended: list[ServerProblem] = []
    players = ["ada", "ben"]
    for holder, address in coming:
        new = Connection(holder, str(address), lambda: None, ended.append)
        try:
            audience.admit(new, players)
        except ServerProblem as problem:
            assert problem.kind == "too_many" and holder not in players
    here = list(audience)
    assert audience.spectators(players) == sum(one.holder not in players for one in here) <= MOST_SPECTATORS
    for player in players:
        assert audience.count(player) == sum(one.holder == player for one in here) <= MOST_OF_ONE
    for one in here:
        audience.part(one)
        audience.part(one)
    assert len(audience) == 0 == audience.count("ada") == audience.spectators(players)
