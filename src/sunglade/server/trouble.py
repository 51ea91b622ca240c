"""When the database does not do what it is asked: one kind of error for it, whatever the driver calls it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Final

import asyncpg
import sqlalchemy as sa

from sunglade.server.problems import ServerProblem

LIMIT_S: Final = 20.0
"""Longer than this nobody waits for the database."""
RETRY_S: Final = 2.0

log = logging.getLogger("sunglade.server")

_MISTAKES: Final = (sa.exc.IntegrityError, sa.exc.ProgrammingError, sa.exc.DataError, sa.exc.NotSupportedError)
"""These are not the database's fault."""
_NEVER: Final = (asyncpg.InvalidCatalogNameError, asyncpg.InvalidAuthorizationSpecificationError)
"""What waiting does not mend: there is no such database, or it is not for us."""
_TROUBLE: Final = (sa.exc.DBAPIError, sa.exc.TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class DatabaseTrouble(Exception):
    """The database cannot be reached, or cannot write. What it was asked for may have happened nevertheless.

    This is no refusal: whoever is told must not take it for an answer to what was asked.
    """

    def __init__(self, reason: str, *, passing: bool = True) -> None:
        super().__init__(reason)
        self.passing = passing
        """Whether it may be over after a while."""

    @property
    def problem(self) -> ServerProblem:
        """What clients are told."""
        return ServerProblem("busy", "the database does not answer; send the same again soon.", retry_after=RETRY_S)


def log_trouble(trouble: DatabaseTrouble) -> None:
    """One entry, always of the same kind, so that it is not repeated."""
    log.warning("database trouble", extra={"reason": str(trouble)})


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
