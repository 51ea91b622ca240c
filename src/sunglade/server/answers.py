"""Answers as bytes: views are made once and sent to many, so they are put together from JSON that is there already."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from pydantic_core import to_json

from sunglade.server.database import Database
from sunglade.server.room import Room, encoded_events
from sunglade.server.table import Event, Table


def json_answer(content: Any, status: int = 200) -> Response:
    """Any object."""
    return Response(to_json(content), status, media_type="application/json")


def joined(fields: dict[str, Any], **ready: bytes) -> bytes:
    """An object of plain fields and of fields whose JSON is there already."""
    start = to_json(fields)[:-1]
    comma = b"," if fields else b""
    return start + comma + b",".join(to_json(name) + b":" + value for name, value in ready.items()) + b"}"


async def news(database: Database, room: Room, since: int) -> bytes:
    """What happened after an event up to now, nothing left out; from the log where it is too long ago."""
    while (told := room.news_since(since)) is None:
        events = await database.log(room.table.name)
        if events[-1].seq >= room.table.seq:  # else the table went on while the log was read
            return _from_log(room.table, events, since)
    return told


def _from_log(table: Table, events: list[Event], since: int) -> bytes:
    past, parts = Table(table.name, events[0]), []
    for event in events[1 : table.seq]:
        happened = past.apply(event)
        if event.seq > since:
            parts.append(encoded_events(happened))
    return b"[" + b",".join(parts) + b"]"


async def update(database: Database, room: Room, since: int, **fields: Any) -> bytes:
    """What `schema.Update` tells: events and view belong together, and to the table as it is when this returns."""
    happened = await news(database, room, since)
    return joined({**fields, "seq": room.table.seq}, events=happened, view=room.view())
