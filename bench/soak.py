"""Mixed traffic on the table for a given time, and what the server's memory does meanwhile: it must reach a plateau.

    python bench/soak.py                                # 5 minutes, 20 groups of people
    python bench/soak.py --seconds 3600 --groups 200 --rate 130   # the bar: an hour, 200 tables, 100 commands/s
    python bench/soak.py --inspect                      # the server runs slower and tells what its memory is made of

Groups of people make tables, join, play over WebSockets, take back, ask for hints, why and replays, watch, play against
bots, play on in a rematch, upload games. Everything is on this machine. A line is printed every `--every` seconds; at
the end the second half of the run is looked at: all of it must lie within 5 %.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from sunglade import Game

IDLE_S = 30
"""Rooms nobody looks at leave memory after this time, so that even a short run sees them go."""
GONE = (httpx.HTTPError, OSError, WebSocketException, TimeoutError, EOFError)
PATIENCE_S = 60.0
PLATEAU = 0.05
"""So far memory may go up and down in the second half of a run."""


@dataclass
class Traffic:
    """What was done so far, and how fast it may go on."""

    url: str
    rate: float
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    until: float = 0.0
    _next: float = 0.0

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until

    async def turn(self, what: str) -> None:
        """Wait until the next command may be sent."""
        self.done[what] += 1
        self._next = max(time.monotonic(), self._next) + 1 / self.rate
        await asyncio.sleep(self._next - time.monotonic())


class Group:
    """Some people at one table after the other."""

    def __init__(self, traffic: Traffic, http: httpx.AsyncClient, seed: int) -> None:
        self.traffic, self.http, self.rng = traffic, http, random.Random(seed)
        self.table, self.tokens = "", []  # type: ignore[var-annotated]

    async def ask(self, what: str, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """A request; None when it was refused."""
        await self.traffic.turn(what)
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        answer = await self.http.request(method, f"/api{path}", json=body, headers=headers)
        if answer.is_error:
            self.traffic.refused[answer.json()["error"]["kind"]] += 1
            return None
        return answer.json()

    async def run(self) -> None:
        """Until the time is over."""
        while not self.traffic.over:
            try:
                await self.evening()
            except GONE as error:
                self.traffic.refused[type(error).__name__] += 1

    async def evening(self) -> None:
        """A table, a game, perhaps a rematch."""
        await self.sit_down()
        for _ in range(self.rng.choice((1, 1, 2))):
            await self.play()
            if self.traffic.over or not await self.rematch():
                break
        if self.rng.random() < 0.2:
            game = Game(2, {"rounds": 2})
            while not game.over and len(game.actions) < 200:
                game.play(self.rng.choice(game.legal))
            await self.ask("upload", "POST", "/games", {"game": game.to_dict()})

    async def sit_down(self) -> None:
        others = self.rng.choice((["open"], ["open"], ["bot"], ["open", "bot"]))
        seats = [{"kind": "me", "name": "Ada"}] + [
            {"kind": kind, **({"level": self.rng.choice(("random", "greedy"))} if kind == "bot" else {})}
            for kind in others
        ]
        modules = self.rng.choice(([], ["moon"], ["moon", "elder", "stones"]))
        rules = {"rounds": self.rng.choice((1, 2, 6)), "modules": modules}
        made = await self.ask("create", "POST", "/tables", {"seats": seats, "rules": rules})
        self.table, self.tokens = made["table"], [made["token"]]
        if "open" in others:
            body = {"invite": made["invite"], "name": "Ben"}
            joined = await self.ask("join", "POST", f"/tables/{self.table}/join", body)
            self.tokens.append(joined["token"])

    async def play(self) -> None:
        """Everybody over a WebSocket, spectators besides, and now and then a question."""
        async with contextlib.AsyncExitStack() as here:
            lives = [await here.enter_async_context(Player(self, token).connected()) for token in self.tokens]
            watching = asyncio.create_task(self.watch())
            try:
                for _ in range(self.rng.randrange(20, 120)):
                    if self.traffic.over or lives[0].view["status"] != "playing":
                        break
                    await self.move(lives)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    async def move(self, lives: list[Player]) -> None:
        newest = max(lives, key=lambda live: live.seq)
        seat = newest.view["turn"]["seat"]
        actor = next((live for live in lives if seat in live.seats), None)
        if actor is None:
            await newest.news(newest.seq)
            return
        if actor.seq < newest.seq:
            await actor.news(newest.seq - 1)
            return
        chance = self.rng.random()
        if chance < 0.02:
            await self.ask("replay", "GET", f"/tables/{self.table}/replay")
        elif chance < 0.03:
            await self.ask("hint", "POST", f"/tables/{self.table}/hint", {"ms": 50}, actor.token)
        elif chance < 0.06:
            await self.ask(
                "why", "GET", f"/tables/{self.table}/why?action=grow+d4&action=collect+d4", None, actor.token
            )
        elif chance < 0.08:
            await self.ask("past", "GET", f"/tables/{self.table}/events")
        elif chance < 0.10:
            await self.ask("mine", "POST", "/mine", {"tokens": self.tokens})
        await actor.act()

    async def watch(self) -> None:
        """Spectators come and go."""
        while not self.traffic.over:
            async with Player(self, None).connected():
                self.traffic.done["spectator"] += 1
                await asyncio.sleep(self.rng.uniform(0.5, 4))

    async def rematch(self) -> bool:
        """The next game, if this one is over."""
        tokens = []
        for token in self.tokens:
            made = await self.ask("rematch", "POST", f"/tables/{self.table}/rematch", None, token)
            if made is None:
                return False
            tokens.append(made["token"])
        self.table, self.tokens = made["table"], tokens
        return True


class Player:
    """Somebody with a WebSocket."""

    def __init__(self, group: Group, token: str | None) -> None:
        self.group, self.token = group, token
        self.seats: list[int] = []
        self.view: dict[str, Any] = {}
        self.seq = 0
        self._number = 0
        self._changed = asyncio.Event()
        self._live: ClientConnection

    @contextlib.asynccontextmanager
    async def connected(self) -> Any:
        url = self.group.traffic.url.replace("http", "ws") + "/api/live"
        async with connect(url, max_size=2**24, compression=None) as self._live:
            token = {} if self.token is None else {"token": self.token}
            hello = {"type": "hello", "table": self.group.table, "since": 0, **token}
            await self._live.send(json.dumps(hello))
            self._take(json.loads(await self._live.recv()))
            reading = asyncio.create_task(self._read())
            try:
                yield self
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "goodbye":
            raise EOFError(message["error"]["kind"])
        if message["type"] in ("refused",):
            self.group.traffic.refused[message["error"]["kind"]] += 1
        if "view" in message:
            self.view, self.seq = message["view"], message["seq"]
            self.seats = message.get("seats", self.seats)
        self._changed.set()

    async def _read(self) -> None:
        with contextlib.suppress(EOFError, WebSocketException):
            async for text in self._live:
                self._take(json.loads(text))

    async def news(self, since: int) -> None:
        """Wait for an event after one."""
        async with asyncio.timeout(PATIENCE_S):
            while self.seq <= since:
                self._changed.clear()
                await self._changed.wait()

    async def act(self) -> None:
        """One command, until its update has come."""
        turn, rng = self.view["turn"], self.group.rng
        do = "undo" if turn["can_undo"] and rng.random() < 0.1 else "play"
        busy = [action["line"] for action in turn["legal"] if action["kind"] != "end"]
        line = rng.choice(busy) if busy and rng.random() < 0.6 else turn["legal"][0]["line"]
        self._number += 1
        name, since = f"c{self.seq}-{self._number}", self.seq
        await self.group.traffic.turn("command")
        more = {"action": line} if do == "play" else {}
        await self._live.send(json.dumps({"type": "command", "id": name, "do": do, "expected": since, **more}))
        await self.news(since)


# The server


def start_server(folder: str, options: argparse.Namespace) -> tuple[subprocess.Popen[str], str]:
    """A server of its own, with one process for bots."""
    command = [sys.executable, *(["-X", "tracemalloc"] if options.inspect else []), __file__, "--serve"]
    command += ["--database", f"sqlite+aiosqlite:///{folder}/tables.sqlite", "--idle", str(IDLE_S)]
    environment = os.environ | {"SOAK_REPORT": f"{folder}/report"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, f"http://127.0.0.1:{line.split('localhost:')[1].split('/')[0]}"


def serve(arguments: list[str]) -> int:
    """The server; on a signal it writes down what its memory is made of."""
    from sunglade.cli import main

    def report(*_: Any) -> None:
        lines = [
            f"{count:8} {name}" for name, count in Counter(type(o).__name__ for o in gc.get_objects()).most_common(25)
        ]
        if tracemalloc.is_tracing():
            statistic = tracemalloc.take_snapshot().statistics("lineno")[:25]
            lines += [f"{entry.size // 1024:8} kB {entry.count:8} {entry.traceback}" for entry in statistic]
        Path(os.environ["SOAK_REPORT"]).write_text("\n".join(lines) + "\n")

    signal.signal(signal.SIGUSR2, report)
    return main(["serve", "--no-browser", "--port", "0", "--bots", "1", "--bot-pace", "0", "--limits", "0", *arguments])


def memory(pid: int) -> float:
    """MB in memory."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


async def counted(http: httpx.AsyncClient) -> dict[str, float]:
    """What the server counts."""
    text = (await http.get("/metrics")).text
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines() if line and line[0] != "#"}


async def measure(options: argparse.Namespace, server: subprocess.Popen[str], url: str, folder: str) -> int:
    """Let the groups play, and look at the server's memory."""
    traffic = Traffic(url, options.rate)
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_S, limits=limits) as http:
        while (await http.get("/api/health")).json()["bots"] == "warming":
            await asyncio.sleep(0.2)
        traffic.until = time.monotonic() + options.seconds
        groups = [asyncio.create_task(Group(traffic, http, seed).run()) for seed in range(options.groups)]
        seen = [memory(server.pid)]
        print("    s   MB  rooms  connections  commands  tables  spectators", flush=True)
        began = time.monotonic()
        while not traffic.over:
            await asyncio.sleep(options.every)
            now, done = await counted(http), traffic.done
            seen.append(memory(server.pid))
            figures = (now["sunglade_rooms"], now["sunglade_connections"], done["command"], done["create"])
            print(f"{time.monotonic() - began:5.0f} {seen[-1]:4.0f} {figures[0]:6.0f} {figures[1]:12.0f} "
                  f"{figures[2]:9} {figures[3]:7} {done['spectator']:11}", flush=True)  # fmt: skip
            if options.inspect:
                server.send_signal(signal.SIGUSR2)
        await asyncio.wait(groups, timeout=PATIENCE_S)
    rate = traffic.done["command"] / options.seconds
    print(f"done: {dict(traffic.done)} ({rate:.1f} commands/s); refused: {dict(traffic.refused)}")
    if options.inspect:
        print(Path(f"{folder}/report").read_text())
    return report(seen)


def report(seen: list[float]) -> int:
    """Whether the second half of the run is a plateau; 1 where it is not."""
    half, quarter = seen[len(seen) // 2 :], max(1, len(seen) // 4)
    third, last = statistics.mean(seen[-2 * quarter : -quarter]), statistics.mean(seen[-quarter:])
    least, most = min(half), max(half)
    kept = most / least - 1 <= PLATEAU
    print(
        f"{seen[0]:.0f} MB at start, {third:.1f} in the third quarter, {last:.1f} in the last: {last / third - 1:+.1%}"
    )
    word = "kept" if kept else "MISSED"
    print(f"second half: {least:.1f} to {most:.1f} MB, {most / least - 1:.1%} (bar {PLATEAU:.0%}): {word}")
    return 0 if kept else 1


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--groups", type=int, default=20)
    parser.add_argument("--rate", type=float, default=100.0, help="requests and commands a second at most")
    parser.add_argument("--every", type=float, default=10.0)
    parser.add_argument("--inspect", action="store_true", help="tell at the end what the memory is made of")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, url = start_server(folder, options)
        try:
            return asyncio.run(measure(options, server, url, folder))
        finally:
            server.terminate()
            server.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[2:]) if sys.argv[1:2] == ["--serve"] else main())
