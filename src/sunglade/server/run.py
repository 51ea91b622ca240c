"""`sunglade serve`: bind, start, open the browser, and end in good order."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Final

import sqlalchemy as sa
import uvicorn

from sunglade.errors import BadRequest
from sunglade.server import logs
from sunglade.server.app import make_app
from sunglade.server.config import Config
from sunglade.server.live import MOST_MESSAGE
from sunglade.server.lock import FileLock

GRACE_S: Final = 5
BACKLOG: Final = 2048


def serve(config: Config, *, open_browser: bool = True, verbose: bool = False) -> int:
    """Run a server process until it is told to stop."""
    logs.set_up(as_json=config.log_json, verbose=verbose)
    lock = _locked(config.database)
    try:
        listening = _bound(config.host, config.port)
        server = _Server(_uvicorn(config), lambda: _welcome(config, listening, open_browser=open_browser))
        server.run(sockets=[listening])
        return 0 if server.started else 1
    finally:
        if lock is not None:
            lock.release()


class _Server(uvicorn.Server):
    """Says where it is once it is there."""

    def __init__(self, config: uvicorn.Config, welcome: Callable[[], None]) -> None:
        super().__init__(config)
        self._welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then welcome."""
        await super().startup(sockets)
        if self.started:
            self._welcome()


def _uvicorn(config: Config) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(config),
        http="sunglade.server.http:PatientProtocol",
        ws="websockets-sansio",
        ws_max_size=4 * MOST_MESSAGE,
        ws_ping_interval=20,
        ws_ping_timeout=20,
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
        h11_max_incomplete_event_size=32 * 1024,
    )


def _locked(database: str) -> FileLock | None:
    """A SQLite file is for one process."""
    try:
        url = sa.make_url(database)
    except sa.exc.ArgumentError:
        raise BadRequest(f"--database must be a URL such as sqlite+aiosqlite:///FILE, not {database!r:.80}.") from None
    if url.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise BadRequest(f"--database must begin with sqlite+aiosqlite or postgresql+asyncpg, not {url.drivername}.")
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    lock = FileLock(Path(f"{url.database}.lock"))
    lock.acquire()
    return lock


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
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
