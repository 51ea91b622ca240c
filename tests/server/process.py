"""A real server in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from sunglade.client import Client

SRC = str(Path(__file__).parents[2] / "src")


def sqlite_in(folder: Path) -> str:
    """The address of a database in a folder."""
    return f"sqlite+aiosqlite:///{folder / 'tables.sqlite'}"


class Server:
    """`sunglade serve` in a process of its own."""

    def __init__(self, database: str, folder: Path, *options: str, files: tuple[int, int] | None = None) -> None:
        """`files`: how many files it may have open, and how many it may allow itself."""
        self.database = database
        self._folder = folder
        self._options = options
        self._files = files
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.log = folder / f"log-{time.monotonic_ns()}.txt"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        command = [
            sys.executable, "-m", "sunglade", "serve", "--no-browser", "--port", str(self.port), "--database",
            self.database, "--bot-pace", "0", "--bots", "1", "--log-json", *self._options,
        ]  # fmt: skip
        if self._files is not None:
            soft, hard = self._files
            command = ["sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$@"', "sh", *command]
        environment = os.environ | {"PYTHONPATH": SRC}
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Sunglade is at" in line, self.log.read_text()[-3000:]
        self.port = int(line.split("localhost:")[1].split("/")[0])
        return self

    def kill(self) -> None:
        """The process dies in the middle of whatever it does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """Ask it to end in good order."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(timeout=300)
        finally:
            self._close()

    def _close(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    def client(self) -> Client:
        return Client(self.url)

    def errors(self) -> list[str]:
        """Lines of the log that tell of something broken, or that are not what a log of JSON lines has."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if '"level": "error"' in line or not line.startswith("{")]
