"""How long tables are kept.

Idle time is counted by a clock in the database that goes on only while a server runs, a small step at a time: neither a
machine whose clock jumps nor one that was off for a month makes tables old. Tables that are in some process' memory are
marked as used, so that no other process deletes them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

import sqlalchemy as sa

from sunglade.server.database import NOW, Database, clock, codes, events, free_tables, holders, tables
from sunglade.server.trouble import DatabaseTrouble, log_trouble

STEP_S: Final = 60.0
"""The clock goes on by this at most, however long ago it last did."""
MARKED_S: Final = 300.0
"""A table in use was marked so lately."""
LEAST_S: Final = 900.0
"""No table that was marked so lately is deleted, whatever the operator says: a process may be late."""
DAY_S: Final = 24 * 3600.0
TOGETHER: Final = 20
"""Tables deleted in one transaction: commands wait for it."""
MARKED_TOGETHER: Final = 500

log = logging.getLogger("sunglade.server")

_stale: Final = sa.or_(tables.c.used.is_(None), tables.c.used < NOW - MARKED_S)


class RunningClock:
    """Moves the database's clock on while this process runs. Several that do so move it no faster than one."""

    def __init__(self, database: Database, now: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._now = now
        self._seen: float | None = None
        self._at = 0.0

    async def advance(self) -> None:
        """Move it on by the time since the last call; the first call only looks at it."""
        now = self._now()
        if self._seen is not None:
            mine = self._seen + min(now - self._at, STEP_S)
            await self._database.change(clock.update().where(clock.c.seconds < mine).values(seconds=mine))
        seen = (await self._database.one(sa.select(clock.c.seconds))).seconds
        self._seen, self._at = seen, self._now()  # what others moved it on meanwhile counts once


async def mark_used(database: Database, names: Sequence[str]) -> set[str]:
    """Somebody may be at these tables: they are not idle. Those that are no longer there."""
    missing: set[str] = set()
    for start in range(0, len(names), MARKED_TOGETHER):
        some = names[start : start + MARKED_TOGETHER]
        rows = await database.all(sa.select(tables.c.id, _stale.label("stale")).where(tables.c.id.in_(some)))
        missing |= set(some) - {row.id for row in rows}
        if stale := [row.id for row in rows if row.stale]:
            await database.change(_mark(tables.c.id.in_(stale)))
    return missing


def _mark(which: sa.ColumnElement[bool]) -> sa.Update:
    return tables.update().where(tables.c.id.in_(free_tables(which))).values(used=NOW)


async def is_kept(database: Database, name: str) -> bool:
    """Whether a table is there, and stays for as long as it is marked again."""
    row = await database.one(sa.select(_stale.label("stale")).where(tables.c.id == name))
    if row is None or not row.stale:
        return row is not None
    try:
        return await database.change(tables.update().where(tables.c.id == name).values(used=NOW)) > 0
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
        return True  # where this process cannot write, it deletes nothing; reading goes on


async def retire(database: Database, days: float, upload_days: float) -> list[str]:
    """Delete tables that were idle for so many days in which servers ran, and uploaded games likewise; which."""
    await database.change(_mark(tables.c.used.is_(None)))
    gone: list[str] = []
    for uploaded, limit in ((False, days), (True, upload_days)):
        if limit:
            while some := await database.write(_delete, database, uploaded, max(limit * DAY_S, LEAST_S)):
                gone += some
    if gone:
        log.info("idle tables deleted", extra={"count": len(gone)})
    return gone


def _delete(connection: sa.Connection, database: Database, uploaded: bool, idle_s: float) -> list[str]:
    """Delete some idle tables, whole. One whose row somebody is changing is not idle."""
    idle = free_tables(tables.c.uploaded == uploaded, tables.c.used < NOW - idle_s).limit(TOGETHER)
    gone = list(connection.scalars(tables.delete().where(tables.c.id.in_(idle)).returning(tables.c.id)))
    for column in (codes.c.table_id, holders.c.table_id, events.c.table_id):
        connection.execute(sa.delete(column.table).where(column.in_(gone)))
    database.tell(connection, [f"{name} deleted" for name in gone])
    return gone
