"""Small parts of the server, without a server."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import unicodedata
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from server.process import sqlite_in
from sunglade import Game
from sunglade.notation import ACTION_NAMES, action_parts
from sunglade.server import schema
from sunglade.server.database import Database
from sunglade.server.guard import Hosts
from sunglade.server.limits import Limits, client_key
from sunglade.server.migrations import upgrade
from sunglade.table.names import MOST_NAME, clean_name
from sunglade.table.problems import STATUS, ServerProblem
from sunglade.table.table import Event
from sunglade.table.table_log import Append
from sunglade.table.view import position_view


def test_the_game_and_the_terminal_do_not_load_the_server() -> None:
    program = (
        "import sys, sunglade, sunglade.cli, sunglade.game, sunglade.terminal; sunglade.cli._parser();"
        "print([m for m in ('fastapi', 'uvicorn', 'sqlalchemy', 'asyncpg', 'httpx', 'websockets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("word", sorted({line.split()[0] for line in ACTION_NAMES}))
def test_a_line_and_its_parts_say_the_same(word: str) -> None:
    for number, line in enumerate(ACTION_NAMES):
        if line.split()[0] != word:
            continue
        found = action_parts(number)
        action = schema.Action.model_validate(
            {"line": line, **found, "cost": {"light": 0, "lunar": 0}, "preview": {"light": 0}}
        )
        told = [action.ability or action.kind]
        if action.level and action.ability == "boar.dig":
            told[0] += "2" * (action.level - 1)
        elif action.level:
            told.append(str(action.level))
        told += [part for part in (action.size, action.target, action.baby, action.origin) if part]
        told += [action.animal] if action.kind == "draft" and action.animal else []
        told += [action.space] if action.space else []
        told += action.spaces or []
        assert " ".join(told) == line


def test_a_preview_does_not_change_the_game() -> None:
    game, rng = Game(3, {"modules": ["moon", "elder", "stones"]}, seed=3), random.Random(1)
    while not game.over and len(game.actions) < 150:
        before = game.record.tobytes()
        position_view(game, assistance=True)
        assert game.record.tobytes() == before
        game.play(rng.choice(game.legal))


def test_forecast_and_scores_are_plain_numbers() -> None:
    """Programs write them to files as they are."""
    game, rng = Game(2, {"modules": ["moon", "elder", "stones"]}, seed=3), random.Random(1)
    while len(game.actions) < 60:
        game.play(rng.choice(game.legal))
    for found in (game.forecast(), game.scores()):
        plain = [asdict(one) for one in found]
        assert json.loads(json.dumps(plain)) == plain


def test_previews_of_a_hatch_do_not_depend_on_the_baby() -> None:
    """Two deals that differ only in what is hidden look the same until something hatches."""
    rules = {"modules": ["moon"]}
    one = Game(2, rules, seed=37)
    other = one.determinised(5)
    rng = random.Random(11)
    hatches = 0
    while one.round < 8 and not one.over:
        assert position_view(one, assistance=True) == position_view(other, assistance=True)
        if "turtle.hatch" in one.legal:
            hatches += 1
            break
        turtle = [line for line in one.legal if "turtle" in line]
        steps = [line for line in one.legal if line.startswith("step")]
        line = rng.choice(turtle or steps or [line for line in one.legal if line == "end"] or one.legal)
        one.play(line)
        other.play(line)
    assert hatches


@given(st.text(max_size=60))
def test_names_are_clean_or_refused(name: str) -> None:
    try:
        kept = clean_name(name)
    except ServerProblem as problem:
        assert problem.kind == "bad_request"
        return
    assert 0 < len(kept) <= MOST_NAME and kept == clean_name(kept)
    assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") for sign in kept)
    assert not set(kept) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def test_a_bucket_empties_and_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("sunglade.server.limits.time.monotonic", lambda: now)
    limits = Limits(1.0)
    for _ in range(20):
        limits.spend("create", "a")
    with pytest.raises(ServerProblem) as error:
        limits.spend("create", "a")
    limits.spend("create", "b")
    now += error.value.more["retry_after"] + 0.01
    limits.spend("create", "a")
    with pytest.raises(ServerProblem):
        limits.spend("create", "a")


def test_what_counts_as_several_can_be_had_however_strict_the_operator_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """An export counts as five: where three are all that is given at once, it was refused for ever."""
    monkeypatch.setattr("sunglade.server.limits.time.monotonic", lambda: 1000.0)
    limits = Limits(0.2)
    limits.spend("heavy", "a", 5.0)
    with pytest.raises(ServerProblem):
        limits.spend("heavy", "a")


def test_the_addresses_of_one_household_are_one_client() -> None:
    assert client_key("2001:db8:1:2::1") == client_key("2001:db8:1:2:ffff::9") != client_key("2001:db8:1:3::1")
    assert client_key("::ffff:203.0.113.7") == client_key("203.0.113.7") != client_key("203.0.113.8")


@pytest.mark.parametrize(
    ("bound", "host", "allowed"),
    [
        ("127.0.0.1", "localhost:8740", True),
        ("127.0.0.1", "[::1]:8740", True),
        ("127.0.0.1", "192.168.1.5:8740", False),
        ("0.0.0.0", "192.168.1.5:8740", True),
        ("0.0.0.0", "rebound.example", False),
        ("0.0.0.0", "games.example:443", True),
        ("0.0.0.0", "GAMES.example", True),
        ("0.0.0.0", "", False),
    ],
)
def test_hosts(bound: str, host: str, allowed: bool) -> None:
    assert Hosts(bound, ["games.example"]).allows(host) is allowed


def test_every_kind_of_error_has_a_status_and_is_in_the_schema() -> None:
    kinds = set(TypeAdapter(schema.ErrorKind).json_schema()["enum"])
    assert kinds == set(STATUS)


@pytest.mark.parametrize(("rules", "revolutions"), [({}, 3), ({"revolutions": 4}, 4), ({"rounds": 8}, 2)])
def test_the_round_tells_who_plays_when_and_which_revolution_it_is(rules: dict[str, Any], revolutions: int) -> None:
    game = Game(3, rules)
    assert position_view(game, assistance=False)["round"]["revolution"] == 0
    while not game.over:
        told = position_view(game, assistance=False)["round"]
        now, orders = game.state()["round"], (told["order"], told["next_order"])
        turns = []
        while not game.over and game.state()["round"] == now:
            if now and game.player not in turns:
                turns.append(game.player)
            game.play("end" if "end" in game.legal else game.legal[0])
        if now:
            assert told["revolutions"] == revolutions and told["revolution"] == (now + 5) // 6
            assert orders[0] == turns
            assert orders[1] == (None if game.over else position_view(game, assistance=False)["round"]["order"])
    assert now == game.state()["rounds"]


def test_a_place_in_a_log_has_one_event_also_within_a_batch(tmp_path: Path) -> None:
    async def both() -> tuple[list[bool], list[Event]]:
        database = Database(sqlite_in(tmp_path))
        await upgrade(database)
        row = {
            "changed": 1.0,
            "seq": 1,
            "status": "waiting",
            "bot_due": False,
            "deadline": None,
            "listing": None,
            "rating_due": False,
        }
        more = {"id": "t", "created": 1.0, "rules_version": 1, "invite": None, "leased_until": 0.0, "uploaded": False}
        await database.create({**row, **more}, Event(1, 1.0, "created", None, {}))
        wanted = [Append("t", Event(2, 2.0, kind, 0, {}), {**row, "seq": 2}) for kind in ("undo", "redo")]
        added = await database.append(wanted)
        log = await database.log("t")
        await database.close()
        return added, log

    added, log = asyncio.run(both())
    assert added == [True, False]
    assert [event.kind for event in log] == ["created", "undo"]


def test_a_commit_that_failed_leaves_nothing_behind_for_the_next(tmp_path: Path) -> None:
    async def story() -> list[int]:
        database = Database(f"sqlite+aiosqlite:///{tmp_path / 'some.sqlite'}")

        def make(connection: sa.Connection) -> None:
            connection.exec_driver_sql("CREATE TABLE one (id INTEGER PRIMARY KEY)")
            one = "INTEGER REFERENCES one (id) DEFERRABLE INITIALLY DEFERRED"
            connection.exec_driver_sql(f"CREATE TABLE many (one {one})")

        def add(connection: sa.Connection, one: int) -> None:
            connection.exec_driver_sql("INSERT INTO many VALUES (?)", (one,))

        def count(connection: sa.Connection) -> list[int]:
            connection.exec_driver_sql("INSERT INTO one VALUES (7)")
            return list(connection.exec_driver_sql("SELECT one FROM many").scalars())

        await database.write(make)
        try:
            with pytest.raises(sa.exc.IntegrityError):  # found by COMMIT, which leaves the transaction open
                await database.write(add, 7)
            return await database.write(count)
        finally:
            await database.close()

    assert asyncio.run(story()) == []
