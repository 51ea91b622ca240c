"""The WebSocket: a connection says who it is and what it knows, then gets everything that happens and may command.

A connection is told the newest view together with all events it has not seen, so a slow one needs no queue of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import Any, Final

from fastapi import WebSocket, WebSocketDisconnect
from pydantic_core import to_json

from sunglade.server.answers import update
from sunglade.server.limits import client_key
from sunglade.server.service import Service
from sunglade.table.audience import Connection
from sunglade.table.json_text import read_json
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Hello, LiveCommand, Ping, read_hello, read_message
from sunglade.table.room import Room
from sunglade.table.trouble import RETRY_S, DatabaseTrouble, log_trouble
from sunglade.table.work import until_one_ends

HELLO_S: Final = 10.0
SEND_S: Final = 30.0
"""Who does not take a message within this time is let go."""
LAST_S: Final = 2.0
"""So long the end of a connection waits for the answer to its last command."""
MOST_MESSAGE: Final = 16 * 1024
MOST_REFUSED: Final = 200
"""Bad messages one connection may send."""
MOST_ANSWERS: Final = 200
"""Acknowledgements and refusals that wait to be sent."""

GOING_AWAY: Final = 1001
POLICY: Final = 1008
TRY_LATER: Final = 1013

_numbers = itertools.count()


class Goodbye(Exception):
    """The connection is to be ended: for good, or until later where the problem says when."""

    def __init__(self, problem: ServerProblem, code: int | None = None) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.code = code or (TRY_LATER if "retry_after" in problem.more else POLICY)


async def serve(socket: WebSocket, service: Service) -> None:
    """One connection, from hello to goodbye."""
    await socket.accept()
    service.metrics.connections.inc()
    try:
        client = client_key(socket.client.host if socket.client else None)
        await _Live(socket, service, client).run()
    except Goodbye as goodbye:
        await _say_goodbye(socket, service, goodbye)
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
        await _say_goodbye(socket, service, Goodbye(trouble.problem))
    except ServerProblem as problem:
        await _say_goodbye(socket, service, Goodbye(problem))
    except WebSocketDisconnect:
        pass
    finally:
        service.metrics.connections.dec()


async def _say_goodbye(socket: WebSocket, service: Service, goodbye: Goodbye) -> None:
    service.metrics.refusals.labels(goodbye.problem.kind).inc()
    told: dict[str, Any] = {"type": "goodbye", "error": goodbye.problem.as_dict()}
    if "retry_after" in goodbye.problem.more:
        told["retry_after"] = goodbye.problem.more["retry_after"]
    with contextlib.suppress(Exception):
        async with asyncio.timeout(2):
            await socket.send_text(to_json(told).decode())
            await socket.close(goodbye.code, goodbye.problem.kind)


class _Live:
    """A connection that has been accepted."""

    def __init__(self, socket: WebSocket, service: Service, client: str) -> None:
        self._socket = socket
        self._service = service
        self._client = client
        self._name = f"{client} {next(_numbers)}"
        self._holder: str | None = None
        self._known = 0
        self._answers: list[bytes] = []
        self._answering = asyncio.Lock()
        self._news = asyncio.Event()
        self._refused = 0
        self._unwanted: ServerProblem | None = None
        self._presence: dict[str, Any] | None = None
        self._analysis: tuple[int, int] | None = None

    async def run(self) -> None:
        hello = await self._hello()
        connection = Connection(self._holder, self._client, self._news.set, self._end)
        room = await self._service.registry.room(hello.table)
        connection.holder = self._holder = await self._who(room, hello.token)
        room.join(connection)
        try:
            await self._welcome(room, hello.since)
            await until_one_ends(self._listen(room), self._tell(room))
        finally:
            room.part(connection)

    def _end(self, problem: ServerProblem) -> None:
        """Others come first, or the table is no more."""
        self._unwanted = problem
        self._news.set()

    # Hello

    async def _hello(self) -> Hello:
        """Wait for the first message."""
        try:
            async with asyncio.timeout(HELLO_S):
                return read_hello(self._parsed(await self._receive()))
        except TimeoutError:
            problem = ServerProblem(
                "busy", "the first message did not come in time; connect again.", retry_after=RETRY_S
            )
            raise Goodbye(problem) from None

    async def _welcome(self, room: Room, known: int | None) -> None:
        """Tell everything the client does not know."""
        since = room.table.seq if known is None else known
        await self._service.registry.keep_up(room, since)
        if self._holder is not None and not room.table.seats_of(self._holder):
            await self._service.registry.look_closer(room)  # it may have sat down with another process
        seats = room.table.seats_of(self._holder)
        if seats and "place" in self._socket.scope:
            self._service.connections.seat(self._socket.scope["place"])
        self._known, told = await update(self._service.registry.archive, room, since, type="welcome", seats=seats)
        await self._send(told)
        self._presence = room.presence()
        self._news.set()

    async def _who(self, room: Room, token: str | None) -> str | None:
        if token is None:
            if not room.table.setup.spectators:
                raise ServerProblem("wrong_token", "this table is for its players only.")
            return None
        try:
            return await self._service.registry.holder(room, token)
        except ServerProblem:
            self._service.limits.spend("wrong", self._client)
            raise

    # What comes in

    async def _listen(self, room: Room) -> None:
        while True:
            text = await self._receive()
            identity: str | None = None
            try:
                self._service.limits.spend("message", self._name)
                parsed = self._parsed(text)
                if isinstance(parsed, dict) and isinstance(parsed.get("id"), str):
                    identity = parsed["id"][:64]
                message = read_message(parsed)
                if isinstance(message, Ping):
                    self._answer({"type": "pong"})
                else:
                    async with self._answering:
                        await self._command(room, message)
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
                self._refuse(identity, trouble.problem)
            except ServerProblem as problem:
                self._refuse(identity, problem)

    async def _command(self, room: Room, message: LiveCommand) -> None:
        if self._holder is None:
            raise ServerProblem("wrong_token", "spectators cannot play.")
        self._service.limits.spend("command", self._holder)
        seq = await self._service.registry.act(room, self._holder, message)
        self._answer({"type": "ack", "id": message.id, "acknowledged": seq})

    def _refuse(self, identity: str | None, problem: ServerProblem) -> None:
        self._service.metrics.refusals.labels(problem.kind).inc()
        if problem.kind in ("bad_json", "bad_request", "too_fast"):
            self._refused += 1
            if self._refused > MOST_REFUSED:
                raise Goodbye(ServerProblem("too_many", "too many messages that cannot be used."))
        self._answer({"type": "refused", "id": identity, "error": problem.as_dict()})

    async def _receive(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            text = (message.get("bytes") or b"").decode("utf-8", errors="replace")
        return str(text)

    def _parsed(self, text: str) -> Any:
        if len(text) > MOST_MESSAGE:
            raise ServerProblem("too_large", f"a message may have {MOST_MESSAGE} signs.")
        return read_json(text)

    # What goes out

    def _answer(self, told: dict[str, Any]) -> None:
        if len(self._answers) >= MOST_ANSWERS:
            raise Goodbye(ServerProblem("too_many", "answers are not taken."))
        self._answers.append(to_json(told))
        self._news.set()

    async def _tell(self, room: Room) -> None:
        """Send what is new, the newest view with it, whenever there is something."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._send_answers()
            presence = room.presence()
            if room.table.seq > self._known:
                self._known, told = await update(self._service.registry.archive, room, self._known, type="update")
                self._presence = presence
                await self._send(told)
                if self._known < room.table.seq:
                    self._news.set()
            elif presence != self._presence:
                self._presence = presence
                await self._send(to_json(presence))
            await self._tell_analysis(room)
            if self._unwanted is not None:
                await self._send_last_answers()
                raise Goodbye(self._unwanted)
            if self._service.stopping.is_set():
                problem = ServerProblem("shutting_down", "the server is shutting down.", retry_after=1.0)
                raise Goodbye(problem, GOING_AWAY)

    async def _send_answers(self) -> None:
        answers, self._answers = self._answers, []
        for answer in answers:
            await self._send(answer)

    async def _send_last_answers(self) -> None:
        """Who has to go hears first what became of the last command."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_S), self._answering:
                pass
        await self._send_answers()

    async def _tell_analysis(self, room: Room) -> None:
        progress = room.analysis_progress
        if progress is not None and progress != self._analysis:
            self._analysis = progress
            await self._send(to_json({"type": "analysis", "done": progress[0], "total": progress[1]}))

    async def _send(self, told: bytes) -> None:
        try:
            async with asyncio.timeout(SEND_S):
                await self._socket.send_text(told.decode())
        except TimeoutError:
            raise Goodbye(ServerProblem("too_many", "messages are not taken.")) from None
        except RuntimeError:  # closed meanwhile
            raise WebSocketDisconnect(1006) from None
