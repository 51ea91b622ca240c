"""Links that friends can open: what a server tells of where it is, to whom, and what the terminal shows."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.process import SRC, Server, sqlite_in
from sunglade.server.cli import open_command
from sunglade.server.config import Config
from sunglade.server.qr_code import QUIET, for_terminal, modules
from sunglade.server.reach import Opened, reach, reachable_addresses

PATIENCE_S = 300.0
OPEN = ("--host", "0.0.0.0")
Serve = Callable[..., Server]


@pytest.fixture
def network() -> str:
    """An address of this machine in its network."""
    found = reachable_addresses(Config(database="", host="0.0.0.0"), 1)
    if not found:
        pytest.skip("this machine is in no network")
    return found[0].removeprefix("http://").removesuffix(":1/")


def told(server: Server, at: str | None = None, **headers: str) -> dict[str, Any]:
    answer = httpx.get(f"{at or server.url}/api/reach", headers=headers, timeout=PATIENCE_S)
    assert answer.status_code == 200
    assert set(answer.json()) == {"reachable", "reason", "addresses", "command"}
    return dict(answer.json())


def test_a_server_of_this_machine_alone_says_so_and_how_others_could_come(serve: Serve) -> None:
    server = serve("--metrics-token", "s3cret")
    for name in ("localhost", "127.0.0.1"):
        found = told(server, Host=f"{name}:{server.port}")
        assert (found["reachable"], found["reason"], found["addresses"]) == (False, "only_here", [])
        assert found["command"].startswith("python -m sunglade serve ")
        assert found["command"].endswith(" --host 0.0.0.0")
        assert "s3cret" not in found["command"]


def test_an_open_server_tells_its_addresses_to_this_machine_and_they_work(serve: Serve, network: str) -> None:
    server = serve(*OPEN)
    found = told(server, Host=f"localhost:{server.port}")
    assert found["reachable"] and found["command"] is None
    assert f"http://{network}:{server.port}/" in found["addresses"]
    for address in found["addresses"]:
        assert httpx.get(f"{address}api/health", timeout=PATIENCE_S).status_code == 200


def test_strangers_are_told_no_addresses(serve: Serve, network: str) -> None:
    """Whoever comes over the network, or by somebody who passes questions on, and calls the server `localhost`."""
    server = serve(*OPEN)
    there = f"http://{network}:{server.port}"
    for found in (
        told(server, there, Host=f"localhost:{server.port}"),
        told(server, Host="localhost", **{"X-Forwarded-For": "203.0.113.9"}),
        told(server, Host="localhost", Forwarded="for=203.0.113.9"),
    ):
        assert found == {"reachable": False, "reason": "opened_here", "addresses": [], "command": None}


def test_the_address_a_page_was_opened_at_is_right(serve: Serve, network: str) -> None:
    server = serve(*OPEN, "--allow-host", "forest.example")
    for host in (f"{network}:{server.port}", "forest.example"):
        found = told(server, Host=host)
        assert (found["reachable"], found["addresses"]) == (True, [f"http://{host}/"])


def test_behind_a_proxy_the_name_of_the_proxy_is_right(serve: Serve) -> None:
    server = serve("--proxy", "127.0.0.1", "--allow-host", "forest.example", "--root-path", "/glade")
    passed_on = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    found = told(server, Host="forest.example", **passed_on)
    assert found["addresses"] == ["https://forest.example/glade/"]
    assert told(server, Host="localhost")["reason"] == "opened_here"


def test_a_machine_without_a_network_says_that_nobody_can_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sunglade.server.reach.ELSEWHERE", dict.fromkeys(reach_families(), ("127.0.0.1", "nonsense")))
    found = reach(Config(database="", host="0.0.0.0"), Opened("http", "localhost:8740", 8740, near=True))
    assert (found.reachable, found.reason) == (False, "no_network")


def reach_families() -> list[Any]:
    from sunglade.server.reach import ELSEWHERE

    return list(ELSEWHERE)


def test_a_server_bound_to_one_address_tells_that_one() -> None:
    config = Config(database="", host="fd00::7", root_path="/glade")
    assert reachable_addresses(config, 8740) == ["http://[fd00::7]:8740/glade/"]


def test_the_command_is_the_one_that_was_typed_without_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    program = tmp_path / "bin" / "sunglade"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    open_ = "--host 0.0.0.0"
    assert open_command([str(program), "serve"]) == f"sunglade serve {open_}"
    assert open_command([".venv/bin/sunglade", "serve"]) == f".venv/bin/sunglade serve {open_}"
    assert open_command([str(tmp_path / "venv" / "sunglade"), "serve"]) == f"venv/sunglade serve {open_}"
    assert open_command(["/x/__main__.py", "serve", "--port", "9"]) == f"python -m sunglade serve --port 9 {open_}"
    typed = ["sunglade", "serve", "--host", "127.0.0.1", "--metrics-token=a", "--metrics-token", "b", "--host=::1"]
    assert open_command(typed) == f"sunglade serve {open_}"
    told_ = open_command(["sunglade", "serve", "--database", "postgresql+asyncpg://me:pass@there/games"])
    assert "pass@" not in told_ and "postgresql+asyncpg://me:PASSWORD@there/games" in told_


# QR codes

LINK = "http://192.168.1.23:8740/t/abcdefghjkmn#2Gq8f0-ZrB1mQd3x_abcde"
FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")


def test_a_link_is_drawn_for_whoever_sits_and_for_nobody_else(server: Server) -> None:
    with server.client() as client, httpx.Client(base_url=server.url, timeout=PATIENCE_S) as http:
        seat = client.create([{"kind": "me"}, {"kind": "open"}])
        mine = {"Authorization": f"Bearer {seat.token}"}
        path = f"/api/tables/{seat.table}/qr"
        rows = http.post(path, json={"link": LINK}, headers=mine).json()["rows"]
        assert rows == modules(LINK)
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {seat.invite}"}):
            refused = http.post(path, json={"link": LINK}, headers=headers)
            assert (refused.status_code, refused.json()["error"]["kind"]) == (401, "wrong_token")
        for bad in ("", "javascript:alert(1)", "http://a b", "http://ä", f"http://{'a' * 400}", 7, None):
            assert http.post(path, json={"link": bad}, headers=mine).json()["error"]["kind"] == "bad_request"
        assert http.post("/api/tables/nowhere/qr", json={"link": LINK}, headers=mine).status_code == 404


def test_drawing_links_is_limited_in_pace(serve: Serve) -> None:
    server = serve("--limits", "1")
    with server.client() as client, httpx.Client(base_url=server.url, timeout=PATIENCE_S) as http:
        seat = client.create([{"kind": "me"}, {"kind": "open"}])
        mine = {"Authorization": f"Bearer {seat.token}"}
        kinds = {
            http.post(f"/api/tables/{seat.table}/qr", json={"link": LINK}, headers=mine).status_code for _ in range(60)
        }
        assert kinds == {200, 429}


def test_a_code_has_the_marks_by_which_cameras_find_it() -> None:
    rows = modules(LINK)
    size = len(rows)
    assert size % 4 == 1 and {len(row) for row in rows} == {size}
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        assert tuple(row[left : left + 7] for row in rows[top : top + 7]) == FINDER
    assert modules(LINK) != modules(LINK[:-1] + "f")


def test_the_terminal_draws_the_same_code_two_rows_a_line() -> None:
    halves = {" ": "00", "▀": "10", "▄": "01", "█": "11"}
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in for_terminal(LINK).splitlines()]
    drawn = ["".join(halves[sign][half] for sign in line) for line in lines for half in (0, 1)]
    inner = [row[QUIET:-QUIET] for row in drawn[QUIET:]]
    rows = modules(LINK)
    assert inner[: len(rows)] == rows
    assert all(set(row) == {"0"} for row in drawn[:QUIET] + drawn[QUIET + len(rows) :])
    assert all(line.startswith("\x1b[30;107m") for line in for_terminal(LINK).splitlines())


def welcome(tmp_path: Path, *options: str, terminal: bool) -> str:
    """What a server says when it has started, on a terminal or into a pipe."""
    command = [sys.executable, "-m", "sunglade", "serve", "--no-browser", "--port", "0", "--bots", "1", "--database"]
    command += [sqlite_in(tmp_path), *options]
    reading, writing = pty.openpty() if terminal else os.pipe()
    environment = os.environ | {"PYTHONPATH": SRC, "PYTHONUTF8": "1"}
    process = subprocess.Popen(command, stdout=writing, stderr=subprocess.DEVNULL, env=environment)
    os.close(writing)
    said, until = b"", time.monotonic() + PATIENCE_S
    try:
        while b"Sunglade is at" not in said and time.monotonic() < until:
            if select.select([reading], [], [], 1.0)[0]:
                said += os.read(reading, 65536)
    finally:
        process.terminate()
        process.wait()
    while True:
        try:
            more = os.read(reading, 65536)
        except OSError:  # a terminal that nobody writes to any more
            more = b""
        if not more:
            os.close(reading)
            return (said + more).decode()
        said += more


def test_the_terminal_shows_where_other_devices_find_it(tmp_path: Path, network: str) -> None:
    said = welcome(tmp_path, *OPEN, terminal=True)
    assert f"Other devices in your network find it at http://{network}:" in said
    assert "▀" in said


def test_a_pipe_gets_the_address_and_no_drawing(tmp_path: Path, network: str) -> None:
    said = welcome(tmp_path, *OPEN, terminal=False)
    assert f"http://{network}:" in said
    assert "▀" not in said and "\x1b" not in said


def test_a_server_of_this_machine_alone_shows_nothing_for_others(tmp_path: Path) -> None:
    said = welcome(tmp_path, terminal=True)
    assert "Sunglade is at http://localhost:" in said
    assert "Other devices" not in said and "▀" not in said
