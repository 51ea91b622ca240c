"""Load on the table: many tables, two WebSocket connections each, a steady stream of commands, on this machine.

    python bench/load.py                                   # 1,000 tables, 300 commands/s, 60 s
    python bench/load.py --tables 100 --rate 50 --seconds 10
    python bench/load.py --limit                           # raise the rate until p99 is over the bar

What is measured is the time from sending a command to the *other* player's update. The clients run in this process, the
server in one of its own; both share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from sunglade import Game

BAR_MS = 150.0
MIDDLE = 60
"""Actions already played at each table, so that boards and views are those of a real game."""


@dataclass
class Figures:
    """What was measured."""

    updates: list[float] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    late: int = 0


class Seat:
    """A connection of one player: the newest view, and when which event came."""

    def __init__(self, socket: ClientConnection, figures: Figures) -> None:
        self.socket = socket
        self.figures = figures
        self.view: dict[str, Any] = {}
        self.seq = 0
        self.waiting: dict[int, asyncio.Future[float]] = {}
        self.acks: dict[str, asyncio.Future[float]] = {}

    async def read(self) -> None:
        async for text in self.socket:
            now = time.perf_counter()
            message = json.loads(text)
            kind = message["type"]
            if kind in ("update", "welcome"):
                self.view, self.seq = message["view"], message["seq"]
                for seq in [seq for seq in self.waiting if seq <= self.seq]:
                    self.waiting.pop(seq).set_result(now)
            elif kind == "ack" and message["id"] in self.acks:
                self.acks.pop(message["id"]).set_result(now)
            elif kind in ("refused", "goodbye"):
                self.figures.errors.append(str(message["error"]))


class Pair:
    """A table with its two players."""

    def __init__(self, seats: list[Seat], rng: random.Random) -> None:
        self.seats = seats
        self.rng = rng
        self.number = 0

    async def act(self, figures: Figures) -> None:
        """One command of whose turn it is; until the other one has its update."""
        turn = self.seats[0].view["turn"]
        if turn["seat"] is None:
            return
        actor, other = self.seats[turn["seat"]], self.seats[1 - turn["seat"]]
        lines = [action["line"] for action in turn["legal"]]
        line = self.rng.choice(lines)
        self.number += 1
        name, seq = f"c{self.number}", actor.seq
        loop = asyncio.get_running_loop()
        seen, mine = loop.create_future(), loop.create_future()
        other.waiting[seq + 1], actor.waiting[seq + 1] = seen, mine
        ack = actor.acks[name] = loop.create_future()
        command = {"type": "command", "id": name, "do": "play", "expected": seq, "action": line}
        began = time.perf_counter()
        await actor.socket.send(json.dumps(command))
        try:
            async with asyncio.timeout(30):
                figures.updates.append(await seen - began)
                figures.acks.append(await ack - began)
                await mine
        except TimeoutError:
            figures.errors.append("no update within 30 s")


async def sit_down(url: str, count: int, figures: Figures) -> list[Pair]:
    """Make the tables and connect both players of each."""
    game = Game(2, seed=1)
    rng = random.Random(1)
    while len(game.actions) < MIDDLE:
        busy = [line for line in game.legal if line != "end"]
        game.play(rng.choice(busy) if busy and rng.random() < 0.75 else game.legal[0])
    body = {"seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}], "game": game.to_dict()}
    pairs: list[Pair] = []
    gate = asyncio.Semaphore(20)
    async with httpx.AsyncClient(base_url=url, timeout=120) as http:

        async def one(number: int) -> None:
            async with gate:
                made = (await http.post("/api/tables", json=body)).json()
                path = f"/api/tables/{made['table']}/join"
                joined = (await http.post(path, json={"invite": made["invite"], "name": "Ben"})).json()
                seats = [
                    await _connect(url, made["table"], token, figures) for token in (made["token"], joined["token"])
                ]
                pairs.append(Pair(seats, random.Random(number)))

        await asyncio.gather(*(one(number) for number in range(count)))
    return pairs


async def _connect(url: str, table: str, token: str, figures: Figures) -> Seat:
    socket = await connect(url.replace("http", "ws", 1) + "/api/live", compression=None, max_size=2**22)
    seat = Seat(socket, figures)
    await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
    seat.reading = asyncio.create_task(seat.read())  # type: ignore[attr-defined]
    while not seat.view:
        await asyncio.sleep(0.005)
    return seat


async def load(pairs: list[Pair], rate: float, seconds: float, figures: Figures) -> None:
    """Commands at a steady rate, going round the tables; a table still at its last one is left out."""
    busy: set[Pair] = set()
    tasks: set[asyncio.Task[None]] = set()
    began = time.perf_counter()

    async def one(pair: Pair) -> None:
        busy.add(pair)
        await pair.act(figures)
        busy.discard(pair)

    for number in range(int(rate * seconds)):
        due = began + number / rate
        if (left := due - time.perf_counter()) > 0:
            await asyncio.sleep(left)
        pair = pairs[number % len(pairs)]
        if pair in busy:
            figures.late += 1
            continue
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


def start_server(folder: str) -> tuple[subprocess.Popen[str], str]:
    """A server of our own, without limits, and its address."""
    command = [
        sys.executable, "-m", "sunglade", "serve", "--no-browser", "--port", "0", "--limits", "0", "--bots", "1",
        "--database", f"sqlite+aiosqlite:///{folder}/load.sqlite",
    ]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, f"http://127.0.0.1:{line.split('localhost:')[1].split('/')[0]}"


async def measure(options: argparse.Namespace, server: subprocess.Popen[str], url: str) -> int:
    """Sit down, load, report; 1 when the bar is missed."""
    before = memory(server.pid)
    figures = Figures()
    began = time.perf_counter()
    pairs = await sit_down(url, options.tables, figures)
    print(f"{len(pairs)} tables, {2 * len(pairs)} connections after {time.perf_counter() - began:.0f} s")
    each = (memory(server.pid) - before) * 1024 / max(1, len(pairs))
    print(f"server: {before:.0f} MB at start, {memory(server.pid):.0f} MB now, {each:.0f} kB for each table")
    rate = options.rate
    good = True
    while good:
        now = Figures()
        for pair in pairs:
            for seat in pair.seats:
                seat.figures = now
        used = processor(server.pid)
        await load(pairs, rate, options.seconds, now)
        report(rate, now)
        each = 1000 * (processor(server.pid) - used) / max(1, len(now.updates))
        print(f"server: {each:.1f} ms of processor time for each command")
        good = quantile(now.updates, 0.99) < BAR_MS and not now.errors
        if not options.limit:
            break
        rate *= 1.25
    print(f"server: {memory(server.pid):.0f} MB at the end")
    return 0 if good or options.limit else 1


def report(rate: float, figures: Figures) -> None:
    """One line of figures."""
    shares = " ".join(f"p{int(100 * s)} {quantile(figures.updates, s):.0f}" for s in (0.5, 0.95, 0.99))
    worst = quantile(figures.updates, 1.0)
    print(
        f"{rate:.0f} commands/s: {len(figures.updates)} done, ms to the other's update: {shares} max {worst:.0f}; "
        f"to the acknowledgement: p99 {quantile(figures.acks, 0.99):.0f}; left out {figures.late}; "
        f"errors {len(figures.errors)} {figures.errors[:2]}"
    )


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--limit", action="store_true", help="raise the rate by a quarter until the bar is missed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(folder)
        try:
            return asyncio.run(measure(options, server, url))
        finally:
            server.terminate()
            server.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(main())
