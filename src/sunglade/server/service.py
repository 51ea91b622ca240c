"""Everything a server process has, from start to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Final

from pydantic_core import to_json

import sunglade
from sunglade import bots, site
from sunglade.game import Game
from sunglade.rules import MODULES, Rules
from sunglade.server.bans import Bans, turned_away
from sunglade.server.config import Config
from sunglade.server.connections import Connections
from sunglade.server.descriptors import most_connections
from sunglade.server.engine_pool import EnginePool
from sunglade.server.engine_process import EngineProcess
from sunglade.server.garbage import Garbage
from sunglade.server.health import Health
from sunglade.server.limits import Limits
from sunglade.server.listener import Listener
from sunglade.server.metrics import Metrics
from sunglade.server.notices.desk import Notices
from sunglade.server.notices.posting import Posting
from sunglade.server.notices.targets import SqlTargets, Targets
from sunglade.server.ratings.book import RatingBook, SqlBook
from sunglade.server.ratings.desk import Ratings
from sunglade.table.analysis import Analyses
from sunglade.table.autoplay import Autoplay
from sunglade.table.house import House
from sunglade.table.lobby import Lobby
from sunglade.table.retention import RunningClock, retire
from sunglade.table.table_log import TableLog
from sunglade.table.table_registry import TableRegistry
from sunglade.table.timekeeper import Timekeeper
from sunglade.table.tokens import new_holder
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.view import position_view
from sunglade.table.work import STOP_S, end

HOUSEKEEPING_S: Final = 15.0
HOUR_S: Final = 3600.0
WARMED: Final = ("random", "greedy", "search", "neural")
"""Bots whose code the engines load ahead, the quickest first; the levels are made of these."""

log = logging.getLogger("sunglade.server")


class Service:
    """The parts of the server, wired together."""

    def __init__(
        self,
        config: Config,
        database: TableLog,
        new_engine: Callable[[], EngineProcess] = EngineProcess,
        targets: Targets | None = None,
        posting: Posting | None = None,
        book: RatingBook | None = None,
    ) -> None:
        """`targets` and `posting` are those who are told and the way to them, where it is not by database and web.

        `book` keeps ratings, where the database does not.
        """
        self.config = config
        self.database = database
        self.process = new_holder()
        self.levels = bots.names()
        self.metrics = Metrics()
        self.limits = Limits(config.limits)
        self.bans = Bans(config.banned)
        self.connections = Connections(
            config.connections or most_connections(config.engines),
            math.ceil(config.connections_each * config.limits),
            self.metrics,
            proxied=bool(config.proxies),
        )
        self._clock = RunningClock(self.database)
        self.registry = TableRegistry(
            self.database, self.metrics, self.levels, config.most_rooms, shared=self.database.shared, write=to_json,
            clock=self._clock,
        )  # fmt: skip
        self._timekeeper = Timekeeper(self.registry, self._clock)
        self.engines = EnginePool(config.engines, list(WARMED), self.metrics, new_engine)
        self.players = Autoplay(self.registry, self.engines, config, self.process)
        self.health = Health(self.database)
        self.analyses = Analyses(self.engines, self.registry)
        self.lobby = Lobby(self.registry) if config.lobby else None
        self.house = House(
            self.registry, self.engines, self.analyses, self.limits, asyncio.to_thread, talk=config.talk,
            lobby=self.lobby, ratings=config.ratings, ranking=config.ratings and config.ranking,
        )  # fmt: skip
        told = SqlTargets.of(database, self.process) if targets is None else targets
        way = Posting(private=config.private_notices) if posting is None else posting
        self.notices = Notices(config, told, self.house, self.metrics, way)
        self.house.people.check_served = self.bans.check_person
        self.ratings = Ratings(
            self.house, SqlBook.of(database) if book is None else book, self.bans.check_person,
            offered=config.ratings, ranking=config.ranking,
        )  # fmt: skip
        self._listener = Listener(self.database, self.registry)
        self._garbage = Garbage()
        self._keeping: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None

    @cached_property
    def device_worker(self) -> str | None:
        """The worker that keeps tables on people's own devices; None where they are not offered."""
        return site.device_worker() if self.config.device else None

    async def start(self) -> None:
        """Start everything that runs by itself."""
        self.bans.look()
        self._warming = asyncio.create_task(self._warm())
        self.engines.start()
        await self._listener.start()
        self.players.start()
        self._timekeeper.start()
        self.notices.start()
        self.ratings.start()
        if self.lobby is not None:
            self.lobby.start()
        self._keeping = asyncio.create_task(self._keep_house())
        log.info("started", extra={"version": sunglade.__version__, "process_id": self.process})

    def begin_to_stop(self) -> None:
        """Say goodbye to everybody who waits or listens."""
        self.house.stopping.set()
        for room in self.registry.rooms.values():
            room.wake_all()
        if self.lobby is not None:
            self.lobby.wake_all()

    async def stop(self) -> None:
        """Stop in good order: what is under way is committed, then the rest ends."""
        self.begin_to_stop()
        await end([task for task in (self._warming, self._keeping) if task is not None])
        await self.notices.stop()
        await self.ratings.stop()
        await self._timekeeper.stop()
        if self.lobby is not None:
            await self.lobby.stop()
        await self.players.stop()
        await self.analyses.stop()
        await self.house.people.finish(STOP_S)
        await self.registry.finish(STOP_S)
        await self._listener.stop()
        await self.engines.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self.database.close()
        self._garbage.stop()
        log.info("stopped")

    async def _warm(self) -> None:
        """Load what is slow to load."""
        await asyncio.to_thread(warm_views)
        self._garbage.start()

    async def _keep_house(self) -> None:
        """Presence for other processes, rooms out of memory, idle tables out of the database."""
        retired = -HOUR_S
        while True:
            await asyncio.sleep(HOUSEKEEPING_S)
            for step in (
                self._make_space,
                self._turn_away,
                self._look_again,
                self.players.beat,
                self._clock.advance,
                self.house.people.forget_all,
            ):
                await _attempt(step)
            # A process that cannot mark its tables as used does not know whose are not.
            if await _attempt(self.registry.stay) and time.monotonic() - retired > HOUR_S:
                retired = time.monotonic()
                await _attempt(self._retire)

    async def _make_space(self) -> None:
        self.registry.forget_idle(self.config.idle_s)
        self._garbage.look(self.registry.committer.asked)

    async def _turn_away(self) -> None:
        """Whoever was banned meanwhile goes."""
        if self.bans.look():
            self.connections.turn_away(self.bans.has, turned_away())

    async def _look_again(self) -> None:
        """The operator may have changed a table. Where there are other processes, somebody looks more often."""
        if not self.database.shared:
            await self.registry.look_again()

    async def _retire(self) -> None:
        for name in await retire(self.database, self.config.keep_days, self.config.keep_uploads_days):
            self.registry.close(name)


async def _attempt(step: Callable[[], Awaitable[object]]) -> bool:
    """Do a part of the housekeeping; whether it went well. What goes wrong keeps the other parts from nothing."""
    try:
        await step()
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
    except Exception:
        log.exception("housekeeping failed")
    else:
        return True
    return False


def warm_views() -> None:
    """Load the compiled rules, so that the first to sit down does not wait for them."""
    for modules in ((), MODULES):
        game = Game(2, Rules(modules=modules))
        position_view(game, assistance=True)
        game.play(game.legal[0])
