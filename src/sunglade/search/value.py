"""What a position is worth to each player: mostly who wins, partly by how much."""

from __future__ import annotations

import math
from typing import Final

from sunglade.kernel.compiler import inlined
from sunglade.kernel.record import Record
from sunglade.kernel.score import points, win_share

MARGIN_SHARE: Final = 0.25
"""How much the score margin counts beside the win: enough to play on when the game is decided, no more."""
MARGIN_SCALE: Final = 12.0
"""Points of margin that feel like most of a win."""


@inlined
def margin(s: Record, p: int) -> int:
    """Points ahead of the best opponent."""
    best = -1
    for other in range(s.players):
        if other != p:
            best = max(best, points(s, other))
    return points(s, p) - best


@inlined
def margin_value(s: Record, p: int) -> float:
    """The margin on a scale from 0 to 1, a half at none."""
    return 1.0 / (1.0 + math.exp(-margin(s, p) / MARGIN_SCALE))


@inlined
def final_value(s: Record, p: int) -> float:
    """What a finished game is worth to a player."""
    return (1.0 - MARGIN_SHARE) * win_share(s, p) + MARGIN_SHARE * margin_value(s, p)
