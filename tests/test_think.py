"""`think` and `stop` of the engine, as another program meets them: a real process, real lines."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from sunglade import Game, engine
from sunglade.board import names_of
from sunglade.bots import make
from sunglade.bots.bot import Thought
from sunglade.bots.search import SearchBot
from sunglade.forecast import scores

ENGINE = [sys.executable, "-m", "sunglade", "engine"]
AN_HOUR = 3_600_000


class Process:
    """A running engine; answers may come in any order."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers: dict[Any, dict[str, Any]] = {}

    def send(self, **request: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def wait(self, identity: Any) -> dict[str, Any]:
        assert self.process.stdout
        while identity not in self.answers:
            answer = json.loads(self.process.stdout.readline())
            self.answers[answer["id"]] = answer
        return self.answers.pop(identity)

    def ask(self, **request: Any) -> dict[str, Any]:
        self.send(**request)
        return self.wait(request["id"])

    def think(self, **request: Any) -> dict[str, Any]:
        return self.ask(**{"id": 1, "cmd": "think", "game": {"players": 2}, "bot": "search"} | request)


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    running = Process()
    yield running
    assert running.process.stdin
    running.process.stdin.close()
    assert running.process.wait(timeout=300) == 0


def test_a_search_answers_with_action_value_and_lines(process: Process) -> None:
    answer = process.think(nodes=500, seed=1)
    lines = answer["lines"]
    assert answer["action"] == lines[0]["action"] and answer["action"] in Game(players=2).legal
    assert [line["visits"] for line in lines] == sorted((line["visits"] for line in lines), reverse=True)
    assert sum(line["visits"] for line in lines) == 500
    assert all(len(line["value"]) == 2 for line in lines) and sum(answer["value"]) == pytest.approx(1, abs=1e-3)


def test_the_same_nodes_and_seed_give_the_same_answer(process: Process) -> None:
    first, second, other = (process.think(nodes=300, seed=seed) for seed in (5, 5, 6))
    assert first == second != other


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_that_do_not_search_answer_too(process: Process, bot: str) -> None:
    answer = process.think(bot=bot, ms=100)
    assert answer["action"] in Game(players=2).legal
    assert answer["value"] is None and answer["lines"] == []


def test_other_requests_are_answered_while_it_thinks_and_stop_ends_it(process: Process) -> None:
    nodes = 10**8  # a thousand seconds and more
    process.send(id="long", cmd="think", game={"players": 3}, bot="search", nodes=nodes)
    assert process.ask(id=2, cmd="version")["protocol"] == 1
    assert process.ask(id=3, cmd="stop", stop="long") == {"id": 3, "stopped": True}
    answer = process.wait("long")
    assert sum(line["visits"] for line in answer["lines"]) < nodes
    assert answer["action"] in Game(players=3).legal and len(answer["value"]) == 3


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_an_engine_that_thinks() -> None:
    own = Process()
    own.send(id=2, cmd="think", game={"players": 2}, bot="search", ms=AN_HOUR)
    own.ask(id=3, cmd="version")
    own.process.send_signal(signal.SIGINT)
    assert own.process.wait(timeout=300) == 130


def test_what_is_being_thought_about_when_an_interrupt_comes_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, think = threading.Event(), SearchBot.think

    def begins(bot: SearchBot, game: Game, **limits: Any) -> Thought:
        begun.set()
        return think(bot, game, **limits)

    def requests() -> Iterator[bytes]:
        yield json.dumps({"id": 2, "cmd": "think", "game": {"players": 2}, "bot": "search", "ms": AN_HOUR}).encode()
        begun.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(SearchBot, "think", begins)
    answers = io.BytesIO()
    with pytest.raises(KeyboardInterrupt):
        engine.serve(requests(), answers)
    assert json.loads(answers.getvalue())["action"] in Game(players=2).legal


def test_a_stop_that_comes_too_late_is_no_error(process: Process) -> None:
    process.think(id=7, nodes=10)
    assert process.ask(id=8, cmd="stop", stop=7) == {"id": 8, "stopped": False}


def test_everything_asked_is_answered_before_the_engine_ends() -> None:
    requests = [{"id": i, "cmd": "think", "game": {"players": 2}, "bot": "search", "nodes": 50} for i in range(6)]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(ENGINE, input=text.encode(), capture_output=True, timeout=300, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(6))
    assert all(answer["action"] in Game(players=2).legal for answer in answers)


FINISHED = Game(players=2, rules={"rounds": 1})
for _line in ("place a1", "place g4", "place a3", "place g2", "end", "end"):
    FINISHED.play(_line)

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no budget": ({}, "ms"),
    "no time": ({"ms": 0}, "ms must be a whole number"),
    "negative time": ({"ms": -5}, "ms must be a whole number"),
    "time as text": ({"ms": "1000"}, "ms must be a whole number"),
    "time as truth": ({"ms": True}, "ms must be a whole number"),
    "time without end": ({"ms": 10**15}, "ms must be a whole number"),
    "no nodes": ({"nodes": 0}, "nodes must be a whole number"),
    "half a node": ({"nodes": 0.5}, "nodes must be a whole number"),
    "a seed that is none": ({"nodes": 5, "seed": "x"}, "seed must be a whole number"),
    "unknown bot": ({"ms": 10, "bot": "sequoia9"}, "random, greedy, search"),
    "bot of a wrong type": ({"ms": 10, "bot": ["search"]}, "there is no bot"),
    "no bot": ({"ms": 10, "bot": None}, "there is no bot"),
    "no game": ({"ms": 10, "game": None}, "game"),
    "finished game": ({"ms": 10, "game": FINISHED.to_dict()}, "over"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_makes_no_sense_is_refused_and_the_engine_goes_on(process: Process, case: str) -> None:
    request, words = BAD[case]
    error = process.think(**request)["error"]
    assert error["kind"] == "bad_request" and words in error["message"]


def test_a_stop_without_an_id_is_refused(process: Process) -> None:
    assert process.ask(id=9, cmd="stop")["error"]["kind"] == "bad_request"


@pytest.mark.parametrize("modules", [[], ["moon", "elder", "stones"]])
def test_the_network_foretells_points_and_who_stands_where(process: Process, modules: list[str]) -> None:
    """Also asked as the level that plays with it."""
    game = Game(3, {"modules": modules}, seed=5)
    for _ in range(30):
        game.play(game.legal[0])
    told = process.think(bot="elder", nodes=8, game=game.to_dict(), foretell=True)["foretold"]
    assert len(told["points"]) == 3 and len(told["standing"]) == 37
    assert all(len(chances) == 3 and 0 <= sum(chances) <= 1.02 for chances in told["standing"].values())


def test_what_is_foretold_in_the_last_round_comes_about(process: Process) -> None:
    """Seats and spaces are those of the board, though the network sees it turned and from whoever is to act."""
    game, bots = Game(3, seed=1), [make("birch", seed=seat) for seat in range(3)]
    asked = game.to_dict()
    while not game.over:
        if game.player == 1:
            asked = game.to_dict()
        game.play(bots[game.player or 0].act(game, 1000))
    told = process.think(bot="elder", nodes=8, game=asked, foretell=True)["foretold"]
    totals = [score.total for score in scores(game.now)]
    assert sorted(range(3), key=lambda seat: told["points"][seat]) == sorted(range(3), key=lambda seat: totals[seat])
    for seat in range(3):
        pieces = game.now.pieces
        spaces = set(names_of(pieces[seat, 0] | pieces[seat, 1] | pieces[seat, 2] | pieces[seat, 3]))
        likely = {space for space, chances in told["standing"].items() if chances[seat] > 0.5}
        assert len(spaces) > 3 and len(spaces ^ likely) <= 2


def test_who_has_no_network_foretells_nothing(process: Process) -> None:
    assert "foretold" not in process.think(nodes=50, foretell=True)
    assert "foretold" not in process.think(bot="elder", nodes=8)
