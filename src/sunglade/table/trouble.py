"""When the database does not do what it is asked: one kind of error for it."""

from __future__ import annotations

import logging
from typing import Final

from sunglade.table.problems import ServerProblem

LIMIT_S: Final = 20.0
"""Longer than this nobody waits for the database."""
RETRY_S: Final = 2.0

log = logging.getLogger("sunglade.server")


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
