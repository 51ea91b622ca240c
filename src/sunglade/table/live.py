"""A live connection: it says who it is and what it knows, then gets everything that happens and may command.

A connection is told the newest view together with all events it has not seen, so a slow one needs no queue of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from typing import Any, Final, Protocol

from sunglade.table.answers import joined, update
from sunglade.table.audience import Connection
from sunglade.table.house import House
from sunglade.table.inbox import Inbox
from sunglade.table.json_text import read_json
from sunglade.table.lobby import Lobby
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Hello, LiveCommand, LiveSay, LookIn, MyTables, Ping, read_hello, read_message
from sunglade.table.room import Room
from sunglade.table.talk import PAGE
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

# The codes of WebSockets' ends.
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

    def told(self) -> dict[str, Any]:
        """What `schema.Goodbye` tells."""
        told: dict[str, Any] = {"type": "goodbye", "error": self.problem.as_dict()}
        if "retry_after" in self.problem.more:
            told["retry_after"] = self.problem.more["retry_after"]
        return told


class Gone(Exception):
    """Whoever was connected is no longer there."""


class Wire(Protocol):
    """A way on which texts come and go: a WebSocket, or messages between a page and its worker."""

    async def receive(self) -> str:
        """The next text, or `Gone`."""

    async def send(self, text: str) -> None:
        """Hand a text over, or `Gone`."""

    def seated(self) -> None:
        """Who is connected holds a seat."""


class Live:
    """A connection that has been accepted."""

    def __init__(self, wire: Wire, house: House, client: str) -> None:
        self._wire = wire
        self._house = house
        self._registry = house.registry
        self._client = client
        self._name = f"{client} {next(_numbers)}"
        self._holder: str | None = None
        self._known = 0
        self._heard: int | None = None
        self._answers: list[bytes] = []
        self._answering = asyncio.Lock()
        self._news = asyncio.Event()
        self._refused = 0
        self._unwanted: ServerProblem | None = None
        self._own: dict[str, list[int]] | None = None
        self._presence: dict[str, Any] | None = None
        self._analysis: tuple[int, int] | None = None
        self._hindrance: ServerProblem | None = None

    async def run(self) -> None:
        """From hello to goodbye, which is told by an exception."""
        hello = await self._hello()
        if isinstance(hello, MyTables):
            await self._look_at_mine(hello)
        elif isinstance(hello, LookIn):
            await self._look_into(self._house.open_lobby(self._client))
        else:
            await self._sit_or_watch(hello)

    async def _sit_or_watch(self, hello: Hello) -> None:
        connection = Connection(self._holder, self._client, self._news.set, self._end, self._pass_on)
        room = await self._registry.room(hello.table)
        connection.holder = self._holder = await self._who(room, hello.token)
        room.join(connection)
        try:
            await self._welcome(room, hello.since, hello.heard)
            await until_one_ends(self._listen(room), self._tell(room))
        finally:
            room.part(connection)

    # All tables of somebody

    async def _look_at_mine(self, asked: MyTables) -> None:
        """Tell how somebody's tables stand, until the house closes."""
        self._house.limits.spend("heavy", self._client)
        inbox = Inbox(self, self._house, asked, self._registry.write)
        await until_one_ends(inbox.run(), self._until_closing())

    async def _until_closing(self) -> None:
        await self._house.stopping.wait()
        raise _closing()

    async def hear_pings(self) -> None:
        """Whoever looks at many tables has nothing else to say."""
        while True:
            text = await self._wire.receive()
            self._house.limits.spend("message", self._name)
            if self._parsed(text) != {"type": "ping"}:
                raise Goodbye(
                    ServerProblem("bad_request", "this connection only tells; commands need one of their own.")
                )
            await self.send(self._registry.write({"type": "pong"}))

    def _end(self, problem: ServerProblem) -> None:
        """Others come first, or the table is no more."""
        self._unwanted = problem
        self._news.set()

    # Hello

    async def _hello(self) -> Hello | MyTables | LookIn:
        """Wait for the first message."""
        try:
            async with asyncio.timeout(HELLO_S):
                return read_hello(self._parsed(await self._wire.receive()))
        except TimeoutError:
            problem = ServerProblem(
                "busy", "the first message did not come in time; connect again.", retry_after=RETRY_S
            )
            raise Goodbye(problem) from None

    async def _welcome(self, room: Room, known: int | None, heard: int | None) -> None:
        """Tell everything the client does not know; what was said comes after the rest."""
        since = room.table.seq if known is None else known
        await self._registry.keep_up(room, since)
        if self._holder is not None and not room.table.seats_of(self._holder):
            await self._registry.look_closer(room)  # it may have sat down with another process
        own = self._own_news(room)
        talk: dict[str, bool] = {}
        if heard is not None:
            talk = {"talk": self._house.has_talk(room)}
            if talk["talk"]:
                self._heard = heard
                await self._registry.talks.keep_up(room, heard)
        self._known, told = await update(
            self._registry.archive, room, since, type="welcome", now=time.time(), **own, **talk
        )
        await self.send(told)
        self._presence = room.presence()
        self._news.set()

    def _own_news(self, room: Room) -> dict[str, list[int]]:
        """Which seats are the client's, and which it may take again; nothing where it knows."""
        own = {"seats": room.table.seats_of(self._holder), "left": room.table.left_by(self._holder)}
        if own == self._own:
            return {}
        self._own = own
        if own["seats"]:
            self._wire.seated()
        return own

    async def _who(self, room: Room, token: str | None) -> str | None:
        if token is None:
            if not room.table.setup.spectators:
                raise ServerProblem("wrong_token", "this table is for its players only.")
            return None
        try:
            return await self._registry.holder(room, token)
        except ServerProblem:
            self._house.limits.spend("wrong", self._client)
            raise

    # What comes in

    async def _listen(self, room: Room | None) -> None:
        """Take messages of somebody at a table, or in the lobby."""
        while True:
            text = await self._wire.receive()
            identity: str | None = None
            try:
                self._house.limits.spend("message", self._name)
                parsed = self._parsed(text)
                if isinstance(parsed, dict) and isinstance(parsed.get("id"), str):
                    identity = parsed["id"][:64]
                message = read_message(parsed)
                if isinstance(message, Ping):
                    self._answer({"type": "pong", "now": time.time()})
                elif room is None:
                    raise ServerProblem("bad_request", "nothing can be done in the lobby but look.")
                elif isinstance(message, LiveSay):
                    async with self._answering:
                        await self._say(room, message)
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
        self._house.limits.spend("command", self._holder)
        seq = await self._registry.act(room, self._holder, message)
        self._answer({"type": "ack", "id": message.id, "acknowledged": seq})

    async def _say(self, room: Room, message: LiveSay) -> None:
        if self._holder is None:
            raise ServerProblem("wrong_token", "spectators only listen.")
        number = await self._house.said(room, self._holder, message)
        self._answer({"type": "said", "id": message.id, "number": number})

    def _refuse(self, identity: str | None, problem: ServerProblem) -> None:
        self._registry.metrics.count_refusal(problem.kind)
        if problem.kind in ("bad_json", "bad_request", "too_fast"):
            self._refused += 1
            if self._refused > MOST_REFUSED:
                raise Goodbye(ServerProblem("too_many", "too many messages that cannot be used."))
        self._answer({"type": "refused", "id": identity, "error": problem.as_dict()})

    def _parsed(self, text: str) -> Any:
        if len(text) > MOST_MESSAGE:
            raise ServerProblem("too_large", f"a message may have {MOST_MESSAGE} signs.")
        return read_json(text)

    # What goes out

    def _answer(self, told: dict[str, Any]) -> None:
        if len(self._answers) >= MOST_ANSWERS:
            raise Goodbye(ServerProblem("too_many", "answers are not taken."))
        self._answers.append(self._registry.write(told))
        self._news.set()

    def _pass_on(self, told: dict[str, Any]) -> None:
        """Tell something that nobody keeps; whoever takes no answers misses it."""
        if len(self._answers) < MOST_ANSWERS:
            self._answer(told)

    async def _tell(self, room: Room) -> None:
        """Send what is new, the newest view with it, whenever there is something."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._send_answers()
            presence = room.presence()
            if room.table.seq > self._known:
                self._known, told = await update(
                    self._registry.archive, room, self._known, type="update", **self._own_news(room)
                )
                self._presence = presence
                await self.send(told)
                if self._known < room.table.seq:
                    self._news.set()
            elif presence != self._presence:
                self._presence = presence
                await self.send(self._registry.write(presence))
            await self._tell_talk(room)
            await self._tell_analysis(room)
            await self._tell_hindrance(room)
            await self._go_if_told_to()

    async def _go_if_told_to(self) -> None:
        """Say goodbye where others come first, the table is no more, or the server ends."""
        if self._unwanted is not None:
            await self._send_last_answers()
            raise Goodbye(self._unwanted)
        if self._house.stopping.is_set():
            raise _closing()

    # The lobby

    async def _look_into(self, lobby: Lobby) -> None:
        """Tell what there is in the lobby, and whatever changes."""
        connection = Connection(None, self._client, self._news.set, self._end)
        lobby.join(connection)
        try:
            await lobby.view()
            self._news.set()
            await until_one_ends(self._listen(None), self._tell_lobby(lobby))
        finally:
            lobby.part(connection)

    async def _tell_lobby(self, lobby: Lobby) -> None:
        known = b""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._send_answers()
            if lobby.told is not known:
                known = lobby.told
                await self.send(known)
            await self._go_if_told_to()

    async def _send_answers(self) -> None:
        answers, self._answers = self._answers, []
        for answer in answers:
            await self.send(answer)

    async def _send_last_answers(self) -> None:
        """Who has to go hears first what became of the last command."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_S), self._answering:
                pass
        await self._send_answers()

    async def _tell_talk(self, room: Room) -> None:
        """What was said since, in order, a part at a time."""
        while self._heard is not None and room.talk.last > self._heard:
            reached, said = room.talk.since(self._heard, PAGE)
            await self.send(joined(self._registry.write, {"type": "talk"}, said=said))
            self._heard = reached

    async def _tell_analysis(self, room: Room) -> None:
        progress = room.analysis_progress
        if progress is not None and progress != self._analysis:
            self._analysis = progress
            await self.send(self._registry.write({"type": "analysis", "done": progress[0], "total": progress[1]}))

    async def _tell_hindrance(self, room: Room) -> None:
        """Why nobody acts, where people can mend it; nobody's command was refused."""
        if room.hindrance is not self._hindrance:
            self._hindrance = room.hindrance
            if self._hindrance is not None:
                told = {"type": "refused", "id": None, "error": self._hindrance.as_dict()}
                await self.send(self._registry.write(told))

    async def send(self, told: bytes) -> None:
        """Hand a message over; whoever does not take it is let go."""
        try:
            async with asyncio.timeout(SEND_S):
                await self._wire.send(told.decode())
        except TimeoutError:
            raise Goodbye(ServerProblem("too_many", "messages are not taken.")) from None


def _closing() -> Goodbye:
    problem = ServerProblem("shutting_down", "the server is shutting down.", retry_after=1.0)
    return Goodbye(problem, GOING_AWAY)
