"""Advantages for learners that act for every seat in turn (self-play).

Each seat follows its own actions only: what the others do in between is the world changing, and what a game pays at
its end is paid to all of its seats, also to those who did not act last.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sunglade.errors import BadRequest


def seat_advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    player: ArrayLike,
    done: ArrayLike,
    last_values: ArrayLike,
    *,
    gamma: float = 1.0,
    lam: float = 0.95,
) -> NDArray[np.float32]:
    """(steps, n): the generalised advantage of each action, for the seat that took it.

    `rewards` (steps, n, players) and `done` (steps, n) are what `BatchEnv.step` gave with `auto_reset="same_step"`,
    `player` (steps, n) who acted, `values` (steps, n) what the learner thought its position worth to that seat, and
    `last_values` (n, players) what it thinks the position after the last step worth to every seat. An action's return
    is the advantage plus its value.
    """
    paid, worth, ends = (np.asarray(array, np.float32) for array in (rewards, values, last_values))
    who, over = np.asarray(player, np.int64), np.asarray(done, np.bool_)
    if paid.ndim != 3 or not worth.shape == who.shape == over.shape == paid.shape[:2] or ends.shape != paid.shape[1:]:
        raise BadRequest(
            "rewards must be (steps, n, players), values, player and done (steps, n), last_values (n, players); not "
            f"{paid.shape}, {worth.shape}, {who.shape}, {over.shape}, {ends.shape}."
        )
    games = np.arange(paid.shape[1])
    found = np.zeros_like(worth)
    next_worth = ends.copy()  # of every seat: its next own position, as seen from the step before
    next_found = np.zeros_like(ends)
    owed = np.zeros_like(ends)  # what the others' actions have brought a seat since its own
    for step in range(len(worth) - 1, -1, -1):
        next_worth[over[step]] = 0
        next_found[over[step]] = 0
        owed[over[step]] = 0
        owed += paid[step]
        seat = who[step]
        error = owed[games, seat] + gamma * next_worth[games, seat] - worth[step]
        found[step] = error + gamma * lam * next_found[games, seat]
        next_worth[games, seat] = worth[step]
        next_found[games, seat] = found[step]
        owed[games, seat] = 0
    return found
