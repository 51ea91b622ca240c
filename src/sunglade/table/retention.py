"""How long tables are kept.

Idle time is counted by a clock in the database that goes on only while a server runs, a small step at a time: neither a
machine whose clock jumps nor one that was off for a month makes tables old. Tables that are in some process' memory are
marked as used, so that no other process deletes them.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from typing import Final

from sunglade.table.table_log import TableLog
from sunglade.table.trouble import DatabaseTrouble, log_trouble

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


class RunningClock:
    """Moves the database's clock on while this process runs. Several that do so move it no faster than one."""

    def __init__(self, database: TableLog, now: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._now = now
        self._seen: float | None = None
        self._at = 0.0
        self._asked_at = -math.inf

    async def advance(self) -> None:
        """Move it on by the time since the last call; the first call only looks at it."""
        now = self._now()
        if self._seen is not None:
            mine = self._seen + min(now - self._at, STEP_S)
            await self._database.advance_clock(mine)
        self.hear(await self._database.clock())
        self._asked_at = now

    async def surely(self) -> float | None:
        """What it shows by now, for what is kept: asked for where the database has not been heard of for a step,
        because from then on it goes on without this process, which would fall behind.
        """
        if self._now() - self._asked_at >= STEP_S:
            await self.advance()
        return self.now()

    def now(self) -> float | None:
        """What it shows by now; None as long as nobody has looked at it."""
        return None if self._seen is None else self._seen + min(self._now() - self._at, STEP_S)

    def hear(self, seconds: float) -> None:
        """Somebody knows that it is so late: what others moved it on by counts once, and it never goes back."""
        self._seen, self._at = max(seconds, self.now() or 0.0), self._now()


async def mark_used(database: TableLog, names: Sequence[str]) -> list[str]:
    """Somebody may be at these tables: they are not idle. Those that are no longer there."""
    missing: list[str] = []
    for start in range(0, len(names), MARKED_TOGETHER):
        some = names[start : start + MARKED_TOGETHER]
        unmarked = await database.unmarked(some, MARKED_S)
        missing += [name for name in some if name not in unmarked]
        if stale := [name for name, is_stale in unmarked.items() if is_stale]:
            await database.mark(stale)
    return missing


async def is_kept(database: TableLog, name: str) -> bool:
    """Whether a table is there, and stays for as long as it is marked again."""
    unmarked = await database.unmarked([name], MARKED_S)
    if not unmarked.get(name):
        return name in unmarked
    try:
        return await database.keep(name)
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
        return True  # where this process cannot write, it deletes nothing; reading goes on


async def retire(database: TableLog, days: float, upload_days: float) -> list[str]:
    """Delete tables that were idle for so many days in which servers ran, and uploaded games likewise; which."""
    await database.mark_forgotten()
    gone: list[str] = []
    for uploaded, limit in ((False, days), (True, upload_days)):
        if limit:
            while some := await database.delete_idle(max(limit * DAY_S, LEAST_S), TOGETHER, uploaded=uploaded):
                gone += some
    if days:
        await _forget_unused(database, days)
    if gone:
        log.info("idle tables deleted", extra={"count": len(gone)})
    return gone


async def _forget_unused(database: TableLog, days: float) -> None:
    """Forget people who have no table left and showed no key for so many days.

    These are the machine's days: tables are what may not vanish by a clock that jumps, and whoever has one stays.
    """
    since = time.time() - days * DAY_S
    while some := await database.people_unused(since, TOGETHER):
        for person in some:
            await database.begin_to_forget(person)
            await database.forget_person(person)
