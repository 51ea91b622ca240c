"""Load on the table: many tables, two WebSocket connections each, a steady stream of commands, on this machine.

    python bench/load.py                                   # 1,000 tables, 300 commands/s, 60 s
    python bench/load.py --tables 100 --rate 50 --seconds 10
    python bench/load.py --limit                           # raise the rate until the bar is missed
    bench/versus.sh                                        # that, by turns with an older version
    python -m bench.company                                # what clocks and a full lobby cost, by turns with neither

What is measured is the time from sending a command to the *other* player's update. The clients run in this process, the
server in one of its own; both share the machine. Every message is received whole, but a view is only taken to pieces
by who acts on it: this is a measure of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from sunglade import Game

BAR_MS = 150.0
STEP = 1.1
"""The rate is raised by this."""
TIMES = 1.5
MOST_EACH_KB = 110.0
"""What this version must reach beside the older one: its rate, and its memory for each table."""
REACHED = 0.99
"""The share of the commands that must have been sent: a rate that was not reached was not measured."""
MIDDLE = 60
"""Actions already played at each table, so that boards and views are those of a real game."""
RULES = {"rounds": 100}
"""No game ends while it is measured."""
PATIENCE_S = 30.0
HEAD = re.compile(rb'\{"type":"(welcome|update)",.*?"seq":(\d+)')


@dataclass
class Figures:
    """What was measured."""

    updates: list[float] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    left_out: int = 0


class Seat(asyncio.Protocol):
    """A connection of one player: the newest view, and when which event came."""

    def __init__(self, url: str, table: str, token: str, figures: Figures) -> None:
        self.figures = figures
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seq = 0
        self.waiting: dict[int, asyncio.Future[float]] = {}
        self.acks: dict[str, asyncio.Future[float]] = {}
        self._newest = b""
        self._parts: list[bytes] = []
        self._hello = {"type": "hello", "table": table, "token": token}
        self._protocol = ClientProtocol(parse_uri(url), max_size=2**22)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Response):
                self.send(self._hello)
            elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    self._take(b"".join(self._parts), now)
                    self._parts.clear()
        self._flush()  # answers to pings

    def connection_lost(self, error: Exception | None) -> None:
        self.figures.errors.append(f"connection lost: {error}")

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)  # type: ignore[attr-defined]

    def send(self, message: dict[str, Any]) -> None:
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()

    def close(self) -> None:
        self.figures = Figures()
        self._transport.close()

    def _take(self, text: bytes, now: float) -> None:
        head = HEAD.match(text)
        if head is not None:
            self._newest, self.seq = text, int(head[2])
            for seq in [seq for seq in self.waiting if seq <= self.seq]:
                _tell(self.waiting.pop(seq), now)
            if not self.welcome.done():
                self.welcome.set_result(None)
            return
        message = json.loads(text)
        if message["type"] == "ack":
            _tell(self.acks.pop(message["id"]), now)
        elif message["type"] in ("refused", "goodbye"):
            self.figures.errors.append(str(message["error"]))

    @property
    def turn(self) -> dict[str, Any]:
        """What can be done, and by whom, as the newest view says."""
        turn: dict[str, Any] = json.loads(self._newest)["view"]["turn"]
        return turn


def _tell(waiting: asyncio.Future[float], now: float) -> None:
    """It may have given up."""
    if not waiting.done():
        waiting.set_result(now)


class Pair:
    """A table with its two players. They take turns, so the view of one says who is next."""

    def __init__(self, seats: list[Seat], rng: random.Random) -> None:
        self.seats = seats
        self.rng = rng
        self.number = 0

    async def act(self, figures: Figures) -> None:
        """One command of whose turn it is; until both have their updates and the acknowledgement is there."""
        turn = self.seats[0].turn
        actor, other = self.seats[turn["seat"]], self.seats[1 - turn["seat"]]
        line = self.rng.choice(turn["legal"])["line"]
        self.number += 1
        name, seq = f"c{self.number}", actor.seq
        loop = asyncio.get_running_loop()
        seen, mine = loop.create_future(), loop.create_future()
        other.waiting[seq + 1], actor.waiting[seq + 1] = seen, mine
        ack = actor.acks[name] = loop.create_future()
        began = time.perf_counter()
        actor.send({"type": "command", "id": name, "do": "play", "expected": seq, "action": line})
        try:
            async with asyncio.timeout(PATIENCE_S):
                figures.updates.append(await seen - began)
                figures.acks.append(await ack - began)
                await mine
        except TimeoutError:
            figures.errors.append(f"no update within {PATIENCE_S:.0f} s")


def middle_of_a_game() -> dict[str, Any]:
    """A game two players are in the middle of."""
    game, rng = Game(2, RULES, seed=1), random.Random(1)
    while len(game.actions) < MIDDLE:
        busy = [line for line in game.legal if line != "end"]
        game.play(rng.choice(busy) if busy and rng.random() < 0.75 else game.legal[0])
    return game.to_dict()


async def sit_down(url: str, count: int, figures: Figures, **agreed: Any) -> list[Pair]:
    """Make the tables, with what is agreed at them, and connect both players of each."""
    body = {"seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}], "game": middle_of_a_game()} | agreed
    pairs: list[Pair] = []
    gate = asyncio.Semaphore(20)
    async with httpx.AsyncClient(base_url=url, timeout=120) as http:

        async def one(number: int) -> None:
            async with gate:
                made = await asked(http, "/api/tables", body)
                path = f"/api/tables/{made['table']}/join"
                joined = await asked(http, path, {"invite": made["invite"], "name": "Ben"})
                tokens = (made["token"], joined["token"])
                seats = [await connected(url, made["table"], token, figures) for token in tokens]
                pairs.append(Pair(seats, random.Random(number)))

        await asyncio.gather(*(one(number) for number in range(count)))
    return pairs


async def warm(url: str) -> None:
    """Wait until the server has loaded what it loads once: it is not the tables' memory, nor the commands' time."""
    async with httpx.AsyncClient(base_url=url, timeout=120) as http:
        while (await http.get("/api/health")).json()["bots"] == "warming":
            await asyncio.sleep(0.2)
        await asked(http, "/api/tables", {"seats": [{"kind": "me"}, {"kind": "open"}]})


async def asked(http: httpx.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request that must not be refused."""
    answer = await http.post(path, json=body)
    if answer.is_error:
        raise SystemExit(f"{path}: {answer.text[:300]}")
    told: dict[str, Any] = answer.json()
    return told


async def connected(url: str, table: str, token: str, figures: Figures) -> Seat:
    """A player who has been welcomed."""
    host, port = url.removeprefix("http://").split(":")
    address = f"ws://{host}:{port}/api/live"
    loop = asyncio.get_running_loop()
    _, seat = await loop.create_connection(lambda: Seat(address, table, token, figures), host, int(port))
    await asyncio.wait_for(seat.welcome, PATIENCE_S)
    return seat


async def load(pairs: list[Pair], rate: float, seconds: float, figures: Figures) -> None:
    """Commands at a steady rate, going round the tables; a table still at its last one is left out."""
    busy: set[Pair] = set()
    tasks: set[asyncio.Task[None]] = set()
    began = time.perf_counter()

    async def one(pair: Pair) -> None:
        await pair.act(figures)
        busy.discard(pair)

    for number in range(int(rate * seconds)):
        due = began + number / rate
        if (left := due - time.perf_counter()) > 0:
            await asyncio.sleep(left)
        pair = pairs[number % len(pairs)]
        if pair in busy:
            figures.left_out += 1
            continue
        busy.add(pair)
        task = asyncio.create_task(one(pair))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)


def quantile(values: list[float], share: float) -> float:
    """In milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def memory(pid: int) -> float:
    """Resident megabytes of a process (Linux)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return float("nan")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1024


def processor(pid: int) -> float:
    """Seconds of processor time a process has used (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(folder: str, *options: str) -> tuple[subprocess.Popen[str], str]:
    """A server of our own, without limits, and its address."""
    command = [
        sys.executable, "-m", "sunglade", "serve", "--no-browser", "--port", "0", "--limits", "0", "--bots", "1",
        "--database", f"sqlite+aiosqlite:///{folder}/load.sqlite", *options,
    ]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, f"http://127.0.0.1:{line.split('localhost:')[1].split('/')[0]}"


async def measure(options: argparse.Namespace, server: subprocess.Popen[str], url: str) -> int:
    """Sit down, load, report; 1 when the bar is missed."""
    await warm(url)
    before = memory(server.pid)
    began = time.perf_counter()
    pairs = await sit_down(url, options.tables, Figures())
    print(f"{len(pairs)} tables, {2 * len(pairs)} connections after {time.perf_counter() - began:.0f} s")
    each = (memory(server.pid) - before) * 1024 / max(1, len(pairs))
    print(f"server: {before:.0f} MB at start, {memory(server.pid):.0f} MB now, {each:.0f} kB for each table")
    rate, reached = options.rate, 0.0
    while (good := await one_rate(options, server, pairs, rate)) and options.limit:
        reached, rate = rate, rate * STEP
    print(f"server: {memory(server.pid):.0f} MB at the end")
    for pair in pairs:
        for seat in pair.seats:
            seat.close()
    if options.limit:
        print(f"the limit: {reached:.0f} commands/s were kept, {rate:.0f} were not")
    if options.json:
        with open(options.json, "a") as file:
            file.write(json.dumps({"rate": reached, "kb_each": each}) + "\n")
    return 0 if good or options.limit else 1


async def one_rate(options: argparse.Namespace, server: subprocess.Popen[str], pairs: list[Pair], rate: float) -> bool:
    """Load at one rate and report; whether the bar was kept."""
    figures = Figures()
    for pair in pairs:
        for seat in pair.seats:
            seat.figures = figures
    used, own, began = processor(server.pid), time.process_time(), time.perf_counter()
    await load(pairs, rate, options.seconds, figures)
    took, done = time.perf_counter() - began, max(1, len(figures.updates))
    report(rate, figures)
    server_ms, client_ms = 1000 * (processor(server.pid) - used) / done, 1000 * (time.process_time() - own) / done
    print(
        f"  in {took:.1f} s; processor time for each command: server {server_ms:.2f} ms, clients {client_ms:.2f} ms",
        flush=True,
    )
    sent = done / (done + figures.left_out + len(figures.errors))
    in_time = took < 1.1 * options.seconds + 1
    return quantile(figures.updates, 0.99) <= options.bar and not figures.errors and sent >= REACHED and in_time


def report(rate: float, figures: Figures) -> None:
    """One line of figures."""
    shares = " ".join(f"p{int(100 * s)} {quantile(figures.updates, s):.0f}" for s in (0.5, 0.95, 0.99))
    worst = quantile(figures.updates, 1.0)
    print(
        f"{rate:.0f} commands/s: {len(figures.updates)} done, ms to the other's update: {shares} max {worst:.0f}; "
        f"to the acknowledgement: p99 {quantile(figures.acks, 0.99):.0f}; left out {figures.left_out}; "
        f"errors {len(figures.errors)} {figures.errors[:2]}"
    )


def compare(older: str, this: str) -> int:
    """What two versions reached by turns; 1 where a bar is missed. The middle one of several runs counts."""
    runs = [[json.loads(line) for line in Path(file).read_text().splitlines()] for file in (older, this)]
    before, now = (statistics.median(run["rate"] for run in some) for some in runs)
    each_before, each_now = (statistics.median(run["kb_each"] for run in some) for some in runs)
    times = now / before if before else float("nan")
    for name, kept, text in (
        ("rate", times >= TIMES, f"{now:.0f} commands/s, the older {before:.0f}: {times:.2f} times (bar {TIMES:g})"),
        (
            "memory",
            each_now <= MOST_EACH_KB,
            f"{each_now:.0f} kB a table, the older {each_before:.0f} (bar {MOST_EACH_KB:g})",
        ),
    ):
        print(f"{name}: {text}: {'kept' if kept else 'MISSED'}")
    return 0 if times >= TIMES and each_now <= MOST_EACH_KB else 1


def run(work: Coroutine[Any, Any, int]) -> int:
    """On the same kind of loop as the server's, where there is one."""
    with contextlib.suppress(ImportError):
        import uvloop

        return uvloop.run(work)
    return asyncio.run(work)


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--limit", action="store_true", help="raise the rate by a tenth until the bar is missed")
    parser.add_argument(
        "--bar", type=float, default=BAR_MS, help=f"milliseconds for 99 %% of the commands ({BAR_MS:g})"
    )
    parser.add_argument("--json", metavar="FILE", help="add what was reached as a line")
    parser.add_argument("--compare", nargs=2, metavar="FILE", help="tell what two such files say, and measure nothing")
    options = parser.parse_args()
    if options.compare:
        return compare(*options.compare)
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(folder)
        try:
            return run(measure(options, server, url))
        finally:
            server.terminate()
            server.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(main())
