"""HTTP connections with limits: how long headers may be and may take, how much may come before it is answered.

uvicorn's own protocol would wait for headers for ever and gather any number of them; a header that grows and grows is
copied whole with every piece that comes.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from sunglade.server.connections import Connections
from sunglade.table.problems import ServerProblem

HEADERS_S: Final = 10.0
"""A request line and its headers must have come within this time."""
TAKEN_S: Final = 30.0
"""Who takes nothing of an answer for so long is let go."""
MOST_HEAD: Final = 16 * 1024
"""Bytes of a request line with its headers."""
MOST_HEADERS: Final = 100
MOST_WRAPPING: Final = 64 * 1024
"""Bytes around a body: the sizes of its pieces, and headers behind it."""
MOST_PIECES: Final = 2048
"""Pieces of a body that comes in pieces."""
MOST_AHEAD: Final = 16
"""Requests sent before the first of them was answered."""


class TooMuch(Exception):
    """The parser is to stop: there is more of something than anybody needs."""


class PatientProtocol(HttpToolsProtocol):
    """A connection whose patience ends."""

    places: ClassVar[Connections]

    _deadline: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0
    _wrapping = 0
    _pieces = 0
    _refusal: ServerProblem | None = None
    _answering: Any = None

    def connection_made(self, transport: Any) -> None:
        """Somebody connected: the first request must follow."""
        super().connection_made(transport)
        self._place = self.places.enter(transport, self.client[0] if self.client else None, self._end)
        self._expect(HEADERS_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._abandon()
        self.places.leave(self.transport)
        super().connection_lost(exc)

    # What comes

    def data_received(self, data: bytes) -> None:
        """Let the parser have it, of headers never more than they may have."""
        while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
            if self._in_head:
                piece, data = data[: MOST_HEAD - self._head], data[MOST_HEAD - self._head :]
                self._head += len(piece)
            else:
                piece, data = data, b""
                self._wrapping += len(piece)
            super().data_received(piece)
            if self._in_head and self._head >= MOST_HEAD:
                self._refuse(f"a request line with its headers may have {MOST_HEAD} bytes.")
            elif self._wrapping > MOST_WRAPPING:
                self._refuse(f"there may be {MOST_WRAPPING} bytes around a body.")

    def on_message_begin(self) -> None:
        """A request begins: its headers must follow."""
        if len(self.pipeline) >= MOST_AHEAD:
            raise TooMuch
        super().on_message_begin()
        self.scope["place"] = self._place  # type: ignore[typeddict-unknown-key]
        self._expect(HEADERS_S)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, before a body or behind it."""
        if len(self.headers) >= MOST_HEADERS:
            self._refusal = ServerProblem("too_large", f"a request may have {MOST_HEADERS} headers.")
            raise TooMuch
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """They came."""
        self._relax()
        self._in_head, self._wrapping, self._pieces = False, 0, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._wrapping -= len(body)
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            raise TooMuch
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; what follows is the next one."""
        self._in_head, self._head = True, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Another protocol goes on with the connection; the parser lets go of this one."""
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    # What goes

    def pause_writing(self) -> None:
        """The answer is not taken as fast as it is made."""
        self._expect(TAKEN_S)
        super().pause_writing()

    def resume_writing(self) -> None:
        """It is taken."""
        self._relax()
        super().resume_writing()

    def _refuse(self, sentence: str) -> None:
        self._refusal = ServerProblem("too_large", sentence)
        self.send_400_response(sentence)

    def send_400_response(self, msg: str) -> None:
        """Say what was wrong, unless an answer is under way, and end the connection."""
        if not self.transport.is_closing():
            under_way = self._answering
            if under_way is None or under_way.response_complete or not under_way.response_started:
                problem = self._refusal or ServerProblem("bad_request", "this is not a request as HTTP has them.")
                self.transport.write(_answer(problem, 400 if self._refusal is None else 431))
            self._abandon()
            self.transport.close()

    def _end(self, problem: ServerProblem) -> None:
        """Make space for others, at once; say why, if that holds nothing up."""
        idle = self._answering is None or self._answering.response_complete
        self._abandon()
        if not idle or self.transport.get_write_buffer_size():
            self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.write(_answer(problem, problem.status))
            self.transport.close()

    def _abandon(self) -> None:
        """What is being answered is answered to nobody."""
        self._relax()
        self.pipeline.clear()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()

    # Patience

    def _expect(self, seconds: float) -> None:
        self._relax()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self._abandon()
            self.transport.abort()


def _answer(problem: ServerProblem, status: int) -> bytes:
    """An answer to what is no request yet."""
    body = to_json({"error": problem.as_dict()})
    lines = [b"content-type: application/json", b"content-length: %d" % len(body), b"connection: close", b"", body]
    return STATUS_LINE[status] + b"\r\n".join(lines)
