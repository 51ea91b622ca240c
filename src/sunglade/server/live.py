"""The WebSocket as a way for live connections (`sunglade.table.live`)."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import WebSocket, WebSocketDisconnect
from pydantic_core import to_json

from sunglade.server.connections import Connections
from sunglade.server.limits import client_key
from sunglade.server.service import Service
from sunglade.table.live import Gone, Goodbye, Live
from sunglade.table.problems import ServerProblem
from sunglade.table.trouble import DatabaseTrouble, log_trouble


async def serve(socket: WebSocket, service: Service) -> None:
    """One connection, from hello to goodbye."""
    await socket.accept()
    service.metrics.connections.inc()
    try:
        client = client_key(socket.client.host if socket.client else None)
        await Live(SocketWire(socket, service.connections), service.house, client).run()
    except Goodbye as goodbye:
        await _say_goodbye(socket, service, goodbye)
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
        await _say_goodbye(socket, service, Goodbye(trouble.problem))
    except ServerProblem as problem:
        await _say_goodbye(socket, service, Goodbye(problem))
    except Gone:
        pass
    finally:
        service.metrics.connections.dec()


async def _say_goodbye(socket: WebSocket, service: Service, goodbye: Goodbye) -> None:
    service.metrics.count_refusal(goodbye.problem.kind)
    with contextlib.suppress(Exception):
        async with asyncio.timeout(2):
            await socket.send_text(to_json(goodbye.told()).decode())
            await socket.close(goodbye.code, goodbye.problem.kind)


class SocketWire:
    """Texts over a WebSocket."""

    def __init__(self, socket: WebSocket, connections: Connections) -> None:
        self._socket = socket
        self._connections = connections

    async def receive(self) -> str:
        """The next text; bytes are taken for one."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        text = message.get("text")
        if text is None:
            text = (message.get("bytes") or b"").decode("utf-8", errors="replace")
        return str(text)

    async def send(self, text: str) -> None:
        """Send a text."""
        try:
            await self._socket.send_text(text)
        except (RuntimeError, WebSocketDisconnect):  # closed meanwhile
            raise Gone from None

    def seated(self) -> None:
        """Connections of those who hold seats come before others."""
        if "place" in self._socket.scope:
            self._connections.seat(self._socket.scope["place"])
