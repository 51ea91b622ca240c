"""Answers as bytes: views are made once and sent to many, so they are put together from JSON that is there already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_json

from sunglade.server.archive import Archive
from sunglade.server.room import Room


def json_answer(content: Any, status: int = 200) -> Response:
    """Any object."""
    return Response(to_json(content), status, media_type="application/json")


def joined(fields: dict[str, Any], **ready: bytes) -> bytes:
    """An object of plain fields and of fields whose JSON is there already."""
    start = to_json(fields)[:-1]
    comma = b"," if fields else b""
    return start + comma + b",".join(to_json(name) + b":" + value for name, value in ready.items()) + b"}"


async def update(archive: Archive, room: Room, since: int, **fields: Any) -> tuple[int, bytes]:
    """What `schema.LiveUpdate` tells: events after one and the table as it is; with the number of the last event."""
    seq, events = await archive.page(room, since)
    more = {"more": True} if seq < room.table.seq else {}
    return seq, joined({**fields, "seq": seq, **more}, events=events, view=room.view())


async def whole_update(archive: Archive, room: Room, since: int, **fields: Any) -> Response:
    """What `schema.Update` tells: all events after one, however many, and the table as it was with the last of them."""
    if room.remembers(since):
        _, told = await update(archive, room, since, **fields)
        return Response(told, media_type="application/json")
    seq, view = room.table.seq, room.view()
    start = joined({**fields, "seq": seq}, events=b"")
    parts = (start[:-1], _pages(archive, room, since, seq), b',"view":' + view + b"}")
    return StreamingResponse(_chained(*parts), media_type="application/json")


async def whole_past(archive: Archive, room: Room, since: int) -> Response:
    """All events after one."""
    return StreamingResponse(_pages(archive, room, since, room.table.seq), media_type="application/json")


async def _chained(before: bytes, between: AsyncIterator[bytes], after: bytes) -> AsyncIterator[bytes]:
    yield before
    async for part in between:
        yield part
    yield after


async def _pages(archive: Archive, room: Room, since: int, until: int) -> AsyncIterator[bytes]:
    """A JSON list of what was told, a page at a time: whoever takes it slowly keeps no more than that in memory."""
    yield b"["
    begun = False
    while since < until:
        since, page = await archive.page(room, since, until)
        told = page[1:-1]
        yield b"," + told if begun and told else told
        begun = begun or bool(told)
    yield b"]"
