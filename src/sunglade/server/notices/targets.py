"""Who wants to be told of which table, and how far they have been told: rows of the database.

There is no list of notices to be sent. Each target has a cursor (`told`), a table has the number of its newest event,
and where the table is further there may be something to tell (`reasons.py`). So an event and the notice of it are one
commit, whoever is killed when.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import sqlalchemy as sa

from sunglade.server.database import Database
from sunglade.server.notices.quiet import QuietHours
from sunglade.server.notices.sealing import BrowserKeys, new_key
from sunglade.server.sql_schema import notice_targets as rows
from sunglade.server.sql_schema import secrets, tables
from sunglade.table.table_log import TableLog
from sunglade.table.tokens import new_holder

log = logging.getLogger("sunglade.server")

PUSH: Final = "push"
WEBHOOK: Final = "webhook"
KEY_NAME: Final = "notices"
LEASE_S: Final = 60.0
"""A process that dies while it sends leaves the notice to others after this time."""
LONGEST_S: Final = 26 * 3600.0
"""Nobody is left alone for longer, by a pause that was asked for or by quiet hours: a row that says so is of a time in
which the clock was ahead."""
MOST_DEVICES: Final = 10
"""Browsers that one person may be told by at a table; the oldest is forgotten."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where somebody wants to be told, how, and when not."""

    url: str
    language: str
    keys: BrowserKeys | None = None
    quiet: QuietHours | None = None
    page: str = ""
    """Webhooks: the address of the page, for links."""

    def to_json(self) -> str:
        """As it is kept."""
        keys = None if self.keys is None else [self.keys.p256dh, self.keys.auth]
        quiet = None if self.quiet is None else [self.quiet.begin, self.quiet.end, self.quiet.zone]
        kept = {"url": self.url, "language": self.language, "keys": keys, "quiet": quiet, "page": self.page}
        return json.dumps(kept, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Wanted:
        """As it was kept."""
        kept = json.loads(text)
        keys = None if kept["keys"] is None else BrowserKeys(*kept["keys"])
        quiet = None if kept["quiet"] is None else QuietHours(*kept["quiet"])
        return cls(kept["url"], kept["language"], keys, quiet, kept["page"])


@dataclass(frozen=True, slots=True)
class Target:
    """Somebody to be told of a table."""

    id: str
    table: str
    holder: str
    kind: str
    host: str
    told: int
    attempts: int
    wanted: Wanted = field(repr=False)


class Targets(Protocol):
    """Whatever keeps those who are told, for one process. Every question may fail with `DatabaseTrouble`."""

    async def key(self) -> str:
        """The key by which push services know this server: made by whoever needs it first, the same for all."""

    async def want(self, table: str, holder: str, kind: str, wanted: Wanted, told: int) -> bool:
        """Tell somebody from now on; what they wanted before at the same place is changed. Whether the table is there.

        A table has one webhook; a person has several browsers.
        """

    async def want_no_more(self, table: str, kind: str, url: str = "", holder: str | None = None) -> None:
        """Forget somebody; a browser only for whom it belongs to."""

    async def at(self, table: str) -> list[Target]:
        """All who are told of a table."""

    async def due(self, busy: Collection[str], limit: int) -> list[Target]:
        """Some at whose tables something happened, at hosts that are not busy, and nobody is at it."""

    async def lease(self, target: Target) -> bool:
        """Have one to oneself for a while, unless somebody else has, or has just told it."""

    async def settle(self, target: Target, told: int, pause: float) -> None:
        """Somebody knows everything up to an event, and is left alone for a while."""

    async def put_off(self, target: Target, pause: float, *, failed: bool = False) -> None:
        """Look at it again later; whatever is still true then is told."""

    async def forget(self, target: Target) -> None:
        """Nobody is there any more."""


class SqlTargets:
    """`Targets` as rows."""

    def __init__(self, database: Database, process: str) -> None:
        """`process` is the name by which rows are leased."""
        self._database = database
        self._process = process

    @classmethod
    def of(cls, log: TableLog, process: str) -> SqlTargets:
        """Those in the database that keeps the tables."""
        if not isinstance(log, Database):
            raise TypeError(f"{log.kind} keeps nobody who is told")
        return cls(log, process)

    async def key(self) -> str:
        """The key by which push services know this server: made by whoever needs it first, the same for all."""
        made = self._database.insert(secrets).values(name=KEY_NAME, value=new_key()).on_conflict_do_nothing()
        await self._database.change(made)
        row = await self._database.one(sa.select(secrets.c.value).where(secrets.c.name == KEY_NAME))
        return str(row.value)

    # Who wants what

    async def want(self, table: str, holder: str, kind: str, wanted: Wanted, told: int) -> bool:
        """A row for somebody, in place of one for the same address; not at a table that is gone."""
        digest = "" if kind == WEBHOOK else digest_of(wanted.url)
        row = {
            "id": new_holder(), "table_id": table, "holder": holder, "kind": kind, "address": digest,
            "host": host_of(wanted.url), "created": time.time(), "told": told, "attempts": 0, "next_at": 0.0,
            "leased_until": 0.0, "data": wanted.to_json(),
        }  # fmt: skip
        there = sa.select(*map(sa.literal, row.values())).where(tables.c.id == table).with_for_update()
        new = self._database.insert(rows).from_select(list(row), there)
        changes = {name: new.excluded[name] for name in row if name != "told"}
        place = ["table_id", "kind", "address"]
        changed = await self._database.change(new.on_conflict_do_update(index_elements=place, set_=changes))
        if kind == PUSH:
            await self._forget_oldest(table, holder)
        return changed > 0

    async def _forget_oldest(self, table: str, holder: str) -> None:
        mine = sa.and_(rows.c.table_id == table, rows.c.holder == holder, rows.c.kind == PUSH)
        found = await self._database.all(sa.select(rows.c.id).where(mine).order_by(rows.c.created.desc()))
        if gone := [row.id for row in found[MOST_DEVICES:]]:
            await self._database.change(rows.delete().where(rows.c.id.in_(gone)))

    async def want_no_more(self, table: str, kind: str, url: str = "", holder: str | None = None) -> None:
        """Forget somebody; a browser only for whom it belongs to."""
        digest = "" if kind == WEBHOOK else digest_of(url)
        same = sa.and_(rows.c.table_id == table, rows.c.kind == kind, rows.c.address == digest)
        mine = sa.true() if holder is None else rows.c.holder == holder
        await self._database.change(rows.delete().where(same, mine))

    async def at(self, table: str) -> list[Target]:
        """All who are told of a table."""
        return await self._read(sa.select(rows).where(rows.c.table_id == table))

    # Telling

    async def due(self, busy: Collection[str], limit: int) -> list[Target]:
        """Some at whose tables something happened, at hosts that are not busy, and nobody is at it."""
        now = self._database.now()
        wanted = (
            sa.select(rows)
            .join(tables, tables.c.id == rows.c.table_id)
            .where(tables.c.seq > rows.c.told, self._is_free(now))
            .where(sa.or_(rows.c.next_at <= now, rows.c.next_at > now + LONGEST_S))
            .where(rows.c.host.not_in(list(busy)))
            .order_by(rows.c.next_at)
            .limit(limit)
        )
        return await self._read(wanted)

    async def _read(self, wanted: sa.Select[Any]) -> list[Target]:
        """The targets of some rows. One that cannot be read is of no use to anybody, and goes."""
        found = []
        for row in await self._database.all(wanted):
            try:
                told = Wanted.from_json(row.data)
            except (ValueError, TypeError, LookupError) as error:
                reason = f"{type(error).__name__}: {error}"
                log.error("a target of notices cannot be read", extra={"table": row.table_id, "reason": reason})
                await self._database.change(rows.delete().where(rows.c.id == row.id))
            else:
                place = (row.id, row.table_id, row.holder, row.kind, row.host)
                found.append(Target(*place, row.told, row.attempts, told))
        return found

    @staticmethod
    def _is_free(now: Any) -> sa.ColumnElement[bool]:
        """Whether nobody is at it. A lease that ends long after it could is of a time in which the clock was ahead."""
        return sa.or_(rows.c.leased_until < now, rows.c.leased_until > now + 2 * LEASE_S)

    async def lease(self, target: Target) -> bool:
        """Have one to oneself for a while, unless somebody else has, or has just told it."""
        now = self._database.now()
        free = rows.update().where(rows.c.id == target.id, rows.c.told == target.told, self._is_free(now))
        return await self._database.change(free.values(leased_by=self._process, leased_until=now + LEASE_S)) > 0

    async def settle(self, target: Target, told: int, pause: float) -> None:
        """Somebody knows everything up to an event, and is left alone for a while."""
        await self._mine(target, told=told, attempts=0, next_at=self._database.now() + pause)

    async def put_off(self, target: Target, pause: float, *, failed: bool = False) -> None:
        """Look at it again later; whatever is still true then is told."""
        attempts = target.attempts + int(failed)
        await self._mine(target, attempts=attempts, next_at=self._database.now() + pause)

    async def _mine(self, target: Target, **values: Any) -> None:
        mine = rows.update().where(rows.c.id == target.id, rows.c.leased_by == self._process)
        await self._database.change(mine.values(leased_until=0.0, **values))

    async def forget(self, target: Target) -> None:
        """Nobody is there any more."""
        await self._database.change(rows.delete().where(rows.c.id == target.id))


def digest_of(url: str) -> str:
    """By what an address is found again."""
    return hashlib.sha256(url.encode()).hexdigest()


def host_of(url: str) -> str:
    """Whose server it is: one that hangs holds up nobody else's."""
    return (urlsplit(url).hostname or "")[:200]
