"""Puzzles: each has an answer that holds, those about the last turn are proved, and any turn as good counts."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest

from sunglade.bots import LEVELS
from sunglade.errors import BadRequest
from sunglade.search.last_turn import Solver, is_known, is_last_turn
from sunglade.table.problems import ServerProblem
from sunglade.table.teacher import Teacher
from sunglade.teaching.puzzles import (
    AS_GOOD,
    KINDS,
    Puzzle,
    after_turn,
    of_the_day,
    points_reached,
    puzzle,
    puzzles,
    told,
)

ALL = puzzles()
PROVED = [task for task in ALL if task.kind == "last_turn"]
JUDGED = [task for task in ALL if task.kind != "last_turn"]


def test_every_puzzle_is_a_turn_with_a_legal_answer_and_no_position_comes_twice() -> None:
    for task in ALL:
        game = task.game()
        assert game.phase == "turn" and is_known(game.now)
        assert game.now.activated == 0, "a puzzle begins with a turn"
        assert after_turn(game, task.best) != game
        assert task.kind in KINDS and set(task.levels) <= set(LEVELS)
    assert len({task.position for task in ALL}) == len(ALL)


def test_easy_ones_come_first() -> None:
    difficulties = [task.difficulty for task in ALL]
    assert difficulties == sorted(difficulties)


def test_the_following_one_is_told_until_the_last() -> None:
    """A bug: after the last puzzle the page offered one that there is not."""
    assert told(ALL[0])["next"] == 2 and told(ALL[-1])["next"] is None


@pytest.mark.parametrize("task", PROVED, ids=lambda task: str(task.number))
def test_nothing_brings_more_points_in_a_last_turn(task: Puzzle) -> None:
    game = task.game()
    assert is_last_turn(game.now)
    assert Solver().solve(game.now).points == task.points == points_reached(task, task.best)
    assert points_reached(task, []) < task.points


def test_judged_ones_have_a_margin_and_worse_turns_to_compare_with() -> None:
    for task in JUDGED:
        assert task.margin is not None and task.margin > 2 * AS_GOOD and task.others
        game = task.game()
        best = after_turn(game, task.best)
        assert all(after_turn(game, other) != best for other in task.others)


def test_each_level_finds_more_than_the_one_below() -> None:
    found = Counter(level for task in ALL for level in task.levels)
    counts = [found[level] for level in LEVELS]
    assert counts == sorted(set(counts)), counts


def test_there_are_many_of_every_kind_and_for_every_number_of_players_with_modules_and_without() -> None:
    assert len(ALL) >= 300
    kinds = Counter(task.kind for task in ALL)
    assert set(kinds) == set(KINDS) and max(kinds.values()) <= 110
    games = Counter((task.game().players, bool(task.game().rules.modules)) for task in ALL)
    assert len(games) == 6 and min(games.values()) >= 20


def test_puzzle_of_the_day_is_the_same_all_day_and_goes_through_all() -> None:
    days = [date(2026, 11, 17) + timedelta(days=count) for count in range(len(ALL))]
    assert of_the_day(days[0]) is of_the_day(days[0])
    assert len({of_the_day(day).number for day in days}) == len(ALL)


def test_unknown_numbers_and_answers_of_two_turns_are_refused() -> None:
    with pytest.raises(BadRequest, match="puzzles 1 to"):
        puzzle(len(ALL) + 1)
    with pytest.raises(BadRequest, match="one turn"):
        after_turn(ALL[0].game(), ["end", "end", "end", "end", "end"])


class Judge:
    """A bot that thinks so much of each position it is asked about, one after the other."""

    def __init__(self, *worths: float) -> None:
        self.worths = list(worths)

    async def think(self, game: dict[str, Any], bot: str, **_: Any) -> dict[str, Any]:
        return {"action": "end", "value": [self.worths.pop(0)] * game["players"], "lines": []}


def judged(task: Puzzle, actions: list[str], *worths: float) -> dict[str, Any]:
    return asyncio.run(Teacher(Judge(*worths)).judge(task.number, actions, "me"))


def test_best_turn_is_right_without_asking_anybody() -> None:
    for task in (PROVED[0], JUDGED[0]):
        found = judged(task, [*task.best, "end"])
        assert found["solved"] and found["best"] == task.best and found["events"]


@pytest.mark.parametrize(("worth", "solved"), [(0.60, True), (0.59, True), (0.5, False)])
def test_turn_as_good_as_the_best_counts(worth: float, solved: bool) -> None:
    task = JUDGED[0]
    found = judged(task, [*task.others[0], "end"], 0.6, worth)
    assert found["solved"] is solved
    assert bool(found["reasons"]) is not solved or solved


def test_too_few_points_are_told_with_what_was_possible() -> None:
    task = PROVED[0]
    found = judged(task, ["end"])
    assert not found["solved"] and found["points"] < found["best_points"] == task.points
    assert found["reasons"][0]["kind"] == "points.more"


def test_what_is_not_legal_is_refused_in_a_sentence() -> None:
    with pytest.raises(ServerProblem) as refused:
        judged(PROVED[0], ["place a1"])
    assert refused.value.kind == "illegal_action"


def test_list_tells_no_answers() -> None:
    told = Teacher(Judge()).puzzles("2026-11-17")
    assert len(told["puzzles"]) == len(ALL) and "best" not in told["puzzles"][0]
    assert "best" not in Teacher(Judge()).puzzle(1)
    with pytest.raises(ServerProblem, match="2026-11-17"):
        Teacher(Judge()).puzzles("today")
