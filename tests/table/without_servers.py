"""Plays whole tables where nothing can be imported that only servers have: what a page in a browser lives with."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

FORBIDDEN = (
    "asyncpg", "fastapi", "llvmlite", "numba", "numpy", "opentelemetry", "prometheus_client", "pydantic",
    "pydantic_core", "sqlalchemy", "starlette", "uvicorn", "websockets",
)  # fmt: skip


def forbid() -> None:
    """From now on in this process whoever imports one of these fails."""
    sys.modules |= dict.fromkeys(FORBIDDEN)  # type: ignore[arg-type]
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "src"))


class Uncounted:
    """Nobody counts."""

    def count_rooms(self, rooms: int) -> None: ...

    def count_event(self, kind: str) -> None: ...

    def count_commit(self, seconds: float) -> None: ...

    def count_refusal(self, kind: str) -> None: ...


class Quick:
    """How quickly bots play."""

    turn_ms = 50
    bot_pace_s = 0.0


class Thinking:
    """Bots that think at once, here."""

    async def think(self, game: dict[str, Any], bot: str, *, seed: int, **_: Any) -> dict[str, Any]:
        from sunglade import bots
        from sunglade.game import Game

        return {"action": bots.make(bot, seed=seed).act(Game.from_dict(game), 50)}


async def play(rules: dict[str, Any], seats: list[dict[str, Any]], choose: random.Random) -> list[dict[str, Any]]:
    """Two games in a row, a rematch the second; what the first was, and the second."""
    from sunglade.table import table_registry
    from sunglade.table.autoplay import Autoplay
    from sunglade.table.memory_log import MemoryLog
    from sunglade.table.requests import CreateTable
    from sunglade.table.seating import setup_for
    from sunglade.table.shapes import ObjectOf

    log, levels = MemoryLog(), ("random", "greedy")
    vars(table_registry)["new_table_name"] = map("table{}".format, itertools.count()).__next__  # whence bots' chance
    registry = table_registry.TableRegistry(log, Uncounted(), levels, 10, shared=False)
    bots = Autoplay(registry, Thinking(), Quick(), "here")
    request = ObjectOf(CreateTable).read({"seats": seats, "rules": rules, "seed": 5, "takeover_after": None})
    room = await registry.create(setup_for(request, "ada", levels))
    first = await finish(registry, room.table.name, "ada", choose)
    data = await registry.rematch(room)
    second = await finish(registry, data["table"], data["holders"]["ada"], choose)
    await bots.stop()
    return [first, second]


async def finish(registry: Any, name: str, holder: str, choose: random.Random) -> dict[str, Any]:
    """A person plays a game to its end and sometimes takes back, while rooms leave memory and come back."""
    from sunglade.table.requests import Command
    from sunglade.table.table import Table

    number = 0
    while not (room := await registry.room(name)).table.game.over:
        table, number = room.table, number + 1
        if table.game.player not in table.seats_of(holder):
            await room.wait_for_news(table.seq, 300.0)
            assert room.table.seq > table.seq, "a bot does not act"
            continue
        undo = table.game.undoable() and choose.random() < 0.2
        do, line = ("undo", None) if undo else ("play", choose.choice(table.game.legal))
        command = Command(f"c{number}", do, expected=table.seq, action=line)
        assert await registry.act(room, holder, command) == await registry.act(room, holder, command)
        if choose.random() < 0.1:
            registry.rooms.pop(name)
    del room
    told = await registry.archive.page(await registry.room(name), 1)
    again = Table.from_log(name, await registry.database.log(name))
    now = (await registry.room(name)).table
    assert again.view() == now.view() and json.loads(told[1]) and told[0] == now.seq
    return {"game": now.shown(), "events": now.seq, "view": now.view() | {"created": 0, "table": "", "continues": ""}}


def main() -> None:
    """A hot seat with a bot; all modules with a person and bots."""
    if "--everything" not in sys.argv:
        forbid()
    me, bot = {"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}
    for rules, seats in (
        ({"rounds": 4}, [me, {"kind": "me", "name": "Ben"}, bot]),
        ({"rounds": 3, "modules": ["moon", "elder", "stones"]}, [bot, me, {"kind": "bot", "level": "greedy"}]),
    ):
        first, _ = asyncio.run(play(rules, seats, random.Random(3)))
        print(json.dumps(first))


if __name__ == "__main__":
    main()
