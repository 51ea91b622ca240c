"""What is kept: restarts, clean shutdown, idle rooms, upgrades, the corpus, backup; deletion by the operator."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from websockets.exceptions import ConnectionClosed

import sunglade as package
from server.games import BOT, ME, OPEN, play_out, play_turn
from server.postgres import Postgres
from server.process import Server
from sunglade import Game
from sunglade.client import Client, Refused
from sunglade.rules import MODULES
from sunglade.server.migrations import STEPS
from sunglade.table.agreement import RULES_VERSION
from sunglade.table.table import GAME_EVENTS, Event, Table

Serve = Callable[..., Server]


def log_of(path: Path, table: str) -> list[Event]:
    """A table's log as the database has it."""
    with sqlite3.connect(path) as database:
        rows = database.execute(
            "SELECT seq, at, kind, seat, data, holder, command FROM events WHERE table_id = ? ORDER BY seq", [table]
        ).fetchall()
    return [Event(seq, at, kind, seat, json.loads(data), *who) for seq, at, kind, seat, data, *who in rows]


def test_a_restart_in_the_middle_of_a_turn_loses_nothing(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create([ME, OPEN], rules={"modules": ["moon"]})
        ben = client.join(ada.table, str(ada.invite), "Ben")
        play_out(ada, ben, rng=random.Random(1), rounds=2)
        acting = ada if ada.my_turn else ben
        acting.play(next(line for line in acting.legal if line != "end"))
        live = acting.live()
        assert server.stop() == 0
        with pytest.raises(ConnectionClosed):
            while True:
                message = live.receive()
        assert message["type"] == "goodbye" and message["error"]["kind"] == "shutting_down"
        server.start()
        before = acting.view
        acting.refresh()
        ignored = {"seats": None, "watching": None}
        assert acting.view | ignored == before | ignored
        acting.undo()
        play_turn(acting, random.Random(2))
    assert server.errors() == []


def test_a_bot_goes_on_after_a_restart(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        table = client.create([ME, BOT, BOT, BOT], rules={"rounds": 3})
        play_turn(table, random.Random(1))
        server.kill()
        server.start()
        while not table.my_turn:
            table.wait()
        play_out(table, rng=random.Random(1))
    assert server.errors() == []


def test_only_hashes_of_secrets_are_kept(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        ada = client.create([ME, OPEN])
        ben = client.join(ada.table, str(ada.invite), "Ben")
        code = ada.move(0)
        secrets = [ada.token, ben.token, str(ada.invite), code]
    server.stop()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.sqlite*"))
    logged = server.log.read_bytes()
    assert [secret for secret in secrets if secret.encode() in kept or secret.encode() in logged] == []
    assert all(len(secret) >= 22 for secret in secrets)


def test_the_log_is_the_game(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        table = client.create([ME, ME], rules={"modules": ["moon", "stones"]})
        rng = random.Random(5)
        while table.state["round"] < 4:
            do = rng.choice(["play", "play", "play", "play", "undo", "redo", "restart"])
            turn = table.view["turn"]
            if do == "play":
                table.play(rng.choice(table.legal))
            elif turn[f"can_{do}"]:
                table.command(do)
        view = table.view
    server.stop()
    rebuilt = Table.from_log(table.table, log_of(tmp_path / "tables.sqlite", table.table))
    assert rebuilt.game.state() == view["state"] and rebuilt.seq == view["seq"]
    assert rebuilt.game.undone == rebuilt.copy().game.undone


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[1] / "golden").glob("*.json")), ids=lambda f: f.stem)
def test_recorded_games_replay_to_the_same_final_state(client: Client, file: Path) -> None:
    recorded = json.loads(file.read_text())
    table = client.upload(recorded["game"])
    view = client.ask("GET", f"/tables/{table}")["view"]
    assert view["state"] == recorded["final"]
    assert (view["result"] or {"winners": None})["winners"] == view["state"]["winners"]


def without_given_names(game: dict[str, Any], table: Table) -> dict[str, Any]:
    """A game as a file says it, its bots called by their level alone: before 0.2.0 they had no other name."""
    names = [
        name.rpartition(" (")[2].removesuffix(")") if chair.is_bot else name
        for name, chair in zip(game["names"], table.chairs, strict=True)
    ]
    return {**game, "names": names}


CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.jsonl"))


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_kept_logs_replay_to_the_same_final_state(file: Path) -> None:
    """Logs as servers of every version kept them (`make_corpus.py`), with all that is taken back on the way."""
    kept, *log = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    table = Table.from_log("kept", [Event(**event) for event in log])
    assert table.game.over and table.game.state() == kept["final"]
    assert [[chair.kind, chair.name, chair.level] for chair in table.chairs] == kept["seats"]
    assert without_given_names(table.shown(), table) == without_given_names(kept["game"], table)
    assert Game.from_dict(kept["game"]).state() == kept["final"]


def test_the_kept_logs_are_of_this_version_too_and_of_every_module() -> None:
    """Fails when a version has no games of its own yet: run `make_corpus.py`, which adds and never replaces."""
    kept = [file.read_text(encoding="utf-8").splitlines() for file in CORPUS]
    ours = [lines for lines in kept if json.loads(lines[0])["rules_version"] == RULES_VERSION]
    assert {json.loads(lines[0])["version"] for lines in ours} >= {package.__version__}
    modules = [json.loads(lines[0])["game"]["rules"].get("modules", []) for lines in ours]
    assert [] in modules and {module for some in modules for module in some} == set(MODULES)
    kinds = {json.loads(line)["kind"] for lines in ours for line in lines[1:]}
    assert kinds >= {*GAME_EVENTS, "created", "sat", "renamed", "left", "bot_sat", "bot_took_over", "back"}


def test_a_table_of_other_rules_is_left_alone(serve: Serve, tmp_path: Path) -> None:
    """The same actions might lead elsewhere: better no table than another game."""
    server = serve()
    with server.client() as client:
        table, other = client.create([ME, ME]), client.create([ME, ME])
        server.stop()
        with sqlite3.connect(tmp_path / "tables.sqlite") as database:
            ours, theirs = f'"rules_version":{RULES_VERSION}', f'"rules_version":{RULES_VERSION + 1}'
            change = "UPDATE events SET data = replace(data, ?, ?) WHERE table_id = ? AND seq = 1"
            assert database.execute(change, (ours, theirs, table.table)).rowcount == 1
        server.start()
        with pytest.raises(Refused) as refused:
            table.refresh()
        assert refused.value.kind == "rules_changed"
        other.refresh()


def test_idle_rooms_leave_memory_and_come_back(serve: Serve) -> None:
    server = serve("--idle", "0.1")
    with server.client() as client:
        tables = [client.create([ME, ME]) for _ in range(5)]
        for table in tables:
            play_turn(table, random.Random(1))
        until = time.monotonic() + 300
        while rooms(client) > 0:
            assert time.monotonic() < until, "rooms stay in memory"
            time.sleep(0.5)
        for table in tables:
            state = table.state
            table.refresh()
            assert table.state == state
            play_turn(table, random.Random(1))


def rooms(client: Client) -> int:
    text = httpx.get(f"{client.url}/metrics", timeout=300).text
    return int(float(next(line.split()[1] for line in text.splitlines() if line.startswith("sunglade_rooms "))))


# Upgrades

OLD = Path(__file__).parent / "old"


@pytest.mark.parametrize("old", sorted(OLD.glob("*.sql")), ids=lambda file: file.stem)
def test_a_database_of_an_older_version_is_upgraded_with_its_running_games(
    serve: Serve, tmp_path: Path, old: Path
) -> None:
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        database.executescript(old.read_text())
    check_old_games(serve(), json.loads(old.with_suffix(".json").read_text()))


@pytest.mark.parametrize("old", sorted(OLD.glob("*.sql")), ids=lambda file: file.stem)
def test_a_postgresql_of_an_older_version_is_upgraded_with_its_running_games(
    serve: Serve, postgres: Postgres, old: Path
) -> None:
    url = postgres.new_database()
    asyncio.run(fill_postgres(url, old))
    check_old_games(serve(database=url), json.loads(old.with_suffix(".json").read_text()))


async def fill_postgres(url: str, old: Path) -> None:
    """The rows of an old database, under the schema it had."""
    version = int(old.stem.split("-")[1])
    with sqlite3.connect(":memory:") as source:
        source.executescript(old.read_text())
        rows = {name: source.execute(f"SELECT * FROM {name}").fetchall() for name in ("tables", "events", "holders")}
    columns = [column[1] for column in source.execute("PRAGMA table_info(tables)")]
    flags = {columns.index(name) for name in ("bot_due", "uploaded") if name in columns}
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    for statement in [s for step in STEPS[:version] for s in step]:
        await connection.execute(statement)
    await connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    await connection.execute(f"INSERT INTO schema_version VALUES ({version})")
    tables = [[bool(value) if at in flags else value for at, value in enumerate(row)] for row in rows["tables"]]
    for name, found in (rows | {"tables": tables}).items():
        await connection.copy_records_to_table(name, records=found)
    await connection.close()


def check_old_games(server: Server, told: list[dict[str, Any]]) -> None:
    """Every table of an old database stands as it did, and goes on."""
    with server.client() as client:
        for old in told:
            seat = client.sit(old["table"], old["token"])
            turn, seats = old["view"]["turn"], old["view"]["seats"]
            if turn["seat"] is None or seats[turn["seat"]]["playing"] != "bot":
                assert seat.state == old["view"]["state"]
                assert seat.legal == [action["line"] for action in turn["legal"]]
                assert seat.view["turn"]["can_redo"] == turn["can_redo"]
        waiting = next(old for old in told if old["view"]["status"] == "waiting")
        assert client.join(waiting["table"], waiting["invite"], "Cleo").view["status"] == "playing"
        for old in told:
            seat = client.sit(old["table"], old["token"])
            if seat.my_turn:
                play_turn(seat, random.Random(1))
    assert server.errors() == []


def test_a_database_of_a_newer_version_is_left_alone(serve: Serve, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        database.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        database.execute("INSERT INTO schema_version VALUES (1000)")
    with pytest.raises(AssertionError, match="schema version 1000"):
        serve()


# Operators


def sunglade(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sunglade", *words], capture_output=True, text=True, timeout=300)


def test_a_backup_made_while_the_server_runs_is_restored_elsewhere(
    serve: Serve, postgres: Postgres, tmp_path: Path
) -> None:
    server = serve()
    file, url = tmp_path / "backup.gz", postgres.new_database()
    with server.client() as client:
        table = client.create([ME, ME], rules={"modules": ["moon"]})
        play_out(table, rng=random.Random(1), rounds=2)
        done = sunglade("tables", "backup", str(file), "--database", server.database)
        assert (done.returncode, done.stdout) == (0, f"1 tables are in {file}.\n"), done.stderr
    done = sunglade("tables", "restore", str(file), "--database", url)
    assert done.returncode == 0, done.stderr
    again = sunglade("tables", "restore", str(file), "--database", url)
    assert again.returncode == 2 and "has tables already" in again.stderr
    with serve(database=url).client() as client:
        moved = client.sit(table.table, table.token)
        assert moved.state == table.state
        play_turn(moved, random.Random(2))


def test_a_backup_goes_through_a_pipe_and_a_piece_of_it_changes_nothing(serve: Serve, tmp_path: Path) -> None:
    server, url = serve(), f"sqlite+aiosqlite:///{tmp_path / 'new.sqlite'}"
    with server.client() as client:
        table = client.create([ME, ME])
    tables = [sys.executable, "-m", "sunglade", "tables"]
    made = subprocess.run([*tables, "backup", "-", "--database", server.database], capture_output=True, timeout=300)
    assert (made.returncode, made.stderr) == (0, b"1 tables were written.\n")
    restoring = [*tables, "restore", "-", "--database", url]
    for piece in (b"", made.stdout[:-9]):
        done = subprocess.run(restoring, input=piece, capture_output=True, timeout=300)
        assert done.returncode == 2 and done.stderr.startswith(b"sunglade: "), done.stderr
    done = subprocess.run(restoring, input=made.stdout, capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, b"1 tables came from -.\n"), done.stderr
    with serve(database=url).client() as client:
        assert client.sit(table.table, table.token).state == table.state


def test_a_damaged_backup_changes_nothing(serve: Serve, tmp_path: Path) -> None:
    file, url = tmp_path / "backup.gz", f"sqlite+aiosqlite:///{tmp_path / 'new.sqlite'}"
    for content in (b"", b"nonsense", gzip.compress(b'{"format": "other"}\n')):
        file.write_bytes(content)
        done = sunglade("tables", "restore", str(file), "--database", url)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    done = sunglade("tables", "backup", str(tmp_path / "missing" / "backup.gz"), "--database", url)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr


def test_idle_tables_are_deleted_when_the_operator_says_so(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        old, new = client.create([ME, ME]), client.create([ME, ME])
    server.stop()
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:  # servers ran for ten days, at one something happened
        database.execute("UPDATE clock SET seconds = seconds + 86400 * 10")
        database.execute("UPDATE tables SET used = (SELECT seconds FROM clock) WHERE id = ?", [new.table])
    done = sunglade("tables", "retire", "--days", "5", "--database", server.database)
    assert done.stdout == "1 tables deleted.\n", done.stderr
    assert log_of(tmp_path / "tables.sqlite", old.table) == []
    server.start()
    with server.client() as client:
        assert client.sit(new.table, new.token).state == new.state
        with pytest.raises(Refused, match="unknown_table"):
            client.sit(old.table, old.token)


def test_two_servers_do_not_share_a_sqlite_file(serve: Serve) -> None:
    serve()
    with pytest.raises(AssertionError, match="another server uses"):
        serve()
