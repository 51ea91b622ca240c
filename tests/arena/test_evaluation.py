"""`sunglade evaluate`: tasks that do not change under a result, and ratings that are what they say."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from pathlib import Path

import pytest

from sunglade import Rules
from sunglade.arena import tasks
from sunglade.arena.evaluation import RESULT
from sunglade.arena.plan import Entrant
from sunglade.arena.ratings import Score, rating_among
from sunglade.arena.tasks import TASKS, Task
from sunglade.cli import main

PAGE = Path(__file__).parent.parent.parent / "docs" / "evaluation.md"
RESULTS = PAGE.parent / "results"
TINY = Task("tiny", "a test", 2, Rules(rounds=1), {"random": -100.0, "seedling": 0.0}, 4)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(tasks.TASKS, "tiny", TINY)
    monkeypatch.chdir(tmp_path)


def digest_of(told: object) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def test_tasks_of_a_version_stay_as_they_are() -> None:
    """What a result depends on. If this fails, results cannot be compared any more: the tasks need a new version."""
    assert tasks.VERSION == 1
    assert {name: digest_of(task.to_dict()) for name, task in TASKS.items()} == {
        "short-two": "58a02bf09058cd3d",
        "short-four": "56064824c7f0d9ec",
        "short-modules": "935a2ba0d9855848",
        "two": "af37b347e6e0ab54",
        "two-strong": "df8fb937ee481cc1",
        "three": "88d48630bd9cd793",
        "four": "25feaed341c84183",
        "four-modules": "d5e3f239c00bbe04",
    }
    for task in TASKS.values():
        assert task.opponents[tasks.ZERO] == 0 and not task.games % task.players
        assert list(task.opponents.values()) == sorted(task.opponents.values()), task.name


def test_every_seat_of_an_opening_is_played_by_who_is_evaluated() -> None:
    for task in TASKS.values():
        plan = task.plan(Entrant("oak"), "birch")
        fixtures = [plan.fixture(number) for number in range(task.games)]
        assert plan.rounded_up(task.games) == task.games and plan.random_setup
        assert len({fixture.seed for fixture in fixtures}) == task.games // task.players
        for seat in range(task.players):
            assert sum(fixture.seats[seat] == 0 for fixture in fixtures) == task.games // task.players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_rating_is_found_again_from_the_games_it_wins(players: int) -> None:
    chance = random.Random(players)
    anchors = {-400.0: 4000, -50.0: 4000, 200.0: 4000}
    for true in (-300.0, 0.0, 250.0):
        scores = []
        for elo, games in anchors.items():
            share = 1 / (1 + (players - 1) * 10 ** ((elo - true) / 400))
            scores.append(Score(elo, sum(chance.random() < share for _ in range(games)), games))
        found = rating_among(scores, players)
        assert abs(found.elo - true) < 2 * found.plus_minus and found.plus_minus < 20
    fewer = rating_among([Score(score.elo, score.won / 16, score.games // 16) for score in scores], players)
    assert fewer.plus_minus == pytest.approx(4 * found.plus_minus, rel=0.1)


def test_who_wins_or_loses_everything_has_a_rating_beyond_all_others() -> None:
    best = rating_among([Score(-200.0, 100, 100), Score(100.0, 100, 100)], 2)
    worst = rating_among([Score(-200.0, 0, 100), Score(100.0, 0, 100)], 2)
    assert 100 < best.elo < 2000 and -2000 < worst.elo < -200 and math.isfinite(best.plus_minus + worst.plus_minus)


@pytest.mark.usefixtures("tiny")
def test_an_evaluation_is_printed_and_written_and_goes_on_where_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "seedling", "--task", "tiny", "--quiet", "--out", "result"]) == 0
    told = capsys.readouterr().out
    written = json.loads(Path("result", RESULT).read_text())
    assert f"Rating {written['rating']:+d} ± {written['rating_95']} (95 %)" in told and "against" in told
    assert written["task"] == "tiny" and written["player"] == "seedling" and written["version"] == tasks.VERSION
    against = {row["opponent"]: row for row in written["against"]}
    assert against["seedling"]["won"] == 2 and against["random"]["games"] == 4  # who meets itself wins half
    games = Path("result", "random", "results.jsonl").read_bytes()
    assert main(["evaluate", "seedling", "--task", "tiny", "--quiet", "--out", "result", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == written
    assert Path("result", "random", "results.jsonl").read_bytes() == games


@pytest.mark.usefixtures("tiny")
def test_a_bot_of_ones_own_is_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own_player.py").write_text("def first(observations, masks):\n    return masks.argmax(axis=1)\n")
    assert main(["evaluate", "own_player:first", "--task", "tiny", "--quiet"]) == 0
    assert "own_player:first at tiny" in capsys.readouterr().out
    assert Path("evaluation", "own_player_first-tiny", RESULT).exists()


def test_what_is_missing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--tasks"]) == 0
    listed = capsys.readouterr().out
    assert all(task.name in listed and task.about in listed for task in TASKS.values())
    assert main(["evaluate"]) == 2 and "name who" in capsys.readouterr().err
    assert main(["evaluate", "maple", "--task", "tow"]) == 2
    assert "two" in capsys.readouterr().err


def test_the_page_has_every_task_with_its_ratings() -> None:
    page = PAGE.read_text()
    for task in TASKS.values():
        assert re.search(rf"^\| `{task.name}` \| .+ \| {task.games} \|$", page, re.MULTILINE), task.name
        measured = re.search(rf"^\| `{task.name}` \| \d+ \|(.+±.+)\|$", page, re.MULTILINE)
        if task.name != "two-strong":
            assert measured, task.name
            found = [float(rating.replace("−", "-")) for rating in re.findall(r"(−?\d+) ±", measured[1])]
            assert found == [task.opponents[bot] for bot in ("random", "seedling", "sapling", "birch", "maple")]


def test_the_page_has_every_result_that_is_kept() -> None:
    page = PAGE.read_text()
    files = sorted(RESULTS.glob("*.json"))
    assert files
    for file in files:
        found = json.loads(file.read_text())
        task = TASKS[found["task"]]
        assert {name: found[name] for name in task.to_dict()} == task.to_dict(), "made for another version"
        assert f"{found['rating']:+d} ± {found['rating_95']}".replace("-", "−") in page.replace("-", "−"), file.name
