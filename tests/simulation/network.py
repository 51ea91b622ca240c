"""Connections between simulated clients and processes: the server's real application behind them, no real socket.

A connection may be cut at any moment. What was sent may have arrived; what was answered may be lost.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import random
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

from simulation.faults import Faults
from simulation.loop import SeededLoop

WAY_S: Final = (0.0, 0.001, 0.01, 0.05, 0.2)
PATIENCE_S: Final = 90.0
"""A client gives a request up after this time."""
BUFFER: Final = 16
"""Messages that a connection takes before the server has to wait for a slow reader."""

Answer = dict[str, Any]


class Cut(Exception):
    """The connection is gone; nobody knows what became of what was sent."""


class Place(Protocol):
    """A process, as clients see it."""

    alive: bool
    stopped: bool
    ears: list[Any]

    async def app(self, scope: Any, receive: Any, send: Any) -> None: ...
    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]: ...


class Network:
    """How clients reach processes."""

    def __init__(self, loop: SeededLoop, faults: Faults, chance: random.Random) -> None:
        self.loop = loop
        self.faults = faults
        self.chance = chance
        self._world = contextvars.copy_context()

    def at(self, when: float, what: Callable[..., Any], *given: Any) -> None:
        """Something happens in the world, whatever becomes of the process that caused it."""
        self._world.run(self.loop.call_at, when, what, *given)

    def way(self) -> float:
        """How long a message is under way."""
        return self.chance.choice(WAY_S)

    async def ask(
        self,
        place: Place,
        address: str,
        method: str,
        path: str,
        body: Any = None,
        token: str | None = None,
        person: str | None = None,
    ) -> tuple[int, Any]:
        """A request and its answer: status and JSON. `person` is the key of somebody who is known."""
        path, _, query = path.partition("?")
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", b"localhost"), (b"content-length", str(len(raw)).encode())]
        headers += [(b"content-type", b"application/json")] if body is not None else []
        headers += [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
        headers += [] if person is None else [(b"sunglade-person", person.encode())]
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": f"/api{path}", "raw_path": path.encode(), "query_string": query.encode(),
            "root_path": "", "headers": headers, "client": (address, 1), "server": ("localhost", 1),
        }  # fmt: skip
        request = _Request(self, place, scope, raw)
        return await request.answer()

    async def connect(self, place: Place, address: str) -> Socket:
        """A WebSocket."""
        await asyncio.sleep(self.way())
        if not place.alive:
            raise Cut
        return Socket(self, place, address)


class _Request:
    """One request."""

    def __init__(self, network: Network, place: Place, scope: Any, body: bytes) -> None:
        self._network = network
        self._place = place
        self._scope = scope
        self._pieces = deque([body])
        if len(body) > 10 and network.chance.random() < 0.1:
            half = network.chance.randrange(1, len(body))
            self._pieces = deque([body[:half], body[half:]])
        self._answered: asyncio.Future[tuple[int, Any]] = network.loop.create_future()
        self._gone: asyncio.Future[None] = network.loop.create_future()
        self._status = 0
        self._parts: list[bytes] = []

    async def answer(self) -> tuple[int, Any]:
        network = self._network
        await asyncio.sleep(network.way())
        if not self._place.alive:
            raise Cut
        self._place.ears.append(self)
        self._place.spawn(self._place.app(self._scope, self._receive, self._send))
        try:
            if network.faults.strike("cut"):
                network.loop.call_later(network.chance.choice((0.0, 0.0, 0.01, 0.1, 1.0)), self.cut)
            async with asyncio.timeout(PATIENCE_S):
                status, told = await self._answered
            await asyncio.sleep(network.way())
            if network.faults.strike("half_sent"):
                raise Cut
            return status, told
        except TimeoutError:
            raise Cut from None
        finally:
            self._leave()
            if self in self._place.ears:
                self._place.ears.remove(self)

    def cut(self) -> None:
        if not self._answered.done():
            self._answered.set_exception(Cut())
        self._leave()

    def _leave(self) -> None:
        if not self._gone.done():
            self._gone.set_result(None)

    async def _receive(self) -> Any:
        if self._pieces:
            piece = self._pieces.popleft()
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await asyncio.shield(self._gone)
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            return
        self._parts.append(message.get("body", b""))
        if not message.get("more_body") and not self._answered.done():
            text = b"".join(self._parts)
            self._answered.set_result((self._status, json.loads(text) if text else None))


class Socket:
    """A WebSocket between a client and a process. What is sent arrives in order, or not at all."""

    def __init__(self, network: Network, place: Place, address: str) -> None:
        self._network = network
        self._place = place
        self._in: asyncio.Queue[Any] = asyncio.Queue()  # to the server
        self._out: asyncio.Queue[str | None] = asyncio.Queue()  # to the client
        self._room = asyncio.Semaphore(BUFFER)
        self._last_in = self._last_out = 0.0
        self._coming: deque[Any] = deque()  # under way to the server: messages, and the end of the connection
        self._going: deque[str | None] = deque()  # under way to the client
        self._deaf = False
        self.closed = False
        scope = {
            "type": "websocket", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1",
            "scheme": "ws", "path": "/api/live", "raw_path": b"/api/live", "query_string": b"", "root_path": "",
            "headers": [(b"host", b"localhost")], "client": (address, 1), "server": ("localhost", 1),
            "subprotocols": [], "state": {},
        }  # fmt: skip
        self._in.put_nowait({"type": "websocket.connect"})
        place.ears.append(self)
        self.served = place.spawn(place.app(scope, self._in.get, self._send))

    # The client's end

    def send(self, text: str, *, and_close: bool = False) -> None:
        """Send a message; with the end of the connection in the same packet, if wanted."""
        network = self._network
        if self.closed:
            raise Cut
        if network.faults.strike("cut"):
            self.cut()
            raise Cut
        self._last_in = max(self._last_in, network.loop.now + network.way())
        packets: list[Any] = [] if network.faults.strike("half_sent") else [{"type": "websocket.receive", "text": text}]
        packets += [None] if and_close or not packets else []
        for packet in packets:
            self._coming.append(packet)
            network.at(self._last_in, self._arrive)

    def _arrive(self) -> None:
        packet = self._coming.popleft()
        if packet is None:
            self.cut()
        elif not self.closed:
            self._in.put_nowait(packet)

    async def receive(self) -> str:
        """The next message; `Cut` where there will be none."""
        if self._network.faults.strike("slow_reader"):
            await asyncio.sleep(self._network.chance.uniform(1.0, 60.0))
        text = await self._out.get()
        if text is None:
            self.closed = True
            raise Cut
        self._room.release()
        return text

    def cut(self) -> None:
        """The connection ends here and now."""
        if not self.closed:
            self.closed = True
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})
            for _ in range(BUFFER):
                self._room.release()  # nobody waits for a reader who has gone
            self._out.put_nowait(None)
        if self in self._place.ears:
            self._place.ears.remove(self)

    # The server's end

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            return
        if self.closed:
            raise OSError("the connection is closed")
        network = self._network
        if message["type"] == "websocket.close":
            self._leave(None)
            return
        if network.faults.strike("half_sent"):
            self._deaf = True
            network.at(network.loop.now + network.chance.uniform(0.0, 5.0), self.cut)
        await self._room.acquire()
        if not self._deaf and not self.closed:
            self._leave(message["text"])

    def _leave(self, packet: str | None) -> None:
        self._last_out = max(self._last_out, self._network.loop.now + self._network.way())
        self._going.append(packet)
        self._network.at(self._last_out, self._come)

    def _come(self) -> None:
        packet = self._going.popleft()
        if packet is None:
            self.cut()
        else:
            self._out.put_nowait(packet)
