"""Every bot wherever bots play: terminal, engine, environments; programs in the terminal, too."""

import json
import sys
from pathlib import Path

import pytest

from sunglade import Game, Rules, bots, engine
from sunglade.bots.neural import NeuralBot
from sunglade.cli import main

STARTER = f"{sys.executable} {Path(__file__).parents[2] / 'examples' / 'starter_bot.py'}"


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNGLADE_DATA", str(tmp_path / "data"))


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a game among bots prints, to its end."""
    assert main(["play", "--rounds", "2", "--seed", "1", "--no-color", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", bots.names())
def test_every_bot_plays_in_the_terminal(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = played(capsys, "--seat", "birch", "--bot", f"{name}:ms=20" if name != "random" else name, "--name", "Ada")
    assert "Ada" in text and name.capitalize() in text and "win" in text


def test_a_program_plays_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    text = played(capsys, "--seat", "sapling", "--bot", STARTER, "--bot", STARTER)
    assert "Starter_bot 1 " in text and "Starter_bot 2 " in text and "win" in text


def test_a_program_that_breaks_down_does_not_stop_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import sys; sys.exit('no idea')")
    text = played(capsys, "--seat", "sapling", "--bot", f"{sys.executable} {broken}")
    assert "Broken: ended with exit code 1, saying 'no idea'. The turns are ended from now on." in " ".join(
        text.split()
    )
    assert "win" in text


def test_a_saved_game_never_starts_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sunglade.terminal import seats_of
    from sunglade.terminal.seats import remember, seats

    game = Game(2)
    remember(game, seats(2, ["human"], [], [STARTER]))
    assert STARTER not in game.to_json()
    assert [seat.kind for seat in seats_of(game)] == ["human", "human"]
    game.extra["seats"] = [STARTER, "search:threads=99999x"]
    assert [seat.kind for seat in seats_of(game)] == ["human", "human"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bot", "elderr"], "neither a bot nor a program 'elderr'; the bots are random, greedy"),
        (["--seat", "human", "--seat", STARTER], "a seat is one of human, random, greedy"),
        (["--players", "2", "--bot", "oak", "--bot", "oak"], "2 players but 3 seats"),
        (["--bot", "search:ms=-1"], "ms must be from 1 to"),
        (["--bot", "'unclosed"], "cannot be read"),
        (["--resume", "--bot", "oak"], "--bot cannot be changed"),
        (["--bot", "neural:2026-11", "--modules", "all"], "neural:2026-11 cannot play this game"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_bots_are_refused_with_a_sentence(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and told in err and err.count("\n") == 1


@pytest.mark.parametrize("name", bots.names())
def test_the_engine_thinks_with_every_bot(name: str) -> None:
    request = {"id": 1, "cmd": "think", "game": {"players": 2}, "bot": name, "nodes": 30, "ms": 1000}
    answer = engine.answer(json.dumps(request).encode())
    assert answer["action"] in Game(2).legal
    searches = name in ("search", "neural", "oak", "sequoia", "elder")
    assert bool(answer["lines"]) == searches and (answer["value"] is not None) == searches


def test_the_engine_refuses_what_a_bot_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NeuralBot, "refuses", lambda self, players, rules: "it is tired." if rules.modules else None)
    game = Game(2, Rules(modules=["moon"])).to_dict()
    answer = engine.answer(json.dumps({"id": 1, "cmd": "think", "game": game, "bot": "neural", "ms": 10}).encode())
    assert answer["error"]["kind"] == "bad_request"
    assert answer["error"]["message"] == "neural cannot play this game: it is tired."


def test_the_engine_does_not_start_programs() -> None:
    request = {"id": 1, "cmd": "think", "game": {"players": 2}, "bot": STARTER, "ms": 10}
    assert "there is no bot" in engine.answer(json.dumps(request).encode())["error"]["message"]


def test_names_are_those_of_the_protocol() -> None:
    levels = ["seedling", "sapling", "birch", "maple", "oak", "sequoia", "elder"]
    assert bots.names() == ["random", "greedy", "search", "neural", *levels]


@pytest.mark.parametrize("page", ["README.md", "docs/protocol.md", "docs/bots.md", "src/sunglade/cli.py"])
def test_every_level_is_named_where_people_choose_one(page: str) -> None:
    told = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    assert [level for level in bots.LEVELS if level not in told] == []
