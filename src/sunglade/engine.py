"""The JSON-lines engine: `sunglade engine` (docs/protocol.md, Engine protocol).

One request a line on standard input, one answer a line on standard output. Every request carries its whole game, so
the engine keeps no session and can be restarted at any time. Bots think in threads of their own: other requests are
answered meanwhile, `stop` among them.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any, BinaryIO, Final

import sunglade
from sunglade import bots
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.gamefile import OWN_KEYS, parse_json
from sunglade.kernel.compiler import is_cold
from sunglade.rules import EDITIONS
from sunglade.search import is_cold as search_is_cold
from sunglade.suggest import did_you_mean
from sunglade.teaching.advice import Advice, advise
from sunglade.teaching.reasons import told

PROTOCOL: Final = 1

THINKERS: Final = 4
"""Requests to think that are worked on at a time; others wait for their turn."""
MAX_MS: Final = 24 * 3600 * 1000
MAX_NODES: Final = 10**9

Request = dict[str, Any]
Answer = dict[str, Any]


KNOWN_EXTRAS: Final = ("names", "seats", "arena", "date", "dates", "clock", "clocks", "comment", "comments")
"""Keys of a game, beside its own, that programs are known to write; others may be slips of the pen."""
MOST_WARNINGS: Final = 20

_warned: set[str] = set()


def _game(request: Request) -> Any:
    if "game" not in request:
        raise BadRequest(f"a {request['cmd']!r} request needs a game.")
    game = request["game"]
    if isinstance(game, dict):
        _warn_of_unknown_keys(game)
    return game


def _warn_of_unknown_keys(game: dict[str, Any]) -> None:
    """Tell people, once for each key, what the rules will not look at: `action` may be meant to be `actions`."""
    for key in game.keys() - {*OWN_KEYS, *KNOWN_EXTRAS} - _warned:
        if len(_warned) < MOST_WARNINGS:
            _warned.add(key)
            near = did_you_mean(key, OWN_KEYS)
            print(f"sunglade: the game has a key {key!r:.60}, which means nothing.{near}", file=sys.stderr, flush=True)


def _state(request: Request) -> Answer:
    """The position at the end of a game, and what is legal there."""
    game = Game.from_dict(_game(request))
    return {"state": game.state(), "legal": game.legal}


def _trace(request: Request) -> Answer:
    """The position before the first action and after each one."""
    states, legal = [], []
    for game in Game.passing(_game(request)):
        states.append(game.state())
        legal.append(game.legal)
    return {"states": states, "legal": legal}


def _version(request: Request) -> Answer:
    return {
        "version": sunglade.__version__,
        "protocol": PROTOCOL,
        "editions": list(EDITIONS),
        "bots": list(bots.names()),
    }


def _number(request: Request, key: str, least: int, most: int) -> int | None:
    """A whole number of a request, None where it is not given."""
    value = request.get(key)
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        raise BadRequest(f"{key} must be a whole number from {least} to {most}, not {value!r:.60}.")
    return value


def _think(request: Request, stop: Event) -> Answer:
    """What a bot would play; one that searches also says what the position and its actions are worth."""
    name = request.get("bot")
    if not isinstance(name, str) or name not in bots.names():
        raise BadRequest(f"there is no bot {name!r:.60}; the bots are {', '.join(bots.names())}.")
    ms, nodes = _number(request, "ms", 1, MAX_MS), _number(request, "nodes", 1, MAX_NODES)
    if ms is None and nodes is None:
        raise BadRequest("a 'think' request needs ms (the time left for this turn) or nodes.")
    seed = _number(request, "seed", 0, 2**63 - 1) or 0
    game = Game.from_dict(_game(request)).redacted()
    if game.over:
        raise BadRequest("the game is over, there is nothing to think about.")
    bot = bots.make(name, seed=seed)
    bots.check(bot, name, game.players, game.rules)
    if not isinstance(bot, bots.Analyst):
        return {"action": bot.act(game, ms or 0), "value": None, "lines": []}
    limits: dict[str, Any] = {"ms": ms, "nodes": nodes, "stop": stop}
    thought = advise(bot, game, **limits) if request.get("reasons") is True else bot.think(game, **limits)
    note = bots.note_of(bot)
    if note is not None:
        print(note, file=sys.stderr, flush=True)
    lines = [{"action": line.action, "visits": line.visits, "value": line.value} for line in thought.lines]
    why = {"reasons": told(thought.reasons)} if isinstance(thought, Advice) else {}
    foretold = _foretold(bot, game) if request.get("foretell") is True else {}
    return {"action": thought.action, "value": thought.value, "lines": lines, **why, **foretold}


def _foretold(bot: bots.Bot, game: Game) -> Answer:
    """How a bot expects the game to end, in the order of the board's spaces; nothing from one that cannot say so."""
    found = bot.foretell(game) if isinstance(bot, bots.Foreteller) else None
    return {} if found is None else {"foretold": {"points": found.points, "standing": found.standing}}


COMMANDS: Final[dict[str, Callable[[Request], Answer]]] = {
    "state": _state,
    "trace": _trace,
    "version": _version,
    "think": lambda request: _think(request, Event()),
}


def _failure(identity: Any, error: SungladeError | RecursionError) -> Answer:
    """The answer to a request that cannot be met."""
    reason = error if isinstance(error, SungladeError) else BadRequest("the request is nested too deeply.")
    return {"id": identity, "error": reason.as_dict()}


def _request(line: bytes) -> Request:
    """A request line as an object."""
    request = parse_json(line)
    if not isinstance(request, dict):
        raise BadRequest('a request must be an object such as {"id": 1, "cmd": "version"}.')
    return request


def _answered(request: Request, work: Callable[[Request], Answer]) -> Answer:
    """What some work answers to a request, an error included."""
    try:
        return {"id": request.get("id"), **work(request)}
    except (SungladeError, RecursionError) as error:
        return _failure(request.get("id"), error)


def _run(request: Request) -> Answer:
    """Carry out a command."""
    command = request.get("cmd")
    if not isinstance(command, str) or command not in COMMANDS:
        raise BadRequest(f"cmd must be one of {', '.join((*COMMANDS, 'stop'))}, not {command!r:.60}.")
    return COMMANDS[command](request)


def answer(line: bytes) -> Answer:
    """The answer to one request line, an error included, however long it takes."""
    try:
        request = _request(line)
    except (SungladeError, RecursionError) as error:
        return _failure(None, error)
    return _answered(request, _run)


class Engine:
    """Answers lines as they come: quick ones at once, those that think when they are ready."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._writing = Lock()
        self._thinkers = ThreadPoolExecutor(THINKERS)
        self._stops: dict[str, Event] = {}

    def take(self, line: bytes) -> None:
        """Answer a line, or begin to think about it."""
        try:
            request = _request(line)
        except (SungladeError, RecursionError) as error:
            self._write(_failure(None, error))
            return
        if request.get("cmd") == "think":
            stop = self._stops[_key(request.get("id"))] = Event()
            self._thinkers.submit(self._think, request, stop)
        else:
            self._write(_answered(request, self._stop if request.get("cmd") == "stop" else _run))

    def finish(self) -> None:
        """Wait until everything is answered."""
        self._thinkers.shutdown()

    def give_up(self) -> None:
        """Think no more: what is being thought about is answered now, what has not been begun not at all."""
        for stop in list(self._stops.values()):
            stop.set()
        self._thinkers.shutdown(cancel_futures=True)

    def _think(self, request: Request, stop: Event) -> None:
        """Think, in a thread of its own. A bot that breaks down must not leave its request unanswered."""
        try:
            result = _answered(request, lambda request: _think(request, stop))
        except Exception as error:
            traceback.print_exc()
            result = _failure(request.get("id"), BadRequest(f"the bot broke down: {error!r:.200}"))
        key = _key(request.get("id"))
        if self._stops.get(key) is stop:
            del self._stops[key]
        self._write(result)

    def _stop(self, request: Request) -> Answer:
        """End a `think` early; one that has just been answered needs no stop, so that is no error."""
        if "stop" not in request:
            raise BadRequest("a 'stop' request needs stop, the id of the request to end.")
        thinking = self._stops.get(_key(request["stop"]))
        if thinking is not None:
            thinking.set()
        return {"stopped": thinking is not None}

    def _write(self, result: Answer) -> None:
        line = json.dumps(result, separators=(",", ":")).encode() + b"\n"
        with self._writing:
            self._answers.write(line)
            self._answers.flush()


def _key(identity: Any) -> str:
    """Ids may be any JSON."""
    return json.dumps(identity, sort_keys=True)


def serve(requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer every line until there are no more."""
    engine = Engine(answers)
    try:
        for line in requests:
            if line.strip():
                engine.take(line)
        engine.finish()
    except KeyboardInterrupt:
        engine.give_up()
        raise


def main() -> int:
    """Serve standard input and output."""
    if is_cold():
        print("Compiling the rules, once: about 15 seconds.", file=sys.stderr, flush=True)
    if search_is_cold():
        words = "The first `think` of a bot that searches waits for a compiler, once, about a minute; "
        print(words + "`sunglade warm --search` does that ahead.", file=sys.stderr, flush=True)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
