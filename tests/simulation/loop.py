"""An event loop without a clock and without chance: a seed decides who is next, and time jumps to the next timer.

Every task belongs to a simulated process, or to the world around them. A process that is killed never runs again, at
whatever `await` its tasks stand; one that is stopped goes on later, as if no time had passed for it.

In quiet hours the timers of processes wait for each other, as those of a machine do that saves power: everything that
is due within a minute happens at its end. So a quiet hour costs sixty moments, not thousands.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import math
import random
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar, cast

T = TypeVar("T")
MOST_STEPS_AT_ONCE: Final = 200_000
"""So many steps without a moment passing are a loop that never ends."""
THREAD_S: Final = (0.0, 0.05)
"""What is done in a thread takes so long."""


class Owner(Protocol):
    """A simulated process, as far as the loop is concerned."""

    alive: bool
    stopped: bool
    parked: list[asyncio.Handle]
    tasks: list[asyncio.Task[Any]]
    steps: int


OWNER: contextvars.ContextVar[Owner | None] = contextvars.ContextVar("owner", default=None)


class Endless(Exception):
    """Something runs for ever without waiting."""


class SeededLoop:
    """What asyncio needs of a loop. `disorder` is how often somebody is next who is not the first in the queue."""

    def __init__(self, chance: random.Random, disorder: float) -> None:
        self._as_loop = cast(asyncio.AbstractEventLoop, self)
        self.now = 0.0
        self.steps = 0
        self.dies: Callable[[Owner], bool] = lambda owner: False
        """Asked before each step of a process whether it comes to it."""
        self.on_error: Callable[[dict[str, Any]], None] = lambda context: None
        self._chance = chance
        self._disorder = disorder
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, float, int, asyncio.TimerHandle]] = []
        self._count = 0
        self._tasks: list[asyncio.Task[Any]] = []
        self._running = False
        self._slack_s = 0.0

    # Running

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """Run until a story of the world has been told."""
        asyncio._set_running_loop(self._as_loop)
        self._running = True
        try:
            main = self.create_task(story)
            since, at = 0, self.now
            while not main.done():
                self._step()
                since = since + 1 if self.now == at else 0
                at = self.now
                if since > MOST_STEPS_AT_ONCE:
                    raise Endless(f"{since} steps at {self.now:.3f} s and no end")
            return main.result()
        finally:
            self._running = False
            asyncio._set_running_loop(None)

    def _step(self) -> None:
        if not self._ready:
            self._pass_time()
        ready = self._ready
        if len(ready) > 1 and self._disorder and self._chance.random() < self._disorder:
            ready.rotate(-self._chance.randrange(len(ready)))
        handle = ready.popleft()
        if handle.cancelled():
            return
        owner: Owner | None = handle._context.get(OWNER)  # type: ignore[attr-defined]
        if owner is not None:
            if not owner.alive:
                return
            if owner.stopped:
                owner.parked.append(handle)
                return
            owner.steps += 1
            if self.dies(owner):
                return
        self.steps += 1
        handle._run()
        # From Python 3.12 on the frames of an exception hold the handle that ran them, and it the task that holds the
        # exception: such a ring would keep a table until garbage is looked for, which no world does.
        handle._callback = handle._args = None  # type: ignore[attr-defined,assignment]

    def _pass_time(self) -> None:
        """On to the next moment at which something happens, and everything that does."""
        while True:
            when, _, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled():
                break
        self.now = max(self.now, when)
        self._ready.append(timer)
        while self._timers and self._timers[0][0] <= self.now:
            _, _, _, timer = heapq.heappop(self._timers)
            self._ready.append(timer)

    def skip(self, seconds: float) -> None:
        """So much time passes at once, with nobody there: timers wait for the end of it."""
        self.now += seconds

    def save_power(self, slack_s: float) -> None:
        """From now on timers of processes may be late by so much; 0 for none, also for those that wait already."""
        self._slack_s = slack_s
        if not slack_s:
            self._timers = [
                (max(self.now, timer.when()), tie, count, timer)
                for _, tie, count, timer in self._timers
                if not timer.cancelled()
            ]
            heapq.heapify(self._timers)

    def go_on(self, owner: Owner) -> None:
        """A stopped process runs again."""
        owner.stopped = False
        self._ready.extend(owner.parked)
        owner.parked.clear()

    # What asyncio asks of a loop

    def time(self) -> float:
        return self.now

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self._as_loop, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self._as_loop, context)
        self._count += 1
        if self._slack_s and (contextvars.copy_context() if context is None else context).get(OWNER) is not None:
            when = math.ceil(when / self._slack_s) * self._slack_s
        heapq.heappush(self._timers, (when, self._chance.random() if self._disorder else 0.0, self._count, timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is left where it is."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self._as_loop)

    def create_task(
        self,
        coro: Coroutine[Any, Any, T],
        *,
        name: str | None = None,
        context: contextvars.Context | None = None,
    ) -> asyncio.Task[T]:
        task: asyncio.Task[T] = asyncio.Task(coro, loop=self._as_loop, name=name, context=context)
        owner = (contextvars.copy_context() if context is None else context).get(OWNER)
        self._tasks.append(task)
        if owner is not None:
            owner.tasks.append(task)
        return task

    def prune(self) -> None:
        """Let go of tasks that are done, and of what they hold: tables, for some."""
        self._tasks = [task for task in self._tasks if not task.done()]

    def forget(self) -> None:
        """Nobody shall hear that tasks were not done."""
        for task in self._tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        """There are no threads: it is done a little later."""
        done: asyncio.Future[T] = self.create_future()

        def work() -> None:
            if done.cancelled():
                return
            try:
                done.set_result(func(*args))
            except Exception as error:
                done.set_exception(error)

        self.call_later(self._chance.uniform(*THREAD_S), work)
        return done

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.on_error(context)

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return False

    def get_debug(self) -> bool:
        return False
