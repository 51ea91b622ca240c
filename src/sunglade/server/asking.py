"""Questions to SQL drivers: whatever goes wrong on the way is trouble, whatever the driver calls it."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from typing import Final

import asyncpg
import sqlalchemy as sa

from sunglade.table.trouble import LIMIT_S, DatabaseTrouble

_MISTAKES: Final = (
    sa.exc.IntegrityError, sa.exc.ProgrammingError, sa.exc.DataError, sa.exc.NotSupportedError,
    sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.NotSupportedError,
)  # fmt: skip
"""These are not the database's fault."""
_NEVER: Final = (asyncpg.InvalidCatalogNameError, asyncpg.InvalidAuthorizationSpecificationError)
"""What waiting does not mend: there is no such database, or it is not for us."""
_TROUBLE: Final = (
    sa.exc.DBAPIError, sa.exc.TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError, sqlite3.Error,
)  # fmt: skip


@contextlib.asynccontextmanager
async def asking(limit_s: float | None = LIMIT_S) -> AsyncIterator[None]:
    """Whatever goes wrong between here and the database is trouble, and so is a database that does not answer."""
    try:
        async with asyncio.timeout(limit_s):
            yield
    except _MISTAKES:
        raise
    except _TROUBLE as error:
        cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        never = isinstance(cause, _NEVER) or isinstance(getattr(cause, "__cause__", None), _NEVER)
        reason = " ".join(str(cause).split()) or type(cause).__name__
        raise DatabaseTrouble(reason[:300], passing=not never) from error
