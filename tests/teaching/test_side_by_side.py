"""Measurements in many processes: what is done is written down once, what is missing is done, what began is ended."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from sunglade.teaching.review import MISTAKE, SLIP
from test_training import ROOT

sys.path.insert(0, str(ROOT))

from training import hints, planted
from training.puzzles.shifts import stays_best
from training.side_by_side import results, work_through


def squared(number: int) -> dict[str, Any]:
    return {"game": number, "square": number * number}


def options(folder: Path, *, seconds: float = 600, jobs: int = 1) -> Namespace:
    return Namespace(out=folder, seconds=seconds, jobs=jobs)


def test_files_of_several_machines_are_read_together_and_nothing_counts_twice(tmp_path: Path) -> None:
    work_through(squared, [1, 2], "squares", options(tmp_path))
    (tmp_path / "squares.jsonl").rename(tmp_path / "squares-elsewhere.jsonl")
    work_through(squared, [2, 3], "squares", options(tmp_path, jobs=2))
    found = results(tmp_path, "squares", ["game"])
    assert sorted(each["square"] for each in found) == [1, 4, 9]


def test_nothing_is_begun_when_the_time_is_over(tmp_path: Path) -> None:
    work_through(squared, [1, 2], "squares", options(tmp_path, seconds=0))
    assert results(tmp_path, "squares", ["game"]) == []


def test_won_games_are_told_with_their_interval() -> None:
    games = [{"what": "third", "won": won, "points": [80, 60]} for won in (1.0, 1.0, 0.5, 0.0)]
    told = hints.told(games)
    assert told["won"] == 2.5 and told["share"].startswith("62.5% (") and told["points"] == [80, 60]
    assert hints.told([]) == {"games": 0}


def test_planted_and_own_turns_are_told_by_what_they_cost() -> None:
    games: list[dict[str, Any]] = [
        {"own": [0.0, MISTAKE[2]], "planted": {"round": 2, "really": 0.12, "said": SLIP[2]}},
        {"own": [-0.1], "planted": None},
    ]
    told = planted.told(games, 2)
    assert (told["planted turns"], told["planted called a mistake"], told["planted called a slip"]) == (1, 0, 1)
    assert (told["own turns"], told["own called a mistake"], told["own called a slip"]) == (3, 1, 0)
    assert planted.compared(games)["0.040"] == [1.0, 0.3333]


def test_answer_stays_best_unless_a_turn_that_is_known_or_sought_anew_is_better() -> None:
    assert stays_best({"best": 0.5, "others": [0.4, 0.5], "sought": 0.52})
    assert not stays_best({"best": 0.5, "others": [0.501], "sought": 0.5})
    assert not stays_best({"best": 0.5, "others": [0.4], "sought": 0.53})
