"""What an operator does to a single table, while servers run or not; they notice within a quarter of a minute."""

from __future__ import annotations

from sunglade.errors import BadRequest
from sunglade.server.database import Database
from sunglade.server.metrics import Metrics
from sunglade.table.problems import ServerProblem
from sunglade.table.table import Intent, Table
from sunglade.table.table_registry import TableRegistry


async def close_table(database: Database, name: str) -> None:
    """Delete a table, whole; whoever is there is told."""
    if not await database.delete_table(name):
        raise BadRequest(f"there is no table {name!r:.60}.")


async def free_seat(database: Database, name: str, seat: int) -> None:
    """Make a person leave a seat for good: the seat does not remember them."""

    def leaving(table: Table) -> Intent:
        _check_seat(table, seat)
        if table.chairs[seat].kind != "person":
            raise BadRequest(f"nobody sits in seat {seat} of table {name}.")
        return Intent("left", seat, {"for_good": True})

    registry = TableRegistry(database, Metrics(), (), 1, shared=True)
    try:
        await registry.record(await registry.room(name), leaving)
    except ServerProblem as problem:
        raise BadRequest(f"table {name}: {problem.message}") from None


async def mute_seat(database: Database, name: str, seat: int, *, muted: bool) -> None:
    """Let whoever sits in a seat say nothing more, or again; what was said stays."""
    registry = TableRegistry(database, Metrics(), (), 1, shared=True)
    try:
        _check_seat((await registry.room(name)).table, seat)
    except ServerProblem as problem:
        raise BadRequest(f"table {name}: {problem.message}") from None
    if not await database.mute(name, seat, muted=muted):
        raise BadRequest(f"there is no table {name!r:.60}.")


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.chairs):
        raise BadRequest(f"table {table.name} has seats 0 to {len(table.chairs) - 1}, not {seat}.")
