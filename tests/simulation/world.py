"""A simulated world: processes over one log, clients, and a time in which everything goes wrong.

It is followed by one in which nothing does. Whatever happened before, everybody must then get on.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Final
from unittest import mock

from simulation.clients import (
    Analyst,
    Attacker,
    Client,
    Forgetful,
    Hog,
    Invitation,
    Mover,
    OldPerson,
    Person,
    Spectator,
    Visitor,
)
from simulation.engines import SILENT_S
from simulation.faults import Faults
from simulation.faulty_log import Store
from simulation.judge import NEWS_S, Judge, Violation
from simulation.loop import OWNER, Owner, SeededLoop
from simulation.network import Cut, Network
from simulation.process import Process
from sunglade.server import service
from sunglade.server.config import Config
from sunglade.server.engine_process import Request
from sunglade.table import rated, tokens
from sunglade.table.retention import DAY_S, LEAST_S, RunningClock
from sunglade.table.thinking import SEARCHERS
from sunglade.table.tokens import hashed

EPOCH: Final = 1_800_000_000.0
SETTLE_S: Final = 70.0
"""After the last fault: commits nobody waits for any more, leases, connections that are silent, engines that start."""
CALM_S: Final = 1500.0
"""Then every game is over within this time."""
STANDSTILL_S: Final = 240.0
"""And at no table with somebody at it nothing happens for so long: a bot may have to stand in first."""
EXPIRY_S: Final = 30.0
"""So long after a deadline a bot is at it, at the latest."""
SIMPLE_BOT_S: Final = 5.0
"""So long a simple bot may take where somebody waits."""
DEEP_BOT_S: Final = 3.3
"""A deep one thinks for about this time, after one that is at it, and after one for everybody else."""
PRESENCE_S: Final = 25.0
"""It takes so long until a process that has a table's bots knows that somebody waits with another."""
DEAF_S: Final = 6.0
"""So much longer where processes hear nothing of each other, but have to look."""
MOST_ROUNDS: Final = 8
"""In which the garbage of a world is looked for: none of it may end in another."""
RETIRING_S: Final = 2.5 * 3600.0
"""Within this time in which servers run, and nobody is there, tables are deleted that are old enough."""
SLACK_S: Final = 60.0
"""By so much timers are late in quiet hours, so that everything happens together."""
WELCOME_S: Final = 12.0
MOST_TASKS: Final = 12
TASKS_OF_ENGINE: Final = 5
"""What may still run in a process to which nobody is connected, besides bots at tables that were abandoned."""
HOUR_S: Final = 3600.0
EXPECTED: Final = ("bot engine cannot be killed", "bot engine replaced")
"""Errors that are worth a line in the server's log, since engines do such things here."""


@dataclass(frozen=True)
class Scale:
    """How much of a world there is; a failure is shrunk by having less."""

    without: frozenset[str] = frozenset()
    people: int = 99
    others: int = 99
    seconds: float = 1e9
    processes: int = 99
    ordered: bool = False


@dataclass(kw_only=True)
class Counts:
    """What is counted in a world, and in all of them together."""

    virtual_s: float = 0.0
    running_s: float = 0.0
    events: int = 0
    words: int = 0
    steps: int = 0
    starts: int = 0
    processor_s: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)

    def count(self, other: Counts) -> None:
        """With those of another."""
        for one in fields(Counts):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class Outcome(Counts):
    """What came of a seed."""

    seed: int
    violation: str | None = None
    trace: str = ""


class World:
    """One seed."""

    def __init__(self, seed: int, scale: Scale) -> None:
        self.seed = seed
        chance = self.chance = random.Random(f"world {seed}")
        disorder = chance.choice((0.0, 0.0, 0.1, 0.5))
        self.loop = SeededLoop(random.Random(f"loop {seed}"), 0.0 if scale.ordered else disorder)
        self.faults = Faults(seed, scale.without)
        self.store = Store(self.loop)
        self.judge = Judge(self.store, lambda: self.loop.now)
        self.network = Network(self.loop, self.faults, random.Random(f"network {seed}"))
        self.count = min(scale.processes, chance.choice((1, 1, 2, 2, 3)))
        self.shared = self.count > 1 or chance.random() < 0.3
        self.active_s = min(scale.seconds, chance.choice((40.0, 60.0, 120.0)))
        self.night_s = 0.0 if "night" in scale.without else chance.choice((0.0, 0.0, 0.5, 10.0, 300.0)) * HOUR_S
        self.keep_days = chance.choice((0.0, 0.0, 1500.0 / DAY_S, 1.0))
        self.judge.keep_s = max(self.keep_days * DAY_S, LEAST_S)
        self.judge.keep_uploads_s = 2 * LEAST_S
        self.judge.is_calm = self.is_calm
        self.hog = chance.random() < 0.15 and scale.others > 0
        """Somebody keeps the only engine busy."""
        if self.hog:
            self.count, self.shared = 1, False
        self.judge.alone = not self.shared
        self.deaf = self.shared and chance.random() < 0.3
        if self.deaf:  # as behind a pool of connections that knows nothing of notices
            self.faults.rates["notice_lost"] = 1.0
            self.faults.lasting.add("notice_lost")
        self.hall = random.Random(f"hall {seed}").random() < 0.4
        """Strangers find each other."""
        self.config = Config(
            database="", engines=1 if self.hog else chance.choice((1, 1, 2)), limits=chance.choice((1.0, 20.0)),
            lobby=self.hall, connections=200, connections_each=100, idle_s=chance.choice((20.0, 600.0)),
            most_rooms=100 if self.deaf else chance.choice((2, 100)), keep_days=self.keep_days,
            keep_uploads_days=2 * LEAST_S / DAY_S,
        )  # fmt: skip
        self.rest_s = 0.0 if "rest" in scale.without else chance.choice((0.0, 1.0, 2.0, 4.0, 8.0, 14.0)) * HOUR_S
        self.rest_in_trouble = chance.random() < 0.4
        self.rest_away = chance.random() < 0.6
        self.resting = False
        """People do nothing for hours,"""
        self.away = False
        """or are not even there."""
        self._rested = asyncio.Event()
        self._rested_at = 0.0
        self.modules = chance.choice(([], [], [], ["moon"]))
        self.rated = random.Random(f"rated {seed}").random() < 0.25
        """Everybody is somebody, and games are rated."""
        self.store.rated.fold = self.judge.tables.get
        people = min(scale.people, chance.choice((1, 2) if self.hog else (1, 2, 3, 4)))
        kinds: list[type[Client]] = [
            chance.choice((Person, Person, Person, OldPerson, Mover, Forgetful, Forgetful, Visitor))
            for _ in range(people)
        ]
        others = min(scale.others, chance.choice((0, 1, 2)))
        kinds += [Hog] if self.hog else [chance.choice((Spectator, Attacker, Analyst)) for _ in range(others)]
        self.tables_left = max(1, people - 1)
        deep = {"kind": "bot", "level": "oak"}
        self.opponents: list[dict[str, Any]] = [{"kind": "open"}, {"kind": "bot", "level": "greedy"}, deep]
        self.opponents += [deep, deep] if self.hog else []
        self.clients = [kind(self, number) for number, kind in enumerate(kinds)]
        self.processes: list[Process] = []
        self.starts = 0
        self.running_s = 0.0
        self.settle_s = SETTLE_S
        self.calm_since: float | None = None
        self.over = False
        self.invitations: list[Invitation] = []
        self.seated: list[Person] = []
        self.departed: set[str] = set()
        self.abandoned: set[str] = set()
        self.failure: BaseException | None = None
        self._process_chance = random.Random(f"processes {seed}")

    # What clients ask for

    def some_process(self, chance: random.Random) -> Process:
        alive = [process for process in self.processes if process.alive]
        if not alive:
            raise Cut
        return chance.choice(alive)

    def table_options(self, chance: random.Random) -> dict[str, Any]:
        rules: dict[str, Any] = {"rounds": chance.choice((1, 2, 3))}
        if self.modules:
            rules["modules"] = self.modules
        clock: dict[str, Any] | None = None
        if chance.random() < 0.4:
            clock = {
                "kind": "live", "turn": chance.choice((10, 20)), "reserve": chance.choice((0, 15, 60)),
                "then": chance.choice(("turn", "seat")),
            }  # fmt: skip
        return {
            "rules": rules, "assistance": chance.random() < 0.1, "takeover_after": chance.choice((10, 60, None)),
            "takeover_level": "greedy", "clock": clock,
        }  # fmt: skip

    def bot(self, chance: random.Random) -> str:
        level = chance.choice(("greedy", "greedy", "oak"))
        return "oak" if self.rated else level  # nobody has measured how strong the other one is

    def holder_of(self, table: str, token: str) -> str:
        return self.store.seats[hashed(token)].id if table in self.store.tables else ""

    def is_over(self, table: str, actions: int) -> bool:
        fold = self.judge.tables[table]
        return fold.over and actions == len(fold.game.actions)

    def question(self, request: Request) -> None:
        """An engine is asked."""
        self.judge.note("think", request["bot"], len(request["game"]["actions"]))
        self.judge.game(request["game"])

    def took(self, what: str, seconds: float, limit: float) -> None:
        if seconds > limit:
            raise Violation(f"{what} took {seconds:.1f} s; {limit:.0f} s are the limit when nothing goes wrong")

    def welcomed(self, person: Person, seconds: float) -> None:
        if self.is_calm(self.loop.now - seconds):
            self.took(f"the welcome of {person.name}", seconds, WELCOME_S)

    def is_calm(self, since: float) -> bool:
        """Whether nothing has gone wrong since a moment, and what had before is over."""
        if self.calm_since is None or self.resting:
            return False
        return since > self.calm_since + self.settle_s and since > self._rested_at

    def deep_bots_think(self) -> bool:
        return any(self.judge.tables[name].bot_to_act in SEARCHERS for name in self.store.tables)

    async def rested(self) -> None:
        """Until people are there again."""
        if self.resting:
            await self._rested.wait()

    # Processes

    async def start_process(self, number: int) -> None:
        process = Process(
            number, self.loop, self.store, self.faults, self._process_chance, self.config, self.question,
            shared=self.shared,
        )  # fmt: skip
        self.processes = [other for other in self.processes if other.number != number] + [process]
        self.starts += 1
        self.judge.note("start", number)
        await process.start()

    def dies(self, owner: Owner) -> bool:
        """Whether it is the moment at which a process is killed."""
        if not isinstance(owner, Process) or owner.dies_at is None or owner.steps < owner.dies_at:
            return False
        self.judge.note("killed", owner.number, owner.steps)
        owner.kill()
        return True

    async def _go_wrong(self) -> None:
        """Kill, stop, restart, set clocks wrong; and bring back what is down."""
        chance = random.Random(f"chaos {self.seed}")
        while not self.over:
            await asyncio.sleep(SLACK_S if self.resting else 1.0)
            for process in list(self.processes):
                if not process.alive:
                    if self.calm_since is not None or chance.random() < 0.3:
                        await self.start_process(process.number)
                elif self.faults.strike("kill") and process.dies_at is None:
                    process.dies_at = process.steps + chance.randrange(1, 400)
                elif self.resting:
                    continue
                elif self.faults.strike("stop"):
                    process.stopped = True
                    self.loop.call_later(chance.choice((1.0, 10.0, 50.0)), process.go_on)
                elif self.faults.strike("restart"):
                    await process.stop()
                elif self.faults.strike("clock_jumps"):
                    process.skew = chance.choice((-1, 1)) * chance.choice((0.5, 5.0, 3600.0, 100 * DAY_S))

    # The story

    async def story(self) -> None:
        """From the first client to the last check."""
        for number in range(self.count):
            await self.start_process(number)
        tasks = [asyncio.create_task(self._watched(client.run())) for client in self.clients]
        tasks.append(asyncio.create_task(self._watched(self._go_wrong())))
        self.faults.active = True
        await self._pass(self.active_s / 2)
        if self.night_s:
            await self._night()
        if self.rest_in_trouble:
            await self._rest()
        await self._pass(self.active_s / 2)
        await self._calm_down()
        if not self.rest_in_trouble:
            await self._rest()
        for client in self.clients:
            if isinstance(client, Hog):
                await client.let_them_think()
        await self._play_on()
        self.over = True
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await self._agree()
        self.judge.final()

    async def _watched(self, work: Any) -> None:
        """What goes wrong in a part of the world ends it all."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self.failure = self.failure or error

    def unheard(self, context: dict[str, Any]) -> None:
        """An exception that nobody took notice of."""
        error, owner = context.get("exception"), OWNER.get()
        if error is not None and (owner is None or owner.alive) and not isinstance(error, Cut):
            told = error if isinstance(error, AssertionError) else Violation(f"{context.get('message')}: {error!r}")
            self.failure = self.failure or told

    async def _pass(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            await asyncio.sleep(1.0)
            self.running_s += 1.0
            self._prune()
            if self.failure is not None:
                raise self.failure
            for process in self.processes:
                self.took("the end of an engine that has fallen silent", process.engines_overdue(), SILENT_S)
            for client in self.clients:
                if isinstance(client, (Person, Spectator)) and client.attentive_since is not None:
                    listens_s = self.loop.now - client.attentive_since
                    if listens_s > NEWS_S and client.table in self.judge.committed_at:
                        self.judge.knows(client.name, client.table, client.known)

    def _prune(self) -> None:
        self.loop.prune()
        for process in self.processes:
            process.prune()

    async def _night(self) -> None:
        """Nobody is there, and all machines are off."""
        self.judge.note("night")
        sleeping = [process for process in self.processes if process.alive and not process.stopped]
        if self.chance.random() < 0.5:  # the machines sleep, too
            for process in sleeping:
                process.stopped = True
            self._sleep()
            for process in sleeping:
                process.go_on()
            return
        self.processes = [process for process in self.processes if process not in sleeping]
        for process in sleeping:
            if self.chance.random() < 0.5:
                await process.stop()
            else:
                process.kill()
        self._sleep()
        for number in sorted({process.number for process in sleeping}):
            await self.start_process(number)

    def _sleep(self) -> None:
        self.loop.skip(self.night_s)
        self.judge.asleep_s += self.night_s

    async def _calm_down(self) -> None:
        """No more faults. What is down comes back; what was under way may still go wrong for a while."""
        self.faults.active = False
        self.calm_since = self.loop.now
        self.judge.note("calm")
        for process in self.processes:
            process.dies_at = None
        await self._pass(SETTLE_S)

    async def _rest(self) -> None:
        """Hours in which servers run and people do nothing, or are away."""
        if not self.rest_s:
            return
        self.judge.note("rest")
        self._rested.clear()
        self.resting, self.away = True, self.rest_away
        for person in self.seated:
            if self.away and person.socket is not None:
                person.socket.cut()
        parts = self.chance.choice((1, 2, 3))
        for part in range(parts):
            if part:  # whoever starts looks for tables that are idle
                await self.processes[0].stop()
                await self._pass(10.0)
            await self._pass_quietly(self.rest_s / parts)
            if self.away and self.keep_days and not self.faults.active and not self._has_garbage():
                self.judge.forgotten(self.rest_s / parts - RETIRING_S)
        self.resting = self.away = False
        self._rested_at = self.loop.now + 5.0
        self._rested.set()
        for person in self.seated:
            person.wake()
        await self._pass(10.0)

    def _has_garbage(self) -> bool:
        """Exceptions may hold tables until garbage is looked for, which is not simulated."""
        return any(kind.startswith(("log", "answer", "commit", "engine")) for kind in self.faults.happened)

    async def _pass_quietly(self, seconds: float) -> None:
        self.loop.save_power(SLACK_S)
        for _ in range(int(seconds / SLACK_S)):
            await asyncio.sleep(SLACK_S)
            if any(process.alive for process in self.processes):
                self.running_s += SLACK_S
            self._prune()
            if self.failure is not None:
                raise self.failure
        self.loop.save_power(0.0)
        for process in self.processes:
            process.resumed_at = self.loop.now

    async def _play_on(self) -> None:
        """Everybody gets on, until all games are over."""
        since: dict[str, float] = {}
        until = self.loop.now + CALM_S
        while self.loop.now < until:
            await self._pass(1.0)
            playing = [person for person in self.seated if not person.left]
            running = {person.table for person in playing if self._is_running(person.table)}
            if not running:
                return
            for name in sorted(running):
                self._look_at(name, since)
        raise Violation(f"games do not end: {sorted(running)}")

    def _is_running(self, name: str) -> bool:
        return name in self.store.tables and self.judge.tables[name].status != "over"

    def _look_at(self, name: str, since: dict[str, float]) -> None:
        """Whether a table gets on."""
        now, table = self.loop.now, self.judge.tables[name]
        if not self.judge.present.get(name):
            since[name] = now  # nobody waits
        waited = now - max(self.judge.used_at[name], since.setdefault(name, now))
        if waited > STANDSTILL_S:
            raise Violation(f"nothing happens at {name} any more, at event {table.seq}")
        if table.clocks is not None and table.clocks.deadline is not None:
            left = table.clocks.deadline - table.clocks.at
            self.took(f"what follows the end of somebody's time at {name}", waited - left, EXPIRY_S)
        if table.bot_to_act is not None:
            limit = DEEP_BOT_S * (len(self.clients) + 2) if table.bot_to_act in SEARCHERS else SIMPLE_BOT_S
            limit += PRESENCE_S if self.shared and table.bot_to_act in SEARCHERS else 0.0
            limit += DEAF_S if self.deaf else 0.0
            self.took(f"the move of {table.bot_to_act} at {name}", waited, limit)

    async def _agree(self) -> None:
        """All processes tell the same, those that come later too; nothing is left over; and they end when told to."""
        await self._all_tell_the_log()
        await asyncio.sleep(30.0)
        self.store.rated.all_counted()
        for process in self.processes:
            left = sum(not task.done() for task in process.tasks)
            if left > MOST_TASKS + TASKS_OF_ENGINE * self.config.engines + len(self.abandoned):
                raise Violation(f"process {process.number} has {left} tasks left, and nobody is connected")
            for name, room in process.service.registry.rooms.items():
                if len(room.connections):
                    raise Violation(f"nobody is connected, but {name} has {len(room.connections)} connections")
        for process in list(self.processes):
            await process.stop()
        await self.start_process(0)
        await self._all_tell_the_log()

    async def _all_tell_the_log(self) -> None:
        seen: dict[str, int] = {}
        for look in range(2):  # by the second, who had missed something before the first has read the log again
            before, seen = seen, {name: self.judge.tables[name].seq for name in self.store.tables}  # bots may play on
            for process in [process for process in self.processes if process.alive]:
                for name in sorted(self.store.tables):
                    if name in self.store.tables:
                        status, told = await self.network.ask(process, "10.9.9.9", "GET", f"/tables/{name}?since=0")
                        if look and status == 200:
                            self._compare(process, name, before.get(name, 0), told)
                        elif look and status != 429 and name in self.store.tables:
                            raise Violation(f"process {process.number} says of {name}: {status} {told}")
            await asyncio.sleep(6.0)

    def _compare(self, process: Process, name: str, before: int, told: dict[str, Any]) -> None:
        self.judge.update(0, told)
        if name not in self.abandoned and told["view"]["seq"] < before:
            raise Violation(
                f"process {process.number} has {name} at {told['view']['seq']}, "
                f"the log was at {before}, and nothing heals it"
            )


class _StillGarbage:
    """Dead objects are looked for between seeds only: when, must not depend on the machine."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def look(self, happened: int) -> bool:
        return False


class _SeededSecrets:
    """Secrets that a seed tells."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"secrets {seed}")

    def token_urlsafe(self, size: int) -> str:
        return f"{self._chance.getrandbits(8 * size):022x}"[:22]

    def token_hex(self, size: int) -> str:
        return f"{self._chance.getrandbits(8 * size):0{2 * size}x}"

    def choice(self, signs: str) -> str:
        return self._chance.choice(signs)

    def randbelow(self, below: int) -> int:
        return self._chance.randrange(below)


class _Errors(logging.Handler):
    """Errors that the server logs end a run."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        owner = OWNER.get()
        text = record.getMessage()
        if (owner is None or owner.alive) and text not in EXPECTED:
            if record.exc_info and record.exc_info[1] is not None:
                text += f": {record.exc_info[1]!r}"
            self._world.failure = self._world.failure or Violation(f"an error was logged: {text}")


@contextlib.contextmanager
def _patched(world: World) -> Iterator[None]:
    """Time, chance and what depends on the machine."""

    def wall() -> float:
        owner = OWNER.get()
        return EPOCH + world.loop.now + (owner.skew if isinstance(owner, Process) else 0.0)

    def steady() -> float:
        return world.loop.now

    server, access = logging.getLogger("sunglade.server"), logging.getLogger("sunglade.access")
    errors, levels = _Errors(world), (server.level, access.level)
    with contextlib.ExitStack() as patches:
        for owner, name, value in (
            (time, "time", wall), (time, "monotonic", steady), (time, "perf_counter", steady),
            (tokens, "secrets", _SeededSecrets(world.seed)),
            (service, "Garbage", _StillGarbage), (service, "warm_views", lambda: None),
            (service, "RunningClock", lambda log: RunningClock(log, steady)),
            (rated, "are_measured", lambda rules: True),  # games by an edition's own rules are six times as long
        ):  # fmt: skip
            patches.enter_context(mock.patch.object(owner, name, value))
        server.addHandler(errors)
        server.setLevel(logging.ERROR)
        access.setLevel(logging.ERROR)
        propagate, server.propagate = server.propagate, False
        try:
            yield
        finally:
            server.removeHandler(errors)
            server.propagate = propagate
            server.setLevel(levels[0])
            access.setLevel(levels[1])


def simulate(seed: int, scale: Scale | None = None) -> Outcome:
    """Run a seed."""
    outcome, began = Outcome(seed), time.process_time()
    gc.disable()
    world = World(seed, scale or Scale())
    with _patched(world):
        world.loop.dies = world.dies
        world.loop.on_error = world.unheard
        try:
            world.loop.run(world.story())
        except Exception as error:
            outcome.violation = f"{type(error).__name__}: {error}"
            if not isinstance(error, AssertionError):
                outcome.violation += "\n" + "".join(traceback.format_exception(error)[-4:])
            world.judge.note("violation", str(error))
    outcome.trace = world.judge.trace.hexdigest()[:16]
    outcome.virtual_s, outcome.running_s = world.loop.now, world.running_s
    outcome.events, outcome.words = world.judge.events, world.judge.words
    outcome.steps, outcome.starts = world.loop.steps, world.starts
    outcome.faults = Counter(world.faults.happened)
    _bury(world)
    del world
    outcome.processor_s = time.process_time() - began
    return outcome


def prepare() -> None:
    """In a process that only simulates: what is loaded now is no garbage, and what the dead say is not heard."""
    sys.unraisablehook = lambda _: None
    warnings.simplefilter("ignore")
    logging.getLogger("sunglade.server").addHandler(logging.NullHandler())
    logging.getLogger("sunglade.server").propagate = False
    simulate(0, Scale(seconds=1.0))
    gc.collect()
    gc.freeze()


def _bury(world: World) -> None:
    """Let go of everything. The tasks of processes that were killed end when they are freed."""
    world.loop.forget()
    for process in world.processes:
        process.vanish()
    world.__dict__.clear()
    gc.enable()
    for _ in range(MOST_ROUNDS):  # what ends does so with a last word, and goes a round later
        if not gc.collect():
            break
