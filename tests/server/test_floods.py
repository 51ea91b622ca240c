"""More than anybody needs: headers, frames, numbers, keys without end. Each is refused before it costs anything."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from itertools import repeat

import httpx
import pytest
from websockets.sync.client import connect

from server.games import BOT, ME
from server.process import Server
from sunglade.client import Client, Refused

Serve = Callable[..., Server]

MOST_SENT = 8_000_000
"""What fits into the buffers between two ends; whoever takes more has no limit."""
START = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def flood(server: Server, parts: Iterator[bytes]) -> tuple[int, bytes]:
    """Send until the other end has had enough, or all is sent; how much was sent, and the answer."""
    sent, answer = 0, b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        try:
            for part in parts:
                connection.sendall(part)
                sent += len(part)
        except OSError:
            pass
        try:
            while part := connection.recv(65536):
                answer += part
        except OSError:
            pass
    return sent, answer


def endless(start: bytes, part: bytes) -> Iterator[bytes]:
    yield start
    yield from repeat(part * (65536 // len(part)), 3 * MOST_SENT // 65536)


@pytest.mark.parametrize(
    ("start", "part"),
    [
        (START + b"X-Long: ", b"x"),
        (START, b"X-Many: y\r\n"),
        (b"GET /api/health?", b"x"),
        (b"", b"\r\n"),
        (CHUNKED + b"0\r\nX-Trailer: ", b"x"),
        (CHUNKED + b"0\r\n", b"X-Trailer: y\r\n"),
        (CHUNKED + b"1;", b"x"),
        (CHUNKED, b"1\r\nx\r\n"),
        (b"", START + b"\r\n"),
        (b"", b"GET / HTTP/1.1\r\n\r\n"),
    ],
    ids=[
        "one header", "many headers", "the address", "empty lines", "one trailer", "many trailers", "an extension",
        "small parts", "requests nobody waits for the answers of", "requests without a host",
    ],
)  # fmt: skip
def test_headers_and_what_is_like_them_have_a_limit(server: Server, start: bytes, part: bytes) -> None:
    sent, _ = flood(server, endless(start, part))
    assert sent < MOST_SENT


@pytest.mark.parametrize("headers", [b"X-Long: " + b"x" * 20_000 + b"\r\n", b"X: y\r\n" * 200])
def test_too_much_of_headers_is_told(server: Server, headers: bytes) -> None:
    _, answer = flood(server, iter([START + headers + b"\r\n"]))
    assert answer.startswith(b"HTTP/1.1 431 ")
    error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert error["kind"] == "too_large" and error["message"].endswith(".")


def test_what_is_not_http_is_told_so(server: Server) -> None:
    _, answer = flood(server, iter([b"HELLO\r\n\r\n"]))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["kind"] == "bad_request"


def test_requests_in_a_row_are_answered_in_order(server: Server) -> None:
    """A few at a time is what the protocol allows."""
    row = b"".join(b"GET /api/tables/none%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % number for number in range(4))
    _, answer = flood(server, iter([row, START + b"Connection: close\r\n\r\n"]))
    statuses = re.findall(rb"HTTP/1\.1 (\d+)", answer)
    assert statuses == [b"404"] * 4 + [b"200"]


@pytest.mark.parametrize(
    "frame", [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"], ids=["pings", "pongs", "empty pieces"]
)
def test_frames_without_end_end_the_connection_and_nothing_else(client: Client, server: Server, frame: bytes) -> None:
    table = client.create([ME, BOT])
    with connect(f"ws://127.0.0.1:{server.port}/api/live", open_timeout=300) as live:
        live.send(json.dumps({"type": "hello", "table": table.table}))
        assert json.loads(live.recv())["type"] == "welcome"
        raw, sent = live.socket, 0
        raw.settimeout(60)
        if frame[0] == 0:
            raw.sendall(b"\x01\x80\0\0\0\0")
        with pytest.raises(OSError):
            while sent < MOST_SENT:
                raw.sendall(frame * 10_000)
                sent += 60_000
    assert sent < MOST_SENT
    table.play(table.legal[0])


# Tokens


def test_right_tokens_are_let_through_while_a_neighbour_guesses(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client:
        mine = client.create([ME, {"kind": "open"}], spectators=False)
        kinds = []
        for number in range(40):
            with pytest.raises(Refused) as refused:
                client.ask("GET", f"/tables/{mine.table}", token=f"guess{number}")
            kinds.append(refused.value.kind)
        assert kinds[0] == "wrong_token" and kinds[-1] == "too_fast"
        mine.refresh()
        with mine.live() as live:
            assert live.welcome["seats"] == [0]
        assert client.join(mine.table, str(mine.invite), "Ben").seats == [1]


# Numbers and keys

HUGE = b"9" * 4001


@pytest.mark.parametrize(
    "body",
    [
        b'{"seats": [{"kind": "me"}, {"kind": "me"}], "rules": {"light_cap": HUGE}}',
        b'{"seats": [{"kind": "me"}, {"kind": "me"}], "rules": {"rounds": -HUGE}}',
        b'{"seats": [{"kind": "me"}, {"kind": "me"}], "seed": HUGE}',
        b'{"seats": [{"kind": "me"}, {"kind": "me"}], "game": {"players": 2, "seed": HUGE, "actions": []}}',
        b'{"seats": [{"kind": "me"}, {"kind": "me"}], "game": {"players": 2, "note": [HUGE]}}',
        b'{"seats": HUGE.5}',
        b'{"seats": 1eHUGE}',
    ],
)
def test_numbers_without_end_are_refused_in_a_sentence(http: httpx.Client, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = http.post("/api/tables", content=body.replace(b"HUGE", HUGE), headers=headers)
    assert answer.status_code in (400, 422) and len(answer.text) < 500
    assert answer.json()["error"]["kind"] in ("bad_json", "bad_rules", "bad_request")


@pytest.mark.parametrize("path", [f"/api/tables/x?since={HUGE.decode()}", f"/api/tables/x/seats/{HUGE.decode()}/move"])
def test_numbers_without_end_in_addresses_are_refused(http: httpx.Client, path: str) -> None:
    answer = http.request("POST" if "move" in path else "GET", path)
    assert answer.status_code == 422 and len(answer.text) < 500


def test_keys_without_end_are_refused_before_they_are_looked_at(http: httpx.Client) -> None:
    body = json.dumps({f"key{number}": 0 for number in range(15_000)})
    answer = http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and "keys" in answer.json()["error"]["message"]


def test_only_games_may_be_long(http: httpx.Client) -> None:
    padding = " " * 100_000
    for path, status in (("/api/tables", 422), ("/api/games", 422), ("/api/mine", 413), ("/api/tables/x/join", 413)):
        answer = http.post(path, content="{" + padding + "}", headers={"content-type": "application/json"})
        assert answer.status_code == status, path
