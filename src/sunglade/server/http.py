"""HTTP connections with patience that ends: a request line and its headers must come within a few seconds."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADERS_S: Final = 10.0


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which would wait for headers for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Somebody connected: the first request must follow."""
        super().connection_made(transport)
        self._expect()

    def on_message_begin(self) -> None:
        """A request begins: its headers must follow."""
        super().on_message_begin()
        self._expect()

    def on_headers_complete(self) -> None:
        """They came."""
        self._relax()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._relax()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._relax()
        self._deadline = self.loop.call_later(HEADERS_S, self._give_up)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()
