"""Plays whole tables in a page where nothing can be imported that only servers have: what a browser lives with."""

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


class Thinking:
    """Bots that think at once, here."""

    async def think(self, game: dict[str, Any], bot: str, *, seed: int, **_: Any) -> dict[str, Any]:
        from sunglade import bots
        from sunglade.game import Game

        return {"action": bots.make(bot, seed=seed).act(Game.from_dict(game), 50)}


class Shelf:
    """What a device keeps when a page is left."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    async def load(self) -> dict[str, str]:
        return dict(self.texts)

    async def commit(self, changes: dict[str, str | None]) -> None:
        kept = self.texts | {key: text for key, text in changes.items() if text is not None}
        self.texts = {key: text for key, text in kept.items() if changes.get(key, text) is not None}


async def opened(shelf: Shelf) -> Any:
    """A page with the tables of a device."""
    from sunglade.page.house import Pace, PageHouse
    from sunglade.page.stored_log import StoredLog

    house = PageHouse(await StoredLog.opened(shelf), Thinking(), Pace(50, 0.0))
    await house.start()
    return house


async def ask(house: Any, method: str, path: str, body: Any = None, token: str | None = None, **query: Any) -> Any:
    """A request and its answer."""
    given = [(name, str(value)) for name, value in query.items()]
    status, answer = await house.request(method, path, given, token, "" if body is None else json.dumps(body))
    assert status < 400, answer
    return json.loads(answer)


async def play(rules: dict[str, Any], seats: list[dict[str, Any]], choose: random.Random) -> Any:
    """Two games in a row, the second a rematch, while pages are left and opened again; what the first came to."""
    from sunglade.table import table_registry

    vars(table_registry)["new_table_name"] = map("table{}".format, itertools.count()).__next__  # whence bots' chance
    shelf = Shelf()
    house = await opened(shelf)
    seated = await ask(house, "POST", "tables", {"seats": seats, "rules": rules, "seed": 5, "takeover_after": None})
    house, first = await finish(house, shelf, seated, choose)
    rematch = await ask(house, "POST", f"tables/{seated['table']}/rematch", token=seated["token"])
    house, _ = await finish(house, shelf, rematch, choose)
    await house.stop()
    return first


async def finish(house: Any, shelf: Shelf, seated: dict[str, Any], choose: random.Random) -> tuple[Any, Any]:
    """A person plays a game to its end and sometimes takes back; then it is replayed, saved and told again."""
    from sunglade.table.memory_log import MemoryLog
    from sunglade.table.table import Table

    name, token, view = seated["table"], seated["token"], seated["view"]
    path, number = f"tables/{name}", 0
    while view["status"] != "over":
        turn, number = view["turn"], number + 1
        if turn["seat"] not in seated["seats"]:
            update = await ask(house, "GET", path, token=token, since=view["seq"], wait=30)
            assert update["events"], "a bot does not act"
            view = update["view"]
            continue
        undo = turn["can_undo"] and choose.random() < 0.2
        line = None if undo else choose.choice(turn["legal"])["line"]
        command = {"id": f"c{number}", "do": "undo" if undo else "play", "expected": view["seq"], "action": line}
        answers = [await ask(house, "POST", f"{path}/commands", command, token) for _ in range(2)]
        assert answers[0]["acknowledged"] == answers[1]["acknowledged"]
        view = answers[1]["view"]
        if choose.random() < 0.1:
            await house.stop()
            house = await opened(shelf)
    log: MemoryLog = house._log
    assert view["ran"] is None, "tables on a device have no clocks"
    assert json.loads(json.dumps(Table.from_log(name, await log.log(name)).view())) == {
        key: value for key, value in view.items() if key not in ("seats", "watching", "stand_in_at", "ran")
    }
    told = await ask(house, "GET", f"{path}/events")
    assert {event["seq"] for event in told} == set(range(2, view["seq"] + 1))
    replay = await ask(house, "GET", f"{path}/replay", first=0)
    game = await ask(house, "GET", f"{path}/game")
    assert replay["total"] == len(game["actions"]) + 1
    return house, {"game": game, "scores": view["scores"], "frame": replay["frames"][-1]}


def main() -> None:
    """A hot seat with a bot; all modules with a person and bots."""
    if "--everything" not in sys.argv:
        forbid()
    me, bot = {"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}
    for rules, seats in (
        ({"rounds": 4}, [me, {"kind": "me", "name": "Ben"}, bot]),
        ({"rounds": 3, "modules": ["moon", "elder", "stones"]}, [bot, me, {"kind": "bot", "level": "greedy"}]),
    ):
        print(json.dumps(asyncio.run(play(rules, seats, random.Random(3)))))


if __name__ == "__main__":
    main()
