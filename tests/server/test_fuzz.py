"""Requests and messages made up by machines: no 5xx, no traceback, no leak, the next good command still works."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.fuzzing import CLOCK, fuzz
from server.games import BOT, ME
from server.process import Server, sqlite_in

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With everything that an operator may switch on; what is sent to groups and browsers goes nowhere."""
    folder = tmp_path_factory.mktemp("fuzz")
    options = ("--limits", "0", "--lobby", "--ranking", "--webhooks", "--allow-private-notices")
    running = Server(sqlite_in(folder), folder, *options).start()
    yield running
    running.stop()
    assert running.errors() == []


@pytest.mark.parametrize("methods", [("--exclude-method", "DELETE"), ("--include-method", "DELETE")], ids=" ".join)
def test_requests_made_up_from_the_schema_break_nothing(
    server: Server, tmp_path: Path, methods: tuple[str, str]
) -> None:
    """At a real table, with a good token and a good key: more than the door is tested. Being forgotten comes last."""
    with server.client() as client:
        client.person = client.ask("POST", "/people", {"id": secrets.token_urlsafe(24), "name": "Ada"})["key"]
        table = client.create([ME, ME, BOT], clock=CLOCK)
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        f'[headers]\nAuthorization = "Bearer {table.token}"\nSunglade-Person = "{client.person}"\n'
        f'[parameters]\n"path.table" = "{table.table}"\n"query.wait" = 0\n'
    )
    command = [
        sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file", str(config),
        "run", f"{server.url}/api/openapi.json", "--checks", CHECKS, "--max-examples", "8",
        "--generation-deterministic", "--phases", "coverage,fuzzing", "--continue-on-failure", "--no-color",
        "--request-timeout", "300", *methods,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_malformed_messages_break_nothing(server: Server) -> None:
    counts = fuzz(server, 5_000)
    assert counts["bad_json"] > 500 and counts["bad_request"] > 500
    good = ("ack", "said", "begun by welcome", "begun by mine", "begun by lobby")
    assert not [kind for kind in good if not counts.get(kind)], counts
