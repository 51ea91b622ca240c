"""Attacks on a server while people play: what they notice, and how long anything keeps the server's loop to itself.

    PYTHONPATH=src:tests python -m bench.attacks           # 20 s for each attack and for each calm before it
    PYTHONPATH=src:tests python -m bench.attacks --seconds 60 --only history spectators

In one run, by turns: people play in peace, and people play while somebody asks for the whole past of a table of 20,000
events again and again (`history`), while 200 spectators watch one of the tables and ten addresses open all connections
they can (`spectators`), while 20 tables with three elders each play on with nobody there (`elders`), while headers come
by the tens of megabytes and tokens are guessed (`headers`). Measured are the time from a command to the other player's
update, and the processor time of every callback on the server's loop, which is asyncio's own here, so that it can be.
Bars: a callback takes 20 ms at most; 99 % of the commands are at most twice as slow as in peace.

Attackers are threads of a process with the lowest priority: on real attacks they would not use this machine's time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
from bench.load import Figures, Pair, Seat, load, middle_of_a_game, quantile, warm
from websockets.sync.client import connect

from server.long_tables import put
from sunglade.server.database import Database
from sunglade.server.migrations import upgrade

LONG: Final = "longtable"
EVENTS: Final = 20_000
CALLBACK_MS: Final = 20.0
TIMES: Final = 2.0
SPECTATORS: Final = 200
HEADERS: Final = 30_000_000
PATIENCE_S: Final = 30.0
PEOPLE_EACH: Final = 10
"""Tables that people of one address have: limits are for addresses."""


# The server


def serve(arguments: list[str]) -> int:
    """The server; on a signal it writes down its slowest callback since the last one."""
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    from sunglade.cli import main

    slowest: list[tuple[float, str]] = [(0.0, "")]
    searches: list[str] = []
    began_search = [0.0]
    run = asyncio.Handle._run

    def search(what: str, about: dict[str, int]) -> None:
        """Python looks for garbage: in the middle of whatever a callback does."""
        if what == "start":
            began_search[0] = time.thread_time()
        else:
            took = 1000 * (time.thread_time() - began_search[0])
            searches.append(f"{took:.1f} ms for garbage of generation {about['generation']}")

    def timed(handle: asyncio.Handle) -> None:
        searches.clear()
        began = time.thread_time()
        run(handle)
        took = time.thread_time() - began
        if took > slowest[0][0]:
            slowest[0] = took, ", ".join([*searches, repr(handle)[:300]])

    def report(*_: Any) -> None:
        file = Path(os.environ["ATTACKS_REPORT"])
        new = file.with_suffix(".new")
        new.write_text(json.dumps(slowest[0]))
        new.rename(file)
        slowest[0] = 0.0, ""

    asyncio.Handle._run = timed  # type: ignore[method-assign,assignment]
    gc.callbacks.append(search)
    signal.signal(signal.SIGUSR1, report)
    return main(["serve", "--no-browser", "--port", "0", "--bots", "1", "--log-json", *arguments])


class Server:
    """That server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._report = folder / "report"
        command = [
            sys.executable,
            "-m",
            "bench.attacks",
            "--serve",
            "--database",
            f"sqlite+aiosqlite:///{folder}/tables.sqlite",
        ]
        environment = os.environ | {"ATTACKS_REPORT": str(self._report)}
        with open(folder / "log", "w") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().split("localhost:")[1].split("/")[0])
        self.url = f"http://127.0.0.1:{self.port}"

    async def slowest(self) -> tuple[float, str]:
        """Milliseconds of the slowest callback since this was asked before, and which it was."""
        self._report.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        while not self._report.exists():
            await asyncio.sleep(0.05)
        seconds, what = json.loads(self._report.read_text())
        return 1000 * seconds, what


# Attackers


class Orders:
    """Go on until it is over, and count every blow: an attack that never took place proves nothing."""

    def __init__(self) -> None:
        """For processes that are started anew."""
        context = multiprocessing.get_context("spawn")
        self.over = context.Event()
        self._blows = context.Value("q", 0)

    def struck(self) -> None:
        """One more request answered, connection opened or table left alone."""
        with self._blows.get_lock():
            self._blows.value += 1

    @property
    def blows(self) -> int:
        """How many there were until now."""
        return int(self._blows.value)


@dataclass(frozen=True)
class Target:
    """What attackers know."""

    port: int
    watched: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def http_from(target: Target, address: str) -> httpx.Client:
    """A client at an address of its own."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=target.url, transport=transport, timeout=PATIENCE_S)


def ask_for_the_past(target: Target, address: str, orders: Orders) -> None:
    """All events of a long table, by HTTP and by WebSocket."""
    with http_from(target, address) as http:
        while not orders.over.is_set():
            if http.get(f"/api/tables/{LONG}/events?since=0").status_code == 429:
                time.sleep(0.05)
            with connect(f"ws://127.0.0.1:{target.port}/api/live", source_address=(address, 0)) as live:
                live.send(json.dumps({"type": "hello", "table": LONG, "since": 0}))
                while json.loads(live.recv(PATIENCE_S)).get("more"):
                    pass
            orders.struck()


def watch(target: Target, address: str, orders: Orders) -> None:
    """Twenty spectators, who read what they are told."""
    with contextlib.ExitStack() as open_ones:
        watching = []
        for _ in range(SPECTATORS // 10):
            live = open_ones.enter_context(
                connect(f"ws://127.0.0.1:{target.port}/api/live", source_address=(address, 0))
            )
            live.send(json.dumps({"type": "hello", "table": target.watched}))
            watching.append(live)
            orders.struck()
        while not orders.over.is_set():
            for live in watching:
                with contextlib.suppress(TimeoutError):
                    live.recv(0.01)


def crowd(target: Target, address: str, orders: Orders) -> None:
    """As many connections as there can be, and again when they are ended."""
    while not orders.over.is_set():
        held = []
        with contextlib.suppress(OSError):
            for _ in range(400):
                held.append(socket.create_connection(("127.0.0.1", target.port), 5, (address, 0)))
                orders.struck()
                time.sleep(0.05)  # all ten take a thousand descriptors in five seconds
        orders.over.wait(1)
        for connection in held:
            connection.close()


def leave_elders_alone(target: Target, address: str, orders: Orders) -> None:
    """Twenty tables at which three elders and whoever stands in for a person play, and nobody is there."""
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": "elder"}] * 3]
    with http_from(target, address) as http:
        for _ in range(20):
            made = http.post("/api/tables", json={"seats": seats, "rules": {"rounds": 100}}).json()
            command = {"id": "c1", "do": "hand_over"}
            token = {"authorization": f"Bearer {made['token']}"}
            http.post(f"/api/tables/{made['table']}/commands", json=command, headers=token).raise_for_status()
            orders.struck()
    orders.over.wait()


def send_headers(target: Target, address: str, orders: Orders) -> None:
    """Thirty megabytes of them, or as many as are taken."""
    part = b"X-Many: y\r\n" * 6000
    while not orders.over.is_set():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", target.port), 5, (address, 0)) as s:
            s.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n")
            orders.struck()
            for _ in range(HEADERS // len(part)):
                s.sendall(part)


def guess(target: Target, address: str, orders: Orders) -> None:
    """Wrong tokens."""
    number = 0
    with http_from(target, address) as http:
        while not orders.over.is_set():
            number += 1
            body = {"id": f"c{number}", "do": "rename", "name": "x"}
            token = {"authorization": f"Bearer {number:032}"}
            http.post(f"/api/tables/{target.watched}/commands", json=body, headers=token)
            orders.struck()


Attacker = Callable[[Target, str, Orders], None]
ATTACKS: Final[dict[str, list[tuple[Attacker, int]]]] = {
    "history": [(ask_for_the_past, 5)],
    "spectators": [(watch, 10), (crowd, 10)],
    "elders": [(leave_elders_alone, 1)],
    "headers": [(send_headers, 2), (guess, 3)],
}
"""Who attacks, and from how many addresses."""


def attack(name: str, target: Target, orders: Orders) -> None:
    """A process of attackers, until it is told to stop."""
    os.nice(19)

    def going_on(attacker: Attacker, address: str) -> None:
        while not orders.over.is_set():
            with contextlib.suppress(Exception):  # whoever is refused or cut off comes again
                attacker(target, address, orders)
            time.sleep(0.05)

    for group, (attacker, addresses) in enumerate(ATTACKS[name]):
        for number in range(addresses):
            address = f"127.0.{10 + group}.{number + 1}"
            threading.Thread(target=going_on, args=(attacker, address), daemon=True).start()
    orders.over.wait()


# People


async def sit_down(server: Server, count: int) -> list[tuple[str, Pair]]:
    """People at tables, ten tables for each address."""
    return [await _pair(server, number) for number in range(count)]


async def _pair(server: Server, number: int) -> tuple[str, Pair]:
    address = f"127.0.1.{1 + number // PEOPLE_EACH}"
    transport = httpx.AsyncHTTPTransport(local_address=address)
    body = {"seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}], "game": middle_of_a_game()}
    async with httpx.AsyncClient(base_url=server.url, transport=transport, timeout=PATIENCE_S) as http:
        made = (await http.post("/api/tables", json=body)).raise_for_status().json()
        path = f"/api/tables/{made['table']}/join"
        joined = (await http.post(path, json={"invite": made["invite"], "name": "Ben"})).raise_for_status().json()
    seats = []
    for token in (made["token"], joined["token"]):
        seat = Seat(f"ws://127.0.0.1:{server.port}/api/live", made["table"], token, Figures())
        await asyncio.get_running_loop().create_connection(
            partial(_same, seat), "127.0.0.1", server.port, local_addr=(address, 0)
        )
        await asyncio.wait_for(seat.welcome, PATIENCE_S)
        seats.append(seat)
    return made["table"], Pair(seats, random.Random(number))


def _same(seat: Seat) -> Seat:
    return seat


async def phase(server: Server, pairs: Sequence[Pair], options: argparse.Namespace) -> tuple[Figures, float, str]:
    """Play for some time; what people noticed, and the slowest callback."""
    figures = Figures()
    for pair in pairs:
        for seat in pair.seats:
            seat.figures = figures
    await server.slowest()
    await load(list(pairs), options.rate, options.seconds, figures)
    return figures, *(await server.slowest())


async def measure(options: argparse.Namespace, server: Server) -> int:
    """Calm and attack by turns; 1 where a bar is missed."""
    await warm(server.url)
    names, pairs = zip(*await sit_down(server, options.tables), strict=True)
    target = Target(server.port, names[0])
    calm: list[float] = []
    attacked: list[tuple[str, int, Figures, float]] = []
    await phase(server, pairs, argparse.Namespace(rate=options.rate, seconds=3))  # what is loaded only once
    for name in options.only:
        figures, slowest, what = await phase(server, pairs, options)
        calm += figures.updates
        tell("calm", figures, slowest, what)
        orders = Orders()
        attackers = multiprocessing.get_context("spawn").Process(
            target=attack, args=(name, target, orders), daemon=True
        )
        attackers.start()
        await asyncio.sleep(options.begin)
        noticed = await phase(server, pairs, options)
        tell(name, *noticed)
        attacked.append((name, orders.blows, *noticed[:2]))
        orders.over.set()
        attackers.join(10)
        attackers.kill()
        await asyncio.sleep(2)
    return verdict(calm, attacked)


def tell(name: str, figures: Figures, slowest: float, what: str) -> None:
    """One line, and what was slow."""
    shares = " ".join(f"p{round(100 * share)} {quantile(figures.updates, share):.0f}" for share in (0.5, 0.95, 0.99))
    print(
        f"{name:11} {len(figures.updates):5} commands, ms to the other's update: {shares}; "
        f"left out {figures.left_out}, errors {len(figures.errors)} {figures.errors[:1]}; "
        f"slowest callback {slowest:.1f} ms",
        flush=True,
    )
    if slowest > CALLBACK_MS:
        print(f"    {what}", flush=True)


def verdict(calm: list[float], attacked: list[tuple[str, int, Figures, float]]) -> int:
    """Which bars are kept."""
    peace, missed = quantile(calm, 0.99), 0
    print(f"without attack, all calm phases together: p99 {peace:.0f} ms")
    for name, blows, figures, slowest in attacked:
        p99 = quantile(figures.updates, 0.99)
        kept = p99 <= TIMES * peace and slowest <= CALLBACK_MS and blows and not figures.errors
        missed += not kept
        print(
            f"{name:11} p99 {p99:.0f} ms, {p99 / peace:.2f} times (bar {TIMES:g}); slowest callback {slowest:.1f} ms "
            f"(bar {CALLBACK_MS:g}); {blows} blows, errors {len(figures.errors)}: {'kept' if kept else 'MISSED'}"
        )
    return 1 if missed else 0


async def prepare(folder: Path) -> None:
    """A table with a long past."""
    database = Database(f"sqlite+aiosqlite:///{folder}/tables.sqlite")
    await upgrade(database)
    await put(database, LONG, EVENTS)
    await database.close()


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each phase (20)")
    parser.add_argument("--begin", type=float, default=5.0, help="seconds until an attack is in full swing (5)")
    parser.add_argument("--tables", type=int, default=40, help="at which people play (40)")
    parser.add_argument("--rate", type=float, default=50.0, help="commands a second (50)")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=list(ATTACKS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(prepare(folder))
        server = Server(folder)
        try:
            return asyncio.run(measure(options, server))
        finally:
            server.process.terminate()
            server.process.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[2:]) if sys.argv[1:2] == ["--serve"] else main())
