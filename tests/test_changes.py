"""Facts told once: terminal, drawing and server say the same of a position and of what an action did to it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from positions import play, turn
from random_games import MODULE_SETS, new_random_game, random_steps
from sunglade import Game
from sunglade.changes import change, pieces_owned, sunrise
from sunglade.drawing.scene import Scene
from sunglade.kernel.rounds import next_turn_order, revolution, revolutions, turn_order
from sunglade.table.event_view import tell_action
from sunglade.table.view import position_view
from sunglade.terminal.menu import groups
from sunglade.terminal.news import sunrise as told_sunrise
from sunglade.terminal.preview import preview
from sunglade.terminal.words import told

NAMES = ["Ada", "Bo", "Cy"]


def told_by_server(before: Game, line: str, after: Game) -> dict[str, Any]:
    seat = before.player
    assert seat is not None
    return tell_action(before.now, after.now, line, seat)[0]


@pytest.mark.parametrize("modules", MODULE_SETS, ids="-".join)
def test_previews_and_events_tell_the_same_change(modules: list[str]) -> None:
    """What the server shows before an action is what terminal and server tell after it."""
    choose, seen = random.Random(1), 0
    for game in random_steps(new_random_game(2, modules), 2):
        if game.over or choose.random() < 0.8:
            continue
        shown = {action["line"]: action for action in position_view(game, assistance=False)["turn"]["legal"]}
        line = choose.choice([line for line in game.legal if line not in ("end", "turtle.hatch")] or ["end"])
        after, seat = game.fork(), game.player
        after.play(line)
        assert seat is not None
        what, look = change(game.now, after.now, seat), shown[line]["preview"]
        assert preview(game, line) == what
        assert (look["points"], look["lost"]) == (what.points, what.lost)
        assert look["light"] == game.now.light[seat] + what.light
        mine = [each for each in told_by_server(game, line, after).get("changes", []) if each["seat"] == seat]
        names = ("light", "lunar", "points", "lost")
        expected = {name: getattr(what, name) for name in names if getattr(what, name)}
        assert mine == ([{"seat": seat, **expected}] if expected and after.round == game.round else [])
        seen += 1
    assert seen > 5


def test_points_of_a_baby_are_told_by_terminal_and_server_alike() -> None:
    """The terminal once told the price of *points* and not what it brings."""
    game = turn("a1:A1 g4:B1", animals="turtle@g1 fox@c4", hatched="points", lunar=14)
    after = play(game.fork(), "turtle.steps points")
    assert told(game, "turtle.steps points", after, NAMES).endswith("(1 lunar, +3 points)")
    labels = dict(groups(game))["Turtle"]
    assert "First steps: Points (1 lunar, +3 points)" in [label for _, label in labels]
    (shown,) = [
        action
        for action in position_view(game, assistance=False)["turn"]["legal"]
        if action["line"] == "turtle.steps points"
    ]
    assert shown["preview"]["points"] == 3
    assert told_by_server(game, "turtle.steps points", after)["changes"] == [{"seat": 0, "lunar": -1, "points": 3}]


def test_points_are_told_once_in_a_sentence() -> None:
    game = turn("d4:A3 g4:B1", light=4, players=3)
    assert told(game, "collect d4", play(game.fork(), "collect d4"), NAMES) == (
        "Ada collects the large tree on d4: 22 points (4 light)"
    )


def test_every_piece_that_leaves_the_game_is_told() -> None:
    """A dam may let two pieces of one size grow, and their columns are full."""
    game = turn("a1:A0 a2:A0", animals="beaver@a1 fox@e6", lunar=14, available={"A small": 2}, slots={"A seed": "xxxx"})
    after = play(game.fork(), "beaver.dam a1 a2 b2")
    assert change(game.now, after.now, 0).lost == ["seed", "seed"]
    assert told(game, "beaver.dam a1 a2 b2", after, NAMES).count("lost: seed") == 2
    assert pieces_owned(game.now, 0, 0) - pieces_owned(after.now, 0, 0) == 2


@pytest.mark.parametrize(
    ("rules", "all_of_them"),
    [({"rounds": 8}, 2), ({}, 3), ({"revolutions": 4}, 4), ({"edition": "it"}, 3), ({"rounds": 1}, 1)],
)
def test_drawing_and_server_count_the_same_revolutions(rules: dict[str, Any], all_of_them: int) -> None:
    """R-ROUND-4: the drawing once said "1 of 1" in a game of 8 rounds, which has two."""
    game = Game(2, rules)
    assert (revolution(game.now), revolutions(game.now)) == (0, all_of_them)
    play(game, "place a1", "place g4", "place a3", "place g2")
    while not game.over:
        clock, view = Scene(game.now).clock(), position_view(game, assistance=False)["round"]
        now = min(-(-game.round // 6), all_of_them)
        assert clock.startswith(f"Revolution {now} of {all_of_them} · Round {game.round} of ")
        assert (view["revolution"], view["revolutions"]) == (now, all_of_them)
        play(game, "end", "end")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_order_of_the_next_round_is_the_one_that_comes(players: int) -> None:
    """R-ROUND-3, R-ROUND-4"""
    game = Game(players, {"rounds": 5})
    assert next_turn_order(game.now) is None
    play(game, *(f"place {space}" for space in ("a1", "a2", "a3", "a4", "g1", "g2", "g3", "g4")[: 2 * players]))
    expected = turn_order(game.now)
    while not game.over:
        assert turn_order(game.now) == expected
        coming = next_turn_order(game.now)
        assert (coming is None) == (game.round == 5)
        for seat in expected:
            assert game.player == seat
            game.play("end")
        expected = coming or []


def test_a_sunrise_is_told_alike() -> None:
    """Income less what the cap takes is what everybody has more."""
    game, seen = Game(3, {"light_cap": 5, "modules": ["moon"]}, seed=4), 0
    for after in random_steps(game, 4):
        before = after.fork()
        if not before.actions:
            continue
        line = before.undo()
        rise = sunrise(before.now, after.now)
        assert (rise is None) == (before.round == after.round)
        if rise is None:
            continue
        for p in range(3):
            assert after.now.light[p] - before.now.light[p] == rise.income[p] - rise.capped[p] >= 0
        assert rise.capped == before.forecast()[0].lost if before.round else True
        said = told_sunrise(before, after, ["Ada", "Ben", "Cleo"])
        assert said is not None and f"Ben +{rise.income[1] - rise.capped[1]} light" in said
        event = tell_action(before.now, after.now, line, before.player or 0)[1]
        assert (event["income"], event["capped"]) == (rise.income, rise.capped)
        seen += 1
    assert seen > 10
