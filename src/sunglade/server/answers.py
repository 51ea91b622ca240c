"""Answers as bytes: views are made once and sent to many, so they are put together from JSON that is there already."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from pydantic_core import to_json

from sunglade.server.database import Database
from sunglade.server.room import Room, encoded_events
from sunglade.server.table import Table


def json_answer(content: Any, status: int = 200) -> Response:
    """Any object."""
    return Response(to_json(content), status, media_type="application/json")


def joined(fields: dict[str, Any], **ready: bytes) -> bytes:
    """An object of plain fields and of fields whose JSON is there already."""
    start = to_json(fields)[:-1]
    comma = b"," if fields else b""
    return start + comma + b",".join(to_json(name) + b":" + value for name, value in ready.items()) + b"}"


async def news(database: Database, room: Room, since: int) -> bytes:
    """What happened after an event; from the log where it is too long ago."""
    told = room.news_since(since)
    if told is not None:
        return told
    events = await database.log(room.table.name)
    table, parts = Table(room.table.name, events[0]), []
    for event in events[1:]:
        happened = table.apply(event)
        if since < event.seq <= room.table.seq:
            parts.append(encoded_events(happened))
    return b"[" + b",".join(parts) + b"]"


async def update(database: Database, room: Room, since: int, **fields: Any) -> bytes:
    """What `schema.Update` tells."""
    happened = await news(database, room, since)
    return joined({**fields, "seq": room.table.seq}, events=happened, view=room.view())
