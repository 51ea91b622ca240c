"""Lines tried on a copy: played by the rules, known as far as the game is known, and of no consequence."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from sunglade import Game
from sunglade.rules import BABIES
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import MOST_TRIED, WhatIf
from sunglade.table.view import position_view
from sunglade.table.what_if import tried

MOONLIT = {"modules": ["moon", "elder", "stones"]}


def asked(game: Game, *actions: str) -> WhatIf:
    return WhatIf(game.redacted_data.to_dict(), list(actions))


def at_the_nest() -> Game:
    """A turtle that could hatch a baby."""
    deal = {
        "animals": [["turtle", "owl"], ["fox", "boar"]],
        "babies": ["light", "seed", "two", "leaf", "small", "points"],
    }
    for seed in range(100):
        game, rng = Game(2, MOONLIT, deal=deal), random.Random(seed)
        game.play("draft turtle")
        while not game.over:
            if "turtle.hatch" in game.legal:
                return game
            game.play(rng.choice(game.legal))
    raise AssertionError("no turtle came to a nest")


@pytest.mark.parametrize("rules", [{}, MOONLIT])
def test_copy_stands_as_the_game_would_after_the_same_actions(rules: dict[str, Any]) -> None:
    rng, game = random.Random(3), Game(3, rules, seed=5)
    for _ in range(40):
        game.play(rng.choice([line for line in game.legal if line != "turtle.hatch"]))
    base, line = game.fork(), list[str]()
    for _ in range(60):
        line.append(rng.choice([action for action in game.legal if action != "turtle.hatch"]))
        game.play(line[-1])
    copy, told = tried(asked(base, *line))
    view, expected = copy.view(), position_view(game, assistance=True)
    assert {name: view[name] for name in ("state", "forecast", "now", "scores")} == {
        name: expected[name] for name in ("state", "forecast", "now", "scores")
    }
    assert [event["line"] for event in told if "line" in event] == line
    assert view["status"] == "playing" and all(chair.playing == "person" for chair in copy.chairs)


def test_what_hatches_is_not_known_on_a_copy_of_a_running_game() -> None:
    """M-SETUP-4: nobody may look under a card by trying."""
    game = at_the_nest()
    copy, told = tried(asked(game))
    shown = json.dumps([copy.view(), told])
    hidden = [baby for baby in BABIES if f'"baby": "{baby}"' in shown]
    assert not hidden
    assert "turtle.hatch" not in [action["line"] for action in copy.view()["turn"]["legal"]]
    assert copy.why("turtle.hatch")["reason"] == "unseen" and copy.after("turtle.hatch") is None
    with pytest.raises(ServerProblem) as refused:
        tried(asked(game, "turtle.hatch"))
    assert (refused.value.kind, refused.value.more["reason"]) == ("illegal_action", "unseen")


def test_what_hatched_in_a_finished_game_hatches_on_its_copy() -> None:
    game = at_the_nest()
    copy, told = tried(WhatIf(game.to_dict(), ["turtle.hatch"]))
    assert told[0]["baby"] in BABIES and copy.game.actions[-1] == "turtle.hatch"


def test_action_against_the_rules_is_refused_with_its_reason() -> None:
    with pytest.raises(ServerProblem) as refused:
        tried(asked(Game(2), "place a1", "place a1"))
    assert (refused.value.kind, refused.value.more["reason"]) == ("illegal_action", "occupied")


def test_nothing_is_tried_after_the_end() -> None:
    game, rng = Game(2, {"rounds": 1}), random.Random(1)
    while not game.over:
        game.play(rng.choice(game.legal))
    assert tried(asked(game))[0].view()["result"]["winners"] == game.winners
    with pytest.raises(ServerProblem) as refused:
        tried(asked(game, "end"))
    assert refused.value.kind == "game_over"


def test_longest_line_suffices_for_the_rest_of_a_game() -> None:
    rng, game = random.Random(1), Game(4)
    while not game.over:
        game.play(rng.choice(game.legal))
    assert len(game.actions) < MOST_TRIED
