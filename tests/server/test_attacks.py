"""What an attacker tries: other sites, guessed tokens, other people's seats, floods, slow connections, odd names."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from server.games import BOT, ME, OPEN
from server.process import Server
from sunglade.client import Client, Refused
from sunglade.server.guard import Body

Serve = Callable[..., Server]


def kind(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["kind"])


# Other sites


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1.evil.example", "http://127.0.0.1:1", "file://", "http://["],
)
def test_pages_of_other_sites_change_nothing(http: httpx.Client, origin: str) -> None:
    answer = http.post("/api/tables", json={"seats": [ME, BOT]}, headers={"origin": origin})
    assert (answer.status_code, kind(answer)) == (403, "wrong_origin")


def test_requests_sent_across_sites_without_an_origin_change_nothing(http: httpx.Client) -> None:
    answer = http.post("/api/tables", json={"seats": [ME, BOT]}, headers={"sec-fetch-site": "cross-site"})
    assert kind(answer) == "wrong_origin"


def test_our_own_pages_may_post(http: httpx.Client) -> None:
    own = str(http.base_url).rstrip("/")
    assert http.post("/api/tables", json={"seats": [ME, BOT]}, headers={"origin": own}).status_code == 201


def test_no_answer_allows_other_sites_to_read_it(http: httpx.Client) -> None:
    headers = http.get("/api/meta", headers={"origin": "https://evil.example"}).headers
    assert not [name for name in headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8740", "", "localhost.evil", "[::1", "127.0.0.1@evil"])
def test_other_names_are_refused(http: httpx.Client, host: str) -> None:
    assert kind(http.get("/api/meta", headers={"host": host})) == "wrong_host"


def test_a_name_can_be_allowed(serve: Serve) -> None:
    url = serve("--allow-host", "games.example").url
    assert httpx.get(f"{url}/api/health", timeout=300, headers={"host": "games.example"}).status_code == 200
    assert httpx.get(f"{url}/api/health", timeout=300, headers={"host": "other.example"}).status_code == 421


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_websockets_of_other_sites_are_refused(server: Server, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as error:
        connect(f"ws://127.0.0.1:{server.port}/api/live", additional_headers=headers, open_timeout=300).__enter__()
    assert error.value.response.status_code == 403


def test_every_answer_has_the_security_headers(http: httpx.Client) -> None:
    for path in ("/", "/t/whatever", "/api/meta", "/api/nothing", "/assets/nothing.js", "/metrics"):
        headers = http.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")  # the device's
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


# Tokens


def test_tokens_in_the_url_are_not_looked_at(client: Client, http: httpx.Client) -> None:
    table = client.create([ME, BOT], spectators=False)
    for query in ({"token": table.token}, {"access_token": table.token}, {"authorization": f"Bearer {table.token}"}):
        assert kind(http.get(f"/api/tables/{table.table}", params=query)) == "wrong_token"


@pytest.mark.parametrize("token", ["x", "x" * 22, "x" * 5000, "'; DROP TABLE tables; --", "Bearer", "\u00e9" * 5])
def test_guessed_tokens_open_nothing(client: Client, http: httpx.Client, token: str) -> None:
    table = client.create([ME, BOT])
    command = {"id": "a", "do": "play", "expected": 1, "action": table.legal[0]}
    headers = {b"authorization": f"Bearer {token}".encode()}
    answer = http.post(f"/api/tables/{table.table}/commands", json=command, headers=headers)
    assert (answer.status_code, kind(answer)) == (401, "wrong_token")
    assert table.refresh()["seq"] == 1


def test_guessing_is_slowed_down(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client:
        table = client.create([ME, BOT])
        kinds = []
        for number in range(60):
            try:
                client.ask("POST", f"/tables/{table.table}/commands", {"id": "a", "do": "undo"}, token=f"guess{number}")
            except Refused as error:
                kinds.append(error.kind)
        assert kinds[0] == "wrong_token" and kinds[-1] == "too_fast" and kinds.count("wrong_token") <= 25


def test_a_token_of_another_table_opens_nothing(client: Client) -> None:
    mine, other = client.create([ME, BOT], spectators=False), client.create([ME, BOT], spectators=False)
    with pytest.raises(Refused, match="wrong_token"):
        client.ask("GET", f"/tables/{other.table}", token=mine.token)


def test_a_replayed_command_of_somebody_else_is_theirs_alone(client: Client) -> None:
    ada = client.create([ME, OPEN])
    ben = client.join(ada.table, str(ada.invite), "Ben")
    ada.refresh()
    line = ada.legal[0]
    ada.play(line, identity="seen-by-all", expected=ada.seq)
    before = ada.game()
    with pytest.raises(Refused, match=r"not_your_turn|stale|illegal"):
        ben.play(line, identity="seen-by-all", expected=2)
    assert ada.game() == before


# Hidden information


def test_nothing_hidden_is_in_any_answer(client: Client, http: httpx.Client) -> None:
    rules = {"modules": ["moon", "elder", "stones"]}
    table = client.create([ME, ME, BOT], rules=rules)
    headers = {"authorization": f"Bearer {table.token}"}
    base = f"/api/tables/{table.table}"
    texts = [http.get(base + path, headers=headers).text for path in ("", "/events", "/game", "/replay", "/analysis")]
    with table.live(since=0) as live:
        texts.append(json.dumps(live.welcome))
    for text in texts:
        assert '"seed"' not in text and "token_hash" not in text and "holder" not in text
    assert json.loads(texts[2])["deal"]["babies"] == [None] * 6


def test_metrics_are_not_for_strangers(http: httpx.Client, serve: Serve) -> None:
    assert http.get("/metrics").status_code == 200
    assert http.get("/metrics", headers={"x-forwarded-for": "203.0.113.7"}).status_code == 404
    url = serve("--metrics-token", "open sesame").url
    assert httpx.get(f"{url}/metrics", timeout=300).status_code == 404
    assert httpx.get(f"{url}/metrics", timeout=300, headers={"authorization": "Bearer open sesame"}).status_code == 200


# Floods and slowness


def test_oversize_bodies_are_refused(http: httpx.Client) -> None:
    answer = http.post("/api/games", content=b"[" + b"1," * 200_000 + b"1]")
    assert (answer.status_code, kind(answer)) == (413, "too_large")
    endless = http.post("/api/games", content=(b"x" * 1000 for _ in range(1000)))
    assert (endless.status_code, kind(endless)) == (413, "too_large")


def test_oversize_messages_end_the_connection_and_nothing_else(client: Client) -> None:
    table = client.create([ME, BOT])
    live = table.live()
    live.send({"type": "ping", "more": "x" * 20_000})
    message = live.receive()
    assert message["type"] == "refused" and message["error"]["kind"] == "too_large"
    live._socket.send("x" * 1_000_000)
    with pytest.raises(ConnectionClosed):
        while True:
            live.receive()
    table.play(table.legal[0])


def test_deep_and_strange_json_is_refused(http: httpx.Client) -> None:
    for body in (b"[" * 100_000, b'{"game": ' * 5_000, b"NaN", b'{"seats": NaN}', b"\xff\xfe", b"", b'{"a": 1e999}'):
        answer = http.post("/api/tables", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), body[:20]
        assert kind(answer) in ("bad_json", "bad_request")
    surrogate = b'{"game": {"format": "sunglade/1", "players": 2, "note": "\\ud800"}}'
    answer = http.post("/api/games", content=surrogate, headers={"content-type": "application/json"})
    assert kind(answer) == "bad_json"


def test_slow_headers_are_not_waited_for(server: Server, http: httpx.Client) -> None:
    address = (urlsplit(server.url).hostname, server.port)
    slow = [socket.create_connection(address, timeout=300) for _ in range(50)]
    for number, connection in enumerate(slow):
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n" if number % 2 else b"GE")
    assert http.get("/api/health").status_code == 200
    for connection in slow:
        with contextlib.suppress(ConnectionError):  # a connection that stays open is a TimeoutError
            connection.sendall(b"X-A: b\r\n")
            while connection.recv(1000):
                pass
        connection.close()


def test_a_slow_body_is_not_waited_for(server: Server) -> None:
    with socket.create_connection((urlsplit(server.url).hostname, server.port), timeout=300) as connection:
        connection.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        answer = b""
        while part := connection.recv(10_000):
            answer += part
        assert b"too slowly" in answer


def test_a_silent_websocket_is_not_waited_for(server: Server) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300) as silent:
        message = json.loads(silent.recv(timeout=300))
        assert message["type"] == "goodbye" and message["error"]["kind"] == "busy"


def test_too_many_requests_are_refused_and_the_limit_passes(serve: Serve) -> None:
    server = serve("--limits", "0.1")
    with httpx.Client(base_url=server.url, timeout=300) as http:
        answers = [http.get("/api/meta") for _ in range(150)]
        slow = next(answer for answer in answers if answer.status_code == 429)
        assert kind(slow) == "too_fast" and int(slow.headers["retry-after"]) >= 1
        time.sleep(slow.json()["error"]["retry_after"] + 1)
        assert http.get("/api/meta").status_code == 200


# Names and paths


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script"),
        ("../../etc/passwd", "../../etc/passwd"),
        ("Ada\x00\x1b[31m", "Ada[31m"),
        ("\u202eevil", "evil"),
        ("שָׂרָה", "שָׂרָה"),
        ("x" * 100, "x" * 24),
        ("'; DROP TABLE events; --", "'; DROP TABLE events; --"),
    ],
)
def test_odd_names_are_only_names(client: Client, http: httpx.Client, name: str, kept: str) -> None:
    table = client.create([{"kind": "me", "name": name}, BOT])
    assert table.view["seats"][0]["name"] == kept
    for path in ("/", f"/t/{table.table}"):
        assert kept not in http.get(path).text
    answer = http.get(f"/api/tables/{table.table}/game")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == f'attachment; filename="sunglade-{table.table}.json"'


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\n\t", "\u202e"])
def test_empty_names_are_refused(client: Client, name: str) -> None:
    table = client.create([ME, OPEN])
    with pytest.raises(Refused, match="bad_request"):
        client.join(table.table, str(table.invite), name)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd", "/assets/../../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fcli.py",
        "/..\\..\\cli.py", "/assets/%00", "//etc/passwd", "/cli.py", "/server/app.py", "/api/tables/..%2f..%2fmeta",
    ],
)  # fmt: skip
def test_no_file_outside_the_client_is_served(server: Server, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
    assert b"root:" not in answer and b"import " not in answer and b"[project]" not in answer
    assert b" 500 " not in answer.split(b"\r\n")[0]


def test_table_names_are_only_looked_up(http: httpx.Client) -> None:
    for name in ("x' OR '1'='1", "%00", "..", "a" * 39, "é", "*"):
        answer = http.get(f"/api/tables/{name}")
        assert answer.status_code in (404, 422), name


@pytest.mark.parametrize("ticks", range(5))
def test_a_request_given_up_in_the_tick_in_which_its_body_comes_is_given_up(ticks: int) -> None:
    """Python 3.11's `wait_for` forgets a cancellation in one of these ticks."""

    async def story() -> None:
        body_comes = asyncio.Event()

        async def receive() -> dict[str, Any]:
            await body_comes.wait()
            return {"type": "http.request", "body": b"{}"}

        asking = asyncio.create_task(Body(receive, {}, 100).receive())
        await asyncio.sleep(0.01)
        body_comes.set()
        for _ in range(ticks):
            await asyncio.sleep(0)
        if asking.cancel():
            await asyncio.wait([asking])
            assert asking.cancelled()

    asyncio.run(story())
