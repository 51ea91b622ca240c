"""Processes that play matches, and what happens when a bot takes its whole process with it.

A worker tells every action as it is played. If it dies or hangs, the bot that was asked last is to blame: it has
failed, and another worker goes on with the match from there.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from sunglade.arena.match import Contestants, Match, Watcher, play, result
from sunglade.arena.plan import HONOURED_MS, Plan
from sunglade.bots import check, note_of
from sunglade.bots.program import START_MS
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game

WARM_UP_S: Final = 1800
"""A worker may take so long to load its bots: the first one may have to compile."""
HANGING_S: Final = 20
"""Beyond the time for its turn: a bot that is not back then will never be."""
MIDDLE: Final = 60
"""Actions after the set-up until bots have seen what they may meet: seeds, trees of all sizes, collecting."""
TRIES: Final = 3
"""How often a match is begun again whose worker died while no bot was asked."""

_CONTEXT: Final = multiprocessing.get_context("spawn")


HOLDS_INTERRUPTS: Final = hasattr(signal, "pthread_sigmask")


# In the worker


def work(pipe: Connection, plan: Plan) -> None:
    """The life of a worker: load the bots, then play what it is given until the pipe is closed."""
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        if HOLDS_INTERRUPTS:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        players = Contestants(plan)
        try:
            _warm_up(plan, players, pipe)
            while True:
                _play(plan, pipe.recv(), players, pipe)
        finally:
            players.close()


def moments(plan: Plan) -> list[Game]:
    """Positions of every kind, as players see them: the first of each phase, and one in the middle of a game."""
    game, found, turns, choose = Game(plan.players, plan.rules), dict[str, Game](), 0, random.Random(0).choice
    while not game.over and turns < MIDDLE:
        found.setdefault(game.phase, game.redacted())
        game.play(choose(game.legal))
        turns += game.phase == "turn"
    return [*found.values()] if game.over else [*found.values(), game.redacted()]


def _warm_up(plan: Plan, players: Contestants, pipe: Connection) -> None:
    """Make every bot act before a clock runs: code is compiled, networks and programs are loaded."""
    positions = moments(plan)
    for entrant in dict.fromkeys(plan.entrants):
        try:
            bot = players.sit_down(entrant, 0, 0)
            check(bot, entrant.name, plan.players, plan.rules)
            if not entrant.program:
                for position in positions:
                    bot.act(position.fork(), 1)
                pipe.send(("note", note_of(bot)))
        except SungladeError as error:
            if not entrant.program:
                pipe.send(("refused", error.message))
                return
        except Exception as error:
            if entrant.imported:
                pipe.send(("refused", f"{entrant.name} broke down before it played: {type(error).__name__}: {error}"))
                return
            continue  # it will fail in its games, where that counts
    pipe.send(("ready",))


def _play(plan: Plan, match: Match, players: Contestants, pipe: Connection) -> None:
    """Play a match, telling the parent what happens."""
    watcher = Watcher(
        asked=lambda seat: pipe.send(("asked", seat)),
        played=lambda line: pipe.send(("played", line)),
        failed=lambda seat, reason: pipe.send(("failed", seat, reason)),
    )
    began = time.perf_counter()
    game = play(plan, match, players, watcher)
    pipe.send(("done", result(plan, match, game, time.perf_counter() - began), game.to_dict()))


# In the parent


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """A process that begins now hears of an interrupt when it can end in peace, and this one a moment later.

    The helper process that multiprocessing starts before its first one lets interrupts through again when it has
    started, so it has to be there before.
    """
    if not HOLDS_INTERRUPTS:
        yield
        return
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(slots=True)
class Played:
    """A finished match: its line of the results, and the game."""

    result: dict[str, Any]
    game: dict[str, Any]


@dataclass(slots=True)
class Worker:
    """A process and what it is doing."""

    process: Any
    pipe: Connection
    ready: bool = False
    match: Match | None = None
    asked: int | None = None
    deadline: float = field(default_factory=lambda: time.monotonic() + WARM_UP_S)
    tries: int = 1


class Workers:
    """Plays matches on several processes at once."""

    def __init__(self, plan: Plan, jobs: int) -> None:
        self._plan = plan
        self._jobs = jobs
        self._workers: list[Worker] = []
        self._again: list[tuple[Match, int]] = []
        self.notes: list[str] = []
        """What the bots have to tell before they play."""
        self._turn_s = (plan.ms + HONOURED_MS + plan.grace_ms + START_MS) / 1000 + HANGING_S

    def play(self, matches: Iterable[Match], loading: Callable[[], None] = lambda: None) -> Iterator[Played]:
        """Every match, as they end. The first worker compiles what has to be compiled; then the others start."""
        waiting = iter(matches)
        try:
            while True:
                self._hand_out(waiting)
                if not self._workers:
                    return
                if not any(worker.ready for worker in self._workers):
                    loading()
                yield from self._listen()
        finally:
            self.close()

    def close(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()

    # Handing out

    def _hand_out(self, waiting: Iterator[Match]) -> None:
        """Give every idle worker a match; start a worker where one is missing, end it where nothing is left."""
        for worker in [worker for worker in self._workers if worker.ready and worker.match is None]:
            match, tries = self._next(waiting)
            if match is None:
                self._end(worker)
                self._workers.remove(worker)
            else:
                self._give(worker, match, tries)
        if all(worker.ready for worker in self._workers):
            while len(self._workers) < self._jobs:
                match, tries = self._next(waiting)
                if match is None:
                    return
                self._workers.append(self._started(match, tries))
                if len(self._workers) == 1:
                    return  # the others wait until it has compiled

    def _next(self, waiting: Iterator[Match]) -> tuple[Match | None, int]:
        return self._again.pop(0) if self._again else (next(waiting, None), 1)

    def _started(self, match: Match, tries: int) -> Worker:
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=work, args=(theirs, self._plan), daemon=False)
        with _interrupts_held():
            process.start()
        theirs.close()
        return Worker(process, ours, match=match, tries=tries)

    def _give(self, worker: Worker, match: Match, tries: int) -> None:
        worker.match, worker.asked, worker.tries = match, None, tries
        worker.deadline = time.monotonic() + self._turn_s
        with contextlib.suppress(OSError):  # a worker that has just died is noticed when it is listened to
            worker.pipe.send(match)

    # Listening

    def _listen(self) -> Iterator[Played]:
        """Wait until a worker says something, dies, or has been silent for too long."""
        soonest = min(worker.deadline for worker in self._workers)
        heard = wait([worker.pipe for worker in self._workers], timeout=max(0.0, soonest - time.monotonic()))
        for worker in list(self._workers):
            if worker.pipe in heard:
                try:
                    yield from self._take(worker, worker.pipe.recv())
                except (EOFError, OSError):
                    self._lose(worker, "its process died.")
            elif time.monotonic() > worker.deadline:
                self._lose(worker, "did not come back.")

    def _take(self, worker: Worker, message: tuple[Any, ...]) -> Iterator[Played]:
        """One message of a worker. While it loads its bots each has the time for that, whatever others took."""
        worker.deadline = time.monotonic() + (self._turn_s if worker.ready else WARM_UP_S)
        match message:
            case ("ready",):
                worker.ready = True
                assert worker.match is not None
                self._give(worker, worker.match, worker.tries)
            case ("note", str(note)) if note not in self.notes:
                self.notes.append(note)
                print(note, file=sys.stderr)
            case ("refused", sentence):
                raise BadRequest(sentence)
            case ("asked", seat):
                worker.asked = seat
            case ("played", line) if worker.match is not None:
                worker.asked = None
                worker.match.actions.append(line)
            case ("failed", seat, reason) if worker.match is not None:
                worker.asked = None
                worker.match.failed[seat] = reason
            case ("done", line, game):
                worker.match = None
                yield Played(line, game)

    def _lose(self, worker: Worker, why: str) -> None:
        """A worker is gone: whose turn it was has failed, and somebody else goes on with the match."""
        self._end(worker)
        self._workers.remove(worker)
        if not worker.ready:
            raise BadRequest(
                f"the bots could not be loaded: the process that loads them {why.removeprefix('its process ')}"
            )
        if worker.match is None:
            return
        if worker.asked is not None:
            worker.match.failed[worker.asked] = why
        elif worker.tries == TRIES:
            raise BadRequest(f"game {worker.match.fixture.number} could not be played: {why}")
        self._again.append((worker.match, 1 if worker.asked is not None else worker.tries + 1))

    def _end(self, worker: Worker) -> None:
        """Let an idle worker go, kill a busy one."""
        worker.pipe.close()
        if worker.match is not None:
            worker.process.terminate()
        worker.process.join(timeout=5)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
