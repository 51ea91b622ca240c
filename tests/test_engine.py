"""The JSON-lines engine, as another program meets it: a real process, real lines."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import sunglade
from sunglade import Game, engine
from sunglade.rules import EDITIONS

ENGINE = [sys.executable, "-m", "sunglade", "engine"]


class Process:
    """A running engine."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line: bytes) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, **request: Any) -> dict[str, Any]:
        return self.send(json.dumps(request).encode())


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    running = Process()
    yield running
    assert running.process.stdin
    running.process.stdin.close()
    assert running.process.wait(timeout=300) == 0


def random_game(seed: int, **options: Any) -> Game:
    choose = random.Random(seed)
    game = Game(choose.choice((2, 3, 4)), options, seed=seed)
    while not game.over:
        game.play(choose.choice(game.legal))
    return game


def test_version_names_protocol_editions_and_bots(process: Process) -> None:
    answer = process.ask(id=4, cmd="version")
    assert answer["id"] == 4
    assert answer["version"] == sunglade.__version__
    assert answer["protocol"] == 1
    assert answer["editions"] == list(EDITIONS)
    assert {"random", "greedy"} <= set(answer["bots"])


def test_state_is_the_end_of_the_game(process: Process) -> None:
    game = Game(2, actions=["place a1", "place g4"])
    answer = process.ask(id="x", cmd="state", game=game.to_dict())
    assert answer == {"id": "x", "state": game.state(), "legal": game.legal}


@pytest.mark.parametrize("modules", [[], ["moon", "elder", "stones"]])
def test_trace_has_a_state_before_the_first_action_and_after_each(process: Process, modules: list[str]) -> None:
    game = random_game(5, modules=modules)
    answer = process.ask(id=2, cmd="trace", game=game.to_dict())
    replayed = list(game.replay())
    assert len(answer["states"]) == len(game.actions) + 1
    assert answer["states"] == [step.state() for step in replayed]
    assert answer["legal"] == [step.legal for step in replayed]
    assert answer["legal"][-1] == []
    assert answer["states"][-1]["winners"] == game.winners


def test_a_redacted_game_is_answered_like_the_full_one(process: Process) -> None:
    game = random_game(11, modules=["moon"])
    for _ in range(60):
        game.undo()
    full = process.ask(id=1, cmd="state", game=game.to_dict())
    known = process.ask(id=1, cmd="state", game=game.redacted().to_dict())
    assert full == known


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"{", "bad_json"),
        (b'{"id": NaN}', "bad_json"),
        (b"\xff\xfe", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b"[]", "bad_request"),
        (b'{"id": 1}', "bad_request"),
        (b'{"id": 1, "cmd": "dance"}', "bad_request"),
        (b'{"id": 1, "cmd": ["state"]}', "bad_request"),
        (b'{"id": 1, "cmd": "state"}', "bad_request"),
        (b'{"id": 1, "cmd": "state", "game": 3}', "bad_request"),
        (b'{"id": 1, "cmd": "state", "game": {"players": "2"}}', "bad_request"),
        (b'{"id": 1, "cmd": "state", "game": {"players": 5}}', "bad_rules"),
        (b'{"id": 1, "cmd": "state", "game": {"players": 2, "rules": {"edition": "xx"}}}', "bad_rules"),
        (b'{"id": 1, "cmd": "state", "game": {"players": 2, "actions": ["dance"]}}', "illegal_action"),
    ],
)
def test_bad_input_is_answered_and_the_engine_goes_on(process: Process, line: bytes, kind: str) -> None:
    error = process.send(line)["error"]
    assert error["kind"] == kind
    assert error["message"]
    assert process.ask(id=9, cmd="version")["id"] == 9


def test_an_illegal_action_is_found_by_its_index(process: Process) -> None:
    game = {"players": 2, "actions": ["place a1", "place a2", "place a2"]}
    error = process.ask(id=1, cmd="trace", game=game)["error"]
    assert error["kind"] == "illegal_action"
    assert error["at"] == 2
    assert "a2 isn’t empty" in error["message"]


def test_hatching_a_baby_that_is_not_known_is_a_bad_request() -> None:
    for seed in range(200):
        game = random_game(seed, modules=["moon"])
        if "turtle.hatch" in game.actions:
            break
    shown = game.to_dict()
    shown["deal"]["babies"] = [None] * 6
    answer = engine.answer(json.dumps({"id": 1, "cmd": "state", "game": shown}).encode())
    assert answer["error"]["kind"] == "bad_request"
    assert answer["error"]["at"] == game.actions.index("turtle.hatch")


def test_empty_lines_are_passed_over_and_the_end_of_input_ends_it() -> None:
    done = subprocess.run(ENGINE, input=b'\n\n{"id": 1, "cmd": "version"}\n\n', capture_output=True, timeout=300)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""
