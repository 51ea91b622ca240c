"""Bots think in processes of their own: engines (docs/protocol.md) that are asked one thing at a time.

An engine ends by itself when its input is closed, so none survives a server that was killed. One that breaks down or
takes too long is replaced, and what it was asked goes to another; a question over which two died is refused as busy.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import sys
import time
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sunglade.server.metrics import Metrics
from sunglade.server.problems import ServerProblem

MOVE, HINT, ANALYSIS = range(3)
"""What is urgent: the lower the sooner."""
PATIENCE_S: Final = 20.0
"""So much longer than it was given may an engine take."""
START_S: Final = 20.0
WARM_S: Final = 300.0
"""The first compile may take long."""
MOST_LINE: Final = 16 * 1024 * 1024
MOST_WAITING: Final = 2000

log = logging.getLogger("sunglade.server")

Request = dict[str, Any]


@dataclass(order=True)
class Job:
    """A question for an engine."""

    urgency: int
    number: int
    request: Request = field(compare=False)
    limit_s: float = field(compare=False)
    answer: asyncio.Future[dict[str, Any]] = field(compare=False)
    died: bool = field(default=False, compare=False)
    """Whether an engine died over it already."""


class EnginePool:
    """Some engines, and a queue of questions for them."""

    def __init__(self, count: int, warm_with: list[str], metrics: Metrics) -> None:
        self._count = count
        self._warm_with = warm_with
        self._metrics = metrics
        self._jobs: asyncio.PriorityQueue[Job] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[None]] = []
        self._ready = 0

    @property
    def state(self) -> str:
        """warming, ready or down."""
        if self._ready:
            return "ready"
        return "warming" if self._tasks and not all(task.done() for task in self._tasks) else "down"

    def start(self) -> None:
        """Start the engines in the background; questions wait until one is warm."""
        self._tasks = [asyncio.create_task(self._serve(number)) for number in range(self._count)]

    async def stop(self) -> None:
        """End all engines."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._jobs.empty():
            job = self._jobs.get_nowait()
            if not job.answer.done():
                job.answer.set_exception(ServerProblem("shutting_down", "the server is shutting down."))

    async def think(
        self,
        game: dict[str, Any],
        bot: str,
        *,
        seed: int,
        urgency: int,
        ms: int | None = None,
        nodes: int | None = None,
    ) -> dict[str, Any]:
        """What a bot thinks of a game: action, value, lines."""
        request: Request = {"cmd": "think", "game": game, "bot": bot, "seed": seed}
        request |= {} if ms is None else {"ms": ms}
        request |= {} if nodes is None else {"nodes": nodes}
        began = time.perf_counter()
        answer = await self._ask(request, urgency, (ms or 0) / 1000 + PATIENCE_S)
        self._metrics.think_seconds.labels(bot).observe(time.perf_counter() - began)
        return answer

    async def _ask(self, request: Request, urgency: int, limit_s: float) -> dict[str, Any]:
        if self._jobs.qsize() >= MOST_WAITING:
            raise ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        await self._jobs.put(Job(urgency, next(self._numbers), request, limit_s, answer))
        return await answer

    async def _serve(self, number: int) -> None:
        """Keep one engine alive and feed it."""
        pause = 0.1
        while True:
            engine = EngineProcess()
            warming: asyncio.Task[None] | None = None
            try:
                await asyncio.wait_for(engine.start(), START_S)
                await self._warm(engine, self._warm_with[:1])
                pause = 0.1
                self._ready += 1
                self._metrics.engines.set(self._ready)
                warming = asyncio.create_task(self._warm(engine, self._warm_with[1:]))
                try:
                    while True:
                        await self._work(engine, warming)
                finally:
                    self._ready -= 1
                    self._metrics.engines.set(self._ready)
            except (EngineDied, TimeoutError, OSError) as error:
                log.warning("bot engine replaced", extra={"engine": number, "reason": str(error) or "did not start"})
            finally:
                if warming is not None:
                    warming.cancel()
                    await asyncio.gather(warming, return_exceptions=True)
                await engine.end()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 30.0)

    async def _warm(self, engine: EngineProcess, bots: list[str]) -> None:
        """Load or compile what the bots need before anybody waits for it. Simple bots play meanwhile."""
        game = {"format": "sunglade/1", "players": 2, "rules": {}, "actions": []}
        for bot in bots:
            await engine.ask({"cmd": "think", "game": game, "bot": bot, "ms": 1, "seed": 0}, WARM_S)

    async def _next_job(self, engine: EngineProcess) -> Job:
        """Wait for a question, but not with an engine that is gone: it is to be replaced before somebody asks."""
        getting = asyncio.ensure_future(self._jobs.get())
        try:
            await asyncio.wait({getting, engine.gone}, return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                raise EngineDied("broke down while nobody asked")
            return getting.result()
        finally:
            getting.cancel()

    async def _work(self, engine: EngineProcess, warming: asyncio.Task[None]) -> None:
        """Answer the next question. A bot that refuses is an answer; where the engine dies, another is asked.

        Only one more: the question itself may be what engines die of. An engine that still compiles has more time: the
        next one would have to begin again.
        """
        job = await self._next_job(engine)
        if job.answer.done():
            return
        patience = job.limit_s if warming.done() else job.limit_s + WARM_S
        try:
            answer = await engine.ask(job.request, patience)
        except EngineDied as error:
            if not job.died:
                self._jobs.put_nowait(replace(job, died=True))
            elif not job.answer.done():
                job.answer.set_exception(ServerProblem("busy", f"the bot {error}; try again.", retry_after=1.0))
            raise
        except asyncio.CancelledError:
            if not job.answer.done():
                job.answer.set_exception(ServerProblem("shutting_down", "the server is shutting down."))
            raise
        if job.answer.done():
            return
        if "error" in answer:
            job.answer.set_exception(ServerProblem("bad_request", str(answer["error"].get("message"))))
        else:
            job.answer.set_result(answer)


class EngineDied(Exception):
    """An engine that does not answer any more."""


class EngineProcess:
    """A process that answers lines, several at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reading: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process; it inherits nothing but its three streams."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sunglade",
            "engine",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MOST_LINE,
            start_new_session=True,  # an interrupt at the keyboard is for the server, which then ends it
        )
        self._reading = asyncio.create_task(self._read())
        self._watching = asyncio.create_task(self._watch())

    @property
    def gone(self) -> asyncio.Task[None]:
        """Done when nothing more will come from the process."""
        assert self._reading is not None
        return self._reading

    async def ask(self, request: Request, limit_s: float) -> dict[str, Any]:
        """Send a question and wait for its answer."""
        process = self._process
        if process is None or process.stdin is None or self._reading is None or self._reading.done():
            raise EngineDied("broke down")
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(json.dumps({"id": number, **request}, separators=(",", ":")).encode() + b"\n")
            await process.stdin.drain()
            return await asyncio.wait_for(answer, limit_s)
        except TimeoutError:
            raise EngineDied("took too long") from None
        except OSError as error:
            raise EngineDied(f"could not be asked ({error})") from None
        finally:
            self._waiting.pop(number, None)

    async def _read(self) -> None:
        """Hand answers to those who wait for them, until the process ends."""
        assert self._process is not None and self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                answer = json.loads(line)
                waiting = self._waiting.get(answer.get("id"))
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except ValueError as error:
            log.warning("bot engine speaks nonsense", extra={"reason": str(error)})
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(EngineDied("broke down"))

    async def _watch(self) -> None:
        """A process that is gone answers nothing more, even where the end of its output is not told."""
        assert self._process is not None and self._reading is not None
        await self._process.wait()
        await asyncio.wait([self._reading], timeout=1.0)
        self._reading.cancel()

    async def end(self) -> None:
        """End the process and wait for it."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        tasks = [task for task in (self._reading, self._watching) if task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
