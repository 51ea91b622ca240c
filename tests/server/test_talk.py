"""What people say at a table: kept once, told in order to everybody who listens, apart from the game."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.games import BOT, ME, OPEN
from server.postgres import Postgres
from server.process import Server, sqlite_in
from sunglade.client import Client, Live, Refused, Seat
from sunglade.server import schema
from sunglade.table.names import clean_line
from sunglade.table.saying import MOST_KEPT, MOST_SIGNS, REACTIONS, clean_text

Serve = Callable[..., Server]


def two(client: Client, **options: Any) -> tuple[Seat, Seat]:
    ada = client.create([ME, OPEN], **options)
    return ada, client.join(ada.table, str(ada.invite), "Ben")


def heard(live: Live, count: int) -> list[dict[str, Any]]:
    """The next things that are said."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        message = live.receive()
        if message["type"] == "talk":
            schema.LiveTalk.model_validate(message)
            found += message["said"]
    assert len(found) == count
    return found


def told(saying: dict[str, Any]) -> tuple[Any, ...]:
    return saying["seat"], saying["reaction"], saying["text"]


def test_what_one_says_the_others_hear_at_once_and_whoever_comes_later(client: Client) -> None:
    ada, ben = two(client)
    with ben.live(heard=0) as listening, Live(client.url, ada.table, None, heard=0) as watching:
        assert listening.welcome["talk"] is True
        assert ada.say("What a sun!") == 1
        assert ben.say(reaction="wow") == 2
        for live in (listening, watching):
            assert [told(saying) for saying in heard(live, 2)] == [(0, None, "What a sun!"), (1, "wow", None)]
    with ada.live(heard=1) as again:
        (saying,) = heard(again, 1)
        assert (saying["number"], saying["name"], told(saying)) == (2, "Ben", (1, "wow", None))
    assert [saying["number"] for saying in ada.talk()] == [1, 2]


def test_somebody_who_does_not_ask_for_talk_is_told_none(client: Client) -> None:
    """As clients of older versions."""
    ada, ben = two(client)
    with ben.live() as live:
        assert "talk" not in live.welcome
        ada.say("Hello")
        ada.play(ada.legal[0])
        while (message := live.receive())["type"] != "update":
            assert message["type"] != "talk"


def test_the_same_is_said_once_however_often_it_is_sent(client: Client) -> None:
    ada, _ = two(client)
    name = uuid.uuid4().hex
    assert [ada.say("Once", identity=name) for _ in range(3)] == [1, 1, 1]
    with ada.live(heard=0) as live:
        live.send({"type": "say", "id": name, "text": "Once"})
        assert len(heard(live, 1)) == 1
        while (message := live.receive())["type"] != "said":
            assert message["type"] != "talk"
        assert (message["id"], message["number"]) == (name, 1)
    with pytest.raises(Refused, match="command_id_reused"):
        ada.say("Twice", identity=name)
    assert len(ada.talk()) == 1


def test_nothing_of_it_is_in_the_game(client: Client, server: Server) -> None:
    """Neither in the log, the game file, the view, the replay, nor in a rematch."""
    ada = client.create([ME, ME], rules={"rounds": 1})
    ada.say("psst-secret")
    while not ada.over:
        ada.play("end" if "end" in ada.legal else ada.legal[0])
    ada.say(reaction="thanks")
    path = f"/tables/{ada.table}"
    for what in ("", "/events", "/game", "/replay"):
        answer = json.dumps(client.ask("GET", path + what, token=ada.token))
        assert "psst" not in answer and '"thanks"' not in answer
    with sqlite3.connect(server.database.partition("///")[2]) as database:
        for table in ("events", "tables"):
            assert "psst" not in repr(database.execute(f"SELECT * FROM {table}").fetchall())
    assert ada.rematch().talk() == []


def test_talk_survives_a_restart_and_goes_with_its_table(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        ada, ben = two(client)
        ada.say("Still there?")
        server.kill()
        server.start()
        with ben.live(heard=0) as live:
            assert heard(live, 1)[0]["text"] == "Still there?"
        tables("close", ada.table, "--database", server.database)
    with sqlite3.connect(server.database.partition("///")[2]) as database:
        assert database.execute("SELECT COUNT(*) FROM talk").fetchone() == (0,)


def test_a_table_can_be_agreed_to_be_without_talk(client: Client) -> None:
    ada, ben = two(client, talk=False)
    assert ada.view["settings"]["talk"] is False
    with ben.live(heard=0) as live:
        assert live.welcome["talk"] is False
        live.send({"type": "say", "id": "a", "text": "Hello"})
        while (message := live.receive())["type"] != "refused":
            pass
        assert message["error"]["kind"] == "no_talk"
    for attempt in (lambda: ada.say("Hello"), ada.talk):
        with pytest.raises(Refused, match="no_talk"):
            attempt()


def test_a_server_can_be_without_talk(serve: Serve) -> None:
    server = serve("--no-talk")
    with server.client() as client:
        ada, _ = two(client)
        assert client.meta()["talk"] is False
        with ada.live(heard=0) as live:
            assert live.welcome["talk"] is False
        with pytest.raises(Refused, match="no_talk"):
            ada.say("Hello")


def tables(*given: str) -> str:
    command = [sys.executable, "-m", "sunglade", "tables", *given]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_operator_mutes_a_seat(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        ada, ben = two(client)
        ben.say("Rude")
        assert "cannot say anything" in tables("mute", ada.table, "1", "--database", server.database)
        for attempt in range(2):
            with pytest.raises(Refused, match="muted"):
                ben.say(f"Rude again {attempt}")
        assert ada.say("Thank you") == 2
        assert "again" in tables("unmute", ada.table, "1", "--database", server.database)
        assert ben.say("Sorry") == 3
        wrong = [sys.executable, "-m", "sunglade", "tables", "mute", ada.table, "7", "--database", server.database]
        done = subprocess.run(wrong, capture_output=True, text=True)
        assert done.returncode != 0 and "seats 0 to 1" in done.stderr and "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[list[Server]]:
    """Two processes, one PostgreSQL."""
    url, folder = postgres.new_database(), tmp_path_factory.mktemp("pair")
    servers = [Server(url, folder, "--limits", "0").start() for _ in range(2)]
    yield servers
    for server in servers:
        server.stop()
        assert server.errors() == []


def test_talk_crosses_processes_in_one_order(pair: list[Server]) -> None:
    with pair[0].client() as here, pair[1].client() as there:
        ada = here.create([ME, OPEN])
        ben = there.join(ada.table, str(ada.invite), "Ben")
        with ada.live(heard=0) as left, ben.live(heard=0) as right:
            for number in range(20):
                speaker = (left, right)[number % 2]
                speaker.send({"type": "say", "id": f"s{number}", "text": f"number {number}"})
            first, second = heard(left, 20), heard(right, 20)
        assert first == second
        assert [saying["number"] for saying in first] == list(range(1, 21))
        assert {saying["text"] for saying in first} == {f"number {number}" for number in range(20)}
        assert ada.say("number 0", identity="again") == 21
        while not (later := ben.talk(since=20)):
            pass  # the other process hears of it a moment later
        assert later[0]["number"] == 21
        tables("mute", ada.table, "0", "--database", pair[0].database)
        with pytest.raises(Refused, match="muted"):
            ada.say("psst")


# What an attacker would try


def test_nobody_speaks_for_somebody_else(client: Client, http: httpx.Client) -> None:
    ada, ben = two(client)
    other = client.create([ME, BOT])
    body = {"id": "a", "text": "Hello"}
    path = f"/api/tables/{ada.table}/talk"
    for token in (None, "guessed", other.token):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        assert http.post(path, json=body, headers=headers).status_code == 401
    headers = {"Authorization": f"Bearer {ben.token}"}
    assert http.post(path, json={**body, "seat": 0}, headers=headers).status_code == 401
    with Live(client.url, ada.table, None, heard=0) as spectator:
        spectator.send({"type": "say", **body})
        while (message := spectator.receive())["type"] != "refused":
            assert message["type"] != "said"
        assert message["error"]["kind"] == "wrong_token"
    ben.command("leave")
    assert http.post(path, json=body, headers=headers).status_code == 401
    assert ada.talk() == []


def test_where_spectators_are_not_welcome_strangers_hear_nothing(client: Client, http: httpx.Client) -> None:
    ada, _ = two(client, spectators=False)
    ada.say("Among us")
    assert http.get(f"/api/tables/{ada.table}/talk").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {"text": "x" * (MOST_SIGNS + 1)}, {"text": "x" * 5000}, {"text": ""}, {"text": " \u202e\u0007 "}, {},
        {"text": "both", "reaction": "wow"}, {"reaction": "insult"}, {"text": 7}, {"text": "x", "seat": 9},
        {"text": "x", "more": 1}, {"text": "x", "id": "<script>"}, {"text": "x", "id": ""},
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_refused_with_a_sentence(
    client: Client, http: httpx.Client, body: dict[str, Any]
) -> None:
    ada, _ = two(client)
    headers = {"Authorization": f"Bearer {ada.token}"}
    answer = http.post(f"/api/tables/{ada.table}/talk", json={"id": "a", **body}, headers=headers)
    assert answer.status_code in (413, 422) and answer.json()["error"]["message"]
    assert ada.talk() == []


def test_signs_that_turn_or_break_the_writing_are_taken_out() -> None:
    assert clean_text("a\u202eb\u2066c\u0000d\ne\u2028f\u200bg") == "abcd e fg"
    assert clean_text("<b>&amp;</b>") == "<b>&amp;</b>", "markup is only text"
    assert clean_text("\U0001f469\u200d\U0001f33e") == "\U0001f469\u200d\U0001f33e"
    assert clean_line("\ud800x") == "x"
    assert len(clean_text("x" * MOST_SIGNS)) == MOST_SIGNS


def test_who_speaks_too_fast_is_told_to_wait(tmp_path: Path) -> None:
    server = Server(sqlite_in(tmp_path), tmp_path).start()
    try:
        with server.client() as client:
            ada, ben = two(client)
            headers = {"Authorization": f"Bearer {ada.token}"}
            with httpx.Client(base_url=server.url, timeout=300) as http:
                path, kinds = f"/api/tables/{ada.table}/talk", []
                while "too_fast" not in kinds:
                    answer = http.post(path, json={"id": uuid.uuid4().hex, "reaction": "wow"}, headers=headers)
                    kinds.append(answer.json().get("error", {}).get("kind"))
                    assert len(kinds) < 1000
            assert answer.json()["error"]["retry_after"] > 0
            assert ben.say("I may still speak") == kinds.count(None) + 1
            assert ada.play(ada.legal[0]), "and the game goes on"
    finally:
        server.stop()


@pytest.mark.slow
def test_ten_thousand_messages_leave_the_newest_and_a_table_that_plays_on(client: Client, server: Server) -> None:
    ada, ben = two(client)
    with ada.live(heard=0) as live:
        said = 0
        for start in range(0, 10_000, 100):
            for number in range(start, start + 100):
                live.send({"type": "say", "id": f"n{number}", "text": f"<img src=x onerror=alert({number})>"})
            last, answered = 0, 0
            while answered < 100:
                message = live.receive()
                if message["type"] == "talk":
                    for saying in message["said"]:
                        assert saying["number"] > last
                        last = saying["number"]
                answered += message["type"] == "said"
            said += answered
        assert said == 10_000
    kept = ben.talk()
    assert [saying["number"] for saying in kept] == list(range(10_001 - MOST_KEPT, 10_001))
    with ben.live(heard=0) as again:
        assert [saying["number"] for saying in heard(again, MOST_KEPT)][-1] == 10_000
    assert ada.play(ada.legal[0])
    with sqlite3.connect(server.database.partition("///")[2]) as database:
        count = database.execute("SELECT COUNT(*) FROM talk WHERE table_id = ?", [ada.table]).fetchone()
    assert count == (MOST_KEPT,)


def test_reactions_are_those_of_the_schema(client: Client) -> None:
    ada, _ = two(client)
    for number, reaction in enumerate(REACTIONS, start=1):
        assert ada.say(reaction=reaction) == number
    schema.TalkAnswer.model_validate({"said": ada.talk()})
