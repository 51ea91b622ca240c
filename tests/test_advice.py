"""Hints and values at the terminal: what the strongest bot would do, with facts only."""

import re
from dataclasses import dataclass, field

import pytest

from at_the_terminal import one_line, sit
from positions import turn
from sunglade import Game
from sunglade.terminal import advice

pytestmark = pytest.mark.usefixtures("own_data_folder")

NAMES = ["Ada", "Bo"]


@dataclass
class Line:
    action: str
    visits: int
    value: list[float]


@dataclass
class Thought:
    action: str
    value: list[float]
    lines: list[Line] = field(default_factory=list)


def told(game: Game, action: str, *others: Line) -> str:
    return " ".join(advice.hint(game, NAMES, Thought(action, [0.614, 0.386], [Line(action, 9, [0.6, 0.4]), *others])))


def test_hint_tells_what_it_costs_brings_and_shades() -> None:
    """The tree on a1 grows over the one behind it: the light of both players changes, as the forecast says."""
    game = turn("a1:A1 b2:B1", light=4, available={"A medium": 1}, slots={"A small": "xxx."}, sun=5)
    after = game.fork()
    after.play("grow a1")
    said = told(game, "grow a1", Line("end", 3, [0.58, 0.42]))
    assert "Elder would play: grow a1. Ada grows a1 to medium (2 light)." in said
    for seat, name in enumerate(NAMES):
        old, new = (sum(ahead.income[seat] for ahead in each.forecast() if ahead.played) for each in (game, after))
        assert (f"{new} instead of {old} in the coming 6 suns" in said) is (old != new), name
    assert "Light for Ada" in said
    assert said.endswith("Chance of winning then: 61 %. Next best: end (58 %).")


def test_hint_never_tells_what_lies_face_down() -> None:
    """M-SETUP-4."""
    for babies in ("light seed two leaf small points", "two points leaf small light seed"):
        game = turn("a1:A1 g4:B1", animals="turtle@a4 fox@e4", lunar=9, light=3, face_down="a4 g4", babies=babies)
        said = told(game, "turtle.hatch")
        assert "It costs 4 lunar and turns the baby over." in said
        assert not any(f" {baby}" in said for baby in babies.split() if baby != "light")


def test_chances_add_up() -> None:
    assert advice.value_line(["A", "B", "C"], Thought("end", [0.36, 0.36, 0.48])) == (
        "Chance of winning: A 30 % · B 30 % · C 40 %"
    )


def test_hint_in_the_set_up_and_to_end() -> None:
    assert "Ada places a small tree on a1." in told(Game(players=2), "place a1")
    assert "Ada ends the turn." in told(turn("a1:A1", light=2), "end")


@pytest.mark.slow
def test_value_line_has_room_on_a_low_screen_and_is_thought_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[int] = []

    def think(_: advice.Adviser, game: Game, ms: int) -> Thought:
        thoughts.append(ms)
        return Thought("end", [0.5] * game.players)

    monkeypatch.setattr(advice.Adviser, "think", think)
    game = Game(players=4)
    for space in ("a1", "a2", "a3", "a4", "b1", "b5", "c1", "c6"):
        game.play(f"place {space}")
    shown = sit(game, "value on", "", "", tty=True)
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\f", shown).split("\f")[-1]
    assert len(last.partition("\n\n")[0].split("\n")) < 24
    assert "Chance of winning: Ada 25 %" in last and len(thoughts) == 1


@pytest.mark.slow
def test_hint_and_value_are_given_at_the_table() -> None:
    game = Game(players=2, actions=["place a1", "place g4", "place a3", "place g2"])
    shown = one_line(
        sit(game, "hint", "value", "value on", "buy seed", "value off", "value maybe", kinds=["human"] * 2)
    )
    assert "Elder would play: " in shown
    assert shown.count("Chance of winning: Ada ") >= 2
    assert "Say value, value on or value off." in shown
    assert game.actions[4:] == ["buy seed"]
