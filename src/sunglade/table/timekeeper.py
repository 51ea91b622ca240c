"""Sees to it that a bot plays for people whose time is over: at every table, whether somebody has it in memory or not.

Any process may do it, and several at once do it once: the event follows from the table's own clock, and the log takes
it one time. What a process that is killed did not commit, the next one does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from sunglade.table.clock import GRACE_S
from sunglade.table.problems import ServerProblem
from sunglade.table.retention import RunningClock
from sunglade.table.table import Intent, Table
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import end

LOOK_S: Final = 2.0
NEAR_S: Final = 120.0
"""A deadline within this time is worth moving the clock for at every look."""
LISTEN_S: Final = 5.0
"""A process that starts, or stood still, first listens for so long: commands may have waited for it."""
TOGETHER: Final = 100

log = logging.getLogger("sunglade.server")


class Timekeeper:
    """Looks every few seconds whose time is over."""

    def __init__(self, registry: TableRegistry, clock: RunningClock, now: Callable[[], float] | None = None) -> None:
        self._now = now or time.monotonic
        self._registry = registry
        self._database = registry.database
        self._clock = clock
        self._looking: asyncio.Task[None] | None = None
        self._looked = 0.0
        self._listening_since = 0.0

    def start(self) -> None:
        """Begin to look."""
        self._looked = self._listening_since = self._now()
        self._looking = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """Stop at once; what is not committed never happened."""
        await end([self._looking] if self._looking else [])

    async def _look_on(self) -> None:
        while True:
            try:
                await self.look()
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("clocks were not looked at")
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Carry out what is due. Where other processes run, clocks are compared at every look that matters."""
        self._notice_standstill()
        first = await self._database.next_deadline()
        if first is None:
            return
        ran = self._clock.now()
        if ran is None or self._database.shared or first - ran < NEAR_S:
            await self._clock.advance()
            ran = self._clock.now()
        if ran is None or self._now() - self._listening_since < LISTEN_S:
            return
        for name, seq in await self._database.overdue(ran - GRACE_S, TOGETHER):
            try:
                await self._play_for(name, seq, ran)
            except DatabaseTrouble:
                raise
            except Exception:  # whatever is wrong with one table, the time of others passes
                log.exception("a clock was not looked at", extra={"table": name})

    def _notice_standstill(self) -> None:
        now = self._now()
        if now - self._looked > 3 * LOOK_S:
            self._listening_since = now
        self._looked = now

    async def _play_for(self, name: str, seq: int, ran: float) -> None:
        try:
            room = await self._registry.room(name)
            await self._registry.keep_up(room, seq)
            await self._registry.record(room, partial(_time_over, ran=ran))
        except ServerProblem as problem:
            log.warning("clock left alone", extra={"table": name, "reason": problem.message})
            if problem.kind != "busy":
                await self._database.leave_alone(name)


def _time_over(table: Table, ran: float) -> Intent | None:
    return table.decide_time_over(ran)
