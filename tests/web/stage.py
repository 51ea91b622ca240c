"""What the tests of the client play on: a server that can be killed, and patience."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402

__all__ = ["PATIENCE_S", "ROOT", "OpenPage", "Server", "hatch_build", "wait_until"]

OPTIONS = ("--no-browser", "--limits", "0", "--bots", "1", "--bot-pace", "0")
OpenPage = Callable[..., Page]
PATIENCE_S = 300.0
"""What has not happened after so long never will, however busy the machine is."""


class Server:
    """`sunglade serve` as a process that can be killed and started again on the same data."""

    def __init__(self, database: Path, *options: str) -> None:
        self.database = database
        self.options = options or ("--no-device",)
        self.command = [sys.executable, "-m", "sunglade"]
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        place = ["--port", str(self.port), "--database", f"sqlite+aiosqlite:///{self.database}"]
        self.process = subprocess.Popen(
            [*self.command, "serve", *OPTIONS, *self.options, *place],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        told = ""
        for line in self.process.stdout:
            told += line
            found = re.search(r"http://[^:]+:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError(f"the server did not start:\n{told}")

    def kill(self) -> None:
        """As when the power fails."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something to come true."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, f"{what}: did not happen within {PATIENCE_S} s"
        time.sleep(0.02)
