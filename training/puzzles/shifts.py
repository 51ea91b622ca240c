"""What one process of many does: each writes down at once what it has, so that stopping it loses nothing."""

from __future__ import annotations

import argparse
from functools import cache
from hashlib import sha256
from typing import Any, Final

from training.puzzles.miner import ELDER, LONG, Miner, turn_of
from training.puzzles.quarry import add, written
from training.puzzles.turns import ending

from sunglade.teaching.puzzles import AS_GOOD, Puzzle

PROOF: Final = 20
"""So many times the long ones whether an answer stays the best."""
SOUGHT: Final = 5 * ELDER
"""Simulations for an action of a turn that is sought anew, and may be better than all that are known."""


def mine(seed: int, until: float, options: argparse.Namespace) -> None:
    """One process: writes down what it finds."""
    how = {"played": options.simulations, "share": options.looked_at, "kinds": options.kinds}
    for task in Miner(seed, until, **how).run():
        add(options.found, written(task))


def checked(task: Puzzle) -> dict[str, Any]:
    """What the turns of a puzzle are worth at many times the time: the best, the others, and one sought anew."""
    miner, game = _judge(), task.game()
    turns = [ending(game, lines) for lines in (task.best, *task.others, turn_of(miner.judge, game, SOUGHT))]
    worths = {turn.end: miner.worth(turn.after, game.now.player, PROOF * LONG) for turn in turns}
    best, *others, sought = (round(worths[turn.end], 4) for turn in turns)
    return {"puzzle": mark(task), "best": best, "others": others, "sought": sought}


def stays_best(told: dict[str, Any]) -> bool:
    """Whether no turn that is known is better, and one sought anew is no better than what counts as an answer."""
    return bool(told["best"] >= max(told["others"]) and told["best"] >= told["sought"] - AS_GOOD)


def mark(task: Puzzle) -> str:
    """What a puzzle is known by: its number changes when others come or go."""
    return sha256(task.position.encode()).hexdigest()[:16]


@cache
def _judge() -> Miner:
    """One for all puzzles of a process."""
    return Miner(0, 0.0)
