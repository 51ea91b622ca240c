"""Bots think in engine processes (`engine_process.py`), and this is their one supervisor.

Each slot has an engine. One that breaks down, falls silent or takes too long is killed and replaced, whatever the
reason, and what it was asked goes to another; a question over which two died is refused as busy. Every wait has a
limit: nothing an engine does can hang a slot, or the end of the server.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from sunglade.server.engine_process import Answer, EngineDied, EngineProcess, Request
from sunglade.server.metrics import Metrics
from sunglade.server.think_queue import DEEP, LANES, SIMPLE, Question, ThinkQueue
from sunglade.table.problems import ServerProblem
from sunglade.table.thinking import SEARCHERS, Asker
from sunglade.table.work import STOP_S, end

PATIENCE_S: Final = 20.0
"""So much longer than it was given may an engine take, as long as it gives signs of life."""
START_S: Final = 60.0
"""Within this time a new engine must have said its first word."""
WARM_S: Final = 300.0
"""The first compile may take long."""
CALL_S: Final = 0.5
MOST_MISSED: Final = 5
"""An engine that is called so often, and says nothing at all, has fallen silent."""
SUSPICIOUS: Final = 2
"""After so many calls without a word its heir is started, which takes longer than to be sure."""
MOST_MISSED_COLD: Final = (10, 120)
"""The same while it loads and compiles, when it may be short of breath: for the first, and after many that died.

One that does not work meanwhile, either, does not load or compile: it is given up like any other.
"""
WORK_S: Final = 0.005
"""Processor time between two calls that counts as work. One that hangs may use a little, too."""
PAUSE_S: Final = (0.1, 5.0)
"""The shortest and the longest pause before the next engine is tried."""

log = logging.getLogger("sunglade.server")


class EnginePool:
    """Some engines, and a queue of questions for them."""

    def __init__(
        self, count: int, warm_with: list[str], metrics: Metrics, new: Callable[[], EngineProcess] = EngineProcess
    ) -> None:
        self._count = count
        self._warm_with = warm_with
        self._metrics = metrics
        self._new = new
        self._queue = ThinkQueue(metrics)
        self._slots: list[asyncio.Task[None]] = []
        self._ready: set[int] = set()
        self._heirs: dict[int, EngineProcess] = {}
        self._leaving: list[EngineProcess] = []

    @property
    def state(self) -> str:
        """warming, ready or down."""
        if self._ready:
            return "ready"
        return "warming" if self._slots and not all(slot.done() for slot in self._slots) else "down"

    def start(self) -> None:
        """Start the engines in the background; questions wait until one is warm."""
        self._slots = [asyncio.create_task(self._keep(number)) for number in range(self._count)]

    async def stop(self, limit_s: float = STOP_S) -> None:
        """End all engines."""
        await end(self._slots, limit_s)
        for number in list(self._heirs):
            self._dismiss_heir(number)
        await asyncio.gather(*(engine.wait_until_gone() for engine in self._leaving))
        self._queue.close(ServerProblem("shutting_down", "the server is shutting down."))

    async def think(
        self,
        game: Answer,
        bot: str,
        *,
        seed: int,
        asker: Asker,
        ms: int | None = None,
        nodes: int | None = None,
        reasons: bool = False,
        foretell: bool = False,
    ) -> Answer:
        """What a bot thinks of a game: action, value, lines."""
        request: Request = {"cmd": "think", "game": game, "bot": bot, "seed": seed}
        request |= {} if ms is None else {"ms": ms}
        request |= {} if nodes is None else {"nodes": nodes}
        request |= {"reasons": True} if reasons else {}
        request |= {"foretell": True} if foretell else {}
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        lane = DEEP if bot in SEARCHERS else SIMPLE
        question = Question(asker, lane, request, (ms or 0) / 1000 + PATIENCE_S, answer)
        began = time.perf_counter()
        self._queue.put(question)
        try:
            found = await answer
        finally:
            self._queue.drop(question)
        self._metrics.think_seconds.labels(bot).observe(time.perf_counter() - began)
        return found

    # A slot

    async def _keep(self, number: int) -> None:
        """Keep a slot filled: whatever an engine dies of, another one follows. Only `stop` ends this."""
        shortest, longest = PAUSE_S
        pause, breath = shortest, MOST_MISSED_COLD[0]
        while True:
            began, life = time.monotonic(), _Life(breath)
            try:
                await self._one_life(number, life)
            except EngineDied as error:
                log.warning("bot engine replaced", extra={"engine": number, "reason": str(error)})
            except Exception:
                log.exception("bot engine replaced", extra={"engine": number})
            pause = shortest if time.monotonic() - began > longest else min(2 * pause, longest)
            breath = MOST_MISSED_COLD[0] if life.warm else min(2 * breath, MOST_MISSED_COLD[1])
            if number not in self._heirs:
                await asyncio.sleep(pause)

    async def _one_life(self, number: int, life: _Life) -> None:
        """An engine from its start to its death, which is told by an exception."""
        engine = self._heirs.pop(number, None) or self._started()
        tasks: list[asyncio.Task[None]] = []
        try:
            doing = [self._call(engine, life, number), self._warm(engine, life, number)]
            doing += [self._answer(engine, life, lane) for lane in LANES]
            tasks += [asyncio.create_task(work) for work in doing]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            failed = [error for error in (task.exception() for task in tasks if task.done()) if error is not None]
        finally:
            self._let_go(engine)
            self._ready.discard(number)
            self._metrics.engines.set(len(self._ready))
            self._ask_others(life)
            await end(tasks)
            tasks.clear()  # for the reason given at `until_one_ends`: questions hold their tables
            if not await engine.wait_until_gone():
                log.error("bot engine cannot be killed", extra={"engine": number})
        raise failed.pop()

    def _started(self) -> EngineProcess:
        engine = self._new()
        engine.start()
        return engine

    def _let_go(self, engine: EngineProcess) -> None:
        """Kill an engine; the end of the pool waits until it is gone."""
        engine.kill()
        self._leaving = [*(other for other in self._leaving if not other.gone), engine]

    def _dismiss_heir(self, number: int) -> None:
        heir = self._heirs.pop(number, None)
        if heir is not None:
            self._let_go(heir)

    async def _call(self, engine: EngineProcess, life: _Life, number: int) -> None:
        """Call the engine as long as it answers or, until it is warm, at least works."""
        missed = idle = 0
        while missed < life.most_missed and idle < MOST_MISSED:
            heard, worked = engine.heard, engine.worked()
            engine.call()
            await asyncio.sleep(CALL_S)
            missed = 0 if engine.heard > heard else missed + 1
            idle = 0 if not missed or _works(worked, engine.worked()) else idle + 1
            if not missed:
                self._dismiss_heir(number)
            elif (missed if life.warm else idle) >= SUSPICIOUS and number not in self._heirs:
                self._heirs[number] = self._started()
        raise EngineDied("has fallen silent")

    async def _warm(self, engine: EngineProcess, life: _Life, number: int) -> None:
        """Load or compile what the bots need before anybody waits for it. Simple bots play meanwhile."""
        await engine.ask({"cmd": "version"}, START_S)
        life.spoken = True
        game = {"format": "sunglade/1", "players": 2, "rules": {}, "actions": []}
        for bot in self._warm_with:
            await engine.ask({"cmd": "think", "game": game, "bot": bot, "ms": 1, "seed": 0}, WARM_S)
            self._ready.add(number)
            self._metrics.engines.set(len(self._ready))
            life.begun.set()
        life.warm = True

    async def _answer(self, engine: EngineProcess, life: _Life, lane: str) -> None:
        """Put one question after the other to the engine. A bot that refuses is an answer.

        An engine that still compiles has more time: the next one would have to begin again.
        """
        await life.begun.wait()
        while True:
            question = await self._queue.take(lane)
            if question.answer.done():
                del question
                continue
            life.asked[question] = None
            found = await engine.ask(question.request, question.limit_s + (0.0 if life.warm else WARM_S))
            if not _makes_sense(found):
                raise EngineDied("spoke nonsense")
            if "error" in found:
                question.refuse(ServerProblem("bad_request", str(found["error"].get("message"))))
            elif not question.answer.done():
                question.answer.set_result(found)
            life.asked.pop(question, None)  # until here it goes to another engine if this answer is nonsense
            del question  # it holds its table, which would never leave

    def _ask_others(self, life: _Life) -> None:
        """What an engine has left unanswered goes to others."""
        for question in life.asked:
            self._ask_another(question)
        life.asked.clear()

    def _ask_another(self, question: Question) -> None:
        """An engine died over a question. Only one more is asked: the question may be what engines die of."""
        if question.answer.done():
            return
        if question.died:
            question.refuse(ServerProblem("busy", "bots broke down over this; try again.", retry_after=1.0))
            return
        question.died = True
        self._queue.put(question)


def _works(before: float | None, after: float | None) -> bool:
    """Whether processor time tells that an engine is at work; where it cannot be known, it may be."""
    return before is None or after is None or after - before >= WORK_S


def _makes_sense(found: Answer) -> bool:
    """Whether it is an answer, or a refusal."""
    if "error" in found:
        return isinstance(found["error"], dict)
    return isinstance(found.get("action", 0), str | None) and isinstance(found.get("value"), list | None)


class _Life:
    """What is known of one engine."""

    def __init__(self, breath: int) -> None:
        self._breath = breath
        self.spoken = False
        self.begun = asyncio.Event()
        """The first bot is loaded."""
        self.warm = False
        self.asked: dict[Question, None] = {}
        """What it has not answered yet."""

    @property
    def most_missed(self) -> int:
        """Calls it may leave unanswered."""
        if self.warm:
            return MOST_MISSED
        return self._breath if self.spoken else int(START_S / CALL_S)
