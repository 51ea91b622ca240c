"""What one process of many does: each writes down at once what it has, so that stopping it loses nothing."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Final

from training.puzzles.miner import LONG, Miner
from training.puzzles.quarry import add, written

from sunglade.teaching.puzzles import Puzzle, after_turn

PROOF: Final = 20
"""So many times the long ones whether an answer stays the best."""


def mine(seed: int, until: float, options: argparse.Namespace) -> None:
    """One process: writes down what it finds."""
    how = {"played": options.simulations, "share": options.looked_at, "kinds": options.kinds}
    for task in Miner(seed, until, **how).run():
        add(options.found, written(task))


def check(part: Sequence[Puzzle], until: float, options: argparse.Namespace) -> None:
    """One process: whether the best turns of puzzles stay the best of those that are known, at many times the time."""
    miner = Miner(0, until)
    for task in part:
        if miner.out_of_time():
            return
        game = task.game()
        ends = [after_turn(game, actions) for actions in (task.best, *task.others)]
        best, *others = (round(miner.worth(end, game.now.player, PROOF * LONG), 4) for end in ends)
        told = {"position": task.position, "best": best, "others": others, "stays": best >= max(others)}
        add(options.checked, json.dumps(told, separators=(",", ":")))
