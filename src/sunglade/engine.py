"""The JSON-lines engine: `sunglade engine` (PROTOCOL.md, Engine protocol).

One request a line on standard input, one answer a line on standard output. Every request carries its whole game, so
the engine keeps no session and can be restarted at any time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO, Final

import sunglade
from sunglade import bots
from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.gamefile import parse_json
from sunglade.kernel.compiler import is_cold
from sunglade.rules import EDITIONS

PROTOCOL: Final = 1

Answer = dict[str, Any]


def _game(request: dict[str, Any]) -> Any:
    if "game" not in request:
        raise BadRequest(f"a {request['cmd']!r} request needs a game.")
    return request["game"]


def _state(request: dict[str, Any]) -> Answer:
    """The position at the end of a game, and what is legal there."""
    game = Game.from_dict(_game(request))
    return {"state": game.state(), "legal": game.legal}


def _trace(request: dict[str, Any]) -> Answer:
    """The position before the first action and after each one."""
    states, legal = [], []
    for game in Game.passing(_game(request)):
        states.append(game.state())
        legal.append(game.legal)
    return {"states": states, "legal": legal}


def _version(request: dict[str, Any]) -> Answer:
    return {
        "version": sunglade.__version__,
        "protocol": PROTOCOL,
        "editions": list(EDITIONS),
        "bots": list(bots.names()),
    }


COMMANDS: Final[dict[str, Callable[[dict[str, Any]], Answer]]] = {
    "state": _state,
    "trace": _trace,
    "version": _version,
}


def answer(line: bytes) -> Answer:
    """The answer to one request line, an error included."""
    identity = None
    try:
        request = parse_json(line)
        if not isinstance(request, dict):
            raise BadRequest('a request must be an object such as {"id": 1, "cmd": "version"}.')
        identity = request.get("id")
        command = request.get("cmd")
        if not isinstance(command, str) or command not in COMMANDS:
            raise BadRequest(f"cmd must be one of {', '.join(COMMANDS)}, not {command!r:.60}.")
        return {"id": identity, **COMMANDS[command](request)}
    except SungladeError as error:
        return {"id": identity, "error": error.as_dict()}
    except RecursionError:
        return {"id": identity, "error": BadRequest("the request is nested too deeply.").as_dict()}


def serve(requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer every line until there are no more."""
    for line in requests:
        if line.strip():
            answers.write(json.dumps(answer(line), separators=(",", ":")).encode() + b"\n")
            answers.flush()


def main() -> int:
    """Serve standard input and output."""
    if is_cold():
        print("Compiling the rules, once: about 15 seconds.", file=sys.stderr, flush=True)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
