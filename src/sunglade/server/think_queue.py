"""Whom bots think for next: for people in turn, for empty tables after them, and a simple bot never after a deep one.

Everybody has their turn: whoever was served longest ago is next, among persons first, among tables of a person then.
So one visitor with twenty tables has one share, like everybody else.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from sunglade.server.metrics import Metrics
from sunglade.table.problems import ServerProblem
from sunglade.table.thinking import Asker

SIMPLE, DEEP = LANES = ("simple", "deep")
"""Questions to the two kinds of bots never wait for each other."""
MOST_WAITING: Final = 2000
"""In a lane. Beyond that, whoever would be the last to be served is refused."""
MOST_REMEMBERED: Final = 10_000
"""Persons and tables whose last turn is known; the others are served as if they had never had one."""


@dataclass(eq=False, slots=True)
class Question:
    """Something an engine is to think about."""

    asker: Asker
    lane: str
    request: dict[str, Any]
    limit_s: float
    answer: asyncio.Future[dict[str, Any]]
    number: int = 0
    since: float = field(default_factory=time.monotonic)
    died: bool = False
    """Whether an engine died over it already."""

    def refuse(self, problem: ServerProblem) -> None:
        """Tell whoever asks that there will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(problem)


Rank = tuple[int, int, int, int]


class ThinkQueue:
    """The questions that wait."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._waiting: dict[str, list[Question]] = {lane: [] for lane in LANES}
        self._news = {lane: asyncio.Event() for lane in LANES}
        self._numbers = itertools.count(1)
        self._closed: ServerProblem | None = None
        self._turns: OrderedDict[tuple[str, str], int] = OrderedDict()  # when a person or table was served last

    def put(self, question: Question) -> None:
        """Let a question wait, or refuse the one that would be the last to be served."""
        if self._closed is not None:
            question.refuse(self._closed)
            return
        waiting = self._waiting[question.lane]
        question.number = question.number or next(self._numbers)
        waiting.append(question)
        if len(waiting) > MOST_WAITING:
            last = max(waiting, key=self._rank)
            waiting.remove(last)
            last.refuse(ServerProblem("busy", "the bots have too much to think about.", retry_after=5.0))
        self._note(question.lane)

    async def take(self, lane: str) -> Question:
        """Wait for a question. Nobody who stops waiting here takes one along."""
        while (question := self._next(lane)) is None:
            self._news[lane].clear()
            await self._news[lane].wait()
        return question

    def drop(self, question: Question) -> None:
        """Nobody waits for this answer any more."""
        if question in self._waiting[question.lane]:
            self._waiting[question.lane].remove(question)
            self._note(question.lane)

    def close(self, problem: ServerProblem) -> None:
        """Nothing will be answered any more."""
        self._closed = problem
        for waiting in self._waiting.values():
            for question in waiting:
                question.refuse(problem)
            waiting.clear()

    def _note(self, lane: str) -> None:
        self._metrics.thoughts_waiting.labels(lane).set(len(self._waiting[lane]))
        if self._waiting[lane]:
            self._news[lane].set()

    def _next(self, lane: str) -> Question | None:
        waiting = self._waiting[lane]
        if not waiting:
            return None
        question = min(waiting, key=self._rank)
        waiting.remove(question)
        self._note(lane)
        self._charge(question)
        return question

    def _rank(self, question: Question) -> Rank:
        """The lowest is next. Who is there is asked anew each time: people come back to tables that wait."""
        people = question.asker.people()
        urgency = 2 if question.asker.background else 0 if people else 1
        turn = min((self._turns.get(("person", person), 0) for person in people), default=0)
        return urgency, turn, self._turns.get(("table", question.asker.table), 0), question.number

    def _charge(self, question: Question) -> None:
        """It was the turn of a table, and of the one there who was served longest ago."""
        asker, now = question.asker, next(self._numbers)
        people = asker.people()
        keys = [("table", asker.table)]
        if people:
            keys.append(min((("person", person) for person in people), key=lambda key: self._turns.get(key, 0)))
        for key in keys:
            self._turns[key] = now
            self._turns.move_to_end(key)
        while len(self._turns) > MOST_REMEMBERED:
            self._turns.popitem(last=False)
        whom = "analysis" if asker.background else "people" if people else "nobody"
        self._metrics.thought_wait_seconds.labels(question.lane, whom).observe(time.monotonic() - question.since)
