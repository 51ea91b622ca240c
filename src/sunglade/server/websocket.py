"""WebSocket connections that take turns: a handful of bytes may hold hundreds of frames, each of which costs time."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final

from pydantic_core import to_json
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from sunglade.server.connections import Connections
from sunglade.table.problems import ServerProblem

AT_ONCE: Final = 2048
"""Bytes that are taken to pieces before others have their turn: two or three milliseconds, if all are empty frames."""
MOST_FRAMES: Final = 1000
"""Frames that are no messages: pings, pongs, pieces. More come in time:"""
FRAMES_A_SECOND: Final = 20
MOST_UNTAKEN: Final = 1024 * 1024
"""Bytes of answers to pings that wait to be sent."""
TRY_LATER: Final = 1013


class PatientSocket(WebSocketsSansIOProtocol):
    """A connection whose patience ends."""

    places: ClassVar[Connections]

    _waiting = b""
    _next: asyncio.Handle | None = None
    _frames = 0

    def connection_made(self, transport: Any) -> None:
        """A request became a WebSocket."""
        super().connection_made(transport)
        self._began = self.loop.time()
        self._place = self.places.change(transport, self._end)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._waiting = b""
        self.places.leave(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()  # it holds what holds it, and only a search for garbage would find them

    async def run_asgi(self) -> None:
        """Hand the connection to the application, with its place."""
        self.scope["place"] = self._place  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()

    # What comes

    def data_received(self, data: bytes) -> None:
        """Take some of it, and the rest in turn."""
        self._waiting += data
        self._go_on()

    async def receive(self) -> Any:
        """A message for the application; then there is room for the next."""
        message = await super().receive()
        self._go_on()
        return message

    def _go_on(self) -> None:
        if self._waiting and self._next is None and not self.read_paused:
            self._next = self.loop.call_soon(self._take)

    def _take(self) -> None:
        self._next = None
        piece, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        if self.transport.is_closing():
            return
        super().data_received(piece)
        if self._waiting:
            self.transport.pause_reading()
            self._go_on()
        elif not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        """Answered, within reason."""
        self._count()
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNTAKEN:
            self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        """An answer to our ping, or to nothing."""
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """A piece of a message."""
        self._count()
        super().handle_cont(event)

    def _count(self) -> None:
        self._frames += 1
        if self._frames > MOST_FRAMES + FRAMES_A_SECOND * (self.loop.time() - self._began):
            self.transport.abort()

    # What goes

    def _end(self, problem: ServerProblem) -> None:
        """Make space for others, at once; say why, if that holds nothing up."""
        if self.transport.get_write_buffer_size() or not self.handshake_complete:
            self.transport.abort()
        elif not self.close_sent and not self.transport.is_closing():
            told = {"type": "goodbye", "error": problem.as_dict(), "retry_after": problem.more.get("retry_after", 1.0)}
            self.conn.send_text(to_json(told))
            self.conn.send_close(TRY_LATER, problem.kind)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": TRY_LATER, "reason": problem.kind})
            self.transport.close()
