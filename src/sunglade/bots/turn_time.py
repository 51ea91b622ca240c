"""How a bot that searches shares out the time of a turn among its actions."""

from __future__ import annotations

from typing import Final

SHARE: Final = 0.4
"""What is spent of the turn's time on its next action; what is found serves the following ones too."""
SPARE_MS: Final = 8.0
"""Kept back for everything that is not search."""


def for_next_action(ms: float | None, nodes: int | None) -> float | None:
    """The milliseconds for the next action, of those left for the turn; with `nodes` all of them, as a limit only."""
    if ms is None:
        return None
    return max(0.0, (ms - SPARE_MS) * (SHARE if nodes is None else 1.0))
