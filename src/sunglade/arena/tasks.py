"""Tasks that results can be compared on: `sunglade evaluate`. Everything about them is fixed but the player.

A task says how many play by which rules, against whom, from which openings (random set-ups of a fixed seed, each played
from every seat) and how many games. Opponents are *frozen*: bots whose every action for a seed is held by a test, with
ratings that were measured once. If any of this changes, all tasks have a new version, and old results stay theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sunglade.arena.plan import Entrant, Plan
from sunglade.bots.strengths import elos
from sunglade.errors import BadRequest
from sunglade.rules import MODULES, Rules
from sunglade.suggest import did_you_mean

VERSION: Final = 1
"""Of all tasks together."""
SEED: Final = 20261117
TURN_MS: Final = 5000
"""For a whole turn. The frozen opponents do a fixed amount of work and take no notice of it."""
ZERO: Final = "maple"
"""Whose rating is 0 in every task."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is played, and the frozen opponents with their ratings (Elo points, `maple` being 0)."""

    name: str
    about: str
    players: int
    rules: Rules
    opponents: dict[str, float]
    games: int
    """Against each opponent: a multiple of the players, so that seats balance."""

    def plan(self, player: Entrant, opponent: str) -> Plan:
        """The games against one of them, who has all other seats."""
        entrants = (player, *[Entrant(opponent)] * (self.players - 1))
        return Plan(entrants, self.players, TURN_MS, SEED, rules=self.rules, random_setup=True)

    def to_dict(self) -> dict[str, Any]:
        """All that a result depends on."""
        return {
            "task": self.name,
            "version": VERSION,
            "players": self.players,
            "rules": self.rules.to_dict(),
            "opponents": self.opponents,
            "games_against_each": self.games,
            "seed": SEED,
            "ms": TURN_MS,
        }


_LEVELS: Final = ("random", "seedling", "sapling", "birch", "maple")
_TWO: Final = elos(2, *_LEVELS, "oak")
_STRONG: Final = elos(2, "maple", "oak", "sequoia")
_THREE: Final = elos(3, *_LEVELS)
_FOUR: Final = elos(4, *_LEVELS)
# Measured on 2026-11-17 by `sunglade arena --random-setup --ms 60000 --seed 1` with these bots, as all strengths were.
_FOUR_MODULES: Final = {"random": -1296.0, "seedling": -912.0, "sapling": -663.0, "birch": -408.0, "maple": 0.0}
_SHORT_TWO: Final = {"random": -489.0, "seedling": -323.0, "birch": -305.0, "sapling": -276.0, "maple": 0.0}
# Measured on 2026-11-19 in the same way.
_SHORT_FOUR: Final = {"random": -662.0, "sapling": -362.0, "seedling": -356.0, "birch": -350.0, "maple": 0.0}
_SHORT_MODULES: Final = {"random": -867.0, "seedling": -443.0, "birch": -379.0, "sapling": -372.0, "maple": 0.0}
_SHORT_EXPANSION: Final = Rules(rounds=6, modules=MODULES)

TASKS: Final = {
    task.name: task
    for task in (
        Task("short-two", "two players, six rounds: where a learner begins", 2, Rules(rounds=6), _SHORT_TWO, 100),
        Task("short-four", "four players, six rounds: turns of others count", 4, Rules(rounds=6), _SHORT_FOUR, 80),
        Task("short-modules", "two players, six rounds, all modules", 2, _SHORT_EXPANSION, _SHORT_MODULES, 100),
        Task("two", "two players, the base game", 2, Rules(), _TWO, 100),
        Task("two-strong", "the same for strong players: opponents that search", 2, Rules(), _STRONG, 100),
        Task("three", "three players, the base game", 3, Rules(), _THREE, 90),
        Task("four", "four players, the base game", 4, Rules(), _FOUR, 80),
        Task("four-modules", "four players, all modules", 4, Rules(modules=MODULES), _FOUR_MODULES, 80),
    )
}
"""By their names, easiest first."""


def task_named(name: str) -> Task:
    """A task by its name."""
    if name not in TASKS:
        raise BadRequest(f"there is no task {name!r:.60}; the tasks are {', '.join(TASKS)}.{did_you_mean(name, TASKS)}")
    return TASKS[name]
