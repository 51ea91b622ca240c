"""A page for tests: its house in a thread of its own, its bots in a process, and the usual client to both."""

from __future__ import annotations

import asyncio
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from page.shelf import Shelf
from sunglade.client import Client
from sunglade.page.house import Connection, DeviceLog, Pace, PageHouse
from sunglade.page.stored_log import StoredLog
from sunglade.page.thinkers import WorkerThinkers

T = TypeVar("T")
LIMIT_S = 300.0
_never_finished: list[asyncio.Task[Any]] = []
"""Work of pages that broke down: it is not even ended."""


class Page:
    """Opened and closed like one in a browser. What `tables` keeps is there again in the next."""

    def __init__(self, tables: DeviceLog | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "sunglade", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._thinkers = WorkerThinkers(self._ask)
        threading.Thread(target=self._hear, daemon=True).start()
        self.tables = StoredLog(Shelf()) if tables is None else tables
        self.house = self.run(self._open())

    async def _open(self) -> PageHouse:
        house = PageHouse(self.tables, self._thinkers, Pace(500, 0.0))
        await house.start()
        return house

    def _ask(self, line: str) -> None:
        assert self._worker.stdin is not None
        self._worker.stdin.write(line + "\n")
        self._worker.stdin.flush()

    def _hear(self) -> None:
        assert self._worker.stdout is not None
        for line in self._worker.stdout:
            self._loop.call_soon_threadsafe(self._thinkers.answered, line)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the page."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT_S)

    def soon(self, work: Callable[..., None], *given: Any) -> None:
        """Let something be done in the page."""
        self._loop.call_soon_threadsafe(work, *given)

    def client(self) -> Client:
        """A client whose requests go to the page."""
        client = Client("http://page")
        client._http = httpx.Client(base_url=client.url, transport=_Transport(self))
        return client

    def close(self) -> None:
        """Leave the page in good order."""
        self.run(self.house.stop())
        self.kill()

    def kill(self) -> None:
        """Leave it as a crash does."""
        self._worker.kill()
        self._worker.communicate()
        _never_finished.extend(asyncio.all_tasks(self._loop))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)


class PageSocket:
    """What the client takes for a WebSocket."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._come: queue.Queue[str | ConnectionClosed] = queue.Queue()
        self._connection = page.run(self._connect())

    async def _connect(self) -> Connection:
        return self._page.house.connect(self._come.put, self._closed)

    def _closed(self, code: int, reason: str) -> None:
        self._come.put(ConnectionClosed(Close(code, reason), None))

    def __enter__(self) -> PageSocket:
        return self

    def send(self, text: str) -> None:
        self._page.soon(self._connection.put, text)

    def recv(self, timeout: float | None) -> str:
        """The next message; bots may have to be compiled before there is one, so nobody loses patience."""
        message = self._come.get(timeout=LIMIT_S)
        if isinstance(message, ConnectionClosed):
            raise message
        return message

    def close(self) -> None:
        self._page.soon(self._connection.close)


class _Transport(httpx.BaseTransport):
    """Takes requests to a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ") or None
        query, path = request.url.params.multi_items(), request.url.path.removeprefix("/api/")
        asked = self._page.house.request(request.method, path, query, token, request.read().decode())
        status, answer = self._page.run(asked)
        return httpx.Response(status, content=answer, headers={"content-type": "application/json"})
