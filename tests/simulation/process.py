"""A simulated server process: a real `Service` and its real application, on the loop of the simulation."""

from __future__ import annotations

import asyncio
import contextvars
import random
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Final, TypeVar

from fastapi import FastAPI

from simulation.engines import SimulatedEngine
from simulation.faults import Faults
from simulation.faulty_log import FaultyLog, Store
from simulation.loop import OWNER, SeededLoop
from simulation.rated import FaultyBook
from simulation.told import FaultyTargets
from sunglade.server.app import make_inner_app
from sunglade.server.config import Config
from sunglade.server.engine_process import Request
from sunglade.server.guard import Guard, Hosts
from sunglade.server.service import Service

T = TypeVar("T")
GRACE_S: Final = 0.2
STOP_S: Final = 60.0
"""A server that is told to stop has stopped within this time, whatever happens."""


class NeverStops(AssertionError):
    """A server that was told to stop did not."""


class Process:
    """From its start to its end, whatever that is."""

    def __init__(
        self,
        number: int,
        loop: SeededLoop,
        store: Store,
        faults: Faults,
        chance: random.Random,
        config: Config,
        on_question: Callable[[Request], None],
        *,
        shared: bool,
    ) -> None:
        self.number = number
        self.alive = True
        self.stopped = False
        self.parked: list[asyncio.Handle] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.steps = 0
        self.dies_at: int | None = None
        """The step before which it is killed."""
        self.ears: list[Any] = []
        """Requests and sockets, who hear of its end."""
        self.resumed_at = 0.0
        self.engines: list[SimulatedEngine] = []
        self.skew = 0.0
        """How wrong its clock is."""
        self._loop = loop
        self._chance = chance
        self._context = contextvars.copy_context()
        self._context.run(OWNER.set, self)
        self.service = self._context.run(self._new_service, store, faults, config, on_question, shared)
        inner = _application(number)
        inner.state.service = self.service
        self._guard = Guard(
            inner,
            Hosts("localhost", ()),
            self.service.limits,
            self.service.connections,
            self.service.metrics,
            self.service.bans,
        )

    def _new_service(
        self, store: Store, faults: Faults, config: Config, on_question: Callable[[Request], None], shared: bool
    ) -> Service:
        def new_engine() -> SimulatedEngine:
            self.engines.append(SimulatedEngine(self._loop, faults, self._chance, on_question))
            return self.engines[-1]

        way = FaultyLog(store, self._loop, faults, self._chance, shared=shared)
        name = f"{self.number} {self._loop.now}"
        told = FaultyTargets(store.targets, way, name)
        return Service(config, way, new_engine, told, book=FaultyBook(store.rated, way))

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something in this process."""
        return self._loop.create_task(work, context=self._context.copy())

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        """The guarded application."""
        await self._guard(scope, receive, send)

    async def start(self) -> None:
        """Start, unless it is killed meanwhile."""
        await asyncio.wait([self.spawn(self.service.start())], timeout=1.0)

    def prune(self) -> None:
        """Let go of tasks that are done."""
        self.tasks = [task for task in self.tasks if not task.done()]

    def go_on(self) -> None:
        """Run again, after it was stopped."""
        self.resumed_at = self._loop.now
        self._loop.go_on(self)

    def engines_overdue(self) -> float:
        """For how long an engine has been silent about which nothing was done."""
        if not self.alive or self.stopped:
            return 0.0
        silent = [
            engine.silent_since for engine in self.engines if engine.silent_since is not None and not engine.killed
        ]
        return max((self._loop.now - max(since, self.resumed_at) for since in silent), default=0.0)

    def kill(self) -> None:
        """Nothing of it runs any more; connections break soon."""
        self.alive = False
        for ear in self.ears:
            self._loop.call_later(self._chance.choice((0.0, 0.01, 0.3)), ear.cut)

    async def stop(self) -> None:
        """End in good order, which must not take for ever."""
        self.spawn(self._say_goodbye())
        await asyncio.sleep(GRACE_S)
        for ear in list(self.ears):
            ear.cut()
        began, stopping = asyncio.get_running_loop().time(), self.spawn(self.service.stop())
        await asyncio.wait([stopping], timeout=STOP_S)
        if asyncio.get_running_loop().time() - began > 2 * STOP_S:  # the machine was off meanwhile
            await asyncio.wait([stopping], timeout=STOP_S)
        was_alive, done = self.alive, stopping.done()
        self.kill()
        if was_alive and not done:
            raise NeverStops(f"process {self.number} did not stop within {STOP_S:.0f} s")
        if was_alive:
            stopping.result()
            if not all(engine.killed or engine._gone.done() for engine in self.engines):
                raise NeverStops(f"process {self.number} has left engines behind")

    def vanish(self) -> None:
        """Let go of everything."""
        _application(self.number).state.service = None

    async def _say_goodbye(self) -> None:
        self.service.begin_to_stop()


@cache
def _application(number: int) -> FastAPI:
    """Routes take long to make, and are the same for every process that ever has this number."""
    return make_inner_app(None)
