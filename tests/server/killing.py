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
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx

from server.games import BOT, ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from sunglade.client import MADE_FOR_A_VIEW, Client, Refused, Seat
from sunglade.server.database import Database
from sunglade.table.saying import MOST_KEPT
from sunglade.table.table import GAME_EVENTS, Event, Table

RULES = {"rounds": 18, "modules": ["moon"]}
CLOCK = {"kind": "days", "turn": 14, "vacation": 28}
OPTIONS = ("--limits", "0", "--lobby")
interrupted = threading.Event()
TOLD_EVERY = 50
NETWORK = (httpx.TransportError, OSError)
LATER = ("busy", "shutting_down")
NOT_NOW = (
    "stale", "not_your_turn", "illegal_action", "game_over", "no_offer", "offer_open", "too_soon",
    "nothing_to_take_back", "has_resigned", "player_present", "clock_decides", "not_owner", "not_listed", "seat_taken",
    "unknown_seat", "time_over", "no_vacation", "waiting_for_players", "nothing_to_undo", "nothing_to_redo",
)  # fmt: skip
"""What somebody is told whose view was old; then they look again."""


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
    said: int = 0
    people: int = 0
    """Lives of whoever is known, from becoming somebody to being forgotten."""
    hosts: int = 0
    """Tables to whose seats others were invited one by one."""
    done: dict[str, int] = field(default_factory=dict)
    """How often each command was acknowledged."""
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


class Somebody(threading.Thread):
    """Whoever goes on until they are stopped, or broken by what they were told."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.stop = threading.Event()
        self.broken: str | None = None

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                self.go_on()
        except Exception as error:
            self.broken = f"{type(error).__name__}: {error}"

    def go_on(self) -> None:
        """The next thing."""
        raise NotImplementedError


class Player(Somebody):
    """Plays without end, and remembers every command that was acknowledged."""

    def __init__(self, servers: list[Server], seats: list[Seat], seed: int, *, sociable: bool = False) -> None:
        """Who is sociable talks, offers, resigns, comes and goes."""
        super().__init__()
        self._servers = servers
        self._sociable = sociable
        self._rng = random.Random(seed)
        self._clients = {server.url: server.client() for server in servers}
        self.seats = seats
        self.acknowledged: dict[str, tuple[str, int, str, str | None]] = {}
        self.said: dict[str, tuple[str, int]] = {}
        self.repeated = 0

    def go_on(self) -> None:
        self.step(self._rng.choice(self.seats))

    def step(self, seat: Seat) -> None:
        """One command, sent until it is answered; when a game is over, on to the rematch."""
        if seat.over:
            self.again(lambda: self.seats.__setitem__(self.seats.index(seat), seat.rematch()), seat)
            return
        if self._sociable and (wish := self._wish(seat)) is not None:
            self.again(lambda: self._do(seat, wish), seat)
            return
        if self._sociable and self._rng.random() < 0.1:
            words = {"id": uuid.uuid4().hex, "text": self._rng.choice(("well", "played", "oh"))}
            self.again(lambda: self._say(seat, words), seat)
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
        command = {"id": uuid.uuid4().hex, "do": do, "expected": seat.seq}
        self.again(lambda: self._do(seat, command if line is None else command | {"action": line}), seat)

    def _do(self, seat: Seat, command: dict[str, Any]) -> None:
        """Send a command; an impatient client sends it again."""
        path = f"/tables/{seat.table}/commands"
        answer = seat.client.ask("POST", path, command, token=seat.token)
        told = (seat.table, answer["acknowledged"], command["do"], command.get("action"))
        self.acknowledged[command["id"]] = told
        seat.learn(answer)
        if self._rng.random() < 0.05:
            again = seat.client.ask("POST", path, command, token=seat.token)
            assert again["acknowledged"] == answer["acknowledged"]
            self.repeated += 1

    def _say(self, seat: Seat, words: dict[str, Any]) -> None:
        path = f"/tables/{seat.table}/talk"
        number = seat.client.ask("POST", path, words, token=seat.token)["number"]
        self.said[words["id"]] = (seat.table, number)
        if self._rng.random() < 0.2:
            assert seat.client.ask("POST", path, words, token=seat.token)["number"] == number
            self.repeated += 1

    def _wish(self, seat: Seat) -> dict[str, Any] | None:
        """What people do besides playing: answer, come back, now and then something else."""
        view, mine = seat.view, seat.seats[0]
        own, offer = view["seats"][mine], view["offer"]
        if own["playing"] != "person" or own["kind"] != "person":
            return self._command(seat, "back" if own["kind"] == "person" else "sit_again")
        if offer is not None and mine in offer["awaited"] and self._rng.random() < 0.8:
            return self._command(seat, self._rng.choice(("agree", "agree", "decline")))
        if offer is not None and offer["seat"] == mine and self._rng.random() < 0.3:
            return self._command(seat, "withdraw")
        if self._rng.random() >= 0.2:
            return None
        other = self._rng.randrange(len(view["seats"]))
        return self._rng.choices((
            self._command(seat, "offer", offer="take_back"), self._command(seat, "offer", offer="end"),
            self._command(seat, "vacation", days=self._rng.randrange(3)), self._command(seat, "hand_over"),
            self._command(seat, "rename", name=f"Ada {self._rng.randrange(99)}"), self._command(seat, "leave"),
            self._command(seat, "reopen", seat=other), self._command(seat, "stand_in", seat=other),
            self._command(seat, "resign"), self._command(seat, "unlist"),
        ), (6, 1, 3, 3, 2, 2, 2, 2, 0.5, 0.5))[0]  # fmt: skip

    def _command(self, sitting: Seat, do: str, **more: Any) -> dict[str, Any] | None:
        """A new command; none where the table has nothing of the kind."""
        settings = sitting.view["settings"]
        if (do == "vacation" and settings["clock"] is None) or (do == "unlist" and not settings["listed"]):
            return None
        expected = {"expected": sitting.seq} if do in MADE_FOR_A_VIEW else {}
        return {"id": uuid.uuid4().hex, "do": do, **expected, **more}

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
                if error.kind in LATER:
                    time.sleep(0.05)
                elif error.kind in NOT_NOW or (self._sociable and error.kind == "wrong_token"):
                    self.again(seat.refresh, seat)
                    return
                else:
                    raise


class Living(Somebody):
    """Does things of their own again and again, each asked for until it is answered."""

    def __init__(self, servers: list[Server], seed: int) -> None:
        super().__init__()
        self._servers = servers
        self._rng = random.Random(seed)
        self._clients = {server.url: server.client() for server in servers}
        self.lived = 0

    def _ask(self, method: str, path: str, body: Any = None, key: str | None = None, token: str | None = None) -> Any:
        while True:
            client = self._clients[self._rng.choice(self._servers).url]
            client.person = key
            try:
                return client.ask(method, path, body, token=token)
            except NETWORK:
                time.sleep(0.05)
            except Refused as error:
                if error.kind not in LATER:
                    raise
                time.sleep(0.05)


class Host(Living):
    """Invites to one seat after the other: each invitation is good there, once, and until there is a newer one."""

    def go_on(self) -> None:
        made = self._ask("POST", "/tables", {"seats": [ME, OPEN, OPEN], "rules": {"rounds": 1}})
        for seat in (2, 1):
            path = f"/tables/{made['table']}/seats/{seat}/invite"
            old, invite = (self._ask("POST", path, None, token=made["token"])["invite"] for _ in range(2))
            self._refused(made["table"], old)
            wish = {"invite": invite, "name": f"Ben {seat}", "id": uuid.uuid4().hex}
            come = self._ask("POST", f"/tables/{made['table']}/join", wish)
            assert come["seats"] == [seat], f"invited to seat {seat}, and sits at {come['seats']}"
            again = self._ask("POST", f"/tables/{made['table']}/join", wish)
            assert again["token"] == come["token"], "asked for again, it is another seat"
            self._refused(made["table"], invite)
        known = come["view"]["seq"]  # another process, which has not heard of it yet, looks for it
        names = [seat["name"] for seat in self._ask("GET", f"/tables/{made['table']}?since={known}")["view"]["seats"]]
        assert names == ["Ada", "Ben 1", "Ben 2"], f"who was invited is lost: {names}"
        self.lived += 1

    def _refused(self, table: str, invite: str) -> None:
        """Nobody else comes by an invitation that is spent, or that a newer one replaced."""
        try:
            wish = {"invite": invite, "name": "Eve", "id": uuid.uuid4().hex}
            raise AssertionError(f"a second guest came: {self._ask('POST', f'/tables/{table}/join', wish)['seats']}")
        except Refused as error:
            assert error.kind in ("wrong_invite", "seat_taken", "table_full"), error


class Known(Living):
    """Is known again: becomes somebody, in two browsers, under new names, at tables; and is forgotten. Without end."""

    def go_on(self) -> None:
        wish = {"id": uuid.uuid4().hex, "name": "Ada"}
        key = self._ask("POST", "/people", wish)["key"]
        assert self._ask("POST", "/people", wish)["key"] == key, "sent again, it is another person"
        made = self._ask("POST", "/tables", {"seats": [ME, BOT], "rules": {"rounds": 1}}, key)
        for number in range(self._rng.randrange(1, 4)):
            name = f"Ada {number}"
            self._ask("PUT", "/people/me", {"name": name, "species": None}, key)
            assert self._ask("GET", "/people/me", None, key)["name"] == name, "a name is lost"
        code = {"code": self._ask("POST", "/people/me/move", None, key)["code"], "id": uuid.uuid4().hex}
        other = self._ask("POST", "/people/claim", code)["key"]
        assert self._ask("POST", "/people/claim", code)["key"] == other, "a code is spent, and its key is lost"
        tables = [entry["table"] for entry in self._ask("GET", "/people/me/tables", None, other)["tables"]]
        assert made["table"] in tables, f"{made['table']} is lost among {tables}"
        assert self._ask("POST", f"/tables/{made['table']}/seat", None, other)["seats"] == made["seats"]
        self._forget(key)
        for gone in (key, other):
            try:
                raise AssertionError(f"who is forgotten is known: {self._ask('GET', '/people/me', None, gone)}")
            except Refused as error:
                assert error.kind == "wrong_person"
        self.lived += 1

    def _forget(self, key: str) -> None:
        """Until it is done; whoever is told that nobody has this key has been forgotten before."""
        try:
            self._ask("DELETE", "/people/me", None, key)
        except Refused as error:
            assert error.kind == "wrong_person"


def tables(client: Client, servers: list[Server]) -> list[Player]:
    """People at their own screens, by a clock, where anybody may join; several seats of one client; a bot."""
    ada = client.create([ME, OPEN], rules=RULES, takeover_after=None)
    ben = client.join(ada.table, str(ada.invite), "Ben")
    cleo = client.create([ME, OPEN], rules=RULES, clock=CLOCK)
    dan = client.join(cleo.table, str(cleo.invite), "Dan")
    eva = client.create([ME, OPEN], rules=RULES, takeover_after=None, listed=True)
    finn = client.join(eva.table, str(eva.invite), "Finn")
    hot = client.create([ME, ME, ME], rules=RULES)
    alone = client.create([ME, BOT], rules=RULES)
    return [
        Player(servers, [ada], 1),
        Player(servers, [ben], 2),
        Player(servers, [hot], 3),
        Player(servers, [alone], 4),
        Player(servers, [client.sit(hot.table, hot.token)], 5),
        *(Player(servers, [seat], 6 + number, sociable=True) for number, seat in enumerate((cleo, dan, eva, finn))),
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
        players, somebody, host = tables(client, servers), Known(servers, seed), Host(servers, seed)
        everybody: list[Somebody] = [*players, somebody, host]
        for one in everybody:
            one.start()
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
            len(player.acknowledged) <= count and player.broken is None
            for player, count in zip(players, before_end, strict=True)
        ):
            time.sleep(0.1)
        for player, count in zip(players, before_end, strict=True):
            if len(player.acknowledged) <= count:
                report.stuck.append(f"{player.seats[0].table} at {player.seats[0].seq}")
        for one in everybody:
            one.stop.set()
        for one in everybody:
            one.join(timeout=300)
    for server in servers:
        server.stop()
    asyncio.run(compare(servers[0].database, players, report))
    report.broken += [each.broken for each in everybody if each.broken]
    report.people, report.hosts = somebody.lived, host.lived
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
        await _compare_talk(database, name, players, report)
    report.acknowledged = sum(len(player.acknowledged) for player in players)
    report.done = dict(Counter(told[2] for player in players for told in player.acknowledged.values()))
    report.repeated = sum(player.repeated for player in players)
    await database.close()


def _check(player: Player, table: str, found: dict[str, list[Event]], report: Report) -> None:
    for command, (where, seq, do, line) in player.acknowledged.items():
        events = found.get(command, [])
        kept = [event for event in events if event.seq == seq and event.data.get("action") == line]
        if where == table and not any(do not in GAME_EVENTS or event.kind == do for event in kept):
            report.missing.append(f"{do} {command} at {seq}")


async def _compare_talk(database: Database, table: str, players: list[Player], report: Report) -> None:
    """What was acknowledged as said is kept once, as that number, as long as the table keeps so much."""
    kept = await database.said(table, 0, MOST_KEPT)
    oldest = kept[0].number if kept else 0
    for player in players:
        for identity, (where, number) in player.said.items():
            found = [saying.number for saying in kept if saying.id == identity]
            if where == table and number >= oldest and found != [number]:
                (report.doubled if number in found else report.missing).append(f"said {identity} as {number}: {found}")
            report.said += where == table


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
        url = sqlite_in(folder)
        return run([Server(url, folder, *OPTIONS).start()], options.kills, options.seed)
    postgres = Postgres(folder)
    postgres.start()
    try:
        url = postgres.new_database()
        servers = [Server(url, folder, *OPTIONS).start() for _ in range(2)]
        return run(servers, options.kills, options.seed, postgres=postgres)
    finally:
        postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
