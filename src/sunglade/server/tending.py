"""What an operator does to a single table, while servers run or not; they notice within a quarter of a minute."""

from __future__ import annotations

from typing import Any

from sunglade.errors import BadRequest
from sunglade.server.bans import PERSON
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.table.names import clean_name
from sunglade.table.problems import ServerProblem
from sunglade.table.table import Intent, Table
from sunglade.table.table_registry import TableRegistry


async def close_table(database: Database, name: str) -> None:
    """Delete a table, whole; whoever is there is told."""
    if not await database.delete_table(name):
        raise BadRequest(f"there is no table {name!r:.60}.")


async def free_seat(database: Database, name: str, seat: int) -> None:
    """Make a person leave a seat for good: the seat does not remember them."""

    await _change_seat(database, name, seat, "left", {"for_good": True})


async def rename_seat(database: Database, name: str, seat: int, called: str) -> str:
    """Give a person another name at a table; the name as it is kept."""
    try:
        clean = clean_name(called)
    except ServerProblem as problem:
        raise BadRequest(problem.message) from None
    await _change_seat(database, name, seat, "renamed", {"name": clean})
    return clean


async def _change_seat(database: Database, name: str, seat: int, kind: str, data: dict[str, Any]) -> None:
    """An event about the seat of a person."""

    def change(table: Table) -> Intent:
        _check_seat(table, seat)
        if table.chairs[seat].kind != "person":
            raise BadRequest(f"nobody sits in seat {seat} of table {name}.")
        return Intent(kind, seat, data)

    registry = _registry(database)
    try:
        await registry.record(await registry.room(name), change)
    except ServerProblem as problem:
        raise BadRequest(f"table {name}: {problem.message}") from None


async def mute_seat(database: Database, name: str, seat: int, *, muted: bool) -> None:
    """Let whoever sits in a seat say nothing more, or again; what was said stays."""
    try:
        _check_seat((await _registry(database).room(name)).table, seat)
    except ServerProblem as problem:
        raise BadRequest(f"table {name}: {problem.message}") from None
    if not await database.mute(name, seat, muted=muted):
        raise BadRequest(f"there is no table {name!r:.60}.")


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.chairs):
        raise BadRequest(f"table {table.name} has seats 0 to {len(table.chairs) - 1}, not {seat}.")


async def who_sits(database: Database, name: str) -> list[str]:
    """Each seat in a line: who sits there, and the person they are where they want to be known again."""
    try:
        table = (await _registry(database).room(name)).table
    except ServerProblem as problem:
        raise BadRequest(f"table {name}: {problem.message}") from None
    people = {holder.id: holder.person for holder in await database.holders([name]) if holder.person is not None}
    lines = []
    for seat, chair in enumerate(table.chairs):
        person = people.get(chair.holder or "")
        who = table.called(seat) or "without a name"
        known = f" ({PERSON}{person})" if person is not None else ""
        lines.append(f"{seat}: {chair.kind}" + (f", {who}{known}" if chair.kind != "open" else ""))
    return lines


def _registry(database: Database) -> TableRegistry:
    return TableRegistry(database, Metrics(), (), 1, shared=True)
