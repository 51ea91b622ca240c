"""`sunglade page`, and plain `sunglade` in a terminal: the site of this package in this machine's own browser."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from at_the_terminal import Pty
from prebuilding import one_build
from sunglade import site
from sunglade.cli import PAGE_PORT
from test_site import built  # noqa: F401 - every test has a small site
from web.stage import wait_until

pytestmark = [pytest.mark.usefixtures("interruptible"), pytest.mark.skipif(os.name != "posix", reason="signals")]

BROWSER = '#!/bin/sh\necho "$1" > "{asked}"\n'


def command(*arguments: str) -> list[str]:
    """The command line, with the small site in the place of the package's."""
    program = (
        "import sys; from pathlib import Path; from sunglade import cli, site; "
        f"site.CLIENT = Path({str(site.CLIENT)!r}); site.PARTS = Path({str(site.PARTS)!r}); sys.exit(cli.main())"
    )
    return [sys.executable, "-c", program, *arguments]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A folder of its own for what is only there for a while, and no browser of the machine's."""
    (tmp_path / "while").mkdir()
    return os.environ | {"TMPDIR": str(tmp_path / "while"), "BROWSER": "true", "LC_ALL": "C.UTF-8"}


@contextmanager
def running(environment: dict[str, str], *arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The program, and the port at which it hands the page out."""
    process = subprocess.Popen(
        command("page", *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        told = re.search(r"http://127\.0\.0\.1:([0-9]+)/", process.stdout.readline())
        assert told is not None, process.stderr.read()
        yield process, int(told[1])
    finally:
        process.kill()
        process.communicate()


def opens_by_itself(environment: dict[str, str], command: list[str], folder: Path) -> None:
    """A command opens the page in a terminal, at the usual port and in the browser, until somebody ends it."""
    browser = folder / "browser"
    browser.write_text(BROWSER.format(asked=folder / "asked"), encoding="utf-8")
    browser.chmod(0o755)
    with socket.socket() as usual:
        if usual.connect_ex(("127.0.0.1", PAGE_PORT)) == 0:
            pytest.skip(f"port {PAGE_PORT} of this machine is in use")
    terminal = Pty(environment | {"BROWSER": str(browser)}, command=command, folder=folder)
    terminal.wait_for("sunglade --help")
    wait_until((folder / "asked").exists, "the browser")
    wait_until(lambda: (folder / "asked").read_text() == f"http://127.0.0.1:{PAGE_PORT}/\n", "its address")
    assert f'<meta name="{site.DEVICE}"'.encode() in asked(PAGE_PORT, "/")[2]
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.ended() == 0


def asked(port: int, path: str, method: str = "GET") -> tuple[int, str, bytes]:
    """The status, how long the answer may be kept, and the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path)
    answer = connection.getresponse()
    found = answer.status, answer.headers["Cache-Control"], answer.read()
    connection.close()
    return found


def test_page_and_its_files_are_handed_out_and_nothing_else(environment: dict[str, str]) -> None:
    with running(environment, "--no-browser", "--port", "0") as (_, port):
        status, kept, page = asked(port, "/")
        assert (status, kept) == (200, "no-cache")
        assert f'<meta name="{site.DEVICE}"'.encode() in page
        assert asked(port, "/assets/main.js")[:2] == (200, "public, max-age=31536000, immutable")
        assert asked(port, "/device/worker.js")[0] == 200
        for path in ("/assets/", "/device", "/assets/gone.js", "/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"):
            status, kept, _ = asked(port, path)
            assert (status, kept) in {(404, "no-cache"), (301, "no-cache")}, path
        assert asked(port, "/", "POST")[0] == 501


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_whatever_ends_it_leaves_nothing_behind(name: str, environment: dict[str, str], tmp_path: Path) -> None:
    with running(environment, "--no-browser", "--port", "0") as (process, _):
        assert list((tmp_path / "while").iterdir())
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 0
        assert process.stderr is not None and process.stderr.read() == ""
    assert not list((tmp_path / "while").iterdir())


def test_a_connection_that_says_nothing_keeps_nobody_waiting(environment: dict[str, str]) -> None:
    with (
        running(environment, "--no-browser", "--port", "0") as (process, port),
        socket.create_connection(("127.0.0.1", port)),
        socket.create_connection(("127.0.0.1", port)) as half,
    ):
        half.sendall(b"GET / HT")
        assert asked(port, "/")[0] == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_second_start_shows_the_page_that_is_there(environment: dict[str, str]) -> None:
    with running(environment, "--no-browser", "--port", "0") as (_, port):
        again = subprocess.run(
            command("page", "--port", str(port)), capture_output=True, text=True, env=environment, timeout=60
        )
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == f"Sunglade is there already: http://127.0.0.1:{port}/\n"


def test_a_port_that_another_program_has_is_told(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = subprocess.run(
            command("page", "--port", str(port)), capture_output=True, text=True, env=environment, timeout=60
        )
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr.startswith(f"sunglade: another program uses port {port}; sunglade page --port ")


@pytest.mark.parametrize("port", ["-1", "65536", "999999999999999999999"])
def test_a_port_that_is_none_is_told(port: str, environment: dict[str, str]) -> None:
    refused = subprocess.run(
        command("page", f"--port={port}"), capture_output=True, text=True, env=environment, timeout=60
    )
    assert refused.returncode == 2
    assert refused.stderr == f"sunglade: a port is a number from 0 to 65535, not {port}.\n"


@one_build  # with the test of the wheel that does the same: there is one such port
def test_plain_sunglade_in_a_terminal_opens_the_page(environment: dict[str, str], tmp_path: Path) -> None:
    opens_by_itself(environment, command(), tmp_path)
    assert not list((tmp_path / "while").iterdir())


def test_plain_sunglade_tells_what_can_be_typed_where_there_is_no_terminal_or_no_page(
    environment: dict[str, str],
) -> None:
    in_a_pipe = subprocess.run(command(), capture_output=True, text=True, env=environment, timeout=60)
    assert in_a_pipe.returncode == 0 and "sunglade page" in in_a_pipe.stdout
    (site.PARTS / site.MADE).unlink()
    terminal = Pty(environment, command=command())
    terminal.wait_for("sunglade play")
    assert terminal.ended() == 0
    missing = subprocess.run(command("page"), capture_output=True, text=True, env=environment, timeout=60)
    assert missing.returncode == 2 and "make site" in missing.stderr
