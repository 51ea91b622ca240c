"""Mines puzzles from games that the network plays against itself.

    PYTHONPATH=src python -m training.puzzles mine --seconds 600     adds to build/puzzles.jsonl, on all cores
    PYTHONPATH=src python -m training.puzzles ship                   chooses what is shipped, of that and of what was
    PYTHONPATH=src python -m training.puzzles grade                  asks the quick levels again what they find
    PYTHONPATH=src python -m training.puzzles check --seconds 600    whether answers stay best at 20 times the time

Whatever is found is written down at once: mining and checking can be stopped and started again, and add up.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from training.puzzles.miner import LOOKED_AT, PLAYED, Miner
from training.puzzles.quarry import chosen, lines_of, ship, shipped, table
from training.puzzles.shifts import check, mine

from sunglade import Game, bots
from sunglade.bots import LEVELS
from sunglade.search.last_turn import Solver
from sunglade.teaching.puzzles import KINDS, Puzzle

FOUND: Final = Path("build") / "puzzles.jsonl"
CHECKED: Final = Path("build") / "puzzles_checked.jsonl"
REFLEXES: Final = LEVELS[:4]
"""Levels that do not search: what they find is soon asked again when they have changed."""


def drawn(tasks: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Some of those that no proof stands behind, by chance that does not change when others are added."""
    judged = [task for task in tasks if task.others]
    return sorted(judged, key=lambda task: sha256(task.position.encode()).digest())[:count]


def _on_all_cores(work: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
    processes = [multiprocessing.get_context("spawn").Process(target=work, args=each) for each in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _compile() -> None:
    """Everything once, before there are many processes."""
    game = Game(2, actions=["place a1", "place g4", "place a3", "place g2"])
    for name in (*LEVELS, "neural:small"):
        bots.make(name).act(game.redacted(), 50)
    Solver().solve(game.now)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.puzzles", description="Mine puzzles.")
    parser.add_argument("what", choices=("mine", "ship", "grade", "check"))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first", type=int, default=int(time.time()), help="seed of the first process")
    parser.add_argument("--simulations", type=int, default=PLAYED, help="for an action of the games")
    parser.add_argument("--looked-at", type=float, default=LOOKED_AT, help="share of the turns before the last")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="mine only these")
    parser.add_argument("--drawn", type=int, default=100, help="how many are checked")
    parser.add_argument("--found", type=Path, default=FOUND)
    parser.add_argument("--checked", type=Path, default=CHECKED)
    return parser.parse_args()


def main() -> None:
    """Mine, ship, grade, or check."""
    options = _options()
    until = time.monotonic() + options.seconds
    found = [Puzzle(**fields) for fields in lines_of(options.found)]
    if options.what == "mine":
        _compile()
        _on_all_cores(mine, [(options.first + rank, until, options) for rank in range(options.cores)])
        print(json.dumps(table([Puzzle(**fields) for fields in lines_of(options.found)])))
    elif options.what == "ship":
        ship(chosen([*found, *shipped()]))  # what was graded again since it was found comes last, and counts
        print(json.dumps(table(shipped())))
    elif options.what == "grade":
        miner = Miner(0, until)
        ship([miner.graded_again(task, REFLEXES) for task in shipped()])
        print(json.dumps(table(shipped())))
    else:
        _compile()
        some = drawn(shipped(), options.drawn)
        done = {told["position"] for told in lines_of(options.checked)}
        left = [task for task in some if task.position not in done]
        _on_all_cores(check, [(left[rank :: options.cores], until, options) for rank in range(options.cores)])
        of_these = {task.position for task in some}
        stays = [told["stays"] for told in lines_of(options.checked) if told["position"] in of_these]
        print(json.dumps({"drawn": len(some), "checked": len(stays), "stay best": sum(stays)}))


if __name__ == "__main__":
    main()
