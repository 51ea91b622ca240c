"""Tables, their logs and who holds seats in SQL: one set of statements for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar

import asyncpg
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from sunglade.server.asking import asking
from sunglade.server.people_sql import PeopleInSql
from sunglade.server.sql_schema import (
    LOGGED,
    NOW,
    PADDING,
    clock,
    codes,
    events,
    free_tables,
    holders,
    notice_targets,
    tables,
    talk,
    trials,
)
from sunglade.table.forgetting import Rewritten
from sunglade.table.saying import MOST_KEPT, Saying
from sunglade.table.table import Event
from sunglade.table.table_log import REPEATED, Also, Append, Founding, Holder, SeatCode, SpentCode
from sunglade.table.trouble import LIMIT_S

CONNECT_S: Final = 5.0
"""So long a connection to the database may take, or be waited for."""
ALIVE_S: Final = 30.0
"""How often a connection that hears nothing is asked whether it is still there."""

T = TypeVar("T")


class Database(PeopleInSql):
    """A `TableLog`: what the server asks its database."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.kind = self.url.get_backend_name()
        self.shared = self.kind == "postgresql"
        self.engine: AsyncEngine = _engine(self.url)
        self._insert: Any = sqlite.insert if self.kind == "sqlite" else postgresql.insert
        self._writer = _Writer(self.url) if self.kind == "sqlite" else None

    async def close(self) -> None:
        """Let go of all connections."""
        if self._writer is not None:
            await asyncio.to_thread(self._writer.close)
        await self.engine.dispose()

    # Logs

    async def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events in one transaction; for each whether it was added. One that was not has met another event.

        In the order of the tables' names, so that two processes never wait for each other.
        """
        order = sorted(batch, key=lambda wanted: wanted.table)
        accepted = await self.write(self._add, order)
        added = {id(wanted) for wanted in accepted}
        return [id(wanted) in added for wanted in batch]

    async def write(self, what: Callable[..., T], *given: Any) -> T:
        """Do something to the logs in a transaction."""
        async with asking():
            if self._writer is not None:
                return await self._writer.work(what, *given)
            async with self.engine.begin() as connection:
                return await connection.run_sync(what, *given)

    def _add(self, connection: sa.Connection, order: list[Append]) -> list[Append]:
        """Add events; those that found their place. A place has one event, also when two of a batch want it.

        A table that is deleted meanwhile has no place: who changes its row waits for the deletion, and finds none.
        """
        accepted = _placed(connection, order) if self.shared else _placed_one_by_one(connection, order)
        self.tell(connection, [f"{wanted.table} {wanted.event.seq}" for wanted in accepted])
        for wanted in accepted:
            for statement in _statements(wanted.also):
                connection.execute(statement)
        return accepted

    def tell(self, connection: sa.Connection, hints: list[str]) -> None:
        """Other processes hear of it when the transaction is committed."""
        if self.shared and hints:
            _notify(connection, hints)

    async def listen(self, tell: Callable[[str], None]) -> None:
        """Tell what other processes say, until the connection breaks; a silent one is asked whether it is there."""
        url = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(url, timeout=CONNECT_S, command_timeout=CONNECT_S)
        try:
            closed = asyncio.Event()
            connection.add_termination_listener(lambda _: closed.set())
            await connection.add_listener(CHANNEL, lambda *notice: tell(notice[-1]))
            while not closed.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(ALIVE_S):
                        await closed.wait()
                await connection.execute("SELECT 1")
        finally:
            connection.terminate()

    async def create(self, row: dict[str, Any], event: Event, holders: Sequence[Holder] = ()) -> None:
        """A new table with its first event."""
        await self.change(*_statements([Founding(row, event), *holders]))

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        """Events of a table after a sequence number, in order."""
        wanted = sa.select(*LOGGED).where(events.c.table_id == table, events.c.seq > since).order_by(events.c.seq)
        async with asking(), self.engine.connect() as connection:
            found = await connection.execute(wanted.limit(limit))
            return [_event(row) for row in found]

    async def command(self, table: str, holder: str, command: str) -> Event | None:
        """The event a client's command became, if it did."""
        wanted = sa.select(*LOGGED).where(
            events.c.table_id == table, events.c.holder == holder, events.c.command == command
        )
        row = await self.one(wanted)
        return None if row is None else _event(row)

    async def newest(self, table: str, kind: str) -> Event | None:
        """The newest event of a kind in a table's log."""
        wanted = sa.select(*LOGGED).where(events.c.table_id == table, events.c.kind == kind)
        row = await self.one(wanted.order_by(events.c.seq.desc()).limit(1))
        return None if row is None else _event(row)

    async def told(self, table: str, since: int, last: int, limit: int) -> list[tuple[int, str | None]]:
        """What was told of events after a sequence number and up to another, in order."""
        between = events.c.seq.between(since + 1, last)
        wanted = sa.select(events.c.seq, events.c.told).where(events.c.table_id == table, between)
        return [(seq, told) for seq, told in await self.all(wanted.order_by(events.c.seq).limit(limit))]

    async def keep_told(self, table: str, told: Sequence[tuple[int, str]]) -> None:
        """Keep what is told of events that are in the log already."""
        rows = [{"table_name": table, "number": seq, "text": text} for seq, text in told]
        await self.write(lambda connection: connection.execute(_keep_told, rows))

    async def rewrite(self, table: str, events: Sequence[Rewritten], holders: Collection[str]) -> None:
        """Take the name of some clients out of events that are in the log already, and from what they said."""
        rows = [{"table_name": table, "number": e.seq, "text": e.told, "new": _data(e.data)} for e in events]
        said = talk.update().where(talk.c.table_id == table, talk.c.holder.in_(holders)).values(name=None)

        def rewrite(connection: sa.Connection) -> None:
            connection.execute(said)
            if rows:
                connection.execute(_rewrite, rows)

        await self.write(rewrite)

    async def seqs(self, names: Sequence[str]) -> dict[str, int]:
        """How far the logs of tables have come."""
        rows = await self.all(sa.select(tables.c.id, tables.c.seq).where(tables.c.id.in_(names)))
        return {row.id: row.seq for row in rows}

    # Seats

    async def holders(self, names: Sequence[str]) -> list[Holder]:
        """Who has tokens at tables."""
        return [Holder(**row._mapping) for row in await self.all(holders.select().where(holders.c.table_id.in_(names)))]

    async def known(self, tokens: Sequence[str]) -> list[Holder]:
        """Whose tokens (hashed) these are."""
        return [Holder(**row._mapping) for row in await self.all(holders.select().where(holders.c.token.in_(tokens)))]

    async def add_holder(self, holder: Holder) -> None:
        """Give somebody a token, once."""
        await self.change(self._insert(holders).values(asdict(holder)).on_conflict_do_nothing())

    async def be_present(self, holders_there: Sequence[str], until: float) -> None:
        """Clients are connected to some process."""
        await self.change(holders.update().where(holders.c.id.in_(holders_there)).values(present_until=until))

    async def invitation(self, table: str) -> str | None:
        """A table's invitation (hashed)."""
        row = await self.one(sa.select(tables.c.invite).where(tables.c.id == table))
        return None if row is None else row.invite

    async def invite(self, table: str, invitation: str) -> bool:
        """Change a table's invitation; whether it is there."""
        return await self.change(tables.update().where(tables.c.id == table).values(invite=invitation)) > 0

    async def code(self, table: str, code: str) -> SeatCode | None:
        """The seat a code (hashed) is for."""
        row = await self.one(codes.select().where(codes.c.code == code, codes.c.table_id == table))
        return None if row is None else SeatCode(**row._mapping)

    async def keep_code(self, code: SeatCode) -> bool:
        """Keep a seat's new code instead of the holder's older one; not for a table that is gone or just going."""
        row = asdict(code)
        there = sa.select(*map(sa.literal, row.values())).where(tables.c.id == code.table_id).with_for_update()
        older = codes.delete().where(
            codes.c.table_id == code.table_id, codes.c.seat == code.seat, codes.c.holder == code.holder
        )
        return await self.change(older, codes.insert().from_select(list(row), there)) > 0

    # What nobody keeps

    async def say(self, hints: Sequence[str]) -> None:
        """Let other processes hear something, if they listen."""
        await self.write(self.tell, list(hints))

    # Talk

    async def keep_saying(self, table: str, saying: Saying) -> Saying | None:
        """Keep something that is said, once, with its number; the oldest of too many go. None: no such table."""
        return await self.write(self._keep_saying, table, saying)

    def _keep_saying(self, connection: sa.Connection, table: str, saying: Saying) -> Saying | None:
        """Whoever has the table's row numbers the next one, so numbers come in the order of commits, without a gap."""
        if not connection.execute(tables.update().where(tables.c.id == table).values(used=NOW)).rowcount:
            return None
        here = talk.select().where(talk.c.table_id == table)
        known = connection.execute(here.where(talk.c.holder == saying.holder, talk.c.id == saying.id)).first()
        if known is not None:
            return _saying(known)
        newest = connection.scalar(sa.select(sa.func.max(talk.c.number)).where(talk.c.table_id == table)) or 0
        new = replace(saying, number=newest + 1)
        connection.execute(talk.insert().values(table_id=table, **asdict(new)))
        connection.execute(talk.delete().where(talk.c.table_id == table, talk.c.number <= new.number - MOST_KEPT))
        self.tell(connection, [f"{table} said {new.number}"])
        return new

    async def said(self, table: str, since: int, limit: int) -> list[Saying]:
        """What was said at a table after a number, in order."""
        later = talk.select().where(talk.c.table_id == table, talk.c.number > since)
        return [_saying(row) for row in await self.all(later.order_by(talk.c.number).limit(limit))]

    async def newest_said(self, names: Sequence[str]) -> dict[str, int]:
        """The number of the newest thing said at each table."""
        newest = sa.select(talk.c.table_id, sa.func.max(talk.c.number)).where(talk.c.table_id.in_(names))
        return {table: number for table, number in await self.all(newest.group_by(talk.c.table_id))}

    async def muted(self, table: str) -> frozenset[int]:
        """Seats that may say nothing more."""
        row = await self.one(sa.select(tables.c.muted).where(tables.c.id == table))
        return frozenset() if row is None else frozenset(seat for seat in range(4) if row.muted >> seat & 1)

    async def mute(self, table: str, seat: int, *, muted: bool) -> bool:
        """Let a seat say nothing more, or again; whether the table is there."""
        bit = 1 << seat
        now = tables.c.muted.op("|")(bit) if muted else tables.c.muted.op("&")(~bit & 15)
        return await self.change(tables.update().where(tables.c.id == table).values(muted=now)) > 0

    # Bots

    def _time(self) -> Any:
        """The time for leases: the database's, since clocks of processes may be wrong by years."""
        if not self.shared:
            return time.time()
        return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Float)

    async def lease(self, table: str, process: str, seconds: float) -> bool:
        """Have a table's bots to a process for some time, by a clock that all share, unless another one has."""
        mine = sa.or_(tables.c.leased_until < self._time(), tables.c.leased_by == process)
        change = tables.update().where(tables.c.id == table, mine)
        return await self.change(change.values(leased_by=process, leased_until=self._time() + seconds)) > 0

    async def renew(self, names: Sequence[str], process: str, seconds: float) -> None:
        """Go on to have them. A question may wait longer than a lease lasts."""
        some = free_tables(tables.c.id.in_(names), tables.c.leased_by == process)
        change = tables.update().where(tables.c.id.in_(some))
        await self.change(change.values(leased_until=self._time() + seconds))

    async def release(self, table: str, process: str) -> None:
        """Leave a table's bots to others."""
        mine = tables.update().where(tables.c.id == table, tables.c.leased_by == process)
        await self.change(mine.values(leased_until=0.0))

    async def bots_due(self, after: str, limit: int) -> list[tuple[str, int]]:
        """Tables, in the order of their names, where a bot is to act and no process is at it; how far each has come."""
        free = tables.c.leased_until < self._time()
        wanted = sa.select(tables.c.id, tables.c.seq).where(tables.c.bot_due, free, tables.c.id > after)
        return [(row.id, row.seq) for row in await self.all(wanted.order_by(tables.c.id).limit(limit))]

    async def leave_alone(self, table: str) -> None:
        """Nothing can be done for the bots and clocks of a table."""
        await self.change(tables.update().where(tables.c.id == table).values(bot_due=False, deadline=None))

    async def next_deadline(self) -> float | None:
        """The first deadline of all tables, in seconds in which servers ran."""
        first: float | None = (await self.one(sa.select(sa.func.min(tables.c.deadline).label("first")))).first
        return first

    async def overdue(self, ran: float, limit: int) -> list[tuple[str, int]]:
        """Tables with a deadline before that, the first ones first; how far each has come."""
        wanted = sa.select(tables.c.id, tables.c.seq).where(tables.c.deadline < ran).order_by(tables.c.deadline)
        return [(row.id, row.seq) for row in await self.all(wanted.limit(limit))]

    # The lobby

    async def listings(self, status: str, limit: int, *, newest: bool = False) -> list[str]:
        """What the lobby tells of tables, while somebody of them is there: the oldest or the newest."""
        there = (tables.c.listed_until > NOW, tables.c.status == status, tables.c.listing.is_not(None))
        order = [column.desc() if newest else column for column in (tables.c.created, tables.c.id)]
        found = await self.all(sa.select(tables.c.listing).where(*there).order_by(*order).limit(limit))
        return [row.listing for row in found]

    async def attend(self, names: Sequence[str], seconds: float) -> None:
        """Somebody of these tables is there: they are listed for so long. Those that change just now can wait."""
        some = free_tables(tables.c.id.in_(names))
        await self.change(tables.update().where(tables.c.id.in_(some)).values(listed_until=NOW + seconds))

    # How long tables are kept

    async def clock(self) -> float:
        """How many seconds servers have run."""
        seconds: float = (await self.one(sa.select(clock.c.seconds))).seconds
        return seconds

    async def advance_clock(self, seconds: float) -> None:
        """It is so late, or later."""
        await self.change(clock.update().where(clock.c.seconds < seconds).values(seconds=seconds))

    async def unmarked(self, names: Sequence[str], seconds: float) -> dict[str, bool]:
        """Tables that are there, and whether none has marked them as used for so long."""
        stale = sa.or_(tables.c.used.is_(None), tables.c.used < NOW - seconds)
        rows = await self.all(sa.select(tables.c.id, stale.label("stale")).where(tables.c.id.in_(names)))
        return {row.id: bool(row.stale) for row in rows}

    async def mark(self, names: Sequence[str]) -> None:
        """Tables are in use. Those that somebody changes at this moment need no mark."""
        await self.change(_mark(tables.c.id.in_(names)))

    async def keep(self, table: str) -> bool:
        """A table is in use; whether it is there."""
        return await self.change(tables.update().where(tables.c.id == table).values(used=NOW)) > 0

    async def mark_forgotten(self) -> None:
        """Begin to count idle time where nobody knows when a table was used."""
        await self.change(_mark(tables.c.used.is_(None)))

    async def delete_idle(self, seconds: float, limit: int, *, uploaded: bool) -> list[str]:
        """Delete some tables, whole, that were not used for so long; which. Others are told."""
        return await self.write(self.delete, uploaded, seconds, limit)

    def delete(self, connection: sa.Connection, uploaded: bool, seconds: float, limit: int) -> list[str]:
        """Delete some idle tables, whole. One whose row somebody is changing is not idle."""
        return self._delete(
            connection, free_tables(tables.c.uploaded == uploaded, tables.c.used < NOW - seconds).limit(limit)
        )

    async def delete_table(self, name: str) -> bool:
        """Delete a table, whole, in use or not; whether it was there."""
        return bool(await self.write(self._delete, [name]))

    def _delete(self, connection: sa.Connection, names: Any) -> list[str]:
        gone = list(connection.scalars(tables.delete().where(tables.c.id.in_(names)).returning(tables.c.id)))
        for table in (talk, codes, holders, notice_targets, events):
            column = table.c.table_id
            connection.execute(sa.delete(column.table).where(column.in_(gone)))
        self.tell(connection, [f"{name} deleted" for name in gone])
        return gone

    # Rows

    def now(self) -> Any:
        """The time by which leases go, for statements."""
        return self._time()

    def insert(self, table: sa.Table) -> Any:
        """A new row, in the way of this kind of database: with what happens when it is there."""
        return self._insert(table)

    async def one(self, statement: Any) -> Any:
        """The first row of an answer."""
        async with asking(), self.engine.connect() as connection:
            return (await connection.execute(statement)).first()

    async def all(self, statement: Any) -> Sequence[Any]:
        """The rows of an answer."""
        async with asking(), self.engine.connect() as connection:
            return (await connection.execute(statement)).all()

    async def change(self, *statements: Any) -> int:
        """Carry out changes together; how many rows the last one touched."""
        count = 0
        async with asking(), self.engine.begin() as connection:
            for statement in statements:
                count = (await connection.execute(statement)).rowcount
        return count

    async def check(self) -> None:
        """Write more than any command does: trouble, if there is any, comes now."""
        row = {"id": 1, "at": time.time(), "padding": "x" * PADDING}
        insert = self._insert(trials).values(row)
        await self.write(
            lambda connection: connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=row))
        )


CHANNEL: Final = "sunglade"
MOST_NOTICE: Final = 7000
"""PostgreSQL takes up to 8000 bytes in a notice."""


def _notify(connection: sa.Connection, hints: list[str]) -> None:
    """One notice for many tables; it leaves when the transaction is committed."""
    text = ""
    for hint in hints:
        if text and len(text) + len(hint) > MOST_NOTICE:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, text)))
            text = ""
        text += hint + "\n"
    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, text)))


def _mark(which: sa.ColumnElement[bool]) -> sa.Update:
    return tables.update().where(tables.c.id.in_(free_tables(which))).values(used=NOW)


def _statements(also: Sequence[Also]) -> list[sa.Executable]:
    """What carries changes out."""
    found: list[sa.Executable] = []
    for change in also:
        match change:
            case Founding(row, event):
                found.append(tables.insert().values({**row, "used": NOW}))
                found.append(events.insert().values(_event_row(row["id"], event, "")))
            case Holder():
                found.append(holders.insert().values(asdict(change)))
            case SpentCode(code):
                found.append(codes.delete().where(codes.c.code == code))
    return found


def _event_row(table: str, event: Event, told: str | None) -> dict[str, Any]:
    return {
        "table_id": table,
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "seat": event.seat,
        "holder": event.holder,
        "command": event.command,
        "data": _data(event.data),
        "told": told,
        "ran": event.ran,
    }


def _data(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


def _event(row: Any) -> Event:
    return Event(row.seq, row.at, row.kind, row.seat, json.loads(row.data), row.holder, row.command, row.ran)


def _saying(row: Any) -> Saying:
    return Saying(row.at, row.seat, row.name, row.holder, row.id, row.reaction, row.text, row.number)


_change_row = (
    tables.update()
    .where(tables.c.id == sa.bindparam("table_name"))
    .values({column: sa.bindparam(f"new_{column}") for column in REPEATED} | {"used": NOW})
)

_keep_told = (
    events.update()
    .where(events.c.table_id == sa.bindparam("table_name"), events.c.seq == sa.bindparam("number"))
    .values(told=sa.bindparam("text"))
)


_rewrite = _keep_told.values(data=sa.bindparam("new"))


def _new_values(wanted: Append) -> dict[str, Any]:
    return {"table_name": wanted.table} | {f"new_{column}": wanted.row[column] for column in REPEATED}


def _placed(connection: sa.Connection, order: list[Append]) -> list[Append]:
    """Add events and change their tables' rows, all with a few statements; those that found their place."""
    rows = [_event_row(wanted.table, wanted.event, wanted.told) for wanted in order]
    insert = postgresql.insert(events).on_conflict_do_nothing().returning(events.c.table_id, events.c.seq)
    places = {(table, seq) for table, seq in connection.execute(insert, rows)}
    accepted = []
    for wanted in order:
        place = (wanted.table, wanted.event.seq)
        if place in places:
            places.remove(place)
            accepted.append(wanted)
    if accepted:
        connection.execute(_change_row, [_new_values(wanted) for wanted in accepted])
        accepted = _at_tables(connection, accepted)
    return accepted


def _at_tables(connection: sa.Connection, added: list[Append]) -> list[Append]:
    """Those events whose tables are there; the others are taken out again."""
    names = {wanted.table for wanted in added}
    there = set(connection.scalars(sa.select(tables.c.id).where(tables.c.id.in_(names))))
    if gone := names - there:
        connection.execute(events.delete().where(events.c.table_id.in_(gone)))
    return [wanted for wanted in added if wanted.table in there]


def _placed_one_by_one(connection: sa.Connection, order: list[Append]) -> list[Append]:
    """The same, one after the other: in SQLite a statement costs next to nothing, unless it is made anew each time."""
    cursor, accepted = connection.connection.cursor(), []
    for wanted in order:
        cursor.execute(_SQLITE_ADD, _event_row(wanted.table, wanted.event, wanted.told))
        if not cursor.rowcount:
            continue
        cursor.execute(_SQLITE_CHANGE_ROW, _new_values(wanted))
        if cursor.rowcount:
            accepted.append(wanted)
        else:
            cursor.execute(_SQLITE_TAKE_OUT, {"table_name": wanted.table})
    cursor.close()
    return accepted


def _for_sqlite(statement: sa.ClauseElement) -> str:
    return str(statement.compile(dialect=sqlite.dialect(paramstyle="named")))


_SQLITE_ADD: Final = _for_sqlite(sqlite.insert(events).on_conflict_do_nothing())
_SQLITE_CHANGE_ROW: Final = _for_sqlite(_change_row)
_SQLITE_TAKE_OUT: Final = _for_sqlite(events.delete().where(events.c.table_id == sa.bindparam("table_name")))


class _Writer:
    """A thread that adds events to a SQLite file: the driver would change threads for every single statement."""

    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url.set(drivername="sqlite"), pool_size=1, max_overflow=0)
        self._thread = ThreadPoolExecutor(1, "sunglade-writer")
        self._connection: sa.Connection | None = None
        _set_up(self._engine)

    async def work(self, what: Callable[..., T], *given: Any) -> T:
        """Do something in a transaction."""
        doing = asyncio.get_running_loop().run_in_executor(self._thread, self._transaction, what, *given)
        doing.add_done_callback(_heard)  # also where nobody waits any more
        return await asyncio.shield(doing)

    def _transaction(self, what: Callable[..., T], *given: Any) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            with self._connection.begin():
                return what(self._connection, *given)
        except BaseException:
            self._let_go()  # a COMMIT that failed leaves its transaction open, in which no other can begin
            raise

    def _let_go(self) -> None:
        """Give the connection back, which ends whatever is open on it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Finish what is under way, and close the file."""
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    def _close(self) -> None:
        self._let_go()
        self._engine.dispose()


def _heard(done: asyncio.Future[Any]) -> None:
    if not done.cancelled():
        done.exception()


def _engine(url: sa.URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        limits = {"timeout": CONNECT_S, "command_timeout": LIMIT_S}
        return create_async_engine(
            url, pool_size=5, max_overflow=5, pool_timeout=CONNECT_S, pool_pre_ping=True, connect_args=limits
        )
    engine = create_async_engine(url, pool_size=4, max_overflow=0)
    _set_up(engine.sync_engine)
    return engine


def _set_up(engine: sa.Engine) -> None:
    """Write-ahead log, flushed at every commit: an acknowledged command survives a power cut."""

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin below: the driver would leave the schema's changes out
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN")
