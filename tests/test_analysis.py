"""Looking back at a game: turns are cut where they end, values fit together, and bad input gets a sentence."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from sunglade import Game, Rules, analysis, bots
from sunglade.cli import main

pytestmark = pytest.mark.slow  # the network's search is compiled first


def played(game: Game, *names: str) -> Game:
    players = [bots.make(name, seed=seat) for seat, name in enumerate(names)]
    while not game.over:
        assert game.player is not None
        game.play(players[game.player].act(game.redacted(), 100))
    return game


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short finished game: a good player against a bad one."""
    path = tmp_path_factory.mktemp("games") / "game.json"
    played(Game(2, Rules(rounds=6), extra={"names": ["Ada", "Bo"]}), "greedy", "random").save(path)
    return path


def test_turns_are_the_games_actions_cut_at_their_ends(saved: Path) -> None:
    game = Game.load(saved)
    turns = analysis.turns_of(game)
    assert [line for _, lines in turns for line in lines] == game.actions
    for position, lines in turns:
        assert position.actions == game.actions[: len(position.actions)]
        assert len(lines) == 1 if position.phase != "turn" else lines[-1] == "end" and "end" not in lines[:-1]


@pytest.fixture(scope="module")
def found(saved: Path) -> analysis.Analysis:
    return analysis.analyse(Game.load(saved), "search", nodes=300)


def test_values_fit_together(found: analysis.Analysis) -> None:
    for turn, following in pairwise(found.turns):
        assert turn.after == pytest.approx(following.values[turn.player], abs=1e-3)
        assert turn.before == turn.values[turn.player]
        assert sum(turn.values) == pytest.approx(1, abs=1e-3)
    for turn in found.turns:
        assert turn.loss == pytest.approx(max(0, turn.before - turn.after), abs=1e-3)


def test_best_lines_are_legal_and_end_the_turn(saved: Path, found: analysis.Analysis) -> None:
    for (position, _), turn in zip(analysis.turns_of(Game.load(saved)), found.turns, strict=True):
        game = position.fork()
        for line in turn.best:
            game.play(line)
        assert game.over or game.player != position.player or position.phase != "turn" or game.round > position.round


def test_the_worst_turns_are_the_bad_players(found: analysis.Analysis) -> None:
    worst = found.worst(5)
    assert [turn.loss for turn in worst] == sorted((turn.loss for turn in found.turns), reverse=True)[:5]
    lost = [sum(turn.loss for turn in found.turns if turn.player == seat) for seat in (0, 1)]
    assert lost[1] > lost[0]


def test_with_nodes_the_analysis_is_repeatable(saved: Path, found: analysis.Analysis) -> None:
    assert analysis.analyse(Game.load(saved), "search", nodes=300) == found


def test_the_strongest_judges_unless_another_is_asked_for(saved: Path) -> None:
    first, second = (analysis.analyse(Game.load(saved), nodes=30) for _ in range(2))
    assert first.bot == "elder" and first == second


def test_an_unfinished_game_with_modules_and_hidden_babies_can_be_analysed() -> None:
    """M-SETUP-4: also of a redacted game."""
    rules = Rules(modules=["moon", "elder", "stones"], rounds=2)
    game = played(Game(3, rules, seed=4), "greedy", "random", "greedy")
    for _ in range(3):
        game.undo()
    found = analysis.analyse(game.redacted(), nodes=20)
    assert found.winners is None and len(found.turns[-1].values) == 3
    assert sum(len(turn.played) for turn in found.turns) == len(game.actions)


# The command line


def test_people_get_a_table_and_the_worst_turns(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(saved), "--nodes", "50", "--top", "2"]) == 0
    text = capsys.readouterr().out
    assert "Ada" in text and "The turns that lost most:" in text
    assert text.count("    played") == text.count("    better") == 2


def test_programs_get_json(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(saved), "--nodes", "50", "--json", "--quiet", "--bot", "oak"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bot"] == "oak" and 0 < len(told["worst"]) <= 5 and told["names"] == ["Ada", "Bo"]
    turn = told["turns"][-1]
    keys = {"number", "first_action", "round", "phase", "player", "played", "best", "before", "after", "values", "loss"}
    assert set(turn) == keys


def test_bad_input_is_one_sentence(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.json"
    Game(2).save(empty)
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"players": 2, "rules": {"modules": ["sun"]}}')
    cases = [
        ([str(empty)], "no action was played"),
        ([str(unknown)], "modules"),
        (["no such file"], "no such file"),
        ([str(saved), "--bot", "greedy"], "greedy does not say what a position is worth"),
        ([str(saved), "--bot", "wizard"], "the bots are random, greedy"),
        ([str(saved), "--nodes", "0"], "nodes must be a whole number from 1"),
        ([str(saved), "--ms", "-1"], "ms must be a whole number from 1"),
        ([str(saved), "--top", "-1"], "--top must be a whole number from 0"),
    ]
    for arguments, told in cases:
        assert main(["analyse", *arguments, "--quiet"]) == 2
        out, err = capsys.readouterr()
        assert out == "" and told in err and err.startswith("sunglade: ") and err.count("\n") == 1


def test_names_in_a_file_do_nothing_to_a_terminal() -> None:
    game = played(Game(2, Rules(rounds=1), extra={"names": ["\x1b[2Jevil\nrow", "Bo"]}), "greedy", "random")
    found = analysis.analyse(game, nodes=5)
    assert found.names == ["[2Jevilrow", "Bo"] and "\x1b" not in analysis.text(found, 5)
