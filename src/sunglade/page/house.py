"""The tables of one page: requests and live connections as the server's API has them, without HTTP or WebSockets.

What only a device of one's own has: all its tables are listed at `GET /tables`, `GET /statistics` counts them,
`DELETE /tables/TABLE` deletes one, `POST /tables/TABLE/seat` gives its owner a seat again, `GET /store` tells all
tables as a file, and `POST /store` takes those of such a file.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from sunglade import bots
from sunglade.errors import SungladeError
from sunglade.page.queries import Query
from sunglade.page.tables_file import as_file, by_table, read_file
from sunglade.table.analysis import Analyses
from sunglade.table.answers import Answer
from sunglade.table.autoplay import Autoplay
from sunglade.table.house import MOST_FRAMES, MOST_LINE, MOST_QUESTIONS, MOST_WAIT_S, House
from sunglade.table.json_text import plain_json, read_json
from sunglade.table.live import GOING_AWAY, Gone, Goodbye, Live
from sunglade.table.problems import ServerProblem, no_such_table, problem_of
from sunglade.table.requests import (
    AnalysisRequest,
    BetterRequest,
    Claim,
    Command,
    CreateTable,
    HintRequest,
    Invited,
    Join,
    Mine,
    PuzzleAnswer,
    Upload,
    WhatIf,
    WhatIfAfter,
    WhatIfAnimal,
    WhatIfWhy,
)
from sunglade.table.shapes import ObjectOf
from sunglade.table.table_log import TableLog, new_holder_row
from sunglade.table.table_registry import TableRegistry
from sunglade.table.thinking import Thinkers
from sunglade.table.tokens import new_token
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import STOP_S, end

MOST_ROOMS: Final = 50
COUNTED_AT_ONCE: Final = 20
"""Games that statistics are made of at a time."""
CLIENT: Final = "this device"
NORMAL: Final = 1000
"""The code of a connection that ended because its client closed it."""

T = TypeVar("T")
log = logging.getLogger("sunglade.server")


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly bots play."""

    turn_ms: int = 3000
    bot_pace_s: float = 0.2


class DeviceLog(TableLog, Protocol):
    """A log that can tell of all its tables: they are the owner's of the device."""

    async def names(self) -> list[str]:
        """The tables that are there."""

    async def texts(self) -> Mapping[str, str]:
        """Everything that is kept."""

    async def bring_in(self, name: str, texts: Mapping[str, str]) -> bool:
        """Keep a table from elsewhere; whether it can be read."""


class PageHouse:
    """Everything a page asks of its own tables. `tables` keeps them, `thinkers` think for bots and hints.

    `offered` are the bots that may be asked to sit down.
    """

    def __init__(
        self,
        tables: DeviceLog,
        thinkers: Thinkers,
        pace: Pace = Pace(),  # noqa: B008 - it is frozen
        offered: Sequence[str] = tuple(bots.names()),
    ) -> None:
        self._log = tables
        self._registry = TableRegistry(tables, _Uncounted(), offered, MOST_ROOMS, shared=False)
        self._analyses = Analyses(thinkers, self._registry)
        self._players = Autoplay(self._registry, thinkers, pace, CLIENT)
        self._house = House(self._registry, thinkers, self._analyses, _Unlimited(), _at_once, talk=False)
        self._connections: dict[asyncio.Task[None], None] = {}

    async def start(self) -> None:
        """Let bots play, also those whose turn it was when the page was left."""
        self._players.start()

    async def stop(self) -> None:
        """Close in good order: what is under way is kept."""
        self._house.stopping.set()
        for room in self._registry.rooms.values():
            room.wake_all()
        await self._players.stop()
        await self._analyses.stop()
        await self._registry.finish(STOP_S)
        await end(list(self._connections))
        await self._log.close()

    # Requests

    async def request(
        self, method: str, path: str, query: Sequence[tuple[str, str]] = (), token: str | None = None, body: str = ""
    ) -> tuple[int, bytes]:
        """The status and the JSON that a server would answer to a request under `/api/`."""
        try:
            status, answer = await self._answered(method, path.strip("/").split("/"), Query(query), token, body)
            return status, answer if isinstance(answer, bytes) else b"".join([part async for part in answer])
        except (ServerProblem, SungladeError, DatabaseTrouble) as error:
            problem = _problem(error)
        except Exception:
            log.exception("request failed", extra={"path": path})
            problem = ServerProblem("internal", "something went wrong here; it has been logged.")
        return problem.status, plain_json({"error": problem.as_dict()})

    async def _answered(
        self, method: str, path: list[str], query: Query, token: str | None, body: str
    ) -> tuple[int, Answer]:
        house = self._house
        match method, *path:
            case "GET", "meta":
                return 200, plain_json(house.meta())
            case "GET", "tables":
                return 200, await self._all_tables()
            case "POST", "tables":
                return 201, await house.create(_read(CreateTable, body), CLIENT)
            case "GET", "statistics":
                return 200, await self._statistics(query.whole("from", 0, 2**53, 0))
            case "GET", "store":
                return 200, plain_json(as_file(await self._log.texts()))
            case "POST", "store":
                return 200, await self._bring_in(read_file(read_json(body)))
            case "POST", "mine":
                return 200, await house.mine(_read(Mine, body), CLIENT)
            case "POST", "games":
                return 201, await house.upload(_read(Upload, body), CLIENT)
            case "GET", "puzzles":
                return 200, house.puzzles(query.line("day", 10))
            case method, "puzzles", number if re.fullmatch("[1-9][0-9]{0,3}", number):
                if method == "GET":
                    return 200, house.puzzle(int(number))
                return 200, await house.judge_puzzle(int(number), _read(PuzzleAnswer, body), CLIENT)
            case "POST", "whatif", *rest:
                return 200, await self._what_if(rest, body)
            case _, "tables", table, *rest:
                return 200, await self._of_table(method, table, rest, query, token, body)
        raise _unknown_page()

    async def _what_if(self, rest: list[str], body: str) -> bytes:
        match rest:
            case []:
                return await self._house.what_if(_read(WhatIf, body), CLIENT)
            case ["why"]:
                return await self._house.what_if_why(_read(WhatIfWhy, body), CLIENT)
            case ["after"]:
                return await self._house.what_if_after(_read(WhatIfAfter, body), CLIENT)
            case ["hint"]:
                return await self._house.what_if_hint(_read(WhatIf, body), CLIENT)
            case ["animal"]:
                return await self._house.what_if_animal(_read(WhatIfAnimal, body), CLIENT)
            case ["turn"]:
                return await self._house.what_if_turn(_read(WhatIf, body), CLIENT)
        raise _unknown_page()

    async def _of_table(
        self, method: str, table: str, rest: list[str], query: Query, token: str | None, body: str
    ) -> Answer:
        house, who = self._house, (token, CLIENT)
        match method, *rest:
            case ("GET",):
                return await house.look(
                    table, *who, query.whole("since", 0, 2**53, 0), query.seconds("wait", MOST_WAIT_S)
                )
            case ("DELETE",):
                return await self._delete(table)
            case "POST", "seat":
                return await self._seat_of_owner(table)
            case "GET", "events":
                return await house.events(table, *who, query.whole("since", 0, 2**53, 0))
            case "POST", "commands":
                return await house.command(table, _read(Command, body), *who)
            case "POST", "join":
                return await house.join(table, _read(Join, body), *who)
            case "POST", "invitation":
                return await house.invitation(table, _read(Invited, body), CLIENT)
            case "POST", "invite":
                return await house.invite(table, *who)
            case "POST", "seats", ("0" | "1" | "2" | "3") as seat, "move":
                return await house.move_seat(table, int(seat), *who)
            case "POST", "claim":
                return await house.claim(table, _read(Claim, body), *who)
            case "POST", "rematch":
                return await house.rematch(table, *who)
            case "GET", "why":
                return await house.why(table, *who, query.lines("action", MOST_QUESTIONS))
            case "GET", "seats", ("0" | "1" | "2" | "3") as seat, "animal":
                return await house.animal(table, int(seat), *who)
            case "GET", "after":
                return await house.after(table, *who, query.line("action", MOST_LINE))
            case "POST", "hint":
                return await house.hint(table, _read(HintRequest, body), *who)
            case "POST", "turn":
                return await house.judge_turn(table, *who)
            case "GET", "game":
                return await house.download(table, *who)
            case "GET", "replay":
                most = MOST_FRAMES
                return await house.replay(
                    table, *who, query.whole("first", 0, 100_000, 0), query.whole("count", 1, most, most)
                )
            case "POST", "analysis":
                return await house.analyse(table, _read(AnalysisRequest, body), *who)
            case "GET", "analysis":
                return await house.analysis(table, *who)
            case "GET", "review":
                return await house.review(table, *who)
            case "POST", "better":
                return await house.better(table, _read(BetterRequest, body), *who)
        raise _unknown_page()

    async def _all_tables(self) -> bytes:
        """The tables of this device, those that changed last first, with the room that each takes."""
        found = []
        sizes = {name: sum(map(len, texts.values())) for name, texts in by_table(await self._log.texts()).items()}
        for name in await self._log.names():
            try:
                room = await self._registry.room(name)
            except ServerProblem as problem:
                found.append({"table": name, "size": sizes.get(name, 0), "changed": 0.0, "error": problem.as_dict()})
            else:
                mine = [seat for seat, chair in enumerate(room.table.chairs) if chair.kind == "person"]
                left = [seat for seat, chair in enumerate(room.table.chairs) if chair.former is not None]
                more = {"seats": room.seats_view(), "mine": mine, "left": left, "size": sizes.get(name, 0)}
                found.append(room.table.summary() | more)
        return plain_json({"tables": sorted(found, key=lambda table: -table["changed"])})

    async def _statistics(self, first: int) -> bytes:
        """What some of this device's games come to, those that changed last first; `next` is the `from` of others."""
        changed = {name: await self._changed(name) for name in await self._log.names()}
        names = sorted(changed, key=lambda name: (-changed[name], name))
        last = first + COUNTED_AT_ONCE
        counted = await self._house.people.counting.of((name, None) for name in names[first:last])
        return plain_json({**counted, "next": str(last) if last < len(names) else None})

    async def _changed(self, name: str) -> float:
        """When something happened at a table last; long ago where it cannot be read."""
        try:
            return (await self._registry.room(name)).table.changed
        except ServerProblem:
            return 0.0

    async def _delete(self, table: str) -> bytes:
        if not await self._log.delete_table(table):
            raise no_such_table()
        self._registry.close(table)
        return plain_json({"deleted": table})

    async def _bring_in(self, tables: Mapping[str, Mapping[str, str]]) -> bytes:
        """Tables that are here already stay as they are, those that cannot be read are left out."""
        known = set(await self._log.names())
        brought = [name for name in tables if name not in known and await self._log.bring_in(name, tables[name])]
        unreadable = len(tables) - len(brought) - len(known & set(tables))
        return plain_json({"brought": brought, "known": len(known & set(tables)), "unreadable": unreadable})

    async def _seat_of_owner(self, table: str) -> bytes:
        """A new secret for the person at a table, who has lost theirs: whoever has the device has its tables."""
        room = await self._registry.room(table)
        here = [chair.holder for chair in room.table.chairs if chair.kind == "person"]
        holder = next(filter(None, (*here, *(chair.former for chair in room.table.chairs))), None)
        if holder is None:
            raise ServerProblem("wrong_token", "nobody sits at this table.")
        token = new_token()
        await self._log.add_holder(new_holder_row(table, holder, token))
        return plain_json({"table": table, "token": token})

    # Live

    def connect(self, send: Callable[[str], None], closed: Callable[[int, str], None]) -> Connection:
        """A live connection: `send` is called with each message for the client, `closed` once, with a code and why."""
        connection = Connection(send)
        task = asyncio.create_task(self._serve(connection, closed))
        self._connections[task] = None
        task.add_done_callback(self._connections.pop)
        return connection

    async def _serve(self, connection: Connection, closed: Callable[[int, str], None]) -> None:
        code, reason = GOING_AWAY, "shutting_down"
        try:
            await Live(connection, self._house, CLIENT).run()
        except Gone:
            code, reason = NORMAL, ""
        except (Goodbye, ServerProblem, SungladeError, DatabaseTrouble) as error:
            goodbye = error if isinstance(error, Goodbye) else Goodbye(_problem(error))
            code, reason = goodbye.code, goodbye.problem.kind
            await connection.send(plain_json(goodbye.told()).decode())
        finally:
            closed(code, reason)


class Connection:
    """What a page has of a WebSocket (`sunglade.table.live.Wire`)."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._come: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str) -> None:
        """The client says something."""
        self._come.put_nowait(text)

    def close(self) -> None:
        """The client goes."""
        self._come.put_nowait(None)

    async def receive(self) -> str:
        """The next text of the client."""
        text = await self._come.get()
        if text is None:
            raise Gone
        return text

    async def send(self, text: str) -> None:
        """Hand a text to the client."""
        self._send(text)

    def seated(self) -> None:
        """Nobody has to make place for anybody here."""


class _Uncounted:
    """Nobody counts what happens in a page."""

    def count_rooms(self, rooms: int) -> None: ...

    def count_event(self, kind: str) -> None: ...

    def count_commit(self, seconds: float) -> None: ...

    def count_refusal(self, kind: str) -> None: ...


class _Unlimited:
    """Who plays on their own device may ask as often as they like."""

    def spend(self, what: str, client: str, count: float = 1.0) -> None: ...


async def _at_once(work: Callable[..., T], *given: Any) -> T:
    """A page has no threads: what takes long is done here."""
    return work(*given)


def _read(kind: type[T], body: str) -> T:
    if not body:
        raise ServerProblem("bad_request", "body: Field required")
    return ObjectOf(kind).read(read_json(body), "body")


def _problem(error: ServerProblem | SungladeError | DatabaseTrouble) -> ServerProblem:
    if isinstance(error, DatabaseTrouble):
        log_trouble(error)
        return error.problem
    return problem_of(error) if isinstance(error, SungladeError) else error


def _unknown_page() -> ServerProblem:
    return ServerProblem("unknown_page", "there is no such page here.")
