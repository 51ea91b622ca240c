"""Tables with long logs, put into a database without playing them through a server."""

from __future__ import annotations

import random
from typing import Any

from sunglade.table.agreement import RULES_VERSION
from sunglade.table.requests import CreateTable
from sunglade.table.room import encoded_events
from sunglade.table.seating import setup_for
from sunglade.table.shapes import ObjectOf
from sunglade.table.table import Event, Table
from sunglade.table.table_log import Append, TableLog, new_holder_row

HOLDER = "ada"
TOKEN = "ada-s-token-at-long-tables"
ROW = {"changed": 1.0, "status": "playing", "bot_due": False, "deadline": None, "listing": None, "rating_due": False}


def long_log(name: str, count: int) -> tuple[list[Event], list[str]]:
    """A game in which much is taken back: its events, and what is told of each."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}]
    request = {"seats": seats, "rules": {"rounds": 100}, "seed": 1}
    setup = setup_for(ObjectOf(CreateTable).read(request), HOLDER, ["greedy"])
    first = Event(1, 1.0, "created", None, setup.to_dict())
    table, rng, events, told = Table(name, first), random.Random(1), [first], [""]
    while len(events) < count:
        event = Event(len(events) + 1, 1.0, *_next(table, rng), holder=HOLDER, command=f"c{len(events)}")
        told.append(encoded_events(table.apply(event)).decode())
        events.append(event)
    return events, told


def _next(table: Table, rng: random.Random) -> tuple[str, int | None, dict[str, Any]]:
    game = table.game
    if game.undoable():
        return "undo", game.player, {}
    busy = [line for line in game.legal if line != "end"]
    line = rng.choice(busy) if busy and rng.random() < 0.99 else game.legal[0]
    return "play", game.player, {"action": line}


async def put(database: TableLog, name: str, count: int, *, untold: bool = False) -> list[str]:
    """A table with a long log; `untold`: as written by a version that did not keep what was told."""
    events, told = long_log(name, count)
    more = {"id": name, "created": 1.0, "rules_version": RULES_VERSION, "invite": None, "uploaded": False}
    row = {**ROW, **more, "seq": 1, "leased_until": 0.0}
    await database.create(row, events[0], [new_holder_row(name, HOLDER, TOKEN)])
    wanted = [
        Append(name, event, {**ROW, "seq": event.seq}, told=None if untold else text)
        for event, text in zip(events[1:], told[1:], strict=True)
    ]
    for start in range(0, len(wanted), 500):
        assert all(await database.append(wanted[start : start + 500]))
    return told
