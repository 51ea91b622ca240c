"""A wish for a seat: to join, or to take one over. It is fulfilled once, however often it is sent.

Everything follows from the id a client chose and keeps to itself: its number at the table, its token, and the key under
which the log has the event. So the same answer can be given again, by any process, and nothing secret is kept for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sunglade.table.tokens import hashed, holder_from, new_token, token_from


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wishes for a seat. `token` is what a new client will be known by; None for one that has its own."""

    table: str
    holder: str
    token: str | None
    command: str
    person: str | None = None
    """Whose the seat shall be, where somebody wants to be known again."""

    @classmethod
    def of(cls, table: str, identity: str | None, holder: str | None, person: str | None = None) -> Wish:
        """A client's wish. Without an id it cannot be repeated; without a holder the client is new here."""
        secret = identity or new_token()
        if holder is not None:
            return cls(table, holder, None, hashed(secret), person)
        return cls(table, holder_from(table, secret), token_from(table, secret), hashed(secret), person)

    @property
    def key(self) -> tuple[str, str]:
        """Under which the log has it."""
        return self.holder, self.command
