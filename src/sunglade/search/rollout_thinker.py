"""Thinking about a position for a while: a tree, threads, time, and what to answer.

All threads grow one tree. It is kept, and the root moves down as the game goes on. With a number of simulations to
run, one thread runs them: several would race, and the answer could not be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import cache
from threading import Event
from typing import Final

from sunglade import kernel
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.compiler import way
from sunglade.kernel.record import ANIMALS_PHASE, MODULE_MOON, OVER, TURTLE, Record
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.prebuilt.way import Way
from sunglade.search import uct
from sunglade.search.helpers import MAX_THREADS, Helpers
from sunglade.search.uct import (
    MAX_ROOTS,
    ROOM,
    Desk,
    Hand,
    Roots,
    Tree,
    move_root,
    open_room,
    plant,
    root_children,
    share_room,
    simulate,
    transplant,
)

CHUNK_S: Final = 0.003
"""Simulations run between two looks at the clock take about so long."""
LAST_CHUNK_S: Final = 0.0002
"""And so long at least, when less time is left: looking at the clock takes time, too."""
FIRST_CHUNK: Final = 16
MOST_CHUNK: Final = 2000
"""Simulations get faster towards the end of a game, and slow again when a new one begins."""
DEALS: Final = MAX_ROOTS
"""Ways in which the face-down babies may lie that a search averages over."""
KEPT: Final = ROOM // 8
"""Nodes that are kept when a tree is tidied up: as many as can be copied in some hundredths of a second."""
FOREVER: Final = float("inf")
RANGES: Final = (
    ("explore", 0, 1e6),
    ("width", 1, 1e6),
    ("widen", 0, 1e6),
    ("widen_root", 0, 1e6),
    ("margin", 0, 1),
)
"""What the settings of a search may be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tree is searched; found by games against itself (docs/bots.md)."""

    explore: float = 0.25
    """Weight of the uncertainty against the value."""
    width: float = 2.0
    """Actions looked at from the start, the most promising."""
    widen: float = 0.35
    """And so many more for the square root of the visits."""
    widen_root: float = 0.7
    """The same for the position that is thought about: nothing good may be missed there."""
    margin: float = 1.0
    """Share of the score margin in the value of a game; the rest is the win."""
    simple: int = 0
    """`SIMPLE_ROLLOUTS` and `SIMPLE_TREE`, for comparisons."""

    def __post_init__(self) -> None:
        for name, least, most in RANGES:
            if not least <= getattr(self, name) <= most:
                raise BadRequest(f"{name} of a search must be from {least:g} to {most:g}, not {getattr(self, name)}.")

    def as_record(self) -> uct.Settings:
        """For compiled code."""
        record = uct.Settings()
        for name in (each.name for each in record.fields):
            setattr(record, name, getattr(self, name))
        return record


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
    """When threads must stop: a moment, a number of simulations, a word from outside, or another thread's end."""

    until: float = FOREVER
    simulations: int | None = None
    stop: Event = field(default_factory=Event)
    enough: Event = field(default_factory=Event)
    """Set by the first of several threads that ends, for whatever reason: none goes on without it."""


class RolloutThinker:
    """A search that can be asked about one position after another."""

    def __init__(self, seed: int = 0, threads: int = 1, settings: Settings | None = None) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise BadRequest(f"a search has from 1 to {MAX_THREADS} threads, not {threads}.")
        self._seed = seed
        self._settings = (settings or Settings()).as_record()
        self._tree = Tree()
        self._spare: Tree | None = None  # where the next tree goes when this one is full
        self._workers = [Worker(self._settings) for _ in range(threads)]
        self._helpers = Helpers(threads)
        share_room(self._hands(), 1)
        open_room(self._tree, self._hands())
        self._known: Record | None = None  # the position at the tree's root, without what is hidden
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
        if nodes is not None and nodes < 1:
            raise BadRequest(f"a search needs at least one node, not {nodes}.")
        self._go_to(game)
        limits = Limits(until, nodes, stop or Event())
        simulations = self._run(self._workers[: 1 if nodes else None], self._roots(game), limits)
        return self._thought(game, simulations)

    def _run(self, workers: list[Worker], roots: Roots, limits: Limits) -> int:
        """Let workers search, the first in this thread, the others beside it; return the simulations run."""
        first, *others = workers
        helping: list[Future[int]] = []
        try:
            for worker in others:
                helping.append(self._helpers.submit(worker.search, self._tree, roots, limits))
            simulations = first.search(self._tree, roots, limits, decides_for=len(workers))
        finally:
            limits.enough.set()  # also where a thread could not be had
            wait(helping)
        return simulations + sum(helper.result() for helper in helping)

    # Where the tree stands

    def _go_to(self, game: Game) -> None:
        """Move the root to the game's position, or plant the tree anew where it does not know it."""
        now = _visible(game.now)
        if not self._follow(game, now):
            seeds = [self._seed * 64 + number for number in range(len(self._workers))]
            plant(self._tree, self._hands(), seeds)
            for worker in self._workers:
                worker.forget_pace()
        elif any(worker.room < ROOM // (4 * len(self._workers)) for worker in self._workers):
            self.tidy_up()
        self._known, self._played = now, len(game.actions)

    def _follow(self, game: Game, now: Record) -> bool:
        """Move the root along what was played since; False when that leads elsewhere or out of the tree."""
        if self._known is None:
            return False
        since = [ACTION_NUMBERS[line] for line in game.actions[self._played :]]
        for number in since:
            if not _is_legal(self._known, number):  # of another game
                return False
            kernel.apply(self._known, number)
        return self._known == now and all(move_root(self._tree, number) for number in since)

    def tidy_up(self) -> None:
        """Make room: keep what is below the root, the upper part of it where it is large."""
        old, self._tree = self._tree, self._spare or Tree()
        share_room(self._hands(), transplant(old, self._tree, KEPT))
        self._spare = old

    def _hands(self) -> list[Hand]:
        return [worker.hand for worker in self._workers]

    # What is hidden

    def _roots(self, game: Game) -> Roots:
        """The position, the babies nobody has seen lying in one way or another (M-SETUP-4)."""
        if not _has_hidden_babies(game.now):
            return Roots.at([_visible(game.now)])
        return Roots.at([game.determinised(self._seed + deal).now for deal in range(DEALS)])

    # What was found

    def _thought(self, game: Game, simulations: int) -> Thought:
        """The actions of the root, the one tried most first; one nobody tried is worth what the root is."""
        t, seat = self._tree, game.now.player
        children = root_children(t)
        actions, visits = t.action[children].tolist(), t.visits[children].tolist()
        rewards = self._rewards(game.players)
        worth = [sum(some) / max(sum(visits), 1) for some in zip(*rewards, strict=True)]
        lines = [
            Line(ACTION_NAMES[actions[i]], visits[i], rounded(some / visits[i] for some in rewards[i]))
            if visits[i]
            else Line(ACTION_NAMES[actions[i]], 0, rounded(worth))
            for i in sorted(range(len(visits)), key=lambda i: (-visits[i], -rewards[i][seat]))
        ]
        return Thought(lines, rounded(worth), simulations)

    def _rewards(self, players: int) -> list[list[float]]:
        """The sum of rewards of each action of the root, by seat."""
        t, at = self._tree, root_children(self._tree)
        if players > 2:
            return [list(t.shares[first : first + players]) for first in range(4 * at.start, 4 * at.stop, 4)]
        # Two players share a whole.
        both: list[list[float]] = [[won, n - won] for won, n in zip(t.won[at], t.visits[at], strict=True)]
        return both if t.mover[at.start] == 0 else [pair[::-1] for pair in both]


class Worker:
    """A thread's desk, and its sense of time."""

    def __init__(self, settings: uct.Settings) -> None:
        self._settings = settings
        self._desk = Desk()
        self.forget_pace()

    def forget_pace(self) -> None:
        """How many simulations fit into a second has to be found out anew."""
        self._a_second = FIRST_CHUNK / CHUNK_S

    @property
    def hand(self) -> Hand:
        """What the thread has of its own in the tree."""
        return self._desk.hand

    @property
    def room(self) -> int:
        """Nodes that the thread may still add to the tree."""
        return self.hand.end - self.hand.free

    def search(self, tree: Tree, roots: Roots, limits: Limits, decides_for: int = 0) -> int:
        """Simulate until a limit is reached; at least once, so that there is an answer. Returns how often.

        One thread decides for all of them that more work cannot change the answer; with 0 this one only helps.
        """
        simulations = 0
        seconds = limits.until - time.perf_counter()
        try:
            while True:
                most = MOST_CHUNK if limits.simulations is None else limits.simulations - simulations
                simulations += self._simulate(tree, roots, seconds, most)
                seconds = limits.until - time.perf_counter()
                if simulations == limits.simulations or seconds <= 0:
                    return simulations
                if limits.stop.is_set() or limits.enough.is_set():
                    return simulations
                if decides_for and limits.simulations is None and self._decided(tree, seconds * decides_for):
                    return simulations
        finally:
            limits.enough.set()

    def _simulate(self, tree: Tree, roots: Roots, seconds: float, most: int) -> int:
        """Run as many simulations as fit between two looks at the clock, and learn how fast they are."""
        fitting = int(self._a_second * min(CHUNK_S, max(seconds, LAST_CHUNK_S)))
        chunk = max(1, min(fitting, most, MOST_CHUNK))
        began = time.perf_counter()
        simulate(tree, roots, self._desk, self._settings, chunk)
        self._a_second = min(chunk / max(time.perf_counter() - began, 1e-6), 2 * self._a_second)
        return chunk

    def _decided(self, tree: Tree, seconds: float) -> bool:
        """Whether so many seconds of work cannot change which action was tried most."""
        visits = tree.visits[root_children(tree)].tolist()
        if len(visits) == 1:
            return True
        first, second = sorted(visits)[-1:-3:-1]
        return first - second > seconds * self._a_second


def warm_up() -> None:
    """Load the compiled code, or compile it, before a clock runs; what was prebuilt is there."""
    if way() is not Way.PREBUILT:
        _think_of_everything()


@cache
def _think_of_everything() -> None:
    game, thinker = Game(players=2), RolloutThinker()
    game.play(thinker.think(game, nodes=1).action)
    thinker.think(game, nodes=1)
    thinker.tidy_up()


def _is_legal(s: Record, number: int) -> bool:
    """Whether an action may be played in a position."""
    found = kernel.LegalList()
    return s.phase != OVER and number in found.action[: kernel.legal(s, found)].tolist()


def _visible(s: Record) -> Record:
    """A copy without the babies: what hatches is not to be seen."""
    copy = s.copy()
    copy.babies = 0
    return copy


def _has_hidden_babies(s: Record) -> bool:
    """Whether there are, or may still be, babies that nobody has seen."""
    if not s.options & MODULE_MOON:
        return False
    return bool(s.face_down) or (s.phase <= ANIMALS_PHASE and any(hand >> TURTLE & 1 for hand in s.dealt))


def rounded(values: Iterable[float]) -> list[float]:
    """Values as they are told."""
    return [round(float(value), 4) for value in values]
