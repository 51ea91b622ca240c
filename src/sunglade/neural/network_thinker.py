"""Thinking with the network: one graph of positions, its leaves answered in batches, within time or nodes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from threading import Event
from typing import Final

from sunglade import board
from sunglade.encode import observe
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.record import Record
from sunglade.neural.forward.answer import Prospect
from sunglade.neural.inference import Inference, shipped
from sunglade.notation import ACTION_NAMES
from sunglade.rules import SUNS
from sunglade.search import graph
from sunglade.search.rollout_thinker import Line, Thought, rounded

ROOMY: Final = graph.NODES // 2
"""A graph fuller than this is not kept for the next position."""


EXPLORE: Final = 0.6
MOST_EXPLORE: Final = 1e6
BATCH: Final = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """How the graph is searched."""

    explore: float = EXPLORE
    caution: float = 0.1
    loss: float = 0.0
    batch: int = BATCH

    def as_record(self) -> graph.Settings:
        """For compiled code."""
        record = graph.Settings()
        record.explore, record.caution, record.loss = self.explore, self.caution, self.loss
        return record


@dataclass(frozen=True, slots=True)
class Foretold:
    """How a game may end: everybody's points, and for each space each seat's chance to have a piece there."""

    points: list[float]
    standing: dict[str, list[float]]


class NetworkThinker:
    """A search with a network that can be asked about one position after another."""

    def __init__(self, network: Inference, settings: Settings | None = None) -> None:
        self._network = network
        self._how = settings or Settings()
        if not 0 <= self._how.explore <= MOST_EXPLORE:
            raise BadRequest(f"explore of neural must be from 0 to {MOST_EXPLORE:g}, not {self._how.explore}.")
        if not 1 <= self._how.batch <= graph.MAX_BATCH:
            raise BadRequest(f"a batch has 1 to {graph.MAX_BATCH} positions, not {self._how.batch}.")
        self._settings = self._how.as_record()
        self._graph = graph.Graph()
        self._desk = graph.Desk()
        self._questions, self._answers = graph.Questions(), graph.Answers()
        self._prospect = Prospect()
        self._a_second = 200.0

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """Search the position for so many milliseconds or simulations, whichever ends first, or until stopped."""
        began = time.perf_counter()
        until = float("inf") if ms is None else began + ms / 1000
        if game.over:
            raise BadRequest("the game is over, there is nothing to think about.")
        if ms is None and nodes is None and stop is None:
            raise BadRequest("a search needs an end: a time or a number of nodes.")
        root = game.now.copy()
        self._plant(root, nodes is not None)
        before = self._simulations()
        wanted = float("inf") if nodes is None else before + nodes
        stop = stop or Event()
        while not stop.is_set() and self._goes_on(wanted - self._simulations(), until):
            if not self._simulate(root, wanted - self._simulations()):
                break
        return self._thought(game, self._simulations() - before)

    def foretell(self, game: Game) -> Foretold:
        """What the network alone says of the end of the game; it is not over."""
        now = game.now.copy()
        turns = (SUNS - now.sun) % SUNS
        observe(now, turns, self._questions.observation[0])
        self._network.foretell(self._questions, self._answers, self._prospect)
        seats = range(game.players)
        relative = [(seat - now.player) % game.players for seat in seats]
        turned = [board.rotated(space, turns) for space in range(len(board.SPACES))]
        return Foretold(
            [round(self._prospect.points[seat], 1) for seat in relative],
            {
                board.NAMES[space]: [round(self._prospect.owner[turned[space], 1 + seat], 2) for seat in relative]
                for space in range(len(board.SPACES))
            },
        )

    def _plant(self, root: Record, anew: bool) -> None:
        """Put the root at the position; with a fixed number of nodes from nothing, so that the answer is repeatable."""
        keep = not anew and self._graph.nodes < ROOMY
        if graph.plant(self._graph, root, self._desk, self._questions, keep):
            self._settle(root, 1)

    def _settle(self, root: Record, waiting: int) -> None:
        """Let the network answer for the positions that wait."""
        self._network.answer(self._questions, waiting, self._answers)
        graph.settle(self._graph, root, self._answers)

    def _simulate(self, root: Record, wanted: float) -> bool:
        """One batch; False when there is no room left."""
        began = time.perf_counter()
        before = self._simulations()
        batch = int(min(self._how.batch, wanted))
        waiting = graph.gather(self._graph, root, self._desk, self._questions, self._settings, batch)
        if waiting < 0:
            return False
        if waiting:
            self._settle(root, waiting)
        done = self._simulations() - before
        self._a_second += 0.2 * (done / max(time.perf_counter() - began, 1e-6) - self._a_second)
        return True

    def _goes_on(self, wanted: float, until: float) -> bool:
        """Whether there is work, and time for another batch that could change the answer."""
        if wanted <= 0:
            return False
        left = until - time.perf_counter()
        if left < self._how.batch / self._a_second:
            return False
        tries = self._tries()
        if len(tries) == 1:
            return False
        if until == float("inf"):
            return True
        second, first = sorted(tries)[-2:]
        return first - second <= left * self._a_second

    def _edges(self) -> slice:
        g = self._graph
        first = g.first[g.root]
        return slice(first, first + g.count[g.root])

    def _tries(self) -> list[int]:
        return self._graph.tries[self._edges()].tolist()

    def _simulations(self) -> int:
        return self._graph.visits[self._graph.root]

    def _thought(self, game: Game, simulations: int) -> Thought:
        g, edges, seats = self._graph, self._edges(), range(game.players)
        lines = []
        for action, tries, child, prior in zip(
            g.action[edges], g.tries[edges], g.child[edges], g.prior[edges], strict=True
        ):
            worth = [g.worth[child if tries else g.root, seat] for seat in seats]
            lines.append((tries, prior, worth[g.mover[g.root]], action, worth))
        lines.sort(key=lambda line: line[:3], reverse=True)
        return Thought(
            [Line(ACTION_NAMES[action], tries, rounded(worth)) for tries, _, _, action, worth in lines],
            rounded(g.worth[g.root, seat] for seat in seats),
            simulations,
        )


@cache
def warm_up() -> None:
    """Load the compiled code and the network, or compile it, before a clock runs."""
    NetworkThinker(shipped()).think(Game(players=2), nodes=2 * BATCH)
