"""Mines puzzles from games that the network plays against itself.

    PYTHONPATH=src python -m training.puzzles mine --seconds 600     adds to build/puzzles.jsonl, on all cores
    PYTHONPATH=src python -m training.puzzles ship                   chooses what is shipped, of that and of what was:
                                                                     proved, or checked and the answer stayed best
    PYTHONPATH=src python -m training.puzzles grade                  asks the quick levels again what they find
    PYTHONPATH=src python -m training.puzzles check --seconds 600    whether answers stay best at 20 times the time

Whatever is found is written down at once: mining and checking can be stopped and started again, and add up.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from training.puzzles.miner import LOOKED_AT, PLAYED, Miner
from training.puzzles.quarry import chosen, lines_of, ship, shipped, table
from training.puzzles.shifts import checked, mark, mine, stays_best
from training.side_by_side import add_options, compile_everything, results, work_through

from sunglade.bots import LEVELS
from sunglade.teaching.puzzles import KINDS, Puzzle

REFLEXES: Final = LEVELS[:4]
"""Levels that do not search: what they find is soon asked again when they have changed."""
CHECKED: Final = "checked_puzzles"


def drawn(tasks: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Some of those that no proof stands behind, by chance that does not change when others are added."""
    judged = [task for task in tasks if not _is_proved(task)]
    return sorted(judged, key=mark)[:count]


def _is_proved(task: Puzzle) -> bool:
    """Whether everything was tried, so that there is nothing to check."""
    return not task.others


def _on_all_cores(work: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
    processes = [multiprocessing.get_context("spawn").Process(target=work, args=each) for each in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.puzzles", description="Mine puzzles.")
    parser.add_argument("what", choices=("mine", "ship", "grade", "check"))
    parser.add_argument("--first", type=int, default=int(time.time()), help="seed of the first process")
    parser.add_argument("--simulations", type=int, default=PLAYED, help="for an action of the games")
    parser.add_argument("--looked-at", type=float, default=LOOKED_AT, help="share of the turns before the last")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="mine only these")
    parser.add_argument("--drawn", type=int, default=100, help="how many are checked")
    parser.add_argument("--found", type=Path, default=Path("build") / "puzzles.jsonl", help="all that were mined")
    add_options(parser)
    return parser.parse_args()


def _found(options: argparse.Namespace) -> list[Puzzle]:
    return [Puzzle(**fields) for fields in lines_of(options.found)]


def _checks(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What checks gave, by what puzzles are known by."""
    return {told["puzzle"]: told for told in results(options.out, CHECKED, ["puzzle"])}


def _check(options: argparse.Namespace) -> dict[str, Any]:
    """Check those that are drawn and not checked yet; how many of those drawn stay best."""
    some, before = drawn(shipped(), options.drawn), _checks(options)
    work_through(checked, [task for task in some if mark(task) not in before], CHECKED, options)
    after = _checks(options)
    told = [after[mark(task)] for task in some if mark(task) in after]
    return {"drawn": len(some), "checked": len(told), "stay best": sum(map(stays_best, told))}


def main() -> None:
    """Mine, ship, grade, or check."""
    options = _options()
    until = time.monotonic() + options.seconds
    if options.what == "check":
        print(json.dumps(_check(options)))
    elif options.what == "mine":
        compile_everything()
        _on_all_cores(mine, [(options.first + rank, until, options) for rank in range(options.jobs)])
        print(json.dumps(table(_found(options))))
    elif options.what == "ship":
        known = [*_found(options), *shipped()]  # what was graded again since it was found comes last, and counts
        held = {puzzle for puzzle, told in _checks(options).items() if stays_best(told)}
        ship(chosen([task for task in known if _is_proved(task) or mark(task) in held]))
        print(json.dumps(table(shipped())))
    else:
        miner = Miner(0, until)
        ship([miner.graded_again(task, REFLEXES) for task in shipped()])
        print(json.dumps(table(shipped())))


if __name__ == "__main__":
    main()
