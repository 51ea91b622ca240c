"""Answers as bytes: views are made once and sent to many, so they are put together from JSON that is there already."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from sunglade.table.archive import Archive
from sunglade.table.json_text import JsonWriter
from sunglade.table.problems import ServerProblem
from sunglade.table.room import Room
from sunglade.table.trouble import DatabaseTrouble, log_trouble

Answer = bytes | AsyncIterator[bytes]
"""JSON, whole, or a part at a time where it may be long."""


def joined(write: JsonWriter, fields: dict[str, Any], **ready: bytes) -> bytes:
    """An object of plain fields and of fields whose JSON is there already."""
    start = write(fields)[:-1]
    comma = b"," if fields else b""
    return start + comma + b",".join(write(name) + b":" + value for name, value in ready.items()) + b"}"


async def update(archive: Archive, room: Room, since: int, **fields: Any) -> tuple[int, bytes]:
    """What `schema.LiveUpdate` tells: events after one and the table as it is; with the number of the last event."""
    seq, events = await archive.page(room, since)
    more = {"more": True} if seq < room.table.seq else {}
    return seq, joined(archive.write, {**fields, "seq": seq, **more}, events=events, view=room.view())


async def whole_update(archive: Archive, room: Room, since: int, **fields: Any) -> Answer:
    """What `schema.Update` tells: all events after one, however many, and the table as it was with the last of them."""
    if room.remembers(since):
        _, told = await update(archive, room, since, **fields)
        return told
    seq, view = room.table.seq, room.view()
    start = joined(archive.write, {**fields, "seq": seq}, events=b"")
    return await _in_pages(archive, room, since, seq, start[:-1], b',"view":' + view + b"}")


async def whole_past(archive: Archive, room: Room, since: int) -> Answer:
    """All events after one."""
    return await _in_pages(archive, room, since, room.table.seq)


async def _in_pages(
    archive: Archive, room: Room, since: int, until: int, before: bytes = b"", after: bytes = b""
) -> Answer:
    """A JSON list of what was told, a page at a time: whoever takes it slowly keeps no more than that in memory.

    The first page is there before the answer begins: until then it can still be refused.
    """
    reached, page = await archive.page(room, since, until)
    rest = _rest(archive, room, reached, until, begun=page != b"[]")
    return chained(before + page[:-1], rest, b"]" + after)


async def chained(before: bytes, between: AsyncIterator[bytes], after: bytes) -> AsyncIterator[bytes]:
    """One after the other. Where the middle breaks off so does the answer: it is no JSON, and is asked for again."""
    yield before
    try:
        async for part in between:
            yield part
    except DatabaseTrouble as trouble:
        log_trouble(trouble)
    except ServerProblem:  # the table is deleted
        pass
    else:
        yield after


async def _rest(archive: Archive, room: Room, since: int, until: int, *, begun: bool) -> AsyncIterator[bytes]:
    """The other pages, without brackets."""
    while since < until:
        since, page = await archive.page(room, since, until)
        if told := page[1:-1]:
            yield b"," + told if begun else told
            begun = True
