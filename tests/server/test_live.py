"""Live updates: order, resuming, presence, acknowledgements."""

from __future__ import annotations

import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from server.games import BOT, ME, OPEN, play_turn
from sunglade.client import Client, Live, Refused
from sunglade.server import schema


def until(live: Live, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    for _ in range(1000):
        message = live.receive()
        if message["type"] == kind:
            return message
    raise AssertionError(f"no {kind} came")


def test_what_one_plays_the_other_sees(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    with ada.live() as left, ben.live() as right:
        schema.Welcome.model_validate(left.welcome)
        line = left.welcome["view"]["turn"]["legal"][0]["line"]
        name = left.command("play", action=line, expected=left.welcome["seq"])
        seen = until(right, "update")
        schema.LiveUpdate.model_validate(seen)
        assert [event["line"] for event in seen["events"]] == [line]
        assert until(left, "ack")["id"] == name


def test_a_connection_resumes_at_any_event(client: Client) -> None:
    table = client.create([ME, ME])
    rng = random.Random(1)
    for _ in range(10):
        play_turn(table, rng)
    whole = client.ask("GET", f"/tables/{table.table}/events", token=table.token)
    assert [event["seq"] for event in whole] == sorted(event["seq"] for event in whole)
    for since in range(1, table.seq + 1, 3):
        with table.live(since=since) as live:
            assert live.welcome["events"] == [event for event in whole if event["seq"] > since]
            assert live.welcome["view"]["state"] == table.state


def test_events_come_once_and_in_order_over_reconnects(client: Client) -> None:
    table = client.create([ME, BOT], rules={"rounds": 4})
    rng, seen, live = random.Random(2), [], table.live(since=1)
    update = live.welcome
    while True:
        seen += [event for event in update["events"]]
        view = update["view"]
        if view["status"] == "over":
            break
        if rng.random() < 0.2:
            live.close()
            live = table.live(since=view["seq"])
            update = live.welcome
            continue
        if view["turn"]["seat"] == 0:
            legal = [action["line"] for action in view["turn"]["legal"]]
            live.command("play", action=rng.choice(legal), expected=view["seq"])
        update = until(live, "update")
    live.close()
    assert seen == [event for event in client.ask("GET", f"/tables/{table.table}/events") if event["seq"] > 1]


def test_presence_is_told(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    with Live(client.url, ada.table, None) as spectator:
        assert spectator.welcome["seats"] == []
        assert spectator.welcome["view"]["watching"] == 1
        assert [seat["connected"] for seat in spectator.welcome["view"]["seats"]] == [True, True]
        left = ada.live()
        with ben.live():
            pass
        left.close()
        message = until(spectator, "presence")
        while message["connected"] != [False, False]:
            message = until(spectator, "presence")
        schema.Presence.model_validate(message)


def test_refusals_name_their_command_and_the_connection_goes_on(client: Client) -> None:
    table = client.create([ME, BOT])
    with table.live() as live:
        live.command("play", identity="bad", action="grow d4", expected=table.seq)
        message = until(live, "refused")
        schema.Refused.model_validate(message)
        assert message["id"] == "bad" and message["error"]["kind"] == "illegal_action"
        live.send({"type": "ping"})
        assert set(until(live, "pong")) == {"type", "now"}
        live.command("play", identity="good", action=table.legal[0], expected=table.seq)
        assert until(live, "ack")["id"] == "good"


def test_spectators_cannot_command(client: Client) -> None:
    table = client.create([ME, BOT])
    with Live(client.url, table.table, None) as live:
        live.command("play", action=table.legal[0], expected=1)
        assert until(live, "refused")["error"]["kind"] == "wrong_token"


@pytest.mark.parametrize(
    ("table", "token", "kind"),
    [("nowhere", None, "unknown_table"), ("here", "x" * 22, "wrong_token"), ("here", "", "bad_request")],
)
def test_a_hello_that_is_not_good_ends_the_connection(client: Client, table: str, token: str, kind: str) -> None:
    name = client.create([ME, BOT]).table if table == "here" else table
    with pytest.raises(Refused) as error:
        Live(client.url, name, token)
    assert error.value.kind == kind


def test_the_first_message_must_be_hello(client: Client) -> None:
    table = client.create([ME, BOT])
    live = Live(client.url, table.table, table.token)
    live.send({"type": "hello", "table": table.table})
    assert until(live, "refused")["error"]["kind"] == "bad_request"
    live.close()
    with pytest.raises(ConnectionClosed):
        live.receive()


def test_an_analysis_tells_its_progress(client: Client) -> None:
    table = client.create([ME, ME], rules={"rounds": 1})
    rng = random.Random(3)
    while not table.over:
        play_turn(table, rng, most=1)
    with table.live() as live:
        client.ask("POST", f"/tables/{table.table}/analysis", {"nodes": 16})
        message = until(live, "analysis")
        while message["done"] < message["total"]:
            message = until(live, "analysis")
        schema.AnalysisProgress.model_validate(message)
