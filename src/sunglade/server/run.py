"""`sunglade serve`: bind, start, open the browser, and end in good order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import sqlalchemy as sa
import uvicorn
from filelock import BaseFileLock

from sunglade.errors import BadRequest
from sunglade.exclusive import held
from sunglade.server import logs
from sunglade.server.app import make_app
from sunglade.server.config import Config
from sunglade.server.database import Database
from sunglade.server.http import PatientProtocol
from sunglade.server.migrations import upgrade
from sunglade.server.qr_code import for_terminal
from sunglade.server.reach import reachable_addresses
from sunglade.server.service import Service
from sunglade.server.websocket import PatientSocket
from sunglade.table.live import MOST_MESSAGE
from sunglade.table.trouble import DatabaseTrouble

AGAIN_S: Final = 1.0
"""How often a database that is not there yet is looked for."""
PING_S: Final = 8.0
PONG_S: Final = 10.0
"""A connection that answers no ping within this time is dead: whoever vanishes is away after 18 seconds at most.

Browsers answer by themselves, also for tabs that sleep; a phone that switches its network off comes back anew.
"""
GRACE_S: Final = 5
GOODBYE_S: Final = 0.2
BACKLOG: Final = 2048
SWITCH_S: Final = 0.0005
"""How long the loop may keep the interpreter from the thread that commits; a commit needs it several times."""

log = logging.getLogger("sunglade.server")


def serve(config: Config, *, open_browser: bool = True) -> int:
    """Run a server process until it is told to stop."""
    logs.set_up(as_json=config.log_json, verbose=config.verbose)
    lock = _locked(config.database)
    sys.setswitchinterval(SWITCH_S)
    try:
        listening = _bound(config.host, config.port)
        asyncio.run(_reached(config))
        service = Service(config, Database(config.database))
        server = _Server(_uvicorn(service), service, lambda: _welcome(config, listening, open_browser=open_browser))
        server.run(sockets=[listening])
        return 0 if server.started else 1
    finally:
        if lock is not None:
            lock.release()


async def _reached(config: Config) -> None:
    """Wait for a database that is not there yet, for as long as the operator says, and bring it up to date."""
    database, until = Database(config.database), time.monotonic() + config.database_wait_s
    try:
        while True:
            try:
                before = await upgrade(database)
                log.info("database ready", extra={"kind": database.kind, "schema_before": before})
                return
            except DatabaseTrouble as trouble:
                left = until - time.monotonic()
                if left <= 0 or not trouble.passing or database.kind == "sqlite":
                    raise BadRequest(f"the database cannot be used: {trouble}") from None
                log.warning("waiting for the database", extra={"reason": str(trouble), "seconds_left": round(left)})
            await asyncio.sleep(min(AGAIN_S, left))
    finally:
        await database.close()


class _Server(uvicorn.Server):
    """Says where it is once it is there, and goodbye before it goes."""

    def __init__(self, config: uvicorn.Config, service: Service, welcome: Callable[[], None]) -> None:
        super().__init__(config)
        self._service = service
        self._welcome = welcome

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Interrupts end the server in good order, and that is the end: they are not raised again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then welcome."""
        await super().startup(sockets)
        if self.started:
            self._welcome()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye before connections are closed."""
        self._service.begin_to_stop()
        await asyncio.sleep(GOODBYE_S)
        await super().shutdown(sockets)


def _uvicorn(service: Service) -> uvicorn.Config:
    config = service.config
    return uvicorn.Config(
        make_app(service),
        http=type("Http", (PatientProtocol,), {"places": service.connections}),
        ws=type("WebSocket", (PatientSocket,), {"places": service.connections}),
        ws_max_size=4 * MOST_MESSAGE,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PONG_S,
        ws_per_message_deflate=False,
        root_path=config.root_path,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=list(config.proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE_S,
    )


def checked_url(database: str, *, new: bool = True) -> str:
    """A database we can use; the folder of a SQLite file is made, unless the file must be there already."""
    try:
        url = sa.make_url(database)
    except sa.exc.ArgumentError:
        raise BadRequest(f"--database must be a URL such as sqlite+aiosqlite:///FILE, not {database!r:.80}.") from None
    if url.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise BadRequest(f"--database must begin with sqlite+aiosqlite or postgresql+asyncpg, not {url.drivername}.")
    if url.get_backend_name() == "sqlite":
        if not url.database or url.database == ":memory:":
            raise BadRequest("--database must name a file: sqlite+aiosqlite:///FILE.")
        file = Path(url.database)
        if not new and not file.exists():
            raise BadRequest(f"there is no database {file}; name the server's: --database URL, or its SUNGLADE_DATA.")
        file.parent.mkdir(parents=True, exist_ok=True)
    return database


def _locked(database: str) -> BaseFileLock | None:
    """A SQLite file is for one server process: a second one would not hear of the first one's events."""
    url = sa.make_url(checked_url(database))
    if url.get_backend_name() != "sqlite":
        return None
    taken = f"another server uses {url.database}; stop it, or choose another --database."
    return held(Path(f"{url.database}.lock"), taken)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            right = "0.0.0.0 is every address of this machine, 127.0.0.1 this machine alone"
            raise BadRequest(
                f"--host {host!r:.60} is no address of this machine ({error.strerror}); {right}."
            ) from None
        raise BadRequest(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with --port."
        ) from None
    return listening


def _welcome(config: Config, listening: socket.socket, *, open_browser: bool) -> None:
    """Say where the table is, and show it."""
    port = listening.getsockname()[1]
    host = "localhost" if config.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else config.host
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}{config.root_path}/"
    print(f"Sunglade is at {url} (Ctrl+C ends it)", flush=True)
    _tell_others(reachable_addresses(config, port))
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _tell_others(addresses: list[str]) -> None:
    """Say where other devices find it; on a terminal a telephone's camera can read that, too."""
    if not addresses:
        return
    print(f"Other devices in your network find it at {' or '.join(addresses)}", flush=True)
    if sys.stdout.isatty():
        with contextlib.suppress(UnicodeEncodeError):  # a terminal without such signs has the address above
            print(for_terminal(addresses[0]), flush=True)
