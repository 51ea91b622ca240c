"""Input that cannot be used: a typed error says what is wrong and where, and nothing saved is damaged."""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from positions import check_refusals, play, refused, turn
from random_games import new_random_game, random_game, random_line
from sunglade import BadJson, BadRequest, BadRules, Game, IllegalAction, Rules, SungladeError
from sunglade.board import NAMES
from sunglade.notation import ACTION_NAMES
from sunglade.rules import ANIMALS, BABIES, EDITIONS, OPTIONS
from sunglade.words import catalogue, codes

GAME = {
    "format": "sunglade/1",
    "players": 2,
    "rules": {"edition": "us"},
    "seed": 7,
    "actions": ["place a1", "place a2"],
}


def failing(call: Callable[..., object], *arguments: Any, **named: Any) -> SungladeError:
    """The error of a call that must fail, its message one sentence for people."""
    with pytest.raises(SungladeError) as caught:
        call(*arguments, **named)
    error = caught.value
    assert error.as_dict()["kind"] == error.kind and error.as_dict()["message"] == error.message == str(error)
    assert error.as_dict().get("at") == error.at
    assert error.message.endswith(".") and "\n" not in error.message and len(error.message) < 400
    return error


def game_with(**changes: Any) -> dict[str, Any]:
    return {**GAME, **changes}


def test_kinds_are_the_protocols() -> None:
    kinds = {BadJson: "bad_json", BadRequest: "bad_request", BadRules: "bad_rules", IllegalAction: "illegal_action"}
    assert {error: error.kind for error in kinds} == kinds
    assert all(issubclass(error, SungladeError) and issubclass(error, ValueError) for error in kinds)


# JSON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1, column 1"),
        ("{", "line 1"),
        ('{"players": 2,}', "line 1, column 1"),
        ('{"players": 2\n"rules": {}}', "line 2, column 1"),
        ("{'players': 2}", "column 2"),
        ('{"players": NaN}', "NaN"),
        ('{"players": -Infinity}', "-Infinity"),
        ('{"players": 2} {}', "Extra data"),
        ("players", "line 1"),
        ("[" * 100_000, "nested too deeply"),
        ('{"players": ' + "9" * 5000 + "}", "a number may have at most 4000 digits, not 5000"),
        (b"\xff\xfe{", "not JSON"),
        (b'{"names": "\xe9"}', "UTF-8"),
    ],
)
def test_wrong_json(text: str | bytes, said: str) -> None:
    error = failing(Game.from_json, text)
    assert error.kind == "bad_json" and said in error.message


@pytest.mark.parametrize("depth", [10, 100, 300, 500, 700, 900, *range(920, 1000, 3)])
@pytest.mark.parametrize("key", ["players", "rules", "seed", "deal", "actions", "names"])
def test_deeply_nested_values(key: str, depth: int) -> None:
    """Close to the interpreter's limit too: refused, or carried along where any value may stand."""
    text = json.dumps(GAME)[:-1] + f', "{key}": ' + "[" * depth + "]" * depth + "}"
    with contextlib.suppress(SungladeError):
        Game.from_json(text).to_json()


# Game objects


@pytest.mark.parametrize("game", [None, 2, "game", [], [GAME], True, 1.5])
def test_a_game_is_an_object(game: object) -> None:
    error = failing(Game.from_dict, game)
    assert error.kind == "bad_request" and "must be an object" in error.message


def test_a_game_needs_players() -> None:
    error = failing(Game.from_dict, {"rules": {}})
    assert error.kind == "bad_request" and "players" in error.message


@pytest.mark.parametrize("players", ["2", 2.0, None, [2], {}, True])
def test_players_of_a_wrong_type(players: object) -> None:
    error = failing(Game.from_dict, game_with(players=players))
    assert error.kind == "bad_request" and "players must be a whole number from 2 to 4" in error.message


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 10**30])
def test_impossible_number_of_players(players: int) -> None:
    error = failing(Game, players)
    assert error.kind == "bad_rules" and "from 2 to 4" in error.message


def test_numbers_too_long_to_print() -> None:
    long = 10**5000  # Python itself refuses to turn it into text
    assert failing(Game, long).kind == "bad_rules"
    assert failing(Rules, rounds=long).kind == "bad_rules"
    assert failing(Game(2, seed=long).to_json).kind == "bad_request"


@pytest.mark.parametrize("format", ["sunglade/2", "", None, 1])
def test_another_format(format: object) -> None:
    error = failing(Game.from_dict, game_with(format=format))
    assert error.kind == "bad_request" and "sunglade/1" in error.message


@pytest.mark.parametrize("seed", ["7", 1.5, None, True, [7]])
def test_bad_seed(seed: object) -> None:
    error = failing(Game.from_dict, game_with(seed=seed))
    assert error.kind == "bad_request" and "seed" in error.message
    assert failing(Game, 2, seed=seed).kind == "bad_request"


@pytest.mark.parametrize("actions", ["end", {}, None, 3])
def test_actions_that_are_no_list(actions: object) -> None:
    error = failing(Game.from_dict, game_with(actions=actions))
    assert error.kind == "bad_request" and "actions must be a list" in error.message


@pytest.mark.parametrize("action", [None, 3, ["place a3"], {}, True])
def test_an_action_that_is_no_text(action: object) -> None:
    error = failing(Game.from_dict, game_with(actions=["place a1", "place a2", action]))
    assert (error.kind, error.at) == ("bad_request", 2)


def test_extra_keys_are_kept_but_cannot_take_the_place_of_the_games_own() -> None:
    extra = {"names": ["Ann", "Bo"], "date": None, "comment": "déjà \ud800 vu"}
    game = Game.from_dict(game_with(**extra))
    assert game.extra == extra
    assert Game.from_json(game.to_json()).extra == extra
    with pytest.raises(SungladeError):
        Game(2, extra={"players": 3})


# Rules

BAD_OPTIONS: dict[str, list[Any]] = {
    "light_cap": [-1, 256, 10**9, "20", 1.5, True, [20]],
    "rounds": [0, -1, 1001, "18", 18.0, None, True],
    "use_bought": [0, 1, "yes", None],
    "leftover": ["DOWN", "", 3, None, True],
    "return_slot": ["top", 1, None],
    "shade_forbids": ["false", 0, None],
    "shade_plant": ["none", None, ["target"]],
    "revolutions": [2, 5, 3.0, "3", None, True],
    "modules": ["moon", ["sun"], ["moon", "moon"], [3], None, {"moon": True}, [["moon"]]],
    "moon_start": [-1, 18, 9.0, "9", None, False],
    "shore": [
        [],
        ["a1"],
        ["a1", "a4", "d1", "d7", "g1"],
        ["a1", "a4", "d1", "d7", "g1", "g1"],
        ["a1", "a4", "d1", "d7", "g1", "g5"],
        ["a1", "a4", "d1", "d7", "g1", "g4", "d4"],
        ["A1", "a4", "d1", "d7", "g1", "g4"],
        "a1 a4 d1 d7 g1 g4",
        None,
        [1, 2, 3, 4, 5, 6],
    ],
    "river": [[], ["z9"], "a1", None, [None], [["a1"]]],
    "moonstones": [-1, 10, 1.0, "3", True, None],
    "moon_turns": ["late", "", True, None, ["at_once"]],
    "boar_digs": ["Own", "none", 1, None],
    "fox_scares": ["near", False, None],
    "fox_steals": ["sun", 2, None, {"light": True}],
}


@pytest.mark.parametrize(("option", "value"), [(name, value) for name, bad in BAD_OPTIONS.items() for value in bad])
def test_impossible_option_values(option: str, value: object) -> None:
    error = failing(Game.from_dict, game_with(rules={option: value}))
    assert error.kind == "bad_rules"
    assert f"rules.{option} must be" in error.message  # where, and what would be right


def test_every_option_has_bad_values_here() -> None:
    assert set(BAD_OPTIONS) == set(OPTIONS)


@pytest.mark.parametrize("edition", ["uk", "US", "", None, 1, ["us"], {}])
def test_unknown_edition(edition: object) -> None:
    error = failing(Game.from_dict, game_with(rules={"edition": edition}))
    assert error.kind == "bad_rules" and "rules.edition must be one of" in error.message
    assert all(name in error.message for name in EDITIONS)


@pytest.mark.parametrize("option", ["light", "Rounds", "", "players", "self", "cls", "edition ", "options", "\ud800"])
def test_unknown_option(option: str) -> None:
    error = failing(Game.from_dict, game_with(rules={option: 1}))
    assert error.kind == "bad_rules" and "light_cap" in error.message  # names those there are


@pytest.mark.parametrize("rules", [None, [], "us", 3, True])
def test_rules_that_are_no_object(rules: object) -> None:
    assert failing(Game.from_dict, game_with(rules=rules)).kind == "bad_request"


def test_rules_are_checked_when_made_and_cannot_be_changed() -> None:
    assert failing(Rules, rounds=0).kind == "bad_rules"
    with pytest.raises(AttributeError):
        Rules().rounds = 5  # type: ignore[misc]


# Deals


def moon_game(**deal: Any) -> dict[str, Any]:
    return {"players": 2, "rules": {"modules": ["moon"]}, "deal": deal, "actions": []}


@pytest.mark.parametrize(
    ("animals", "said"),
    [
        ([["fox", "owl"], ["fox", "boar"]], "deal.animals[1] has 'fox'"),
        ([["fox", "fox"], ["owl", "boar"]], "deal.animals[0] has 'fox'"),
        ([["fox", "owl"], ["boar", "wolf"]], "'wolf'"),
        ([["fox", "owl"], ["boar", None]], "deal.animals[1]"),
        ([["fox", "owl"]], "2 pairs"),
        ([["fox", "owl"], ["boar", "turtle"], ["badger", "beaver"]], "2 pairs"),
        ([["fox", "owl"], ["boar"]], "deal.animals[1]"),
        ([["fox", "owl"], "boar"], "deal.animals[1]"),
        ({"0": ["fox", "owl"]}, "2 pairs"),
        (None, "2 pairs"),
    ],
)
def test_bad_animals_of_a_deal(animals: object, said: str) -> None:
    error = failing(Game.from_dict, moon_game(animals=animals))
    assert error.kind == "bad_rules" and said in error.message


def test_an_unknown_animal_is_told_which_there_are() -> None:
    assert all(
        animal in failing(Game.from_dict, moon_game(animals=[["wolf", "owl"], ["fox", "boar"]])).message
        for animal in ANIMALS
    )


@pytest.mark.parametrize(
    ("babies", "said"),
    [
        (["two", "small", "medium", "harvest", "light", "egg"], "deal.babies[5]"),
        (["two", "small", "medium", "harvest", "light", "two"], "deal.babies[5]"),
        (["two", "small", "medium", "harvest", "light"], "list of 6"),
        (list(BABIES), "list of 6"),
        (["two", "small", "medium", "harvest", "light", 5], "deal.babies[5]"),
        ("two small", "list of 6"),
        (None, "list of 6"),
    ],
)
def test_bad_babies_of_a_deal(babies: object, said: str) -> None:
    error = failing(Game.from_dict, moon_game(babies=babies))
    assert error.kind == "bad_rules" and said in error.message


@pytest.mark.parametrize("deal", [None, [], "fox", 3])
def test_a_deal_that_is_no_object(deal: object) -> None:
    assert failing(Game.from_dict, game_with(deal=deal)).kind == "bad_request"


# Actions


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "empty line"),
        ("   ", "empty line"),
        ("fly a1", "place"),
        ("place z9", "is not a space"),
        ("place a5", "is not a space"),
        ("place d4", "one-leaf"),
        ("place", "'place a1'"),
        ("place a1 a2", "'place a1'"),
        ("Place a1", "'place a1'"),
        ("PLACE A1", "a1"),
        ("PLACE", "'place a1'"),
        ("GROW", "'grow a1'"),
        ("Buy Nothing", "'buy seed'"),
        ("place  a1", "single spaces"),
        (" place a1", "single spaces"),
        ("place a1\n", "single spaces"),
        ("plant a1 g4", "more than 3 spaces"),
        ("plant a1", "'plant a1 a2'"),
        ("beaver.dam a2 a1 b2", "beaver.dam"),
        ("owl.hunt 4", "'owl.hunt 1'"),
        ("turtle.steps", "turtle.steps"),
        ("turtle.steps harvest", "turtle.steps"),
        ("fox.scare fox d4", "fox.scare"),
        ("animal a1", "3 leaves"),
        ("end now", "'end'"),
        ("place a1\0", "is not a space"),
        ("\ud800", "is not an action"),
        ("x" * 10_000, "is not an action"),
    ],
)
def test_malformed_lines(line: str, said: str) -> None:
    game = Game(2)
    error = failing(game.play, line)
    assert error.kind == "illegal_action" and error.at is None
    assert said in error.message
    assert failing(game.refusal, line).message == game.why_not(line) == error.message
    assert game.actions == []


@pytest.mark.parametrize("line", ["plant a1 a1", "plant a1 here", "plant x a2"])
def test_a_line_is_not_called_too_far_when_something_else_is_wrong(line: str) -> None:
    assert "more than 3 spaces" not in failing(Game(2).play, line).message


@pytest.mark.parametrize("line", [None, 3, ["end"], {"action": "end"}, b"end", ("place", "a1"), 1.5])
def test_lines_that_are_no_text(line: Any) -> None:
    game = Game(2)
    assert failing(game.play, line).kind == "illegal_action"
    assert failing(game.refusal, line).kind == "illegal_action"
    assert "line of words" in (game.why_not(line) or "")
    assert failing(Game, 2, actions=["place a1", line]).at == 1


def test_the_index_of_an_illegal_action_is_told() -> None:
    error = failing(Game.from_dict, game_with(actions=["place a1", "place a2", "place a3", "place a1"]))
    assert (error.kind, error.at) == ("illegal_action", 3)
    assert error.message == "actions[3] 'place a1': a1 isn’t empty."


def test_actions_after_the_end() -> None:
    game = random_game(5, modules=[], players=2)
    error = failing(Game.from_dict, game.to_dict() | {"actions": [*game.actions, "end"]})
    assert (error.kind, error.at) == ("illegal_action", len(game.actions))
    assert "over" in error.message


def test_an_illegal_action_changes_nothing() -> None:
    game = Game.from_dict(GAME)
    before = game.record.tobytes()
    for line in (*ACTION_NAMES, "nonsense"):
        if line not in game.legal:
            failing(game.play, line)
    assert (game.record.tobytes(), game.actions) == (before, GAME["actions"])


def test_abilities_without_points_or_out_of_turn() -> None:
    game = turn("d4:A3", animals="boar@d4 owl@e6", lunar={"A": 4, "B": 14})
    assert refused(game, "boar.dig") == "lunar"
    assert game.why_not("boar.dig") == "This costs 5 lunar points and you have 4."
    assert refused(game, "owl.hunt 1") == "other_animal"  # it is not the owl's turn
    assert game.why_not("owl.hunt 1") == "Only the owl can do that; you play the boar."
    assert "owl.hunt 1" in play(game, "end").legal


@pytest.mark.parametrize("line", ["step c4", "fox.scare owl c4", "grow a1", "end", "draft fox", "stone a1"])
def test_actions_of_another_phase(line: str) -> None:
    game = Game(2, {"modules": ["elder"]})
    assert refused(game, line) == "phase"
    assert game.why_not(line) == "You can’t do that now (Elder Tree)."


def test_unknown_babies_cannot_hatch() -> None:
    game = turn(animals="turtle@a1 fox@e6", lunar=14).redacted()
    assert "turtle.hatch" in game.legal
    before = game.record.tobytes()
    error = failing(game.play, "turtle.hatch")
    assert error.kind == "bad_request" and "not known" in error.message
    assert game.record.tobytes() == before


def test_nothing_to_undo_or_redo() -> None:
    assert failing(Game(2).undo).kind == failing(Game(2).redo).kind == "bad_request"


# Files


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    error = failing(Game.load, tmp_path / "none.json")
    assert error.kind == "bad_request" and "none.json" in error.message and "No such file" in error.message


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert failing(Game.load, tmp_path).kind == "bad_request"
    assert failing(Game(2).save, tmp_path).kind == "bad_request"
    assert list(tmp_path.iterdir()) == []


def test_saving_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "game.json" in failing(Game(2).save, tmp_path / "none" / "game.json").message


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_no_file_can_have(name: str, tmp_path: Path) -> None:
    assert failing(Game.load, name).kind == "bad_request"
    assert failing(Game(2).save, str(tmp_path / name)).kind == "bad_request"


def test_a_truncated_file_never_loads_as_something_else(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = random_game(3, 30)
    game.save(file)
    whole = file.read_bytes()
    for end in range(0, len(whole.rstrip()) - 1, 7):
        file.write_bytes(whole[:end])
        error = failing(Game.load, file)
        assert error.kind == "bad_json" and str(file) in error.message


@pytest.mark.parametrize(
    ("old", "new", "kind", "at"),
    [
        ('"place a2"', '"place a1"', "illegal_action", 1),
        ('"place a2"', '"place a22"', "illegal_action", 1),
        ('"place a2"', "2", "bad_request", 1),
        ('"players": 2', '"players": 7', "bad_rules", None),
        ('"players": 2', '"players": "2"', "bad_request", None),
        ('"us"', '"usa"', "bad_rules", None),
        ("sunglade/1", "sunglade/9", "bad_request", None),
        ('"seed": 7', '"seed": "7"', "bad_request", None),
    ],
)
def test_an_edited_file(tmp_path: Path, old: str, new: str, kind: str, at: int | None) -> None:
    file = tmp_path / "game.json"
    Game.from_dict(GAME).save(file)
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    error = failing(Game.load, file)
    assert (error.kind, error.at) == (kind, at)
    assert str(file) in error.message


def test_save_and_load(tmp_path: Path) -> None:
    game = random_game(4, 60)
    game.save(tmp_path / "game.json")
    assert Game.load(tmp_path / "game.json") == game
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, trouble: BaseException
) -> None:
    file = tmp_path / "game.json"
    old = random_game(4, 60)
    old.save(file)

    def fail(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(BadRequest if isinstance(trouble, OSError) else KeyboardInterrupt):
        random_game(5, 60).save(file)
    monkeypatch.undo()
    assert Game.load(file) == old
    assert [left.name for left in tmp_path.iterdir()] == ["game.json"]


def test_a_game_that_cannot_be_written_as_json_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    Game(2).save(file)
    for value in (float("nan"), {1, 2}, 10**5000):
        failing(Game(2, extra={"value": value}).save, file)
    assert Game.load(file) == Game(2)
    assert [left.name for left in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"position": 7}, "must be a line of words"),
        ({"position": None}, "must be a line of words"),
        ({"position": "d4"}, "a position begins"),
        ({"players": 3}, "other players or rules"),
        ({"rules": {"edition": "de"}}, "other players or rules"),
        ({"actions": ["collect d4"]}, "d4"),
    ],
)
def test_a_game_that_does_not_fit_the_position_it_begins_at(changed: dict[str, Any], sentence: str) -> None:
    game = turn("d4:A1", light=5).to_dict()
    assert sentence in failing(Game.from_dict, game | changed).message


# Position strings

START = Game(2).position()
TURN = turn("d4:A1 e4:B2 c3:A3", light=9).position()
MOON = turn("d4:A1", animals="fox@d4 turtle@e6", lunar=14).position()
TURTLE = turn("c3:A3", animals="turtle@d4 fox@e6", hatched="harvest two", lunar=14).position()
BEAVER = turn("d4:A1", animals="beaver@a2 fox@e6", lunar=14).position()
STONES = turn("c3:A3", elder="d4", stones="a1").position()


@pytest.mark.parametrize("text", ["", "sunglade/1", "chess/1 2 us", None, 3, b"sunglade/1", "x " * 1000, TURN.upper()])
def test_what_is_no_position_string(text: Any) -> None:
    error = failing(Game.from_position, text)
    assert error.kind == "bad_request"


def edited(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


CLOCK = "turn:1:0:0:0:0"
IMPOSSIBLE = {
    "players": edited(TURN, " 2 us", " 5 us"),
    "no edition": edited(TURN, " us ", " xx "),
    "no option": edited(TURN, " us ", " us;colour=red "),
    "option out of range": edited(TURN, " us ", " us;rounds=0 "),
    "no phase": edited(TURN, "turn:", "tea:"),
    "short clock": edited(TURN, CLOCK, "turn:1:0:0:0"),
    "words in the clock": edited(TURN, CLOCK, "turn:one:0:0:0:0"),
    "round 0 in a turn": edited(TURN, CLOCK, "turn:0:0:0:0:0"),
    "round after the last": edited(TURN, CLOCK, "turn:19:0:0:0:0"),
    "round 1 while placing": edited(START, "placing:0:", "placing:1:"),
    "sun of another round": edited(TURN, CLOCK, "turn:1:3:0:0:0"),
    "no such sun": edited(TURN, CLOCK, "turn:1:6:0:0:0"),
    "no such first player": edited(TURN, CLOCK, "turn:1:0:2:0:0"),
    "first player of another round": edited(TURN, CLOCK, "turn:1:0:1:0:0"),
    "no such player": edited(TURN, CLOCK, "turn:1:0:0:2:0"),
    "more turns than players": edited(TURN, CLOCK, "turn:1:0:0:0:2"),
    "turns of another player": edited(TURN, CLOCK, "turn:1:0:0:0:1"),
    "more placed than there are": edited(START, "placing:0:0:0:0:0", "placing:0:0:0:0:4"),
    "over too early": edited(TURN, CLOCK, "over:1:0:0:0:0"),
    "draft without the moon": edited(START, "placing", "draft"),
    "Elder Tree phase without it": edited(START, "placing", "elder"),
    "stones phase without stones": edited(START, "placing", "stones"),
    "six rows": edited(TURN, "..../", ""),
    "short row": edited(TURN, "..../", ".../"),
    "no such owner": edited(TURN, "B2", "E2"),
    "no such size": edited(TURN, "B2", "B4"),
    "owner not playing": edited(TURN, "B2", "C2"),
    "too much light": edited(TURN, "light=9,0", "light=21,0"),
    "negative light": edited(TURN, "light=9,0", "light=-1,0"),
    "light of nobody": edited(TURN, "light=9,0,0,0", "light=9,0,1,0"),
    "three lights": edited(TURN, "light=9,0,0,0", "light=9,0,0"),
    "light in words": edited(TURN, "light=9", "light=nine"),
    "light with an underscore": edited(TURN, "light=9,0", "light=1_0,0"),
    "no such field": TURN + " colour=red",
    "a field without a value": TURN + " dam",
    "a field twice": TURN + " light=8,0,0,0",
    "too many pieces": edited(TURN, "available=2,3", "available=9,3"),
    "pieces of nobody": TURN.replace(",0,0,0,0,0,0,0,0", ",1,0,0,0,0,0,0,0", 1),
    "negative pieces": edited(TURN, "available=2,3", "available=-2,3"),
    "no such slots": TURN.split(" slots=")[0] + " slots=31,15,7,2,15,15,7,3,0,0,0,0,0,0,0,0",
    "huge number": edited(TURN, "light=9", f"light={2**63}"),
    "unknown space": TURN + " activated=z9",
    "activated while placing": START + " activated=a1",
    "Elder Tree without its module": TURN + " elder=a1",
    "stones without their module": TURN + " stones=a1",
    "dam without the moon": TURN + " dam=a1+a2+b2",
    "animals without the moon": TURN + " animal=3,4,-1,-1 at=0,1,-1,-1",
    "lunar points without the moon": TURN + " lunar=2,2,0,0",
    "fresh pieces where they need not wait": TURN + " fresh=1,0,0,0",
    "tokens still on their piles": TURN + " tokens=A14",
    "more tokens than there are": TURN + " tokens=" + "+".join(["A14"] * 24),
    "taken by nobody": TURN + " taken=1,0,0,3",
    "more taken than there are": TURN + " taken=10,0,0,3",
    "no such token": TURN + " tokens=A15 taken=1,0,0,3",
    "token of nobody": TURN + " tokens=C14 taken=1,0,0,3",
    "points without a baby": TURN + " baby_points=99",
    "no animal": edited(MOON, "animal=3,7,", "animal=-1,7,"),
    "the same animal twice": edited(MOON, "animal=3,7,", "animal=7,7,"),
    "no such animal": edited(MOON, "animal=3,7,", "animal=8,7,"),
    "an animal nobody was dealt": edited(MOON, "animal=3,7,", "animal=4,7,"),
    "two animals on a space": MOON.replace("at=18,27", "at=18,18"),
    "an animal nowhere": MOON.replace("at=18,27", "at=-1,27"),
    "an animal off the board": MOON.replace("at=18,27", "at=37,27"),
    "too many lunar points": edited(MOON, "lunar=14", "lunar=15"),
    "two steps of a fox": MOON + " steps=2",
    "nobody's steps": MOON + " steps=-1",
    "no such ability": MOON + " used=fox.fly",
    "an ability twice": MOON + " used=fox.scare+fox.scare",
    "sixteen abilities": MOON + " used=" + "+".join(["boar.dig"] * 16),
    "another animal's ability": MOON + " used=boar.dig",
    "no such baby": MOON + " hatched=egg",
    "a baby twice in the hand": MOON + " hatched=light+light",
    "a baby twice on the shore": edited(MOON, "babies=two+small", "babies=two+two"),
    "seven babies": edited(MOON, "babies=two+", "babies=leaf+two+"),
    "a hatched baby still face down": MOON + " hatched=two",
    "a baby off the shore": edited(MOON, "face_down=a1", "face_down=a2"),
    "a dam without a beaver": MOON + " dam=a1+a2+b2",
    "a dam of another shape": BEAVER + " dam=a1+g4+d4",
    "a dam far from the river": BEAVER + " dam=a2+a3+b3",
    "no such effects": TURTLE + " used=turtle.steps effects=4",
    "a fox's effects": MOON + " effects=1",
    "effects before the first steps": TURTLE + " effects=1 activated=c3",
    "effects of a baby in the hand": TURTLE + " used=turtle.steps effects=1",
    "effects of a baby face down": TURTLE + " used=turtle.steps effects=2",
    "two effects at once": edited(TURTLE, "hatched=harvest+two", "hatched=harvest") + " used=turtle.steps effects=3",
    "first steps of nobody": TURTLE + " used=turtle.steps",
    "a hatch of nobody": edited(MOON, CLOCK, "turn:1:0:0:1:1") + " used=turtle.hatch",
    "points of a baby in the box": TURTLE + " baby_points=3",
    "somebody unknown hatched": edited(TURTLE, "babies=harvest", "babies=?").replace("hatched=harvest+", "hatched="),
    "an act on the Elder Tree": STONES + " activated=d4",
    "an act on a stone": STONES + " activated=a1",
    "negative stones": MOON + " stones_left=-1",
    "an animal dealt twice": edited(MOON, "dealt=boar+fox", "dealt=turtle+fox"),
}  # fmt: skip


@pytest.mark.parametrize("text", [*IMPOSSIBLE.values(), "chess/1"], ids=[*IMPOSSIBLE, "another game"])
def test_what_is_wrong_with_a_position_is_told_in_every_language(text: str) -> None:
    error = failing(Game.from_position, text)
    assert error.message.endswith(".")
    told = {error.told_by(catalogue(code).tell) for code in codes()}
    assert len(told) == len(codes()) and error.message in told


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_positions_no_game_can_reach(name: str) -> None:
    """None of them may enter compiled code, which trusts its records."""
    error = failing(Game.from_position, IMPOSSIBLE[name])
    assert error.kind in ("bad_request", "bad_rules")


@pytest.mark.parametrize("text", [START, TURN, MOON, TURTLE, BEAVER, STONES])
def test_the_positions_they_are_made_from_are_fine(text: str) -> None:
    assert Game.from_position(text).position() == text


# Anything at all

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
WORDS = sorted({word for line in ACTION_NAMES for word in line.split()})


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(["format", "players", "rules", "seed", "deal", "actions", "x"]), JSON))
def test_any_game_object_plays_or_fails_well(game: dict[str, Any]) -> None:
    with contextlib.suppress(SungladeError):
        Game.from_dict(game)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([*OPTIONS, "edition"]) | st.text(max_size=6), JSON, max_size=3))
def test_any_rules_are_right_or_fail_well(rules: dict[str, Any]) -> None:
    try:
        made = Rules.from_dict(rules)
    except SungladeError:
        return
    assert Rules.from_dict(made.to_dict()) == made


@settings(max_examples=300)
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_fails_well(text: str | bytes) -> None:
    with contextlib.suppress(SungladeError):
        Game.from_json(text)


@settings(max_examples=500)
@given(
    st.text(max_size=30)
    | st.lists(st.sampled_from([*WORDS, *NAMES, "Grow", "END", "h1", "10", ""]), max_size=5).map(" ".join)
)
def test_any_line_is_legal_or_refused_with_a_reason(line: str) -> None:
    game = turn("d4:A1", animals="fox@d4 turtle@e6", light=9, lunar=9)
    if line not in game.legal:
        assert failing(game.play, line).kind == "illegal_action"
        assert game.why_not(line)


NUMBERS = st.sampled_from(["-1", "0", "1", "2", "3", "7", "15", "16", "18", "36", "37", "99", str(2**40), str(2**63)])


@st.composite
def damaged_positions(draw: st.DrawFn) -> str:
    """A position string of a random game with a few edits."""
    game = random_game(draw(st.integers(0, 10_000)), draw(st.integers(0, 150)))
    text = game.position()
    for _ in range(draw(st.integers(1, 3))):
        words = text.split(" ")
        place = draw(st.integers(0, len(words) - 1))
        edit = draw(st.sampled_from(["letter", "number", "delete", "repeat", "cut"]))
        if edit == "letter":
            at = draw(st.integers(0, len(text) - 1))
            text = (
                text[:at]
                + draw(st.sampled_from("0123456789ABCD.:/=+-,;?abdeg "))
                + text[at + draw(st.integers(0, 1)) :]
            )
            continue
        if edit == "number":
            parts = words[place].split(",")
            parts[draw(st.integers(0, len(parts) - 1))] = draw(NUMBERS)
            words[place] = ",".join(parts)
        elif edit == "delete":
            del words[place]
        elif edit == "repeat":
            words.append(words[place])
        else:
            words[place] = words[place][: draw(st.integers(0, len(words[place])))]
        text = " ".join(words)
    return text


@settings(max_examples=600)
@given(damaged_positions())
def test_a_damaged_position_is_refused_or_can_be_played(text: str) -> None:
    """Only our own errors come out; what is accepted is a position like any other."""
    try:
        game = Game.from_position(text)
    except SungladeError:
        return
    assert Game.from_position(game.position()) == game
    check_refusals(game)
    choose = random.Random(0)
    for _ in range(20):
        game.state(), game.forecast(), str(game)
        if game.over:
            return
        assert game.legal
        play(game, random_line(choose, game.legal))
        assert (game.record.available >= 0).all() and (game.record.slots >= 0).all()
    now = game.round
    for _ in range(4 * game.players + 20):
        if game.round > now or game.over:
            return
        game.play("end" if game.phase == "turn" else game.legal[0])
    pytest.fail("the round never ends")


@settings(max_examples=300)
@given(st.integers(0, 10_000), st.data())
def test_a_damaged_file_loads_as_a_right_game_or_fails_well(seed: int, data: st.DataObject) -> None:
    text = play(new_random_game(seed), *()).to_json()
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from('0123456789-"{}[]:,abcnul \\'))
    try:
        game = Game.from_json(text[:at] + other + text[at + 1 :])
    except SungladeError:
        return
    assert Game.from_json(game.to_json()) == game
