"""What a page does, before anybody has it: run in a Pyodide that has nothing but the packed rooms and the kernel.

What of Python's library has been imported afterwards is what a page needs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Any

from sunglade import bots
from sunglade.page.door import Door, open_door
from sunglade.page.engine_lines import answered, lacks_network, take_network
from sunglade.prebuilt.way import Way, chosen

LIBRARY = "/lib/python314.zip/"
THINK_MS = 20
MODULES = ["moon", "elder", "stones"]


class Texts:
    """A store that forgets."""

    async def read(self) -> str:
        """Nothing was kept."""
        return "{}"

    async def write(self, change: str) -> None:
        """Nothing is kept."""


class Network:
    """The network as it is fetched; who packs has put it there."""

    def to_bytes(self) -> bytes:
        """Its bytes."""
        return Path("/network").read_bytes()


class Outside:
    """A page that remembers what it is told."""

    def __init__(self) -> None:
        self.answers: dict[int, dict[str, Any]] = {}
        self.said: list[dict[str, Any]] = []
        self.door: Door | None = None

    def answer(self, number: int, status: int, kind: str, body: str) -> None:
        """A request is answered."""
        self.answers[number] = {"status": status, **json.loads(body)}

    def opened(self, socket: int) -> None:
        """A line is open."""

    def heard(self, socket: int, text: str) -> None:
        """Something is said on it."""
        self.said.append(json.loads(text))

    def closed(self, socket: int, code: int, reason: str) -> None:
        """It is no more."""

    def ask(self, line: str) -> None:
        """The bots are asked, here and now, and answer quickly."""
        line = json.dumps(json.loads(line) | {"ms": THINK_MS})
        if lacks_network(line):
            take_network(Network())
        asyncio.get_running_loop().call_soon(lambda: self.door and self.door.thinkers.answered(answered(line)))


async def play() -> None:
    """Some of a game with all modules against bots of all levels that there are, and all that can be asked of it."""
    assert chosen() is Way.PREBUILT, "the kernel does not fit the rooms"
    outside = Outside()
    door = outside.door = await open_door(outside, Texts())
    for number, level in enumerate(bots.LEVELS):
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": level}]
        asked = {"seats": seats, "rules": {"modules": MODULES if number % 2 else []}, "seed": number}
        made = await _asked(outside, door, "POST", "/api/tables", body=asked)
        assert made["status"] == 201, made
        await _play(outside, door, made)
    puzzles = await _asked(outside, door, "GET", "/api/puzzles?day=2026-11-17")
    assert puzzles["status"] == 200, puzzles
    assert not lacks_network('{"bot": "elder"}'), "nobody asked for the network"
    try:
        raise ValueError("this is told by a traceback, which needs the library as well")
    except ValueError:
        logging.getLogger("sunglade.server").exception("a rehearsal")


async def _asked(
    outside: Outside, door: Door, method: str, path: str, token: str | None = None, body: object = None
) -> dict[str, Any]:
    number = len(outside.answers) + 1
    door.request(number, method, path, token, None if body is None else json.dumps(body))
    while number not in outside.answers:
        await asyncio.sleep(0.01)
    return outside.answers[number]


async def _play(outside: Outside, door: Door, made: dict[str, Any]) -> None:
    table, token = made["table"], made["token"]
    outside.said.clear()
    door.connect(1)
    door.say(1, json.dumps({"type": "hello", "table": table, "token": token, "since": 0}))
    played = 0
    while played < 3:
        view = next((said["view"] for said in reversed(outside.said) if "view" in said), None)
        if view is not None and view["turn"]["seat"] == 0:
            line = view["turn"]["legal"][-1]["line"]
            command = {"type": "command", "id": f"c{played}", "do": "play", "action": line, "expected": view["seq"]}
            outside.said.clear()
            door.say(1, json.dumps(command))
            played += 1
        await asyncio.sleep(0.01)
    door.hang_up(1)
    for method, path, body in (
        ("GET", "why?action=end", None),
        ("GET", "seats/0/animal", None),
        ("GET", "game", None),
        ("GET", "replay", None),
        ("POST", "hint", {"ms": 50}),
        ("GET", "nowhere", None),
    ):
        await _asked(outside, door, method, f"/api/tables/{table}/{path}", token, body)


def imported() -> str:
    """What of Python's library has been, by its names there."""
    places = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    return " ".join(place.removeprefix(LIBRARY) for place in places if place.startswith(LIBRARY))
