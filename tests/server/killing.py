"""Servers are killed at random moments while clients play; then the log is compared with what was acknowledged.

    PYTHONPATH=src:tests python -m server.killing 1000              # SQLite, one process
    PYTHONPATH=src:tests python -m server.killing 1000 --postgres   # two on one PostgreSQL, which is killed, too

At the end a line of JSON tells what was found; `--report FILE` adds it to a file. Ctrl+C ends a run early.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import random
import signal
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx

from server.games import BOT, ME, OPEN
from server.postgres import Postgres
from server.process import Server
from sunglade.client import Client, Refused, Seat
from sunglade.server.database import Database
from sunglade.table.table import Event, Table

RULES = {"rounds": 18, "modules": ["moon"]}
interrupted = threading.Event()
TOLD_EVERY = 50
NETWORK = (httpx.TransportError, OSError)


@dataclass
class Report:
    """What a run found."""

    kills: int = 0
    database_kills: int = 0
    """Of them those of the database itself."""
    seconds: float = 0.0
    acknowledged: int = 0
    repeated: int = 0
    tables: int = 0
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


class Player(threading.Thread):
    """Plays without end, and remembers every command that was acknowledged."""

    def __init__(self, servers: list[Server], seats: list[Seat], seed: int) -> None:
        super().__init__(daemon=True)
        self._servers = servers
        self._rng = random.Random(seed)
        self._clients = {server.url: server.client() for server in servers}
        self.seats = seats
        self.acknowledged: dict[str, tuple[str, int, str, str | None]] = {}
        self.repeated = 0
        self.stop = threading.Event()
        self.broken: str | None = None

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                self.step(self._rng.choice(self.seats))
        except Exception as error:
            self.broken = f"{type(error).__name__}: {error}"

    def step(self, seat: Seat) -> None:
        """One command, sent until it is answered; when a game is over, on to the rematch."""
        if seat.over:
            self.again(lambda: self.seats.__setitem__(self.seats.index(seat), seat.rematch()), seat)
            return
        if not seat.my_turn:
            self.again(lambda: seat.refresh(wait=0.3), seat)
            return
        turn = seat.view["turn"]
        busy = [action["line"] for action in turn["legal"] if action["kind"] != "end"]
        do = self._rng.choices(["play", "undo", "redo", "restart"], [8, 1, 1, 0.3])[0]
        if do != "play" and not turn[f"can_{do}"]:
            do = "play"
        line = None if do != "play" else self._rng.choice(busy) if busy and self._rng.random() < 0.7 else seat.legal[0]
        identity, expected = uuid.uuid4().hex, seat.seq
        more = {} if line is None else {"action": line}

        def send() -> None:
            body = {"id": identity, "do": do, "expected": expected, **more}
            answer = seat.client.ask("POST", f"/tables/{seat.table}/commands", body, token=seat.token)
            self.acknowledged[identity] = (seat.table, answer["acknowledged"], do, line)
            seat.learn(answer)
            if self._rng.random() < 0.05:  # an impatient client sends it again
                again = seat.client.ask("POST", f"/tables/{seat.table}/commands", body, token=seat.token)
                assert again["acknowledged"] == answer["acknowledged"]
                self.repeated += 1

        self.again(send, seat)

    def again(self, ask: Any, seat: Seat) -> None:
        """Ask until there is an answer, of another server where there is one."""
        while not self.stop.is_set():
            seat.client = self._clients[self._rng.choice(self._servers).url]
            try:
                ask()
                return
            except NETWORK:
                time.sleep(0.05)
            except Refused as error:
                if error.kind in ("busy", "shutting_down"):
                    time.sleep(0.05)
                elif error.kind in ("stale", "not_your_turn", "illegal_action", "game_over"):
                    self.again(seat.refresh, seat)
                    return
                else:
                    raise


def tables(client: Client, servers: list[Server]) -> list[Player]:
    """People at their own screens, one client with several seats, a person against a bot."""
    ada = client.create([ME, OPEN], rules=RULES, takeover_after=None)
    ben = client.join(ada.table, str(ada.invite), "Ben")
    hot = client.create([ME, ME, ME], rules=RULES)
    alone = client.create([ME, BOT], rules=RULES)
    return [
        Player(servers, [ada], 1),
        Player(servers, [ben], 2),
        Player(servers, [hot], 3),
        Player(servers, [alone], 4),
        Player(servers, [client.sit(hot.table, hot.token)], 5),
    ]


def run(
    servers: list[Server],
    kills: int,
    seed: int = 0,
    pause: tuple[float, float] = (0.1, 1.2),
    postgres: Postgres | None = None,
) -> Report:
    """Kill, restart, compare. The PostgreSQL that is given is killed as often as each of the servers."""
    rng, report, began = random.Random(seed), Report(), time.monotonic()
    with servers[0].client() as client:
        players = tables(client, servers)
        for player in players:
            player.start()
        while report.kills < kills and not interrupted.is_set():
            before = sum(len(player.acknowledged) for player in players)
            until = time.monotonic() + 300
            while sum(len(player.acknowledged) for player in players) <= before and time.monotonic() < until:
                time.sleep(0.02)  # no kill without something acknowledged since the last
            time.sleep(rng.uniform(*pause))
            number = rng.randrange(len(servers) + (postgres is not None))
            if postgres is not None and number == len(servers):
                postgres.kill()
                report.database_kills += 1
            else:
                servers[number].kill()
                servers[number].start()
            report.kills += 1
            if report.kills % TOLD_EVERY == 0:
                told = sum(len(player.acknowledged) for player in players)
                print(f"{report.kills} kills, {told} commands acknowledged", file=sys.stderr, flush=True)
        before_end = [len(player.acknowledged) for player in players]
        until = time.monotonic() + 300
        while time.monotonic() < until and any(
            len(player.acknowledged) <= count for player, count in zip(players, before_end, strict=True)
        ):
            time.sleep(0.1)
        for player, count in zip(players, before_end, strict=True):
            if len(player.acknowledged) <= count:
                report.stuck.append(f"{player.seats[0].table} at {player.seats[0].seq}")
        for player in players:
            player.stop.set()
        for player in players:
            player.join(timeout=300)
    for server in servers:
        server.stop()
    asyncio.run(compare(servers[0].database, players, report))
    report.broken += [player.broken for player in players if player.broken]
    report.broken += [error for server in servers for error in server.errors()]
    report.seconds = round(time.monotonic() - began, 1)
    return report


async def compare(url: str, players: list[Player], report: Report) -> None:
    """Every acknowledged command is in the log once, where it was said to be; every log is a legal game."""
    database = Database(url)
    for name in {told[0] for player in players for told in player.acknowledged.values()}:
        log = await database.log(name)
        Table.from_log(name, log)
        assert [event.seq for event in log] == list(range(1, len(log) + 1))
        found: dict[str, list[Event]] = {}
        for event in log:
            if event.command is not None:
                found.setdefault(event.command, []).append(event)
        report.tables += 1
        for player in players:
            _check(player, name, found, report)
        report.doubled += [command for command, events in found.items() if len(events) > 1]
    report.acknowledged = sum(len(player.acknowledged) for player in players)
    report.repeated = sum(player.repeated for player in players)
    await database.close()


def _check(player: Player, table: str, found: dict[str, list[Event]], report: Report) -> None:
    for command, (where, seq, do, line) in player.acknowledged.items():
        events = found.get(command, [])
        if where == table and not any(e.seq == seq and e.kind == do and e.data.get("action") == line for e in events):
            report.missing.append(f"{command} at {seq}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("kills", type=int)
    parser.add_argument("--postgres", action="store_true", help="two processes on a PostgreSQL; else one on SQLite")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report", metavar="FILE", help="add what was found to this file")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, lambda *_: interrupted.set())  # Ctrl+C: report on the kills so far
    with tempfile.TemporaryDirectory() as place:
        report = _killed(options, Path(place))
    versions = {"database": "postgresql" if options.postgres else "sqlite", "python": platform.python_version()}
    text = json.dumps({**versions, "machine": platform.machine(), **asdict(report)})
    print(text)
    if options.report:
        with open(options.report, "a") as file:
            file.write(text + "\n")
    return 1 if report.missing or report.doubled or report.stuck or report.broken else 0


def _killed(options: argparse.Namespace, folder: Path) -> Report:
    if not options.postgres:
        url = f"sqlite+aiosqlite:///{folder / 'tables.sqlite'}"
        return run([Server(url, folder, "--limits", "0").start()], options.kills, options.seed)
    postgres = Postgres(folder)
    postgres.start()
    try:
        url = postgres.new_database()
        servers = [Server(url, folder, "--limits", "0").start() for _ in range(2)]
        return run(servers, options.kills, options.seed, postgres=postgres)
    finally:
        postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
