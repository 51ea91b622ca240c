"""Programs as players: real processes that play, and real processes that misbehave in every way."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sunglade import BadRequest, Game, Rules, bots
from sunglade.bots import program as programs
from sunglade.bots.program import ProgramBot

EXAMPLES = Path(__file__).parents[2] / "examples"
STARTERS = {
    "Python": f"{sys.executable} {EXAMPLES / 'starter_bot.py'}",
    "JavaScript": f"node {EXAMPLES / 'starter_bot.mjs'}",
}
LOTS_MS = 60_000

PREFACE = "import json, os, sys, time\n"
ANSWER = "print(json.dumps({'id': request['id'], 'action': request['legal'][0]}), flush=True)\n"
LOOP = "for line in sys.stdin:\n    request = json.loads(line)\n    "


def command(folder: Path, code: str) -> str:
    file = folder / "bot.py"
    file.write_text(PREFACE + code)
    return f"{sys.executable} {file}"


@pytest.fixture(autouse=True)
def _programs_start_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are silent must not be waited for as long as an interpreter may take on a busy machine."""
    monkeypatch.setattr(programs, "START_MS", 5_000)


# The starters


@pytest.mark.parametrize("language", STARTERS)
@pytest.mark.parametrize(
    ("players", "rules"),
    [(2, Rules()), (4, Rules(edition="es", modules=["moon", "elder", "stones"], shade_forbids=True, rounds=4))],
    ids=["base", "everything"],
)
def test_starters_play_whole_games(language: str, players: int, rules: Rules) -> None:
    if language == "JavaScript" and shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    game, bot = Game(players, rules, seed=3), ProgramBot(STARTERS[language])
    while not game.over:
        game.play(bot.act(game.redacted(), LOTS_MS))
    bot.close()
    assert players > 2 or max(score.total for score in game.scores()) > 40


def test_starters_need_nothing_but_their_language() -> None:
    code = (EXAMPLES / "starter_bot.py").read_text()
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=b"", capture_output=True, check=True)
    assert done.stdout == done.stderr == b""
    assert "sunglade" not in [line.split()[1] for line in code.splitlines() if line.startswith(("import ", "from "))]


# What a program is told, and may answer


def test_a_program_is_told_what_the_protocol_says_and_nothing_hidden(tmp_path: Path) -> None:
    """M-SETUP-4."""
    file = tmp_path / "seen.jsonl"
    bot = ProgramBot(command(tmp_path, f"{LOOP}open({str(file)!r}, 'a').write(line)\n    {ANSWER}"))
    game = Game(2, Rules(modules=["moon"]), seed=1)
    bot.act(game, LOTS_MS)
    bot.close()
    request = json.loads(file.read_text())
    assert set(request) == {"id", "cmd", "game", "state", "legal", "ms"} and request["cmd"] == "act"
    assert request["state"] == game.state() and request["legal"] == game.legal and request["ms"] == LOTS_MS
    assert "seed" not in request["game"] and set(request["game"]["deal"]["babies"]) == {None}
    assert Game.from_dict(request["game"]).legal == game.legal


def test_what_it_says_is_passed_on_to_people(tmp_path: Path) -> None:
    answer = "{'id': request['id'], 'action': request['legal'][0], 'say': 'hi\\x1b[2Jthere', 'value': 0.5}"
    bot = ProgramBot(command(tmp_path, f"{LOOP}print(json.dumps({answer}), flush=True)"))
    bot.act(Game(2), LOTS_MS)
    bot.close()
    assert bots.note_of(bot) == "hi[2Jthere (value 0.5)"


def test_one_process_serves_many_requests(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    bot = ProgramBot(command(tmp_path, f"open({str(starts)!r}, 'a').write('x')\n{LOOP}{ANSWER}"))
    for _ in range(5):
        assert bot.act(Game(2), LOTS_MS) == "place a1"
    bot.close()
    assert starts.read_text() == "x"


# Breaking down

BREAKDOWNS = {
    "dies at start": ("sys.exit(3)", "ended with exit code 3"),
    "crashes": (f"{LOOP}1 / 0", "ended with exit code 1, saying 'ZeroDivisionError: division by zero'"),
    "closes its output": (f"{LOOP}os.close(1); time.sleep(600)", "closed its standard output"),
    "is silent": ("time.sleep(600)", "did not answer within"),
    "prints text": (f"{LOOP}print('hello', flush=True)", "answered 'hello', which is not JSON"),
    "prints bytes": (f"{LOOP}os.write(1, b'\\xff\\xfe\\n')", "which is not JSON"),
    "answers a list": (f"{LOOP}print('[1]', flush=True)", "answered '[1]' instead of"),
    "has no action": (f"{LOOP}print('{{}}', flush=True)", "answered '{}' instead of"),
    "action of a wrong type": (
        f"{LOOP}print(json.dumps({{'id': request['id'], 'action': 7}}), flush=True)",
        "instead of",
    ),
    "answers another request": (f"{LOOP}request['id'] = 99; {ANSWER}", "answered request 99 instead of 1"),
    "illegal action": (f"{LOOP}request['legal'] = ['grow d4']; {ANSWER}", "'grow d4', which is not a legal action"),
    "a line without end": (f"{LOOP}os.write(1, b'x' * 3_000_000)", "a line of more than"),
    "endless lines": ("while True: print('x' * 1000)", "which is not JSON"),
    "a flood of errors": (f"os.write(2, b'e' * 5_000_000)\n{LOOP}sys.exit('why')", "ended with exit code 1"),
}


@pytest.mark.parametrize("how", BREAKDOWNS)
def test_a_breakdown_is_told_in_a_sentence_and_leaves_no_process(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "is silent":
        monkeypatch.setattr(programs, "START_MS", 0)
    code, told = BREAKDOWNS[how]
    started: list[subprocess.Popen[bytes]] = []

    class Popen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **options: Any) -> None:
            super().__init__(*args, **options)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    bot = ProgramBot(command(tmp_path, code))
    with pytest.raises(bots.BotFailed) as failure:
        bot.act(Game(2), 300 if how == "is silent" else 20_000)
    assert told in failure.value.message and failure.value.message.endswith(".")
    assert [process.poll() is not None for process in started] == [True]


def test_a_late_answer_is_no_answer_and_does_not_answer_the_next_request(tmp_path: Path) -> None:
    late = f"{LOOP}time.sleep(3 if request['id'] == 2 else 0)\n    {ANSWER}"
    bot = ProgramBot(command(tmp_path, late))
    assert bot.act(Game(2), LOTS_MS) == "place a1"
    with pytest.raises(bots.BotFailed, match="did not answer within"):
        bot.act(Game(2), 100)
    assert bot.act(Game(2), LOTS_MS) == "place a1"  # by a new process
    bot.close()


def test_a_program_that_is_not_there_is_refused() -> None:
    for name in ("no-such-program --fast", "greeedy"):
        with pytest.raises(BadRequest, match=r"neither a bot nor a program .*; the bots are random, greedy"):
            bots.find_program(name)
    with pytest.raises(bots.BotFailed, match="could not be started"):
        ProgramBot("./no-such-program").act(Game(2), 100)


def test_commands_that_cannot_be_read_are_refused() -> None:
    for text, told in (("'open", "cannot be read"), ("", "needs its command line")):
        with pytest.raises(BadRequest, match=told):
            ProgramBot(text)
