"""The game in this machine's own browser: the site of this package, handed out by Python's library and nothing else.

Browsers keep games by the address at which they were played, its port included: so that is the same every time.
"""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import threading
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from sunglade import site
from sunglade.errors import BadRequest
from sunglade.words import saying, speech

HOST: Final = "127.0.0.1"
LARGEST_PORT: Final = 65535
IDLE_S: Final = 60.0
"""So long a connection may be silent."""
ASKED_S: Final = 2.0
"""So long another program may take to say whether it is this one."""
IN_USE: Final = (errno.EADDRINUSE, *([errno.EACCES] if os.name == "nt" else []))
"""What a system says of a port that another program has."""
PREFIX: Final = "sunglade-page-"
"""How the folder is called in which the site lies meanwhile."""
ENDS: Final = ("SIGTERM", "SIGHUP")
"""What ends the program beside Ctrl+C: being asked to, and a terminal that is closed."""


def run(port: int, *, opens_browser: bool = True, say: Callable[[str], None] = print) -> int:
    """Hand the game out until Ctrl+C; where it is handed out already, only show it."""
    if not 0 <= port <= LARGEST_PORT:
        raise BadRequest(saying("terminal.page.port", port=str(port)))
    with suppress(KeyboardInterrupt), _ending_in_order(), tempfile.TemporaryDirectory(prefix=PREFIX) as near:
        folder = Path(near, "site")
        site.write_site(folder)
        try:
            server = Server((HOST, port), partial(SiteFiles, directory=str(folder)))
        except OSError as error:
            if error.errno not in IN_USE:
                raise
            return _shown_already(port, opens_browser, say)
        with server:
            address = f"http://{HOST}:{server.server_address[1]}/"
            say(speech.tell("terminal.page.at", address=address))
            say(speech.tell("terminal.page.more", command="sunglade --help"))
            _show(address, opens_browser)
            server.serve_forever()
    return 0


def _shown_already(port: int, opens_browser: bool, say: Callable[[str], None]) -> int:
    address = f"http://{HOST}:{port}/"
    if not _is_ours(address):
        other = f"sunglade page --port {port + 1 if port < LARGEST_PORT else port - 1}"
        raise BadRequest(saying("terminal.page.port_taken", port=str(port), command=other))
    say(speech.tell("terminal.page.already", address=address))
    _show(address, opens_browser, waits=True)
    return 0


def _is_ours(address: str) -> bool:
    """Whether the page of a site of ours is at an address of this machine."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(address, timeout=ASKED_S) as answer:
            return f'name="{site.DEVICE}"'.encode() in answer.read(100_000)
    except (OSError, ValueError):
        return False


def _show(address: str, opens_browser: bool, *, waits: bool = False) -> None:
    """Open the browser; some do not come back before they are closed."""
    if opens_browser:
        opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
        opening.start()
        if waits:
            opening.join(ASKED_S)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Whatever ends the program is taken for Ctrl+C, so that nothing is left behind."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = {name: signal.signal(getattr(signal, name), end) for name in ENDS if hasattr(signal, name)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


class Server(ThreadingHTTPServer):
    """A server for one machine's browsers."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # there it would let two programs have one port
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no news."""


class SiteFiles(SimpleHTTPRequestHandler):
    """Files of a site, to be looked at and nothing else."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    extensions_map = {**site.TYPES, "": "application/octet-stream"}  # noqa: RUF012 - as the class has it

    def send_response(self, code: int, message: str | None = None) -> None:
        """With a word on how long it may be kept."""
        super().send_response(code, message)
        kept = site.kept_for(self.path.removeprefix("/")) if code == HTTPStatus.OK else site.ASK_AGAIN
        self.send_header("Cache-Control", kept)
        self.send_header("X-Content-Type-Options", "nosniff")

    def list_directory(self, path: Any) -> None:
        """Folders are nobody's business."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""
