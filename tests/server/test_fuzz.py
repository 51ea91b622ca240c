"""Requests and messages made up by machines: no 5xx, no traceback, no leak, the next good command still works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from server.fuzzing import fuzz
from server.games import BOT, ME
from server.process import Server

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def test_requests_made_up_from_the_schema_break_nothing(server: Server, tmp_path: Path) -> None:
    """At a real table with a good token, so that more than the door is tested."""
    with server.client() as client:
        table = client.create([ME, ME, BOT])
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        f'[headers]\nAuthorization = "Bearer {table.token}"\n'
        f'[parameters]\n"path.table" = "{table.table}"\n"query.wait" = 0\n'
    )
    command = [
        sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file", str(config),
        "run", f"{server.url}/api/openapi.json", "--checks", CHECKS, "--max-examples", "8",
        "--generation-deterministic", "--phases", "coverage,fuzzing", "--continue-on-failure", "--no-color",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_malformed_messages_break_nothing(server: Server) -> None:
    counts = fuzz(server, 5_000)
    assert counts["bad_json"] > 500 and counts["bad_request"] > 500
