"""Engine processes that are none: they answer as real ones do, die, fall silent, talk nonsense, take their time.

Whatever they are asked is looked at: nothing that players cannot know may be in it.
"""

from __future__ import annotations

import contextvars
import random
from collections.abc import Callable
from typing import Any, Final

from simulation.faults import Faults
from simulation.loop import OWNER, SeededLoop
from sunglade.game import Game
from sunglade.server.engine_process import Answer, EngineProcess, Request
from sunglade.server.service import WARMED
from sunglade.table.thinking import SEARCHERS

START_S: Final = (0.2, 1.5)
SIMPLE_S: Final = (0.005, 0.05)
SLOW_S: Final = (5.0, 40.0)
SILENT_S: Final = 10.0
"""An engine that falls silent is given up within this time, warm or not."""
NONSENSE: Final[tuple[Answer, ...]] = (
    {"error": 7}, {"error": "?"}, {"error": {}}, {}, {"action": ["end"], "value": None}, {"action": "end", "value": 7},
)  # fmt: skip


class SimulatedEngine(EngineProcess):
    """Only the process is simulated: what the server does to ask it is real."""

    def __init__(
        self, loop: SeededLoop, faults: Faults, chance: random.Random, on_question: Callable[[Request], None]
    ) -> None:
        super().__init__()
        self._sim = loop
        self._faults = faults
        self._chance = chance
        self._on_question = on_question
        self._world = contextvars.copy_context()
        self._world.run(OWNER.set, None)
        self._server = contextvars.copy_context()
        self._free_at = self._deep_until = 0.0
        self._warm = False
        self._silent = False
        self.silent_since: float | None = None
        self.killed = False

    def start(self) -> None:
        if self._faults.strike("engine_unstartable"):
            self._die("was never there")
            raise RuntimeError("can't start new thread (simulated)")
        self._free_at = self._sim.now + self._chance.uniform(*START_S)
        if self._faults.strike("engine_stillborn"):
            self._later_on(self._free_at, self._die, "could not be started (simulated)")

    def worked(self) -> float | None:
        """One that is silent does nothing at all."""
        return self._sim.now if self.silent_since is None else self.silent_since

    def _send(self, request: Request) -> None:
        if self._gone.done() or self._silent:
            return
        # Signs of life come while it thinks, too; simple bots wait for no deep one.
        now, think = self._sim.now, request["cmd"] == "think"
        deep = think and request["bot"] in SEARCHERS
        delay = self._chance.uniform(*SIMPLE_S)
        if deep:
            delay += request.get("ms", 0) / 1000
        if think:
            self._on_question(request)
            if self._faults.strike("engine_slow"):
                delay += self._chance.uniform(*SLOW_S)
            if self._warm and self._faults.strike("engine_broods"):
                return  # it lives, but of this nothing will be heard
            if self._faults.strike("engine_hangs"):
                self._silent = True
                self.silent_since = now
                return
            if self._faults.strike("engine_dies"):
                self._later_on(max(now, self._free_at) + delay, self._die, "broke down")
                return
        at = max(now, self._free_at) + delay
        if deep:
            self._deep_until = at = max(at, self._deep_until + delay)
        self._later_on(at, self._reply, request)

    def call(self) -> None:
        """A sign of life, without the way there and back: there are too many of them."""
        if not self._gone.done() and not self._silent and self._sim.now >= self._free_at:
            self.heard += 1

    def _later_on(self, when: float, what: Callable[..., None], *given: Any) -> None:
        self._world.run(self._sim.call_at, when, what, *given)

    def _reply(self, request: Request) -> None:
        if self._gone.done() or self._silent:
            return
        answer = self._answer(request)
        if request["cmd"] == "think":
            self._warm = self._warm or request["bot"] == WARMED[-1]
            if self._faults.strike("engine_nonsense"):
                if self._chance.random() < 0.3:
                    self._die("spoke nonsense (simulated)")
                    return
                answer = self._chance.choice(NONSENSE)
        self._server.run(self._sim.call_soon, self._take, {"id": request["id"], **answer})

    def _answer(self, request: Request) -> Answer:
        if request["cmd"] != "think":
            return {"version": "simulated"}
        game = Game.from_dict(request["game"])
        line = "grow z9" if self._faults.strike("engine_illegal") else self._choice(game)
        return {"action": line, "value": [1.0 / game.players] * game.players, "lines": []}

    def _choice(self, game: Game) -> str | None:
        legal = game.legal
        if not legal:
            return None
        if "end" in legal and self._chance.random() < 0.5:
            return "end"
        return legal[self._chance.randrange(len(legal))]

    def kill(self) -> None:
        self.killed = self._ending = True
        if not self._faults.strike("engine_undead"):  # one that the system cannot end
            self._later_on(self._sim.now, self._die, "broke down")

    def _die(self, reason: str) -> None:
        if not self._gone.done():
            self._tell_end(reason)
