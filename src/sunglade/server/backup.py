"""Backup and restore: everything in one file that any database can be filled from, made while the server runs.

A file of JSON lines, compressed: a header, then the rows. Reading happens in one transaction, so it is one moment.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import IO, Any, Final

import sqlalchemy as sa

from sunglade.errors import BadRequest
from sunglade.server import sql_schema as db
from sunglade.server.database import Database
from sunglade.server.migrations import NEWEST, upgrade

FORMAT: Final = "sunglade-tables/1"
KEPT: Final = (
    db.tables, db.events, db.holders, db.codes, db.people, db.person_keys, db.person_codes, db.talk,
    db.standings, db.rated_games, db.rated_seats,
)  # fmt: skip
"""Not who is told of tables, nor the key for it (docs/operating.md)."""
TOGETHER: Final = 500


async def backup(database: Database, path: Path) -> int:
    """Write everything to a file, whole or not at all; how many tables."""
    await upgrade(database)
    trial = path.with_name(f".{path.name}.new")
    try:
        with gzip.open(trial, "wt", encoding="utf-8") as file:
            count = await _write(database, file)
        with open(trial, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(trial, path)
    except OSError as error:
        raise BadRequest(f"cannot write {str(path)!r}: {error.strerror or error}.") from None
    finally:
        trial.unlink(missing_ok=True)
    return count


async def backup_to(database: Database, stream: IO[bytes]) -> int:
    """Write everything to a stream; how many tables. Whoever reads less than all of it cannot restore it."""
    await upgrade(database)
    with gzip.open(stream, "wt", encoding="utf-8") as file:
        return await _write(database, file)


async def _write(database: Database, file: IO[str]) -> int:
    count = 0
    file.write(json.dumps({"format": FORMAT, "schema": NEWEST}) + "\n")
    async with database.engine.connect() as connection:
        if database.kind == "postgresql":
            connection = await connection.execution_options(isolation_level="REPEATABLE READ")
        for table in KEPT:
            async with connection.stream(sa.select(table)) as rows:
                async for row in rows.mappings():
                    file.write(json.dumps({"in": table.name, **row}) + "\n")
                    count += table is db.tables
    return count


async def restore(database: Database, source: Path | IO[bytes]) -> int:
    """Fill an empty database from a backup, all of it or nothing; how many tables."""
    await upgrade(database)
    if await database.one(sa.select(db.tables.c.id).limit(1)) is not None:
        raise BadRequest("the database has tables already; a backup is restored into an empty one.")
    name = repr(str(source)) if isinstance(source, Path) else "standard input"
    try:
        with gzip.open(source, "rt", encoding="utf-8") as file:
            return await _read(database, file, name)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadRequest(f"cannot read {name}: {reason}.") from None


async def _read(database: Database, file: IO[str], name: str) -> int:
    named = {table.name: table for table in KEPT}
    header = _line(file.readline(), name, 1)
    if header.get("format") != FORMAT:
        raise BadRequest(f"{name} is not a backup of tables.")
    count = 0
    async with database.engine.begin() as connection:
        waiting: list[dict[str, Any]] = []
        last: sa.Table | None = None
        for number, text in enumerate(file, start=2):
            row = _line(text, name, number)
            table = named.get(row.pop("in", ""))
            if table is None:
                raise BadRequest(f"{name}, line {number}: a row of an unknown kind.")
            if last is not None and (table is not last or len(waiting) >= TOGETHER):
                await connection.execute(last.insert(), waiting)
                waiting = []
            if table is db.tables:
                for by_another_clock in ("used", "listed_until"):  # idle time begins anew, and who waits comes back
                    row.pop(by_another_clock, None)
            waiting.append(row)
            last = table
            count += table is db.tables
        if last is not None and waiting:
            await connection.execute(last.insert(), waiting)
        latest = sa.select(sa.func.max(db.events.c.ran)).scalar_subquery()  # tables' clocks go on from there
        await connection.execute(db.clock.update().where(db.clock.c.seconds < latest).values(seconds=latest))
    return count


def _line(text: str, name: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise BadRequest(f"{name}, line {number}: not a row of a backup.")
    return row
