"""Bots that think elsewhere, in another worker of the page: questions and answers are lines of the engine protocol."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

from sunglade.table.problems import ServerProblem
from sunglade.table.thinking import Asker

Answer = dict[str, Any]


class WorkerThinkers:
    """Puts questions to a worker (`ask` hands it a line) and finds who waits for each answer."""

    def __init__(self, ask: Callable[[str], None]) -> None:
        self._ask = ask
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._numbers = itertools.count(1)

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
        """What a bot thinks of a game. Who no longer waits stops the bot."""
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        request: Answer = {"id": number, "cmd": "think", "game": game, "bot": bot, "seed": seed}
        request |= {} if ms is None else {"ms": ms}
        request |= {} if nodes is None else {"nodes": nodes}
        request |= {"reasons": True} if reasons else {}
        request |= {"foretell": True} if foretell else {}
        self._waiting[number] = answer
        try:
            self._ask(json.dumps(request))
            found: Answer = await answer
        except asyncio.CancelledError:
            self._ask(json.dumps({"id": next(self._numbers), "cmd": "stop", "stop": number}))
            raise
        finally:
            del self._waiting[number]
        if "error" in found:
            raise ServerProblem("bad_request", str(found["error"].get("message")))
        return found

    def answered(self, line: str) -> None:
        """The worker says something."""
        found = json.loads(line)
        answer = self._waiting.get(found.get("id"))
        if answer is not None and not answer.done():
            answer.set_result(found)

    def lost(self) -> None:
        """The worker is no more: whoever waits is told to ask again, when there is another."""
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ServerProblem("busy", "bots broke down over this; try again.", retry_after=1.0))
