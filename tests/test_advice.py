"""Hints and values at the terminal: what the strongest bot would do, with facts only."""

import io
from pathlib import Path

import pytest

from at_the_terminal import CTRL_L, HOT_SEAT, Typist, last_screen, one_line, paper, sit
from positions import turn
from sunglade import Game, Rules
from sunglade.search.rollout_thinker import Line, Thought
from sunglade.teaching.advice import Advice
from sunglade.teaching.reasons import reasons
from sunglade.terminal import advice, seats, store
from sunglade.terminal.session import Session

pytestmark = pytest.mark.usefixtures("own_data_folder")

NAMES = ["Ada", "Bo"]


def told(game: Game, action: str, *others: Line) -> str:
    lines = [Line(action, 9, [0.6, 0.4]), *others]
    return " ".join(advice.hint(game, NAMES, Advice(action, [0.614, 0.386], lines, reasons(game, action))))


def test_hint_tells_what_it_costs_brings_and_shades() -> None:
    """The tree on a1 grows over the one behind it: the light of both players changes, as the forecast says."""
    game = turn("a1:A1 b2:B1", light=4, available={"A medium": 1}, slots={"A small": "xxx."}, sun=5)
    after = game.fork()
    after.play("grow a1")
    said = told(game, "grow a1", Line("end", 3, [0.58, 0.42]))
    assert "Try this: grow a1. Ada grows the small tree on a1 into a medium tree (2 light)." in said
    for seat, name in enumerate(NAMES):
        old, new = (sum(ahead.income[seat] for ahead in each.forecast() if ahead.played) for each in (game, after))
        assert (f"light{'' if seat == 0 else ','} {new} instead of {old}" in said.replace(" from your trees:", "")) is (
            old != new
        ), name
    assert said.endswith("Chance of winning: 61 %. Next best: end (58 %).")


def test_hint_never_tells_what_lies_face_down() -> None:
    """M-SETUP-4."""
    for babies in ("light seed two leaf small points", "two points leaf small light seed"):
        game = turn("a1:A1 g4:B1", animals="turtle@a4 fox@e4", lunar=9, light=3, face_down="a4 g4", babies=babies)
        said = told(game, "turtle.hatch")
        assert "It costs 4 lunar and turns the baby over." in said
        assert not any(f" {baby}" in said for baby in babies.split() if baby != "light")


@pytest.mark.parametrize(
    ("values", "said"),
    [([0.36, 0.36, 0.48], "A 30 % · B 30 % · C 40 %"), ([0.5, 0.5, 0.5], "A 33 % · B 33 % · C 33 %")],
)
def test_chances_are_shares_and_equal_ones_look_equal(values: list[float], said: str) -> None:
    assert advice.value_line(["A", "B", "C"], Thought([], values, 0)) == f"Chances of winning: {said}"


def test_hint_in_the_set_up_and_to_end() -> None:
    assert "Ada places a small tree on a1." in told(Game(players=2), "place a1")
    assert "Ada ends the turn." in told(turn("a1:A1", light=2), "end")


class Base:
    """A judge that knows the base game only."""

    def act(self, game: Game, ms: int) -> str:
        return "end"

    def think(self, game: Game, ms: int | None = None, nodes: int | None = None) -> Thought:
        return Thought([Line("end", 1, [0.5] * game.players)], [0.5] * game.players, 1)

    def refuses(self, players: int, rules: Rules) -> str | None:
        return "it has learned no modules." if rules.modules else None


@pytest.fixture
def base_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "analyst", lambda name: Base())


@pytest.mark.usefixtures("base_only")
@pytest.mark.parametrize("word", ["hint", "value", "value on"])
def test_game_that_the_judge_cannot_play_is_refused_every_time(word: str) -> None:
    shown = one_line(sit(Game(2, Rules(modules=["moon"])), word, word, "animals", tty=True))
    assert shown.count("Elder cannot play this game: it has learned no modules.") == 2
    assert "Chances of winning" not in shown


@pytest.mark.usefixtures("base_only")
def test_values_end_with_a_sentence_where_a_loaded_game_has_none(tmp_path: Path) -> None:
    Game(2, Rules(modules=["moon"])).save(tmp_path / "moon.json")
    shown = sit(Game(players=2), "value on", f"load {tmp_path / 'moon.json'}", CTRL_L, "score", tty=True)
    loaded, drawn_again = shown.split("\x1b[2J\x1b[H")[-2:]
    assert "Elder cannot play this game: it has learned no modules." in one_line(loaded)
    assert "Elder cannot" not in drawn_again and "Player A  –" in drawn_again


@pytest.mark.slow
@pytest.mark.parametrize("names", [["Ada", "Bo"], [letter * 20 for letter in "ABCD"]], ids=["short", "long"])
def test_value_line_has_room_on_a_low_screen_and_is_thought_about_once(
    names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts: list[int] = []

    def think(_: advice.Adviser, game: Game, ms: int) -> Thought:
        thoughts.append(ms)
        return Thought([Line("end", 1, [0.5] * game.players)], [0.5] * game.players, 1)

    monkeypatch.setattr(advice.Adviser, "think", think)
    game = Game(players=4)
    for space in ("a1", "a2", "a3", "a4", "b1", "b5", "c1", "c6"):
        game.play(f"place {space}")
    table = seats(4, HOT_SEAT, names)
    shown = io.StringIO()
    Session(game, table, paper(shown), Typist(["value on", "", ""]), store.Keeper()).run()
    last = last_screen(shown.getvalue())
    assert len(last.partition("\n\n")[0].split("\n")) < 24
    assert f"Chances of winning: {names[0]} 25 %" in one_line(last) and len(thoughts) == 1


@pytest.mark.slow
def test_hint_and_value_are_given_at_the_table() -> None:
    game = Game(players=2, actions=["place a1", "place g4", "place a3", "place g2"])
    shown = one_line(
        sit(game, "hint", "value", "value on", "buy seed", "value off", "value maybe", kinds=["human"] * 2)
    )
    assert "Try this: " in shown
    assert shown.count("Chances of winning: Ada ") >= 2
    assert "Say value, value on or value off." in shown
    assert game.actions[4:] == ["buy seed"]
