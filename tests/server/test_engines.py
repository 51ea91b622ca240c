"""Bots think for everybody in turn, and nothing an engine does can hang the server."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable, Collection, Coroutine
from pathlib import Path
from typing import Any

import pytest

from server.process import sqlite_in
from server.stories import HANG_S, run
from sunglade.server import engine_pool, think_queue
from sunglade.server.config import Config
from sunglade.server.database import Database
from sunglade.server.engine_pool import PATIENCE_S, WARM_S, EnginePool
from sunglade.server.engine_process import EngineDied, EngineProcess
from sunglade.server.metrics import Metrics
from sunglade.server.migrations import upgrade
from sunglade.server.think_queue import DEEP, SIMPLE, Question, ThinkQueue
from sunglade.table import autoplay
from sunglade.table.autoplay import Autoplay
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import CreateTable, SeatRequest
from sunglade.table.seating import setup_for
from sunglade.table.table_registry import TableRegistry
from sunglade.table.thinking import Asker

NEVER = 1_000_000_000
ADA, BEN = "203.0.113.1", "203.0.113.2"


def somebody(table: str = "table", people: Collection[str] = (ADA,), *, background: bool = False) -> Asker:
    return Asker(table, lambda: people, background)


class Puppet(EngineProcess):
    """An engine without a process: `reply` says what becomes of a question, an exception included."""

    def __init__(self, reply: Callable[[dict[str, Any]], Coroutine[Any, Any, Any]]) -> None:
        super().__init__()
        self._reply = reply

    def start(self) -> None:
        pass

    async def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        if request["cmd"] == "version" or not request["seed"]:  # by which it is called and warmed
            return {}
        return {"action": "end", **(await self._reply({**request, "limit_s": limit_s}) or {})}

    def call(self) -> None:
        self.heard += 1

    def kill(self) -> None:
        if not self._gone.done():
            self._gone.set_result("was killed")


class Speaker(Puppet):
    """It answers at once, and gives signs of life unless it is told to be silent; `made` are all there were."""

    def __init__(self, made: list[Speaker]) -> None:
        super().__init__(at_once)
        self._made = made
        self.silent = False
        self.killed = False

    def start(self) -> None:
        self._made.append(self)

    def call(self) -> None:
        self.heard += not self.silent


async def at_once(request: dict[str, Any]) -> None:
    """Answer every question."""


def pool_of(reply: Callable[[dict[str, Any]], Coroutine[Any, Any, Any]], count: int = 1) -> EnginePool:
    pool = EnginePool(count, ["random"], Metrics(), lambda: Puppet(reply))
    pool.start()
    return pool


# The supervisor


def test_what_an_engine_died_over_is_asked_once_more() -> None:
    asked = []

    async def mortal(request: dict[str, Any]) -> None:
        asked.append(request["seed"])
        if request["seed"] == 13 or len(asked) == 1:
            raise EngineDied("broke down")

    async def story() -> None:
        engines = pool_of(mortal)
        assert (await engines.think({}, "random", seed=7, asker=somebody()))["action"] == "end"
        assert asked == [7, 7]
        with pytest.raises(ServerProblem, match="broke down"):
            await engines.think({}, "random", seed=13, asker=somebody())
        assert (await engines.think({}, "random", seed=7, asker=somebody()))["action"] == "end"
        await engines.stop()

    run(story())
    assert asked == [7, 7, 13, 13, 7]


@pytest.mark.parametrize("nonsense", [{"error": 7}, {"action": ["end"]}, {"action": 7}, {"value": 7}])
def test_what_an_engine_answers_with_nonsense_is_asked_once_more(nonsense: dict[str, Any]) -> None:
    """An analysis that was told nonsense ran for ever, and a hint was nonsense, too."""
    asked = []

    async def confused(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request["seed"])
        return nonsense if len(asked) == 1 else {"value": [1.0, 0.0]}

    async def story() -> None:
        engines = pool_of(confused)
        answer = await engines.think({}, "random", seed=7, asker=somebody())
        assert answer == {"action": "end", "value": [1.0, 0.0]}
        await engines.stop()

    run(story())
    assert asked == [7, 7]


def test_an_engine_that_still_compiles_is_not_given_up() -> None:
    limits: list[float] = []

    async def story() -> None:
        compiled = asyncio.Event()

        class Cold(Puppet):
            async def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
                if request.get("bot") == "search":
                    await compiled.wait()
                return await super().ask(request, limit_s)

        async def noting(request: dict[str, Any]) -> None:
            limits.append(request["limit_s"])

        engines = EnginePool(1, ["random", "search"], Metrics(), lambda: Cold(noting))
        engines.start()
        await engines.think({}, "random", seed=7, asker=somebody())
        compiled.set()
        await engines.think({}, "search", seed=7, asker=somebody())
        await engines.think({}, "search", seed=7, asker=somebody())
        await engines.stop()

    run(story())
    assert limits[0] == WARM_S + PATIENCE_S and limits[-1] == PATIENCE_S


def test_whatever_goes_wrong_with_an_engine_another_takes_its_place() -> None:
    """Also what nobody has thought of: a slot never ends by itself."""
    wrong: list[BaseException] = [ZeroDivisionError(), RuntimeError("can't start new thread"), OSError(24, "no files")]

    async def faulty(request: dict[str, Any]) -> None:
        if wrong:
            raise wrong.pop()

    async def story() -> None:
        engines = pool_of(faulty)
        for seed in range(1, 4):
            try:
                await engines.think({}, "random", seed=seed, asker=somebody())
            except ServerProblem as problem:
                assert problem.kind == "busy"
        assert wrong == []
        assert (await engines.think({}, "random", seed=9, asker=somebody()))["action"] == "end"
        await engines.stop()

    run(story())


def test_an_engine_that_does_not_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "START_S", 0.05)
    started = 0

    class Stillborn(EngineProcess):
        def start(self) -> None:
            """Nothing ever comes of it."""

    def new() -> EngineProcess:
        nonlocal started
        started += 1
        return Stillborn() if started == 1 else Puppet(at_once)

    async def story() -> None:
        engines = EnginePool(1, ["random"], Metrics(), new)
        engines.start()
        assert (await engines.think({}, "random", seed=1, asker=somebody()))["action"] == "end"
        await engines.stop()

    run(story())
    assert started == 2


def test_an_engine_that_falls_silent_has_an_heir_before_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that speaks again keeps its place, and the end of the pool is the end of heirs, too."""
    monkeypatch.setattr(engine_pool, "CALL_S", 0.01)
    monkeypatch.setattr(engine_pool, "MOST_MISSED", NEVER)
    made: list[Speaker] = []

    async def until(holds: Callable[[], bool]) -> None:
        while not holds():
            await asyncio.sleep(0.001)

    async def story() -> None:
        engines = EnginePool(1, ["random"], Metrics(), lambda: Speaker(made))
        engines.start()
        await engines.think({}, "random", seed=7, asker=somebody())
        made[0].silent = True
        await until(lambda: len(made) == 2)
        assert not made[0]._gone.done()
        made[0].silent = False
        await until(made[1]._gone.done)
        assert not made[0]._gone.done()
        await engines.think({}, "random", seed=7, asker=somebody())
        monkeypatch.setattr(engine_pool, "MOST_MISSED", 5)
        made[0].silent = True
        await until(made[0]._gone.done)
        assert (await engines.think({}, "random", seed=7, asker=somebody()))["action"] == "end"
        assert len(made) == 3 and not made[2]._gone.done()  # the heir took its place
        monkeypatch.setattr(engine_pool, "MOST_MISSED", NEVER)
        made[2].silent = True
        await until(lambda: len(made) == 4)
        await engines.stop()
        assert all(engine._gone.done() for engine in made)

    run(story())


def test_the_end_of_the_pool_waits_for_heirs_that_were_dismissed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "CALL_S", 0.01)
    monkeypatch.setattr(engine_pool, "MOST_MISSED", NEVER)
    made: list[Speaker] = []

    class Lingering(Speaker):
        """It is killed some time before it is gone."""

        def kill(self) -> None:
            self.killed = True
            self._loop.call_later(0.2, super().kill)

    async def story() -> None:
        engines = EnginePool(1, ["random"], Metrics(), lambda: Lingering(made))
        engines.start()
        await engines.think({}, "random", seed=7, asker=somebody())
        made[0].silent = True
        while len(made) < 2:
            await asyncio.sleep(0.001)
        made[0].silent = False
        while not made[1].killed:
            await asyncio.sleep(0.001)
        await engines.stop()
        assert len(made) == 2 and all(engine.gone for engine in made)

    run(story())


@pytest.mark.parametrize("silent_at", ["version", "think"])
def test_an_engine_that_does_nothing_while_it_should_load_is_given_up_like_any_other(
    monkeypatch: pytest.MonkeyPatch, silent_at: str
) -> None:
    """However many there were before it; one that works is waited for."""
    monkeypatch.setattr(engine_pool, "CALL_S", 0.01)
    monkeypatch.setattr(engine_pool, "START_S", HANG_S)
    monkeypatch.setattr(engine_pool, "MOST_MISSED_COLD", (NEVER, NEVER))
    made: list[Cold] = []

    class Cold(Puppet):
        """The first seven stop while they load, the eighth loads for long, and only works meanwhile."""

        loaded = asyncio.Event()
        calls = 0

        def start(self) -> None:
            self.stopped, self.slow = len(made) < 7, len(made) == 7
            made.append(self)

        async def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
            if request["cmd"] == silent_at and self.stopped:
                await asyncio.Event().wait()
            if request["cmd"] == silent_at and self.slow:
                await self.loaded.wait()
            return await super().ask(request, limit_s)

        def worked(self) -> float | None:
            return 0.0 if self.stopped else float(self.calls)

        def call(self) -> None:
            self.calls += 1
            if self.loaded.is_set():
                self.heard += 1
            elif self.slow and self.calls > 30:
                self.loaded.set()

    async def story() -> None:
        Cold.loaded = asyncio.Event()
        engines = EnginePool(1, ["random"], Metrics(), lambda: Cold(at_once))
        engines.start()
        assert (await engines.think({}, "random", seed=7, asker=somebody()))["action"] == "end"
        assert len(made) == 8 and not made[7].gone
        await engines.stop()

    run(story())


def test_the_end_of_the_pool_waits_for_nobody_who_does_not_listen() -> None:
    async def story() -> None:
        asked, deaf = asyncio.Event(), asyncio.Event()

        async def never(request: dict[str, Any]) -> None:
            asked.set()
            while not deaf.is_set():
                try:
                    await deaf.wait()
                except asyncio.CancelledError:
                    continue  # as Python 3.11's wait_for does in some moments

        engines = pool_of(never)
        asking = asyncio.create_task(engines.think({}, "random", seed=1, asker=somebody()))
        await asked.wait()
        try:
            await engines.stop(0.1)
            with pytest.raises(ServerProblem, match="shutting down"):
                await asking
            with pytest.raises(ServerProblem, match="shutting down"):
                await engines.think({}, "random", seed=1, asker=somebody())
        finally:
            deaf.set()

    run(story())


# Processes

READY = "import json, os, signal, sys, time\nsay = lambda **told: print(json.dumps(told), flush=True)\n"
OBEDIENT = READY + "for line in sys.stdin: say(id=json.loads(line)['id'], action='end')"
NEVER_READS = READY + "time.sleep(1000)"
BABBLES = READY + "sys.stdin.readline(); print('[1, 2]', flush=True); time.sleep(1000)"
STOPS_ONCE = READY + (
    "for line in sys.stdin:\n"
    "    asked = json.loads(line)\n"
    "    if asked.get('seed') == 13 and not os.path.exists(sys.argv[1]):\n"
    "        open(sys.argv[1], 'w').close()\n"
    "        os.kill(os.getpid(), signal.SIGSTOP)\n"
    "    say(id=asked['id'], action='end')"
)


def process_of(program: str, *given: str) -> EngineProcess:
    return EngineProcess([sys.executable, "-S", "-c", program, *given])


def test_an_engine_killed_at_any_moment_of_its_start_is_gone() -> None:
    async def story() -> None:
        rng = random.Random(1)
        for _ in range(40):
            engine = process_of(OBEDIENT)
            engine.start()
            asking = asyncio.create_task(engine.ask({"cmd": "think"}, HANG_S))
            await asyncio.sleep(rng.choice([0, 0.001, 0.01, 0.03]))
            engine.kill()
            assert await engine.wait_until_gone(HANG_S)
            await asyncio.gather(asking, return_exceptions=True)
            with pytest.raises(EngineDied):
                await engine.ask({"cmd": "think"}, HANG_S)

    run(story())


@pytest.mark.parametrize(("program", "reason"), [(NEVER_READS, "too long"), (BABBLES, "nonsense")])
def test_an_engine_that_does_not_read_or_speaks_nonsense_holds_nobody_up(program: str, reason: str) -> None:
    async def story() -> None:
        engine = process_of(program)
        engine.start()
        limit = 0.2 if reason == "too long" else HANG_S
        with pytest.raises(EngineDied, match=reason):
            await engine.ask({"cmd": "think", "game": "x" * 1_000_000}, limit)
        engine.kill()
        assert await engine.wait_until_gone(HANG_S)

    run(story())


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        engine = EngineProcess([str(tmp_path / "missing")])
        engine.start()
        with pytest.raises(EngineDied, match="could not be started"):
            await engine.ask({"cmd": "think"}, HANG_S)

    run(story())


def test_a_stopped_engine_is_noticed_by_its_silence_and_its_question_goes_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_pool, "CALL_S", 0.1)

    async def story() -> None:
        marker = str(tmp_path / "stopped")
        engines = EnginePool(1, ["random"], Metrics(), lambda: process_of(STOPS_ONCE, marker))
        engines.start()
        patient = asyncio.create_task(engines.think({}, "random", seed=13, ms=10**9, asker=somebody()))
        assert (await patient)["action"] == "end"
        assert Path(marker).exists()
        await engines.stop()

    run(story())


# The queue


class Busy:
    """Engines that begin to think and do not end before they are told to."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.go_on = asyncio.Semaphore(0)

    async def __call__(self, request: dict[str, Any]) -> None:
        self.begun.append(request["seed"])
        if request["bot"] == "elder":
            await self.go_on.acquire()

    async def until_begun(self, count: int) -> None:
        while len(self.begun) < count:
            await asyncio.sleep(0)


def test_a_simple_bot_never_waits_for_a_deep_one() -> None:
    async def story() -> None:
        busy = Busy()
        engines = pool_of(busy)
        deep = [
            asyncio.create_task(engines.think({}, "elder", seed=1, asker=somebody(f"t{number}")))
            for number in range(60)
        ]
        await busy.until_begun(1)
        assert (await engines.think({}, "greedy", seed=2, asker=somebody("other", [BEN])))["action"] == "end"
        assert busy.begun == [1, 2] and not any(task.done() for task in deep)
        await engines.stop()
        await asyncio.gather(*deep, return_exceptions=True)

    run(story())


def test_one_visitors_many_tables_have_one_share() -> None:
    """A hint and a move for somebody else are thought about next but one at the latest."""

    async def story() -> None:
        busy = Busy()
        engines = pool_of(busy)
        tasks = [
            asyncio.create_task(engines.think({}, "elder", seed=1, asker=somebody(f"t{number}", [ADA])))
            for number in range(60)
        ]
        await busy.until_begun(1)
        for seed, table in ((2, "bens"), (3, "bens")):
            tasks.append(asyncio.create_task(engines.think({}, "elder", seed=seed, asker=somebody(table, [BEN]))))
        await asyncio.sleep(0)
        for count in range(2, 6):
            busy.go_on.release()
            await busy.until_begun(count)
        assert busy.begun == [1, 2, 1, 3, 1]
        await engines.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(story())


def asked(queue: ThinkQueue, name: str, asker: Asker, lane: str = DEEP) -> Question:
    answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    question = Question(asker, lane, {"name": name}, 1.0, answer)
    queue.put(question)
    return question


async def names(queue: ThinkQueue, count: int) -> list[str]:
    return [(await queue.take(DEEP)).request["name"] for _ in range(count)]


def test_people_come_before_empty_tables_and_those_before_analyses() -> None:
    async def story() -> None:
        queue = ThinkQueue(Metrics())
        asked(queue, "analysis", somebody("a", background=True))
        asked(queue, "empty", somebody("b", []))
        asked(queue, "people", somebody("c"))
        assert await names(queue, 3) == ["people", "empty", "analysis"]

    run(story())


def test_who_comes_back_to_a_table_that_waits_is_served_like_everybody_else() -> None:
    async def story() -> None:
        queue = ThinkQueue(Metrics())
        back: list[str] = []
        asked(queue, "mine", somebody("a", back))
        asked(queue, "other", somebody("b", []))
        asked(queue, "bens", somebody("c", [BEN]))
        assert await names(queue, 1) == ["bens"]
        asked(queue, "bens", somebody("c", [BEN]))
        back.append(ADA)
        assert await names(queue, 3) == ["mine", "bens", "other"]

    run(story())


def test_the_tables_of_one_person_take_turns() -> None:
    async def story() -> None:
        queue = ThinkQueue(Metrics())
        for number in range(3):
            asked(queue, f"a{number}", somebody("a"))
        asked(queue, "b0", somebody("b"))
        assert await names(queue, 4) == ["a0", "b0", "a1", "a2"]

    run(story())


def test_a_full_queue_refuses_those_who_would_be_served_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(think_queue, "MOST_WAITING", 3)

    async def story() -> None:
        queue = ThinkQueue(Metrics())
        empty = [asked(queue, f"empty{number}", somebody(f"t{number}", [])) for number in range(4)]
        person = asked(queue, "person", somebody("p"))
        assert [question.answer.done() for question in empty] == [False, False, True, True]
        assert not person.answer.done()
        with pytest.raises(ServerProblem, match="too much to think about"):
            await empty[3].answer
        empty[2].answer.exception()

    run(story())


def test_a_question_nobody_waits_for_any_more_is_not_thought_about() -> None:
    async def story() -> None:
        busy = Busy()
        engines = pool_of(busy)
        first, second, third = (
            asyncio.create_task(engines.think({}, "elder", seed=seed, asker=somebody())) for seed in (1, 2, 3)
        )
        await busy.until_begun(1)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        busy.go_on.release()
        busy.go_on.release()
        await asyncio.gather(first, third)
        assert busy.begun == [1, 3]
        await engines.stop()

    run(story())


def test_whoever_stops_waiting_for_a_question_takes_none_along() -> None:
    async def story() -> None:
        queue = ThinkQueue(Metrics())
        taking = asyncio.create_task(queue.take(SIMPLE))
        await asyncio.sleep(0)
        asked(queue, "only", somebody(), SIMPLE)
        taking.cancel()  # in the tick in which it would have got the question
        await asyncio.gather(taking, return_exceptions=True)
        assert (await queue.take(SIMPLE)).request["name"] == "only"

    run(story())


def test_how_many_wait_and_how_long_is_counted() -> None:
    async def story() -> None:
        metrics = Metrics()
        queue = ThinkQueue(metrics)
        asked(queue, "one", somebody())
        asked(queue, "two", somebody())
        await queue.take(DEEP)
        text = metrics.text().decode()
        assert 'sunglade_thoughts_waiting{lane="deep"} 1.0' in text
        assert 'sunglade_thought_wait_seconds_count{lane="deep",whom="people"} 1.0' in text

    run(story())


# Autoplay

BOTS = [SeatRequest(kind="bot", level="greedy"), SeatRequest(kind="me", name="Ada")]


class Stage:
    """A registry with bots that answer as they are told."""

    def __init__(self, folder: Path, reply: Callable[[dict[str, Any]], Coroutine[Any, Any, Any]]) -> None:
        self.database = Database(sqlite_in(folder))
        self.registry = TableRegistry(self.database, Metrics(), ["greedy"], 10, shared=False)
        self.pool = pool_of(reply)
        config = Config(self.database.url.render_as_string(), bot_pace_s=0.0)
        self.autoplay = Autoplay(self.registry, self.pool, config, "process")

    async def close(self) -> None:
        await self.autoplay.stop()
        await self.pool.stop()
        await self.database.close()


def test_a_bot_that_plays_what_is_not_legal_is_replaced_by_another(tmp_path: Path) -> None:
    async def story() -> None:
        async def nonsense(request: dict[str, Any]) -> dict[str, Any]:
            return {"action": "dance" if request["bot"] == "elder" else "place a1"}

        stage = Stage(tmp_path, nonsense)
        await upgrade(stage.database)
        seats = [SeatRequest(kind="bot", level="elder"), BOTS[1]]
        room = await stage.registry.create(setup_for(CreateTable(seats=seats), "ada", ["greedy", "elder"]))
        while room.table.game.player == 0:
            await asyncio.sleep(0.005)
        assert room.table.game.actions == ["place a1"]
        await stage.close()

    run(story())


def test_every_table_whose_bot_is_to_act_is_woken_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "WOKEN", 2)

    async def story() -> None:
        thinking: set[str] = set()

        async def never(request: dict[str, Any]) -> None:
            await asyncio.Event().wait()

        stage = Stage(tmp_path, never)
        await upgrade(stage.database)
        stage.registry.on_change = lambda room: None
        for _ in range(5):
            await stage.registry.create(setup_for(CreateTable(seats=BOTS), "ada", ["greedy"]))
        monkeypatch.setattr(stage.autoplay, "consider", lambda room: thinking.add(room.table.name))
        for _ in range(3):
            await stage.autoplay._wake_bots()
        assert thinking == set(stage.registry.rooms)
        await stage.close()

    run(story())
