"""The value of every position of a finished game, found by a bot in the background."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from sunglade import kernel
from sunglade.game import Game
from sunglade.table.problems import ServerProblem
from sunglade.table.room import Room
from sunglade.table.table_registry import TableRegistry
from sunglade.table.thinking import Asker, Thinkers
from sunglade.table.work import end

KEPT: Final = 100
AT_A_TIME: Final = 8

log = logging.getLogger("sunglade.server")


@dataclass(slots=True)
class Analysis:
    """How far one has come."""

    table: str
    bot: str
    total: int
    status: str = "running"
    values: list[list[float] | None] = field(default_factory=list)
    best: list[str | None] = field(default_factory=list)
    foretold: list[dict[str, Any] | None] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    def told(self) -> dict[str, Any]:
        """What `schema.Analysis` tells."""
        done = sum(value is not None for value in self.values)
        return {
            "table": self.table,
            "status": self.status,
            "bot": self.bot,
            "done": done,
            "total": self.total,
            "values": self.values,
            "best": self.best,
        }


class Analyses:
    """Those of this process, the newest kept."""

    def __init__(self, engines: Thinkers, registry: TableRegistry) -> None:
        self._engines = engines
        self._registry = registry
        self._kept: OrderedDict[str, Analysis] = OrderedDict()

    def find(self, table: str) -> dict[str, Any]:
        """The analysis of a table as it stands."""
        found = self._kept.get(table)
        if found is None:
            return {
                "table": table, "status": "none", "bot": None, "done": 0, "total": 0, "values": [], "best": [],
            }  # fmt: skip
        return found.told()

    def found(self, table: str, frames: int) -> tuple[list[list[float] | None], list[dict[str, Any] | None]]:
        """What has been found out about each position of a table's game: its values, what it foretells."""
        found = self._kept.get(table)
        if found is None or found.total != frames:
            return [None] * frames, [None] * frames
        return list(found.values), list(found.foretold)

    def start(self, room: Room, bot: str, nodes: int) -> dict[str, Any]:
        """Begin, unless it is under way or done."""
        name = room.table.name
        found = self._kept.get(name)
        if found is not None and found.status != "failed":
            return found.told()
        if sum(other.status == "running" for other in self._kept.values()) >= AT_A_TIME:
            raise ServerProblem("busy", "too many games are being analysed; try again later.", retry_after=30.0)
        game = room.table.game
        frames = len(game.actions) + 1
        new = self._kept[name] = Analysis(
            name, bot, frames, values=[None] * frames, best=[None] * frames, foretold=[None] * frames
        )
        new.task = asyncio.create_task(self._run(new, game.fork(), nodes))
        while len(self._kept) > KEPT:
            _, old = self._kept.popitem(last=False)
            if old.task is not None:
                old.task.cancel()
        return new.told()

    async def _run(self, analysis: Analysis, game: Game, nodes: int) -> None:
        """Ask the bot about one position after the other, the end first known."""
        asker = Asker(analysis.table, list, background=True)
        shown = (game.data if game.over else game.redacted_data).to_dict()
        actions = shown["actions"]
        try:
            if game.over:
                analysis.values[-1] = [kernel.win_share(game.now, seat) for seat in range(game.players)]
            for played in range(len(actions) + (not game.over)):
                answer = await self._engines.think(
                    {**shown, "actions": actions[:played]},
                    analysis.bot,
                    seed=played,
                    asker=asker,
                    nodes=nodes,
                    foretell=True,
                )
                analysis.foretold[played] = answer.get("foretold")
                analysis.values[played], analysis.best[played] = answer["value"], answer["action"]
                self._tell(analysis)
            analysis.status = "done"
        except ServerProblem as problem:
            log.warning("analysis failed", extra={"table": analysis.table, "reason": problem.message})
            analysis.status = "failed"
        self._tell(analysis)

    def _tell(self, analysis: Analysis) -> None:
        room = self._registry.rooms.get(analysis.table)
        if room is not None:
            done = sum(value is not None for value in analysis.values)
            room.analysis_progress = (done, analysis.total)
            room.wake_all()

    async def stop(self) -> None:
        """End all that run."""
        tasks = [analysis.task for analysis in self._kept.values() if analysis.task is not None]
        await end(tasks)
