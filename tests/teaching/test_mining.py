"""Mining puzzles: what stands out, what a turn is about, which are shipped, and that stopping loses nothing."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from positions import turn
from sunglade.bots import LEVELS
from sunglade.teaching.puzzles import AS_GOOD, Puzzle, puzzles
from test_training import ROOT

sys.path.insert(0, str(ROOT))

from training.puzzles.miner import Miner
from training.puzzles.quarry import add, chosen, lines_of, ship, shipped, upsets, written
from training.puzzles.turns import MARGIN, ending, gap_below_the_best, kind_of, without_one

GAME = turn("c4:A3 d5:B3 g4:B1", light={"A": 5, "B": 5}, round=9)


def task_of(position: str, levels: tuple[str, ...], margin: float = 0.1, kind: str = "shade") -> Puzzle:
    return Puzzle(kind, position, ["end"], [[]], list(levels), margin=margin)


@pytest.mark.parametrize(
    ("worths", "gap"),
    [((0.5, 0.4), 0.1), ((0.5, 0.5 - AS_GOOD, 0.4), 0.08), ((0.5, 0.49), None), ((0.5,) * 6 + (0.1,), None)],
)
def test_gap_is_below_all_turns_that_are_as_good(worths: tuple[float, ...], gap: float | None) -> None:
    turns = [ending(GAME, []) for _ in worths]
    for each, worth in zip(turns, worths, strict=True):
        each.worth = worth
    assert gap_below_the_best(turns) == (None if gap is None else pytest.approx(gap))


def test_kind_follows_from_what_the_best_turn_does() -> None:
    waits = turn("c4:A3 g4:B1", light=5, round=9)
    assert kind_of(GAME, ending(GAME, ["collect c4"]), []) == "race"
    assert kind_of(waits, ending(waits, ["collect c4"]), []) == "collect"
    assert kind_of(waits, ending(waits, []), [ending(waits, ["collect c4"])]) == "collect"
    assert kind_of(waits, ending(waits, []), []) is None
    owl = turn("c4:A1 g4:B1", animals="owl@a1 fox@d5", lunar=14)
    assert kind_of(owl, ending(owl, ["owl.hunt 1"]), []) == "animals"


def test_turn_without_one_of_its_actions_is_legal() -> None:
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 0})
    lines = list(without_one(game, ["buy medium", "grow c4"]))
    assert lines == [[], ["buy medium"]]


def test_last_turn_is_a_puzzle_only_where_a_strong_level_finds_it_and_not_everybody() -> None:
    miner = Miner(1, time.monotonic())
    proved = next(task for task in puzzles() if task.kind == "last_turn" and set(task.levels) & {"maple", "oak"})
    easy = turn("c4:A3 g4:B1", light=4, round=18)
    assert miner.last_turn(easy) is None
    found = miner.last_turn(proved.game())
    assert found is None or found.points == proved.points


def test_shipped_are_once_each_and_those_that_tell_levels_apart_come_first() -> None:
    clean, upset = task_of("1", LEVELS[4:]), task_of("2", ("maple", "elder"), margin=0.3)
    assert upsets(clean) == 0 and upsets(upset) == 2
    assert chosen([upset, clean, replace(clean, margin=0.2)], most=1) == [replace(clean, margin=0.2)]
    hard = task_of("3", ("elder",), margin=MARGIN)
    assert hard in chosen([task_of(str(number), LEVELS[4:]) for number in range(9)] + [hard], most=2)


def test_whoever_is_stopped_in_the_middle_of_a_line_loses_only_that(tmp_path: Path) -> None:
    file = tmp_path / "found" / "puzzles.jsonl"
    for task in puzzles()[:3]:
        add(file, written(task))
    with file.open("a", encoding="utf-8") as lines:
        lines.write('{"kind":"ra')
    assert [Puzzle(**fields) for fields in lines_of(file)] == [replace(task, number=0) for task in puzzles()[:3]]


def test_what_is_shipped_is_read_back_easy_ones_first(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    ship([task_of("1", ("elder",)), task_of("2", LEVELS)], file)
    assert [task.position for task in shipped(file)] == ["2", "1"]
    assert "number" not in file.read_text(encoding="utf-8") and "null" not in file.read_text(encoding="utf-8")


def test_games_are_played_until_the_time_is_over() -> None:
    assert list(Miner(1, time.monotonic() - 1).run()) == []
