"""Sends what there is to tell, as long as it is true: once for each reason as far as it can be known, never never.

Whoever is told has a cursor (`targets.py`). It moves on when the notice was taken, or when there is nothing to tell any
more. A process that dies in between leaves it where it was: the same is sent again, under the same id, and shown once.
An address that hangs has few places of its own; nobody waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from sunglade.server.metrics import Metrics
from sunglade.server.notices.addresses import checked_url
from sunglade.server.notices.posting import Answer, Outcome, Posting
from sunglade.server.notices.reasons import PAST_READ, Reason, for_group, for_holder
from sunglade.server.notices.sealing import ServerKey, sealed
from sunglade.server.notices.sentences import as_json, for_chat, for_person
from sunglade.server.notices.targets import WEBHOOK, Target, Targets, digest_of
from sunglade.table.problems import ServerProblem
from sunglade.table.room import PRESENT_FOR_S, Room
from sunglade.table.table_registry import TableRegistry
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import STOP_S, end

LOOK_S: Final = 5.0
"""So often somebody looks, whether anything was heard or not."""
BREATH_S: Final = 0.5
"""The least time between two looks: many things happen together."""
MOST_AT_ONCE: Final = 16
MOST_OF_A_HOST: Final = 2
BETWEEN_S: Final = 10.0
"""The least time between two notices to the same place."""
LOOKING_S: Final = 15.0
"""Whoever looks at the table needs no notice; so often it is asked whether they still do."""
SEEN_S: Final = PRESENT_FOR_S + 20.0
"""Whoever is there so long after something happened has seen it: nobody who went before it counts as present still."""
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 6 * 3600.0
MOST_ATTEMPTS: Final = 16
"""After so many failures in a row, about two days, nobody is there any more."""
GOOD_S: Final = 24 * 3600
"""So long a push service keeps a notice for a browser that is off."""

log = logging.getLogger("sunglade.server")


class Sender:
    """The task that tells people."""

    def __init__(
        self,
        registry: TableRegistry,
        targets: Targets,
        posting: Posting,
        metrics: Metrics,
        key: Callable[[], Awaitable[ServerKey]],
        now: Callable[[], float] = time.time,
    ) -> None:
        """`key` is the one by which push services know this server, `now` the time of day, for quiet hours."""
        self._registry = registry
        self._targets = targets
        self._posting = posting
        self._metrics = metrics
        self._now = now
        self._key = key
        self._busy: Counter[str] = Counter()
        self._sending: dict[asyncio.Task[None], None] = {}
        self._news = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._registry.bell.listen(self._news.set)
        self._looking = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """Stop at once: what was not taken for certain is sent again."""
        await end([*([self._looking] if self._looking else []), *self._sending], STOP_S)

    async def _look_on(self) -> None:
        while True:
            try:
                await self.look()
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("notices were not looked at")
            await asyncio.sleep(BREATH_S)
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._news.wait()
            except TimeoutError:
                pass
            self._news.clear()

    async def look(self) -> None:
        """Begin to tell those who are due, as many as there are places for."""
        free = MOST_AT_ONCE - len(self._sending)
        if free <= 0:
            return
        full = [host for host, count in self._busy.items() if count >= MOST_OF_A_HOST]
        for target in await self._targets.due(full, free):
            if await self._targets.lease(target):
                self._begin(target)

    async def settled(self) -> None:
        """Wait until all that was begun is over."""
        while self._sending:
            await asyncio.wait(list(self._sending))

    def _begin(self, target: Target) -> None:
        task = asyncio.create_task(self._tell(target))
        self._sending[task] = None
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._sending[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a notice failed", exc_info=error)
        self._news.set()

    # One notice

    async def _tell(self, target: Target) -> None:
        """Tell one, or find that there is nothing to tell, or not now. What goes wrong here is tried again."""
        try:
            await self._tell_now(target)
        except DatabaseTrouble as trouble:
            log_trouble(trouble)  # the lease ends by itself
        except ServerProblem as problem:
            if problem.kind == "unknown_table":
                await self._targets.forget(target)
            else:
                await self._targets.put_off(target, _pause(target), failed=True)

    async def _tell_now(self, target: Target) -> None:
        room = await self._registry.room(target.table)
        await self._registry.look_closer(room)
        seq = room.table.seq
        reason = await self._reason(room, target)
        if reason is None:
            await self._targets.settle(target, seq, 0.0)
        elif await self._looks(room, target, reason):
            if reason.at is not None and self._now() - reason.at > SEEN_S:
                await self._know(target, reason, seq)
            else:
                await self._targets.put_off(target, LOOKING_S)
        elif target.wanted.quiet is not None and (until := target.wanted.quiet.until(self._now())) is not None:
            await self._targets.put_off(target, until - self._now())
        elif self._busy[target.host] >= MOST_OF_A_HOST:
            await self._targets.put_off(target, BREATH_S)
        else:
            with self._at_host(target.host):
                answer = await self._posted(room, target, reason)
            await self._heed(target, reason, seq, answer)

    @contextmanager
    def _at_host(self, host: str) -> Iterator[None]:
        """Have one of the places at a host. Whoever has nothing to send there takes none."""
        self._busy[host] += 1
        try:
            yield
        finally:
            self._busy[host] -= 1
            if not self._busy[host]:
                del self._busy[host]

    async def _know(self, target: Target, reason: Reason, seq: int) -> None:
        """Somebody knows it, and with it everything up to an event; of a game that is over nothing else is told."""
        if reason.kind == "over":
            await self._targets.forget(target)
        else:
            await self._targets.settle(target, seq, BETWEEN_S)

    async def _reason(self, room: Room, target: Target) -> Reason | None:
        if target.kind == WEBHOOK:
            return for_group(room.table, target.told)
        since = max(target.told, room.table.seq - PAST_READ)
        past = await self._registry.database.log(room.table.name, since=since) if room.table.game.round <= 1 else []
        return for_holder(room.table, past, target.holder, target.told)

    async def _looks(self, room: Room, target: Target, reason: Reason) -> bool:
        """Whether the person who would be told is at the table; for a group, whether the one who is to act is."""
        if target.kind != WEBHOOK:
            return await self._registry.is_there(room, target.holder)
        holder = None if reason.seat is None else room.table.chairs[reason.seat].holder
        return holder is not None and await self._registry.is_there(room, holder)

    async def _posted(self, room: Room, target: Target, reason: Reason) -> Answer:
        wanted = target.wanted
        if wanted.keys is None:
            told = for_chat(room.table, reason, wanted.language, wanted.page)
            return await self._posting.post(wanted.url, as_json(told), {"content-type": "application/json"})
        told = for_person(room.table, reason, wanted.language)
        url = checked_url(wanted.url, private=self._posting.private)
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "authorization": (await self._key()).word_for(url, self._now()),
            "ttl": str(GOOD_S),
            "urgency": "high" if reason.kind == "turn" else "normal",
            "topic": digest_of(room.table.name)[:32],
        }
        return await self._posting.post(wanted.url, sealed(as_json(told), wanted.keys), headers)

    async def _heed(self, target: Target, reason: Reason, seq: int, answer: Answer) -> None:
        """What became of it decides what is next."""
        self._metrics.notices.labels(target.kind, answer.outcome.value).inc()
        if answer.outcome is Outcome.TAKEN:
            await self._know(target, reason, seq)
        elif answer.outcome is Outcome.GONE or target.attempts + 1 >= MOST_ATTEMPTS:
            log.info("a target of notices is forgotten", extra={"table": target.table, "reason": answer.reason})
            await self._targets.forget(target)
        else:
            log.warning("a notice was not taken", extra={"host": target.host, "reason": answer.reason})
            await self._targets.put_off(target, max(answer.pause, _pause(target)), failed=True)


def _pause(target: Target) -> float:
    """Longer with every failure."""
    return float(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**target.attempts))
