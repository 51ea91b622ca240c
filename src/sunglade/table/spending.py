"""How often a client may ask for what, as rooms ask that know no server."""

from __future__ import annotations

from typing import Protocol


class Spending(Protocol):
    """How often a client may ask for what."""

    def spend(self, what: str, client: str, count: float = 1.0) -> None:
        """Let a client have it, or refuse; what takes longer counts as several."""
