"""The command line: friendly when alone, exact when asked, one sentence and exit code 2 when something is wrong."""

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import sunglade
from at_the_terminal import refused
from sunglade import BadRequest, Game, Rules
from sunglade.arguments import Parser
from sunglade.cli import main
from sunglade.rules import EDITIONS, OPTIONS

RUN = [sys.executable, "-c", "import sys; from sunglade.cli import main; sys.exit(main())"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished random game with all modules."""
    game = Game(2, Rules(modules=["moon", "elder", "stones"], rounds=3), seed=4, extra={"names": ["Ada", "Bo"]})
    choose = random.Random(4).choice
    while not game.over:
        game.play(choose(game.legal))
    path = tmp_path_factory.mktemp("games") / "game.json"
    game.save(path)
    return path


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command line prints."""
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_alone_it_says_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys)
    for verb in ("play", "replay", "show", "editions", "engine", "bench", "warm"):
        assert f"sunglade {verb}" in text


def test_version_and_help_end_well(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, expected in ((["--version"], sunglade.__version__), (["play", "--help"], "--modules")):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 0
        assert expected in capsys.readouterr().out


def test_light_verbs_do_not_load_the_terminal() -> None:
    code = "import sys, sunglade.cli; print([m for m in ('rich', 'prompt_toolkit') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


# editions


def test_editions_shows_every_edition_option_and_module(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "editions")
    for word in (*EDITIONS, *OPTIONS, "moon", "elder", "stones", "19/25", "origin", "lowest"):
        assert word in text
    assert max(map(len, text.split("\n"))) <= 80


def test_editions_for_programs_are_the_rules_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(output(capsys, "editions", "--json"))
    assert list(data["editions"]) == list(EDITIONS)
    assert data["editions"]["it"]["rounds"] == 19
    assert data["editions"]["de"] == {
        name: list(value) if isinstance(value := getattr(Rules(edition="de"), name), tuple) else value
        for name in OPTIONS
    }


# show


def test_show_draws_the_board_with_names(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "show", str(saved))
    assert "Ada" in text and "Shared win" in text and "Modules: Moon and animals, Elder Tree, Moonstones" in text


def test_show_takes_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "show", "--position", Game(players=3).position())
    assert "Player C" in text


def test_show_writes_a_picture(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.svg"
    output(capsys, "show", str(saved), "--svg", str(target))
    assert ET.parse(target).getroot().tag.endswith("svg")


def test_show_for_programs_is_the_state(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(output(capsys, "show", str(saved), "--json"))["state"] == Game.load(saved).state()


def test_show_draws_and_tells_programs_at_once(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.svg"
    assert "state" in json.loads(output(capsys, "show", str(saved), "--svg", str(target), "--json"))
    assert target.exists()


def test_show_does_not_tell_face_down_babies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = {
        "animals": [["turtle", "owl"], ["fox", "boar"]],
        "babies": ["harvest", "two", "leaf", "points", "light", "seed"],
    }
    game = Game(2, Rules(modules=["moon"]), deal=deal, actions=["draft turtle", "draft fox"])
    game.save(tmp_path / "g.json")
    assert "harvest" not in output(capsys, "show", str(tmp_path / "g.json"))


# replay


def test_replay_tells_every_step(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "replay", str(saved), "--all")
    last = len(Game.load(saved).actions)
    assert [f"Step {number} of {last}:" in text for number in range(last + 1)] == [True] * (last + 1)
    assert "win" in text


def test_replay_can_show_one_step(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "replay", str(saved), "--at", "1")
    assert text.count("Step ") == 1 and "Ada chooses an animal" in text


def test_replay_beyond_the_end_is_refused(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "from 0 to" in refused(capsys, "replay", str(saved), "--at", "100000")


# Whatever is wrong


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dance"], "dance"),
        (["play", "--players", "7"], "from 2 to 4"),
        (["play", "--players", "two"], "not a whole number"),
        (["play", "--edition", "xx"], "us, us1, he"),
        (["play", "--modules", "moon", "sun"], '"moon", "elder", "stones", or `all` or `none`, not'),
        (["play", "--leftover", "sideways"], '"down" or "up"'),
        (["play", "--light-cap", "-1"], "--light-cap must be a whole number from 0 to 255, or none, not -1"),
        (["play", "--light-cap", "lots"], "neither a whole number nor none"),
        (["play", "--revolutions", "5"], "3 or 4"),
        (["play", "--shore", "a1"], "6 different spaces"),
        (["play", "--river", "z9"], "a1 … g4"),
        (["play", "--moonstones", "10"], "0 to 9"),
        (["play", "--moon-start", "18"], "0 to 17"),
        (["play", "--rounds", "0"], "1 to 1000"),
        (["play", "--seat", "human", "--seat", "wizard"], "human, random, greedy"),
        (["play", "--players", "2", "--name", "A", "--name", "B", "--name", "C"], "2 players"),
        (["play", "--resume", "--edition", "de"], "--edition cannot be changed"),
        (["play", "--load", "no such file"], "no such file"),
        (["show"], "a file or --position"),
        (["show", "no such file"], "no such file"),
        (["show", "--position", "sunglade/1 nonsense"], "position"),
        (["replay", "no such file"], "no such file"),
        (["bench", "--games", "many"], "not a whole number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_sentence(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in refused(capsys, *arguments)


def test_damaged_files_say_where(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.json"
    cut.write_text(saved.read_text()[:200])
    assert "cut.json: not JSON" in refused(capsys, "replay", str(cut))
    edited = json.loads(saved.read_text())
    edited["actions"][3] = "grow d4"
    cut.write_text(json.dumps(edited))
    assert "actions[3] 'grow d4'" in refused(capsys, "show", str(cut))
    cut.write_bytes(b"\xff\xfe\x00")
    assert "cut.json" in refused(capsys, "show", str(cut))


def test_picture_that_cannot_be_written_is_refused(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot write" in refused(capsys, "show", str(saved), "--svg", str(saved.parent / "no" / "x.svg"))


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
def test_reader_that_goes_away_causes_no_traceback(saved: Path) -> None:
    process = subprocess.Popen([*RUN, "replay", str(saved), "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=300) in (0, 2)


# serve


@pytest.mark.parametrize("host", ["192.0.2.1", "no host at all"])
def test_host_that_is_not_of_this_machine_is_told_as_such(
    host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address from the block for documentation; no other port would help."""
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    told = refused(capsys, "serve", "--no-browser", "--host", host, "--port", "0", "--database", database)
    assert f"--host '{host}' is no address of this machine" in told and "--port" not in told


@pytest.mark.parametrize("quote", ["'", ""])
def test_verb_for_shells_is_neither_listed_nor_suggested(quote: str) -> None:
    """Whether Python's argparse quotes choices or not."""
    choices = ", ".join(f"{quote}{verb}{quote}" for verb in ("completion", "complete", "warm"))
    with pytest.raises(BadRequest) as refusal:
        Parser(prog="sunglade").error(f"argument VERB: invalid choice: 'complet' (choose from {choices})")
    assert re.findall(r"\bcomplete\b", refusal.value.message) == []
    assert "Did you mean completion?" in refusal.value.message


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("arguments", [["show", "-"], ["play", "--load", "-"]])
def test_game_comes_through_a_pipe_where_no_keyboard_can_be_heard(
    arguments: list[str], saved: Path, tmp_path: Path
) -> None:
    """Standard output is a terminal, but not that of the process."""
    import pty

    ours, theirs = pty.openpty()
    own = os.environ | {"SUNGLADE_DATA": str(tmp_path)}
    with saved.open("rb") as game:
        process = subprocess.Popen(
            [*RUN, *arguments], stdin=game, stdout=theirs, stderr=subprocess.PIPE, env=own, start_new_session=True
        )
    os.close(theirs)
    with contextlib.suppress(OSError):  # what a terminal answers whose program has gone
        while os.read(ours, 65536):
            pass
    os.close(ours)
    _, complaint = process.communicate(timeout=300)
    assert (process.returncode, complaint) == (0, b"")
