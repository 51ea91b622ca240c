"""A host of static files, for sites that need no server of ours."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PLACE = "games/sunglade"
"""The folder of the host in which the site lies."""


class QuietFiles(SimpleHTTPRequestHandler):
    """The simplest host there is: it knows neither compression nor any but the most usual types of files."""

    extensions_map = {  # noqa: RUF012 - as the class has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "application/octet-stream",  # as nginx has it, where nobody told it more
    }

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


class Host:
    """A web server for files that can be switched off, and on again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self._server: ThreadingHTTPServer | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/{PLACE}/"

    def start(self) -> None:
        self._server = ThreadingHTTPServer(("localhost", self.port), partial(QuietFiles, directory=str(self.folder)))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
