"""Who is told of tables while they are away, in a simulated world: kept in memory, asked over a way that fails."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sunglade.server.notices.sealing import new_key
from sunglade.server.notices.targets import LEASE_S, PUSH, Target, Wanted, host_of
from sunglade.table.tokens import new_holder

if TYPE_CHECKING:
    from simulation.faulty_log import FaultyLog, Store


@dataclass(slots=True)
class Kept:
    """A target, when it is to be looked at, and who is at it."""

    target: Target
    next_at: float = 0.0
    leased_by: str | None = None
    leased_until: float = 0.0


class ToldStore:
    """What all processes share."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.key = new_key()
        self.kept: dict[str, Kept] = {}

    def _now(self) -> float:
        return self.store._now()

    def there(self) -> None:
        """Tables that are deleted have nobody who is told of them."""
        self.kept = {name: kept for name, kept in self.kept.items() if kept.target.table in self.store.tables}

    def want(self, table: str, holder: str, kind: str, wanted: Wanted, told: int) -> bool:
        if table not in self.store.tables:
            return False
        same = [kept.target for kept in self.at(table) if kept.target.kind == kind]
        before = next((each for each in same if kind != PUSH or each.wanted.url == wanted.url), None)
        if before is not None:
            del self.kept[before.id]
            told = before.told
        name = new_holder()
        self.kept[name] = Kept(Target(name, table, holder, kind, host_of(wanted.url), told, 0, wanted))
        return True

    def want_no_more(self, table: str, kind: str, url: str, holder: str | None) -> None:
        for kept in self.at(table):
            target = kept.target
            if target.kind == kind and (kind != PUSH or target.wanted.url == url) and holder in (None, target.holder):
                del self.kept[target.id]

    def at(self, table: str) -> list[Kept]:
        self.there()
        return [kept for kept in self.kept.values() if kept.target.table == table]

    def due(self, busy: Collection[str], limit: int) -> list[Target]:
        self.there()
        due = [
            kept
            for kept in self.kept.values()
            if len(self.store.tables[kept.target.table].events) > kept.target.told
            and kept.next_at <= self._now()
            and kept.leased_until < self._now()
            and kept.target.host not in busy
        ]
        return [kept.target for kept in sorted(due, key=lambda kept: (kept.next_at, kept.target.id))[:limit]]

    def lease(self, target: Target, process: str) -> bool:
        kept = self.kept.get(target.id)
        if kept is None or kept.target.told != target.told or kept.leased_until >= self._now():
            return False
        kept.leased_by, kept.leased_until = process, self._now() + LEASE_S
        return True

    def release(self, target: Target, process: str, pause: float, **values: Any) -> None:
        kept = self.kept.get(target.id)
        if kept is not None and kept.leased_by == process:
            kept.target = replace(kept.target, **values)
            kept.leased_until, kept.next_at = 0.0, self._now() + pause

    def forget(self, target: Target) -> None:
        self.kept.pop(target.id, None)


class FaultyTargets:
    """`Targets`: one process' way to them, on which things go wrong as on its way to the log."""

    def __init__(self, told: ToldStore, way: FaultyLog, process: str) -> None:
        self._told = told
        self._way = way
        self._process = process

    async def key(self) -> str:
        return await self._way._ask(lambda: self._told.key)

    async def want(self, table: str, holder: str, kind: str, wanted: Wanted, told: int) -> bool:
        return await self._way._ask(lambda: self._told.want(table, holder, kind, wanted, told), commits=True)

    async def want_no_more(self, table: str, kind: str, url: str = "", holder: str | None = None) -> None:
        await self._way._ask(lambda: self._told.want_no_more(table, kind, url, holder), commits=True)

    async def at(self, table: str) -> list[Target]:
        return await self._way._ask(lambda: [kept.target for kept in self._told.at(table)])

    async def due(self, busy: Collection[str], limit: int) -> list[Target]:
        return await self._way._ask(lambda: self._told.due(busy, limit))

    async def lease(self, target: Target) -> bool:
        return await self._way._ask(lambda: self._told.lease(target, self._process), commits=True)

    async def settle(self, target: Target, told: int, pause: float) -> None:
        await self._way._ask(
            lambda: self._told.release(target, self._process, pause, told=told, attempts=0), commits=True
        )

    async def put_off(self, target: Target, pause: float, *, failed: bool = False) -> None:
        attempts = target.attempts + int(failed)
        await self._way._ask(lambda: self._told.release(target, self._process, pause, attempts=attempts), commits=True)

    async def forget(self, target: Target) -> None:
        await self._way._ask(lambda: self._told.forget(target), commits=True)
