"""What an invitation shows before anybody sits down, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from server.process import Server
from sunglade.client import Client, Seat
from sunglade.server import schema

Serve = Callable[..., Server]


def asked(http: httpx.Client, table: str, invite: Any, **headers: str) -> httpx.Response:
    return http.post(f"/api/tables/{table}/invitation", json={"invite": invite}, headers=headers)


def table_for_three(client: Client, **options: Any) -> Seat:
    return client.create([{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}], **options)


def test_an_invitation_tells_who_invites_and_to_what(client: Client, http: httpx.Client) -> None:
    seat = table_for_three(client, rules={"edition": "de", "modules": ["elder"]}, assistance=False)
    told = schema.Invitation.model_validate(asked(http, seat.table, seat.invite).json())
    assert told.by == 0 and told.view.seats[0].name == "Ada"
    assert [one.kind for one in told.view.seats] == ["person", "open", "open"]
    rules = told.view.rules.model_dump()
    assert (rules["edition"], rules["modules"]) == ("de", ["elder"])
    assert told.view.settings.assistance is False


def test_whoever_is_invited_sees_a_table_without_spectators_and_nobody_else_does(
    client: Client, http: httpx.Client
) -> None:
    seat = table_for_three(client, spectators=False)
    assert http.get(f"/api/tables/{seat.table}").json()["error"]["kind"] == "wrong_token"
    assert asked(http, seat.table, seat.invite).status_code == 200
    other = table_for_three(client)
    for wrong in (other.invite, seat.token, "guessed", str(seat.invite)[:-1], f"{seat.invite}x"):
        refused = asked(http, seat.table, wrong)
        assert (refused.status_code, refused.json()["error"]["kind"]) == (403, "wrong_invite")
        assert "view" not in refused.json()


@pytest.mark.parametrize("bad", ["", 7, None, [], "x" * 65])
def test_what_is_no_invitation_is_refused_as_such(client: Client, http: httpx.Client, bad: Any) -> None:
    assert asked(http, table_for_three(client).table, bad).json()["error"]["kind"] == "bad_request"


def test_an_invitation_that_was_made_anew_has_ended(client: Client, http: httpx.Client) -> None:
    seat = table_for_three(client)
    made = http.post(f"/api/tables/{seat.table}/invite", json={}, headers={"Authorization": f"Bearer {seat.token}"})
    assert asked(http, seat.table, seat.invite).json()["error"]["kind"] == "wrong_invite"
    assert asked(http, seat.table, made.json()["invite"]).status_code == 200


def test_when_the_maker_has_left_one_who_is_there_invites(client: Client, http: httpx.Client) -> None:
    seat = table_for_three(client)
    client.join(seat.table, str(seat.invite), "Ben", 2)
    assert asked(http, seat.table, seat.invite).json()["by"] == 0
    seat.command("leave")
    assert asked(http, seat.table, seat.invite).json()["by"] == 2


def test_nothing_is_told_that_is_hidden_in_the_game(client: Client, http: httpx.Client) -> None:
    """The view is that of everybody: no seed, no deal, no holder, no token."""
    seat = table_for_three(client, rules={"edition": "us", "modules": ["moon"]})
    text = asked(http, seat.table, seat.invite).text
    assert http.get(f"/api/tables/{seat.table}").json()["view"] == asked(http, seat.table, seat.invite).json()["view"]
    for secret in (seat.token, '"deal"', '"holder"', '"seed"'):
        assert secret not in text


def test_guessing_invitations_is_soon_told_to_wait(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client, httpx.Client(base_url=server.url, timeout=300) as http:
        seat = table_for_three(client)
        kinds = [asked(http, seat.table, f"guess-{number}").json()["error"]["kind"] for number in range(40)]
    assert kinds[0] == "wrong_invite" and kinds[-1] == "too_fast"
