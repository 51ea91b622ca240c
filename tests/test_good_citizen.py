"""The command line among other programs: pipes, shells, manual pages, settings, terminals that lack signs."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sunglade
from at_the_terminal import environment, one_line, refused, sit, told
from sunglade import BadRequest, Game, Rules, bots, engine, suggest
from sunglade.cli import ENGINE_HELP, main
from sunglade.completion import SCRIPTS
from sunglade.terminal import seats, seats_of
from sunglade.terminal.seats import strangers

pytestmark = pytest.mark.usefixtures("own_data_folder")

RUN = [sys.executable, "-c", "import sys; from sunglade.cli import main; sys.exit(main())"]
DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game of six actions."""
    path = tmp_path / "game.json"
    lines = ["place a1", "place g4", "place a3", "place g2", "grow a1", "end"]
    Game(players=2, actions=lines, extra={"names": ["Ada", "Bo"]}).save(path)
    return path


def program(tmp_path: Path, *arguments: str, typed: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    own = environment(tmp_path, **more)
    return subprocess.run([*RUN, *arguments], input=typed, capture_output=True, env=own, timeout=300)


# Standard input and output


@pytest.mark.parametrize(
    "arguments", [["show", "-"], ["show", "-", "--svg", "-"], ["replay", "-", "--all"], ["play", "--load", "-"]]
)
def test_dash_is_standard_input_and_output(arguments: list[str], saved: Path, tmp_path: Path) -> None:
    done = program(tmp_path, *arguments, typed=saved.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"<svg" in done.stdout if "--svg" in arguments else b"Ada" in done.stdout


def test_what_is_wrong_with_standard_input_is_told(tmp_path: Path) -> None:
    done = program(tmp_path, "show", "-", typed=b"{")
    assert done.returncode == 2 and done.stderr.startswith(b"sunglade: standard input: not JSON")


def test_save_to_a_dash_prints_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    sit(Game(players=2), "p a1", "save -")
    assert Game.from_json(capsys.readouterr().out).actions == ["place a1"]


def test_replay_for_programs_has_every_step(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.load(saved)
    data = json.loads(told(capsys, "replay", str(saved), "--json"))
    assert [step.get("action") for step in data["steps"]] == [None, *game.actions]
    assert [step.get("player") for step in data["steps"]] == [None, 0, 1, 0, 1, 0, 0]
    assert data["steps"][-1]["state"] == game.state() and data["steps"][-1]["legal"] == game.legal
    assert data["names"] == ["Ada", "Bo"]
    one = json.loads(told(capsys, "replay", str(saved), "--json", "--at", "2"))["steps"]
    assert [step["step"] for step in one] == [2]
    assert "from 0 to 6" in refused(capsys, "replay", str(saved), "--json", "--at", "7")


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
@pytest.mark.parametrize("verb", ["engine", "games", "man", "editions", "play"])
def test_closed_pipe_ends_quietly(verb: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*RUN, verb], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
    )
    assert process.stdout is not None
    process.stdout.close()
    request = b'{"id": 1, "cmd": "version"}\n' * 200 if verb == "engine" else b"p a1\n" * 5
    _, errors = process.communicate(request, timeout=300)
    assert errors == b""


# Shells and manual


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["pl"], ["play"]),
        (["play", "--bot", "e"], ["elder"]),
        (["play", "--edition", "us"], ["us", "us1"]),
        (["play", "--modules", "moon", "s"], ["stones"]),
        (["play", "--leftover", ""], ["down", "up"]),
        (["play", "--playe"], ["--players"]),
        (["games", ""], ["delete", "show"]),
        (["games", "show", "my"], ["my-game"]),
        (["play", "--resume", "my"], ["my-game"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["show", ""], []),
        (["nonsense", "x"], []),
    ],
)
def test_words_are_completed_from_the_parser(
    words: list[str], found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data" / "games").mkdir(parents=True)
    (tmp_path / "data" / "games" / "my-game.json").write_text("")
    assert told(capsys, "complete", "--", *words).split() == found


def shim(folder: Path) -> dict[str, str]:
    """An environment in which `sunglade` is this program."""
    script = folder / "sunglade"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m sunglade "$@"\n')
    script.chmod(0o755)
    source = str(Path(sunglade.__file__).parents[1])
    return environment(folder, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=source)


ASKING = {
    "bash": "source <(sunglade completion bash); COMP_WORDS=(sunglade play --edition us); COMP_CWORD=3; _sunglade; "
    'printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": "compdef() { :; }; source <(sunglade completion zsh); compadd() { print -l $found; }; "
    "words=(sunglade play --edition us) CURRENT=4; _sunglade",
    "fish": "sunglade completion fish | source; complete -C 'sunglade play --edition us'",
}


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_shells_complete(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run([shell, "-c", ASKING[shell]], capture_output=True, text=True, env=shim(tmp_path))
    assert done.stdout.split() == ["us", "us1"], done.stderr


def test_manual_page_tells_of_every_verb_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    page = told(capsys, "man")
    assert page.startswith(".TH SUNGLADE 1")
    for word in (".SS play", ".SS games delete", "\\-\\-players N", "SUNGLADE_DATA", '"cmd": "think"', ".SH FILES"):
        assert word in page, word
    assert ".SS complete\n" not in page


def shown_by_man(page: str) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "MANWIDTH": "80"}
    return subprocess.run(["man", "-l", "-"], input=page, capture_output=True, text=True, env=told)


def test_manual_page_is_shown_by_man(capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("man") is None or "here it is" not in shown_by_man(".TH A 1\n.SH NAME\nhere it is\n").stdout:
        pytest.skip("there is no man here that shows a page from a pipe")
    shown = shown_by_man(told(capsys, "man"))
    assert "--players N" in re.sub(".\b", "", shown.stdout), shown.stderr  # bold letters may be struck twice


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["plya"], "Did you mean play"),
        (["play", "--plyers", "3"], "Did you mean --players?"),
        (["editions", "us2"], "Did you mean us"),
        (["play", "--seat", "eldr"], "Did you mean elder?"),
    ],
)
def test_slips_are_answered_with_what_was_meant(
    arguments: list[str], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert near in refused(capsys, *arguments)


def test_slips_at_the_table_are_answered_with_what_was_meant() -> None:
    shown = one_line(sit(Game(players=2), "plcae a1", "forcast"))
    assert "Did you mean place?" in shown and "Did you mean forecast?" in shown
    assert suggest.did_you_mean("zzzz", ["place"]) == ""


# Settings


def test_settings_are_used_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    assert "not there yet" in told(capsys, "config")
    config.write_text('name = "Ada \\"Q\\""\nbot = "birch"\nedition = "de"\n')
    shown = told(capsys, "config")
    assert str(config) in shown and "not there yet" not in shown
    config.write_text(shown)
    assert told(capsys, "config") == shown  # what is shown can be kept as the file
    done = program(tmp_path, "play", typed=b"p a1\n", SUNGLADE_CONFIG=str(config))
    assert b'Ada "Q"' in done.stdout and b"Birch" in done.stdout
    (kept,) = (tmp_path / "games").glob("*.json")
    assert Game.load(kept).rules == Rules(edition="de")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nmae = 'Ada'", "Did you mean name?"),
        ("name = 7", "must be text in quotes"),
        ("edition = 'xx'", "us, us1, he"),
        ("bot = 'eldr'", "Did you mean elder?"),
        ("colour = 'blue'", "auto, never"),
        ("name = ", "not TOML"),
    ],
)
def test_wrong_settings_are_one_sentence(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text(text)
    told_of = refused(capsys, "config")
    assert said in told_of and "config.toml" in told_of


# Terminals that lack signs


def test_ascii_terminal_shows_arrows_and_shade(saved: Path, tmp_path: Path) -> None:
    done = program(tmp_path, "show", str(saved), PYTHONIOENCODING="ascii")
    text = done.stdout.decode("ascii")
    assert "SUN \\" in text and "#" in text and "14 x" in text
    assert "?" not in text


# Bots


def test_one_bot_takes_all_seats_left() -> None:
    assert [seat.kind for seat in seats(4, [], [], ["elder"])] == ["human", "elder", "elder", "elder"]
    assert [seat.name for seat in seats(4, [], [], ["elder"])][1:] == ["Elder 1", "Elder 2", "Elder 3"]
    assert [seat.kind for seat in seats(4, [], [], ["oak", "birch"])] == ["human", "oak", "birch", "birch"]
    assert [seat.kind for seat in seats(3, [], [])] == ["human", "maple", "maple"]


@pytest.mark.parametrize(("kind", "said"), [("wizard", "the bot 'wizard', unknown here"), ("program", "was a program")])
def test_unknown_bot_in_a_save_is_told(kind: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    Game(2, extra={"seats": ["human", kind], "names": ["Ada", "Merlin"]}).save(file)
    done = program(tmp_path, "play", "--load", str(file), typed=b"p a1\n")
    assert f"Merlin was {said.removeprefix('was ')}" in one_line(done.stdout.decode())
    assert said in one_line(sit(Game(players=2), f"load {file}"))
    known = Game(2, extra={"seats": ["human", "maple"]})
    assert strangers(known, seats_of(known)) == []


# Small things


def test_file_that_exists_keeps_its_name_in_the_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arr.json").write_text("{")
    shown = one_line(sit(Game(players=2), "p a1", "save arr.json", "load arr.json"))
    assert "The file arr.json exists already" in shown and "Arr.json" not in shown


@pytest.mark.parametrize("tty", [False, True])
def test_folder_is_refused_before_anything_is_asked(tmp_path: Path, tty: bool) -> None:
    shown = one_line(sit(Game(players=2), "p a1", f"save {tmp_path}", tty=tty))
    assert "is no file; say which file in it" in shown and "Write over it?" not in shown


def test_one_edition_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "editions", "es")
    assert "Spanish" in text and "lowest *" in text
    assert list(json.loads(told(capsys, "editions", "es", "--json"))["editions"]) == ["es"]


@pytest.mark.parametrize(
    ("option", "module"),
    [(["--moonstones", "2"], "stones"), (["--moon-start", "3"], "moon"), (["--boar-digs", "any"], "moon")],
)
def test_option_without_its_module_is_refused(
    option: list[str], module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"add --modules {module}" in refused(capsys, "play", *option)
    others = "elder" if module == "stones" else "elder,stones"
    assert f"add --modules {module}" in refused(capsys, "arena", "--bots", "random", *option, "--modules", others)


def test_short_bench_does_not_compile(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sunglade import bench

    monkeypatch.setattr(bench, "first_compile_seconds", lambda: pytest.fail("that takes a quarter of a minute"))
    monkeypatch.setattr(bench, "warm_start_seconds", lambda: 0.0)
    assert "first_compile_s" not in json.loads(told(capsys, "bench", "--games", "2", "--json"))


# The engine can be learned


def test_every_request_that_the_help_shows_is_answered() -> None:
    requests = [line.strip() for line in ENGINE_HELP.splitlines() if line.strip().startswith("{")]
    answers = io.BytesIO()
    engine.serve([line.encode() for line in requests], answers)
    answered = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert sorted(answer["id"] for answer in answered) == [1, 2, 3, 4, 5]
    assert [answer for answer in answered if "error" in answer] == []
    assert {json.loads(line)["cmd"] for line in requests} == {*engine.COMMANDS, "stop"}
    assert "docs/protocol.md" in ENGINE_HELP and (DOCS / "protocol.md").exists()


def test_unknown_keys_of_a_game_are_told_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_warned", set())
    game = {"players": 2, "acitons": ["place a1"], "names": ["Ada", "Bo"]}
    request = json.dumps({"id": 1, "cmd": "state", "game": game}).encode()
    for _ in range(2):
        assert "error" not in engine.answer(request)
    warned = capsys.readouterr().err
    assert warned.count("\n") == 1
    assert "a key 'acitons', which means nothing. Did you mean actions?" in warned


# From Python


def test_dir_shows_the_public_names_and_nothing_else() -> None:
    assert dir(sunglade) == sorted(sunglade.__all__)


def test_missing_file_is_a_file_not_found_error_too(tmp_path: Path) -> None:
    for kind in (FileNotFoundError, BadRequest, ValueError):
        with pytest.raises(kind, match="no such"):
            Game.load(tmp_path / "no such file")
    with pytest.raises(BadRequest) as folder:
        Game.load(tmp_path)
    assert not isinstance(folder.value, FileNotFoundError)


def test_sources_cite_only_documents_that_are_there() -> None:
    root = DOCS.parent
    cited = {
        (file.name, page)
        for file in (root / "src" / "sunglade").rglob("*.py")
        for page in re.findall(r"(?:docs/)?[\w-]+\.md\b", file.read_text(encoding="utf-8"))
    }
    assert [(name, page) for name, page in sorted(cited) if not _is_there(root, page)] == []
    assert any(page == "docs/protocol.md" for _, page in cited)


def _is_there(root: Path, page: str) -> bool:
    """Beside the pages there is what the client's build writes."""
    return any((root / place / page).exists() for place in ("", "docs", "src/sunglade/web"))


def test_bots_of_the_levels_are_named_in_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert " ".join(bots.LEVELS) in one_line(capsys.readouterr().out)
