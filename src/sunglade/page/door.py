"""What the worker of a page calls: everything that comes in and goes out, as numbers and texts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from sunglade import bots
from sunglade.page.browser_store import BrowserStore, Texts
from sunglade.page.house import Connection, PageHouse
from sunglade.page.stored_log import StoredLog
from sunglade.page.thinkers import WorkerThinkers

API: Final = "/api/"
"""Where paths begin, as they do at a server."""
TYPE: Final = "application/json"


class Outside(Protocol):
    """The page, beyond the worker."""

    def answer(self, number: int, status: int, kind: str, body: str) -> None:
        """A request is answered."""

    def opened(self, socket: int) -> None:
        """A line is open."""

    def heard(self, socket: int, text: str) -> None:
        """Something is said on it."""

    def closed(self, socket: int, code: int, reason: str) -> None:
        """It is no more."""

    def ask(self, line: str) -> None:
        """The bots are asked."""


class Door:
    """Requests and lines by the numbers that the page gave them."""

    def __init__(self, house: PageHouse, thinkers: WorkerThinkers, outside: Outside) -> None:
        self._house = house
        self.thinkers = thinkers
        self._outside = outside
        self._lines: dict[int, Connection] = {}
        self._work: set[asyncio.Task[None]] = set()

    def request(self, number: int, method: str, path: str, token: str | None, body: str | None) -> None:
        """Answer a request as soon as it can be."""
        task = asyncio.ensure_future(self._request(number, method, path, token, body))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _request(self, number: int, method: str, path: str, token: str | None, body: str | None) -> None:
        where = urlsplit(path)
        query = parse_qsl(where.query, keep_blank_values=True)
        status, told = await self._house.request(method, where.path.removeprefix(API), query, token, body or "")
        self._outside.answer(number, status, TYPE, told.decode())

    def connect(self, socket: int) -> None:
        """Open a line: there is one kind of them."""
        self._outside.opened(socket)
        self._lines[socket] = self._house.connect(self._deliver(socket), self._close(socket))

    def say(self, socket: int, text: str) -> None:
        """The page says something on a line, which may have closed meanwhile."""
        if socket in self._lines:
            self._lines[socket].put(text)

    def hang_up(self, socket: int) -> None:
        """The page has enough."""
        line = self._lines.pop(socket, None)
        if line is not None:
            line.close()

    def _deliver(self, socket: int) -> Callable[[str], None]:
        return lambda text: self._outside.heard(socket, text)

    def _close(self, socket: int) -> Callable[[int, str], None]:
        def closed(code: int, reason: str) -> None:
            if self._lines.pop(socket, None) is not None:
                self._outside.closed(socket, code, reason)

        return closed


async def open_door(outside: Outside, texts: Texts, has_room_for_network: bool = True) -> Door:
    """The house with what this device has kept, and the bots that it has room for."""
    thinkers = WorkerThinkers(outside.ask)
    offered = [name for name in bots.names() if has_room_for_network or name not in bots.NETWORKED]
    house = PageHouse(await StoredLog.opened(BrowserStore(texts)), thinkers, offered=offered)
    await house.start()
    return Door(house, thinkers, outside)
