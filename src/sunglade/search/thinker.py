"""Thinking about a position for a while: trees, threads, time, and what to answer.

Every thread grows a tree of its own from the same position (root parallel), with random numbers of its own; the visits
of the root's actions are added up. The trees are kept, and the root moves down as the game goes on.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from threading import Event
from typing import Any, Final

import numpy as np

from sunglade import kernel
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.record import ANIMALS_PHASE, MODULE_MOON, TURTLE, Record
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.search.uct import NODES, SETTINGS, Array, move_root, new_desk, new_tree, plant_tree, simulate

CHUNK_S: Final = 0.003
"""Simulations run between two looks at the clock take about so long."""
FIRST_CHUNK: Final = 16
DEALS: Final = 8
"""Ways in which the face-down babies may lie that a search averages over."""
ROOMY: Final = NODES // 2
"""A tree fuller than this is not kept for the next position."""
FOREVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tree is searched; found by games against itself (docs/bots.md)."""

    explore: float = 0.25
    width: float = 4.0
    widen: float = 2.0
    simple: int = 0

    def as_array(self) -> Array:
        """For compiled code."""
        return np.array([(self.explore, self.width, self.widen, self.simple)], SETTINGS)


@dataclass(frozen=True, slots=True)
class Line:
    """An action, how often the search tried it, and what it is worth to each seat, from 0 to 1."""

    action: str
    visits: int
    value: list[float]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found: the lines most visited first, the value of the position by seat, and the work done."""

    lines: list[Line]
    value: list[float]
    simulations: int

    @property
    def action(self) -> str:
        """The action to play."""
        return self.lines[0].action


@dataclass(slots=True)
class Limits:
    """When a thread must stop: a moment, a number of simulations, or a word from outside."""

    until: float = FOREVER
    simulations: int | None = None
    stop: Event = field(default_factory=Event)


class Thinker:
    """A search that can be asked about one position after another."""

    def __init__(self, seed: int = 0, threads: int = 1, settings: Settings | None = None) -> None:
        if threads < 1:
            raise BadRequest(f"a search needs at least one thread, not {threads}.")
        self._seed = seed
        self._settings = (settings or Settings()).as_array()
        self._workers = [Worker(seed * 64 + number, self._settings) for number in range(threads)]
        self._known: Array | None = None  # the position at the trees' roots, without what is hidden
        self._played = 0  # actions of the game that led there

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """Search the position for so many milliseconds or simulations, whichever ends first, or until stopped."""
        until = FOREVER if ms is None else time.perf_counter() + ms / 1000
        if game.over:
            raise BadRequest("the game is over, there is nothing to think about.")
        if ms is None and nodes is None and stop is None:
            raise BadRequest("a search needs an end: a time or a number of nodes.")
        self._go_to(game)
        roots = self._roots(game)
        limits = [Limits(until, share, stop or Event()) for share in _shares(nodes, len(self._workers))]
        self._run(roots, limits)
        return self._thought(game)

    def _run(self, roots: Array, limits: list[Limits]) -> None:
        """Let every worker search, each in a thread of its own."""
        if len(self._workers) == 1:
            self._workers[0].search(roots, limits[0])
            return
        with ThreadPoolExecutor(len(self._workers)) as pool:
            list(pool.map(lambda work: work[0].search(roots, work[1]), zip(self._workers, limits, strict=True)))

    # Where the trees stand

    def _go_to(self, game: Game) -> None:
        """Move the roots to the game's position, or plant the trees anew where they do not know it."""
        now = _visible(game.record)
        if not self._follow(game, now):
            for worker in self._workers:
                worker.plant()
        self._known, self._played = now, len(game.actions)

    def _follow(self, game: Game, now: Array) -> bool:
        """Move the roots along what was played since; False when that leads elsewhere or out of the trees."""
        if self._known is None:
            return False
        since = [ACTION_NUMBERS[line] for line in game.actions[self._played :]]
        for number in since:
            kernel.apply(self._known[0], number)
        if self._known.tobytes() != now.tobytes():
            return False
        return all(worker.follow(since) for worker in self._workers)

    # What is hidden

    def _roots(self, game: Game) -> Array:
        """The position, the babies nobody has seen lying in one way or another (M-SETUP-4)."""
        if not _has_hidden_babies(game.record):
            return _visible(game.record)
        return np.concatenate([_copy(game.determinised(self._seed + deal).record) for deal in range(DEALS)])

    # What was found

    def _thought(self, game: Game) -> Thought:
        players = game.players
        visits: dict[int, int] = {}
        won: dict[int, Any] = {}
        for worker in self._workers:
            for action, tries, rewards in worker.results(players):
                visits[action] = visits.get(action, 0) + tries
                won[action] = won.get(action, 0.0) + rewards
        total = max(sum(visits.values()), 1)
        value = sum(won.values()) / total
        mover = int(game.record.player)
        order = sorted(visits, key=lambda a: (visits[a], won[a][mover]), reverse=True)
        lines = [Line(ACTION_NAMES[a], visits[a], _rounded(won[a] / max(visits[a], 1))) for a in order]
        return Thought(lines, _rounded(value), sum(worker.simulations for worker in self._workers))


class Worker:
    """One tree, and what compiled code needs beside it."""

    def __init__(self, seed: int, settings: Array) -> None:
        self._seed = seed
        self._settings = settings
        self._trees = new_tree(seed)
        self._desk = new_desk()
        self._a_second = FIRST_CHUNK / CHUNK_S
        self.simulations = 0

    def plant(self) -> None:
        """Begin a new tree."""
        plant_tree(self._trees, self._seed)

    def follow(self, actions: list[int]) -> bool:
        """Move the root along the actions; False when the tree does not know them or has little room left."""
        return bool(self._trees[0].used < ROOMY) and all(move_root(self._trees, action) for action in actions)

    def search(self, roots: Array, limits: Limits) -> None:
        """Simulate until a limit is reached. At least once, so that there is an answer."""
        self.simulations = 0
        while True:
            chunk = max(1, int(self._a_second * CHUNK_S))
            if limits.simulations is not None:
                chunk = min(chunk, limits.simulations - self.simulations)
            began = time.perf_counter()
            done = simulate(self._trees, roots, self._desk, self._settings, chunk)
            now = time.perf_counter()
            self.simulations += done
            self._a_second = min(done / max(now - began, 1e-6), 2 * self._a_second)
            if done < chunk or self.simulations == limits.simulations or now >= limits.until or limits.stop.is_set():
                return
            if limits.simulations is None and self._decided(limits.until - now):
                return

    def _decided(self, seconds: float) -> bool:
        """Whether the time left cannot change which action was tried most."""
        visits = self._root_visits()
        if len(visits) == 1:
            return True
        first, second = sorted(visits.tolist())[-1:-3:-1]
        return bool(first - second > seconds * self._a_second)

    def _children(self) -> slice:
        t = self._trees[0]
        first = int(t.first[t.root])
        return slice(first, first + int(t.count[t.root]))

    def _root_visits(self) -> Any:
        return self._trees[0].visits[self._children()]

    def results(self, players: int) -> list[tuple[int, int, Any]]:
        """Each action of the root, its visits and the sum of the rewards by seat."""
        t, children = self._trees[0], self._children()
        actions, visits = t.action[children].tolist(), t.visits[children].tolist()
        if players > 2:
            rewards = t.shares[children, :players].astype(np.float64)
        else:
            rewards = np.zeros((len(actions), 2))
            for row, (mover, won, tries) in enumerate(zip(t.mover[children], t.won[children], visits, strict=True)):
                rewards[row, mover] = won
                rewards[row, 1 - mover] = tries - won  # two players share a whole
        return list(zip(actions, visits, rewards, strict=True))


@cache
def warm_up() -> None:
    """Load the compiled code, or compile it, before a clock runs."""
    Thinker().think(Game(players=2), nodes=1)


def _shares(nodes: int | None, threads: int) -> list[int | None]:
    """The simulations of each thread: as equal as can be, at least one."""
    if nodes is None:
        return [None] * threads
    return [max(1, (nodes + thread) // threads) for thread in range(threads)]


def _copy(record: Record) -> Array:
    """An array of one record, its own."""
    return np.frombuffer(bytearray(record.tobytes()), kernel.STATE)


def _visible(record: Record) -> Array:
    """A copy without the babies: what hatches is not to be seen."""
    array = _copy(record)
    array[0].babies = 0
    return array


def _has_hidden_babies(s: Record) -> bool:
    """Whether there are, or may still be, babies that nobody has seen."""
    if not s.options & MODULE_MOON:
        return False
    return bool(s.face_down) or (s.phase <= ANIMALS_PHASE and any(s.dealt >> TURTLE & 1))


def _rounded(values: Any) -> list[float]:
    return [round(float(value), 4) for value in values]
