"""The Python client: what carries an id is sent again until its answer has come whole."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from sunglade import client
from sunglade.client import Client, Refused

WHOLE = json.dumps({"table": "t", "token": "secret", "seats": [0]}).encode()


@contextmanager
def answering(*answers: tuple[int, bytes]) -> Iterator[tuple[Client, list[bytes]]]:
    """A server that gives these answers one after the other, and what it was sent."""
    left, asked = list(answers), list[bytes]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["content-length"])))
            status, body = left.pop(0)
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with Client(f"http://127.0.0.1:{server.server_port}") as found:
                yield found, asked
        finally:
            server.shutdown()
            thread.join()


def test_an_answer_that_broke_off_is_asked_for_again_with_the_same_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "AGAIN_S", 0.0)
    with answering((200, WHOLE[:-4]), (200, b""), (200, WHOLE)) as (found, asked):
        assert found.ask("POST", "/tables/t/join", {"id": "one"}, tries=client.TRIES) == json.loads(WHOLE)
    assert len(asked) == 3 and len(set(asked)) == 1


def test_an_answer_that_broke_off_is_the_networks_fault_where_nothing_is_tried_again() -> None:
    with answering((200, WHOLE[:-4])) as (found, _), pytest.raises(httpx.TransportError, match="broke off"):
        found.ask("POST", "/tables", {})


def test_a_refusal_that_cannot_be_read_is_still_a_refusal() -> None:
    with answering((502, b"<html>")) as (found, _), pytest.raises(Refused) as refused:
        found.ask("POST", "/tables", {})
    assert (refused.value.status, refused.value.kind) == (502, "internal")
