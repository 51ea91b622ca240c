"""A bot that adapts to somebody's results: a level higher after it has lost, a level lower after it has won.

Between the lowest level and the highest, wins and losses then differ by no more than there are steps, however many
games are played: over any twenty games somebody wins 7 to 13 of them.
"""

from __future__ import annotations

from sunglade.bots import LEVELS


def adapted(level: str, won: float) -> str:
    """The level for the next game; `won` is the people's share of the win. A shared win changes nothing."""
    if level not in LEVELS:
        return level
    step = (won > 1 / 2) - (won < 1 / 2)
    return LEVELS[min(max(LEVELS.index(level) + step, 0), len(LEVELS) - 1)]
