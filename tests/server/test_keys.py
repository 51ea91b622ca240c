"""Nothing is reachable without the right key: every route of the API, with every key that is not the right one."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx
import pytest
from websockets.sync.client import connect

from server.games import BOT, ME, OPEN
from server.process import Server, sqlite_in
from sunglade.client import Client, Seat

Route = tuple[str, str]

FOR_EVERYBODY: Final[set[Route]] = {
    ("GET", "/meta"), ("GET", "/reach"), ("GET", "/privacy"), ("GET", "/health"),
    ("GET", "/lobby"), ("GET", "/ranking"),
    ("GET", "/puzzles"), ("GET", "/puzzles/{number}"), ("POST", "/puzzles/{number}"),
    ("POST", "/whatif"), ("POST", "/whatif/why"), ("POST", "/whatif/after"), ("POST", "/whatif/hint"),
    ("POST", "/whatif/animal"), ("POST", "/whatif/turn"),
    ("POST", "/games"), ("POST", "/tables"), ("POST", "/people"),
}  # fmt: skip
"""Of nobody's table and nobody's person, or making new ones."""

BY_A_SECRET_IN_THE_REQUEST: Final[dict[Route, Any]] = {
    ("POST", "/tables/{table}/join"): {"invite": "SECRET", "id": "i" * 30},
    ("POST", "/tables/{table}/invitation"): {"invite": "SECRET"},
    ("POST", "/tables/{table}/claim"): {"code": "SECRET", "id": "c" * 30},
    ("POST", "/people/claim"): {"code": "SECRET", "id": "p" * 30},
    ("POST", "/mine"): {"tokens": ["SECRET"]},
}
"""Invitations, codes, and the list of tables, which is asked for with their tokens."""

TO_LOOK: Final[dict[Route, Any]] = {
    ("GET", "/tables/{table}"): None,
    ("GET", "/tables/{table}/events"): None,
    ("GET", "/tables/{table}/talk"): None,
    ("GET", "/tables/{table}/why?action=end"): None,
    ("GET", "/tables/{table}/after?action=end"): None,
    ("GET", "/tables/{table}/seats/{seat}/animal"): None,
    ("GET", "/tables/{table}/game"): None,
    ("GET", "/tables/{table}/replay"): None,
    ("POST", "/tables/{table}/analysis"): {},
    ("GET", "/tables/{table}/analysis"): None,
    ("GET", "/tables/{table}/review"): None,
    ("POST", "/tables/{table}/better"): {"first": 0},
    ("GET", "/tables/{table}/ratings"): None,
}
"""For whoever sits there, and for spectators where they are welcome."""

PUSH: Final = {"endpoint": "https://push.example.org/x", "p256dh": "x", "auth": "x"}
TO_SIT: Final[dict[Route, Any]] = {
    ("POST", "/tables/{table}/commands"): {"id": "a", "do": "leave"},
    ("POST", "/tables/{table}/invite"): None,
    ("POST", "/tables/{table}/qr"): {"link": "http://example.org/t/x"},
    ("POST", "/tables/{table}/seats/{seat}/invite"): None,
    ("POST", "/tables/{table}/nudge"): None,
    ("POST", "/tables/{table}/seats/{seat}/move"): None,
    ("POST", "/tables/{table}/talk"): {"id": "a", "text": "hello"},
    ("POST", "/tables/{table}/rematch"): None,
    ("POST", "/tables/{table}/hint"): {},
    ("POST", "/tables/{table}/turn"): None,
    ("POST", "/tables/{table}/notices"): {},
    ("POST", "/tables/{table}/notices/browser"): PUSH,
    ("POST", "/tables/{table}/notices/browser/forget"): {"endpoint": PUSH["endpoint"]},
    ("POST", "/tables/{table}/notices/group"): {"url": "https://chat.example.org/hook"},
}
"""For whoever has a seat, and nobody else."""

TO_BE_SOMEBODY: Final[dict[Route, Any]] = {
    ("GET", "/people/me"): None,
    ("PUT", "/people/me"): {"name": "Eve", "species": None},
    ("DELETE", "/people/me"): None,
    ("POST", "/people/me/move"): None,
    ("POST", "/people/me/qr"): {"link": "http://example.org/you"},
    ("POST", "/people/me/seats"): {"tokens": []},
    ("GET", "/people/me/tables"): None,
    ("GET", "/people/me/statistics"): None,
    ("GET", "/people/me/export"): None,
    ("GET", "/people/me/ratings"): None,
    ("POST", "/tables/{table}/seat"): None,
}
"""For the person whose key it is."""

WRONG: Final = ("wrong_token", "wrong_person")
"""Who asks for a rematch says who they are as well: both keys are looked at."""
REFUSALS: Final = (*WRONG, "wrong_invite")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With everything that an operator may switch on."""
    folder = tmp_path_factory.mktemp("keys")
    options = ("--limits", "0", "--lobby", "--ranking", "--webhooks", "--allow-private-notices")
    running = Server(sqlite_in(folder), folder, *options).start()
    yield running
    running.stop()
    assert running.errors() == []


def person(http: httpx.Client, name: str) -> str:
    """The key of somebody new."""
    answer = http.post("/api/people", json={"id": secrets.token_urlsafe(24), "name": name})
    return str(answer.json()["key"])


@pytest.fixture
def ada(client: Client, http: httpx.Client) -> Iterator[Seat]:
    """A table of somebody who is known, where others may not even look."""
    with Client(client.url, person=person(http, "Ada")) as hers:
        yield hers.create([ME, OPEN, BOT], spectators=False)


def wrong_keys(client: Client, http: httpx.Client) -> dict[str, dict[str, str]]:
    """Everything somebody may have who has no business at the table."""
    eve = person(http, "Eve")
    with Client(client.url, person=eve) as hers:
        elsewhere = hers.create([ME, BOT]).token
    guessed = secrets.token_urlsafe(16)
    return {
        "nothing": {},
        "a guess": {"authorization": f"Bearer {guessed}", "sunglade-person": guessed},
        "another table's seat": {"authorization": f"Bearer {elsewhere}"},
        "another person": {"sunglade-person": eve},
        "another person and their seat": {"authorization": f"Bearer {elsewhere}", "sunglade-person": eve},
        "the one in place of the other": {"authorization": f"Bearer {eve}", "sunglade-person": elsewhere},
    }


def at(route: Route, table: str) -> tuple[str, str]:
    method, path = route
    return method, "/api" + path.replace("{table}", table).replace("{seat}", "0")


def plain(route: Route) -> Route:
    return route[0], route[1].split("?")[0]


def test_every_route_has_its_place_here(http: httpx.Client) -> None:
    """A new route is refused by this test until somebody has said whose key it needs."""
    paths: dict[str, dict[str, Any]] = http.get("/api/openapi.json").json()["paths"]
    there = {(method.upper(), path.removeprefix("/api")) for path, methods in paths.items() for method in methods}
    with_keys = [*BY_A_SECRET_IN_THE_REQUEST, *TO_LOOK, *TO_SIT, *TO_BE_SOMEBODY]
    told = FOR_EVERYBODY | {plain(route) for route in with_keys}
    assert (sorted(there - told), sorted(told - there)) == ([], [])


def refused(http: httpx.Client, route: Route, table: str, body: Any, headers: dict[str, str]) -> str:
    """Of which kind the refusal is; nothing of the table is in it."""
    method, path = at(route, table)
    answer = http.request(method, path, json=body, headers=headers)
    told = answer.text
    assert answer.status_code in (401, 403), (route, headers, answer.status_code, told[:300])
    assert '"view"' not in told and "Ada" not in told, (route, told[:300])
    return str(answer.json()["error"]["kind"])


@pytest.mark.parametrize("route", [*TO_LOOK, *TO_SIT], ids=" ".join)
def test_a_table_is_nothing_to_whoever_has_no_seat_there(
    route: Route, ada: Seat, client: Client, http: httpx.Client
) -> None:
    before = ada.refresh()["seq"]
    for what, headers in wrong_keys(client, http).items():
        body = {**TO_LOOK, **TO_SIT}[route]
        assert refused(http, route, ada.table, body, headers) in WRONG, what
    assert ada.refresh()["seq"] == before and ada.talk() == []


@pytest.mark.parametrize("route", TO_SIT, ids=" ".join)
def test_spectators_do_nothing_at_a_table(route: Route, client: Client, http: httpx.Client) -> None:
    seat = client.create([ME, OPEN])
    for what, headers in wrong_keys(client, http).items():
        assert refused(http, route, seat.table, TO_SIT[route], headers) in WRONG, what
    assert seat.refresh()["seq"] == 1 and seat.talk() == []


@pytest.mark.parametrize("route", TO_BE_SOMEBODY, ids=" ".join)
def test_nobody_is_somebody_without_their_key(route: Route, ada: Seat, client: Client, http: httpx.Client) -> None:
    keys = wrong_keys(client, http) | {"a seat of hers": {"authorization": f"Bearer {ada.token}"}}
    keys |= {"her seat's token in place of her key": {"sunglade-person": ada.token}}
    if route[1].startswith("/people/me"):  # for these the other person is somebody, too: whom they reach is their own
        keys = {what: headers for what, headers in keys.items() if not what.startswith("another person")}
    for what, headers in keys.items():
        assert refused(http, route, ada.table, TO_BE_SOMEBODY[route], headers) == "wrong_person", what


@pytest.mark.parametrize("route", BY_A_SECRET_IN_THE_REQUEST, ids=" ".join)
def test_secrets_of_elsewhere_open_nothing(route: Route, ada: Seat, client: Client, http: httpx.Client) -> None:
    """An invitation for a code, a token for an invitation, those of another table, a guess."""
    elsewhere = client.create([ME, OPEN])
    tried = [secrets.token_urlsafe(16), str(elsewhere.invite), elsewhere.token, elsewhere.move(0)]
    tried += [ada.token, ada.move(0)] if "invit" in route[1] or "join" in route[1] else []
    tried += [ada.token, str(ada.invite)] if "claim" in route[1] else []
    method, path = at(route, ada.table)
    for secret in tried:
        body = json.loads(json.dumps(BY_A_SECRET_IN_THE_REQUEST[route]).replace("SECRET", secret))
        answer = http.request(method, path, json=body)
        if route == ("POST", "/mine"):
            assert ada.table not in answer.text
        else:
            assert answer.status_code in (401, 403), (secret, answer.text[:300])
            assert answer.json()["error"]["kind"] in REFUSALS
    assert [seat["kind"] for seat in ada.refresh()["view"]["seats"]] == ["person", "open", "bot"]


FirstMessage = Callable[[Seat], dict[str, Any]]
FIRST: Final[dict[str, FirstMessage]] = {
    "a table": lambda seat: {"type": "hello", "table": seat.table},
    "a table, with a guess": lambda seat: {"type": "hello", "table": seat.table, "token": secrets.token_urlsafe(16)},
    "all tables of a guess": lambda seat: {"type": "mine", "tokens": [secrets.token_urlsafe(16)]},
}


@pytest.mark.parametrize("wish", FIRST)
def test_a_connection_tells_nothing_of_a_table_without_its_key(server: Server, ada: Seat, wish: str) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300, compression=None) as socket:
        socket.send(json.dumps(FIRST[wish](ada)))
        told = json.loads(socket.recv(300))
    assert told["type"] in ("goodbye", "mine")
    assert "view" not in told and ada.table not in json.dumps(told.get("tables", []))
