"""The database: tables, their logs, who holds seats. One set of statements for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from sunglade.server.table import Event
from sunglade.server.trouble import LIMIT_S, asking

CONNECT_S: Final = 5.0
"""So long a connection to the database may take, or be waited for."""

T = TypeVar("T")

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("invite", sa.String(64)),  # hash
    sa.Column("bot_due", sa.Boolean, nullable=False),
    sa.Column("uploaded", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("leased_by", sa.String(40)),
    sa.Column("leased_until", sa.Float, nullable=False, server_default="0"),
    sa.Column("used", sa.Float),
    sa.Index("tables_by_use", "used"),
    sa.Index("tables_with_bots", "bot_due"),
)
"""What is asked about many tables at once. `seq`, `status`, `bot_due` repeat what the log says.

`used` is when something happened or somebody was there, by `clock`; null where that was not kept.
"""

clock = sa.Table(
    "clock",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("seconds", sa.Float, nullable=False),
)
"""How long servers have run, in its only row: what idle time is counted by (`retention.py`)."""
NOW: Final = sa.select(clock.c.seconds).scalar_subquery()


def free_tables(*where: sa.ColumnElement[bool]) -> sa.Select[tuple[str]]:
    """Names of tables whose rows nobody is changing. Who changes many rows and waits for none blocks nobody."""
    return sa.select(tables.c.id).where(*where).with_for_update(skip_locked=True)


events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("holder", sa.String(40)),
    sa.Column("command", sa.String(64)),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("told", sa.Text),
    sa.UniqueConstraint("table_id", "holder", "command", name="one_event_a_command"),
)
"""The logs. A sequence number is there once for each table, and so is a client's command.

`told` is what clients were told of an event, as the parts of a JSON list: it follows from the log, but only by a replay
of all of it. It is null where a version wrote the event that did not keep it.
"""
_LOGGED: Final = [column for column in events.c if column.name != "told"]

holders = sa.Table(
    "holders",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # hash
    sa.Column("id", sa.String(40), nullable=False, index=True),
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("present_until", sa.Float, nullable=False),
)
"""Clients that hold or held seats at a table. One may have several tokens."""

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("code", sa.String(64), primary_key=True),  # hash
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("holder", sa.String(40), nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
)
"""Codes by which a seat moves to another device, each good once."""

trials = sa.Table(
    "trials",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("padding", sa.Text, nullable=False),
)
"""Where it is tried whether anything can be written."""
PADDING: Final = 32 * 1024


@dataclass(frozen=True, slots=True)
class Append:
    """An event to be added to a table's log, and what else changes if, and only if, it is."""

    table: str
    event: Event
    row: dict[str, Any]
    """New values of the table's row."""
    also: list[sa.Executable] = field(default_factory=list)
    told: str | None = None


class Database:
    """What the server asks its database."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.kind = self.url.get_backend_name()
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
        rows = [_event_row(wanted.table, wanted.event, wanted.told) for wanted in order]
        insert = self._insert(events).on_conflict_do_nothing().returning(events.c.table_id, events.c.seq)
        places = {(table, seq) for table, seq in connection.execute(insert, rows)}
        accepted = []
        for wanted in order:
            place = (wanted.table, wanted.event.seq)
            if place in places:
                places.remove(place)
                accepted.append(wanted)
        if accepted:
            changes = [{"table_name": wanted.table, **_new_values(wanted.row)} for wanted in accepted]
            connection.execute(_change_row, changes)
            accepted = _at_tables(connection, accepted)
            self.tell(connection, [f"{wanted.table} {wanted.event.seq}" for wanted in accepted])
        for wanted in accepted:
            for statement in wanted.also:
                connection.execute(statement)
        return accepted

    def tell(self, connection: sa.Connection, hints: list[str]) -> None:
        """Other processes hear of it when the transaction is committed."""
        if self.kind == "postgresql" and hints:
            _notify(connection, hints)

    async def create(self, row: dict[str, Any], event: Event, also: Sequence[sa.Executable] = ()) -> None:
        """A new table with its first event."""
        await self.change(*founding(row, event), *also)

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        """Events of a table after a sequence number, in order."""
        wanted = sa.select(*_LOGGED).where(events.c.table_id == table, events.c.seq > since).order_by(events.c.seq)
        async with asking(), self.engine.connect() as connection:
            found = await connection.execute(wanted.limit(limit))
            return [_event(row) for row in found]

    async def command(self, table: str, holder: str, command: str) -> Event | None:
        """The event a client's command became, if it did."""
        wanted = sa.select(*_LOGGED).where(
            events.c.table_id == table, events.c.holder == holder, events.c.command == command
        )
        row = await self.one(wanted)
        return None if row is None else _event(row)

    async def newest(self, table: str, kind: str) -> Event | None:
        """The newest event of a kind in a table's log."""
        wanted = sa.select(*_LOGGED).where(events.c.table_id == table, events.c.kind == kind)
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

    # Rows

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


def _at_tables(connection: sa.Connection, added: list[Append]) -> list[Append]:
    """Those events whose tables are there; the others are taken out again."""
    names = {wanted.table for wanted in added}
    there = set(connection.scalars(sa.select(tables.c.id).where(tables.c.id.in_(names))))
    if gone := names - there:
        connection.execute(events.delete().where(events.c.table_id.in_(gone)))
    return [wanted for wanted in added if wanted.table in there]


def founding(row: dict[str, Any], event: Event) -> list[sa.Executable]:
    """What makes a new table: its row and its first event."""
    return [tables.insert().values({**row, "used": NOW}), events.insert().values(_event_row(row["id"], event, ""))]


def _event_row(table: str, event: Event, told: str | None) -> dict[str, Any]:
    return {
        "table_id": table,
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "seat": event.seat,
        "holder": event.holder,
        "command": event.command,
        "data": json.dumps(event.data, separators=(",", ":")),
        "told": told,
    }


def _event(row: Any) -> Event:
    return Event(row.seq, row.at, row.kind, row.seat, json.loads(row.data), row.holder, row.command)


REPEATED: Final = ("changed", "seq", "status", "bot_due")
"""Columns of a table's row that repeat what its log says."""
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


def _new_values(row: dict[str, Any]) -> dict[str, Any]:
    return {f"new_{column}": row[column] for column in REPEATED}


class _Writer:
    """A thread that adds events to a SQLite file: the driver would change threads for every single statement."""

    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url.set(drivername="sqlite"), pool_size=1, max_overflow=0)
        self._thread = ThreadPoolExecutor(1, "sunglade-writer")
        _set_up(self._engine)

    async def work(self, what: Callable[..., T], *given: Any) -> T:
        """Do something in a transaction."""

        def transaction() -> T:
            with self._engine.begin() as connection:
                return what(connection, *given)

        doing = asyncio.get_running_loop().run_in_executor(self._thread, transaction)
        doing.add_done_callback(_heard)  # also where nobody waits any more
        return await asyncio.shield(doing)

    def close(self) -> None:
        """Finish what is under way, and close the file."""
        self._thread.submit(self._engine.dispose).result()
        self._thread.shutdown()


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
