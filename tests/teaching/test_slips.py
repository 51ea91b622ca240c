"""In a teaching game a turn is judged before it ends, as far as it can be taken back, and as strictly as was agreed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sunglade import Game
from sunglade.table.teacher import Teacher
from sunglade.table.thinking import Asker
from sunglade.teaching.review import MISTAKE, SLIP
from test_unseen_babies import hatching_game

ASKER = Asker("table", list)


class Judge:
    """Thinks that ending the first player's turn costs so much, and that buying a seed is best."""

    def __init__(self, loss: float) -> None:
        self.loss = loss
        self.asked: list[Game] = []

    async def think(self, game: dict[str, Any], bot: str, **_: Any) -> dict[str, Any]:
        shown = Game.from_dict(game)
        assert "seed" not in game, "a judge knows what a player may know"
        self.asked.append(shown)
        lost = self.loss if shown.actions[-1:] == ["end"] else 0.0
        action = "buy seed" if "buy seed" in shown.legal and "buy seed" not in shown.actions[-1:] else "end"
        return {"action": action, "value": [0.6 - lost, 0.4 + lost]}


def a_turn() -> Game:
    return Game(2, actions=["place a1", "place g4", "place a3", "place g2", "grow a1"])


def judged(game: Game, strictness: str, loss: float) -> tuple[dict[str, Any], Judge]:
    judge = Judge(loss)
    return asyncio.run(Teacher(judge).turn_so_far(game, strictness, ASKER)), judge


@pytest.mark.parametrize(
    ("strictness", "loss", "verdict"),
    [
        ("off", 0.30, "good"),
        ("gentle", SLIP[2] - 0.01, "good"),
        ("gentle", SLIP[2] + 0.01, "good"),
        ("gentle", MISTAKE[2] + 0.01, "mistake"),
        ("gentle", 0.11, "turning_point"),
        ("strict", SLIP[2] - 0.01, "good"),
        ("strict", SLIP[2] + 0.01, "slip"),
        ("strict", MISTAKE[2] + 0.01, "mistake"),
        ("strict", 0.30, "turning_point"),
    ],
)
def test_strict_teacher_tells_slips_and_a_gentle_one_mistakes(strictness: str, loss: float, verdict: str) -> None:
    told, _ = judged(a_turn(), strictness, loss)
    assert told["verdict"] == verdict
    assert bool(told["best"]) == (verdict != "good")


def test_slip_is_told_with_a_better_turn_and_its_reasons() -> None:
    game = a_turn()
    told, judge = judged(game, "strict", 0.2)
    assert told["best"] == ["buy seed"] and told["events"][0]["line"] == "buy seed"
    assert (told["before"], told["after"]) == (0.6, 0.4)
    assert told["reasons"], "growing a1 brings more light than a seed"
    assert judge.asked[0].actions == game.actions[:-1], "judged from the beginning of the turn"
    assert game.actions[-1] == "grow a1", "nothing has happened"


def test_turn_that_is_tried_again_is_judged_beside_the_best() -> None:
    start = Game(2, actions=a_turn().actions[:-1])
    end = start.fork()
    end.play("grow a1")
    end.play("end")
    told = asyncio.run(Teacher(Judge(0.05)).turn_tried(start, end, ["grow a1"], ASKER))
    assert (told["verdict"], told["before"], told["after"]) == ("slip", 0.6, 0.55)
    assert told["best"] == ["buy seed"] and told["reasons"]
    good = asyncio.run(Teacher(Judge(0.0)).turn_tried(start, end, ["grow a1"], ASKER))
    assert good["verdict"] == "good" and good["best"] == ["buy seed"], "the best is told of a good turn, too"


def test_what_was_done_before_a_hatch_is_not_judged() -> None:
    """M-SETUP-4: what was seen cannot be unseen, so it cannot be taken back either."""
    game = hatching_game(1, 400)
    actions = game.actions[: game.actions.index("turtle.hatch") + 1]
    hatched = Game.from_dict({**game.to_dict(), "actions": actions})
    _, judge = judged(hatched, "strict", 0.0)
    assert judge.asked[0].actions == actions


def test_last_turn_is_judged_by_who_wins() -> None:
    game = Game(2, {"rounds": 1}, actions=["place a1", "place g4", "place a3", "place g2", "end"])
    told, _ = judged(game, "strict", 0.0)
    assert (told["before"], told["after"]) == (0.4, 0.5) and told["verdict"] == "good"
