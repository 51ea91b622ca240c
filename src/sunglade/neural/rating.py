"""How strong the bare policy is: many games at once against fixed anchors, seat-balanced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sunglade import kernel
from sunglade.encode import OBSERVATION, TURNED_ACTION, observe
from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import entry
from sunglade.kernel.legal import legal
from sunglade.kernel.playout import shuffled
from sunglade.kernel.record import OVER, Record
from sunglade.kernel.score import win_share
from sunglade.neural.selfplay_search import ASK, MAX_ACTIONS
from sunglade.search.rollout import random_choice, simple_policy

Array = NDArray[Any]

ANCHORS = ("random", "simple")


@entry
def play_on(games: Array, seats: Array, randoms: Array, lists: Array, observations: Array, asks: Array, anchor: int,
            choices: Array, results: Array) -> int:  # fmt: skip
    """Play the network's choices, then the anchor's, until the network is asked again; return how many games go on."""
    going = 0
    for i in range(len(games)):
        s: Record = games[i]
        if s.phase == OVER:
            continue
        if choices[i] >= 0:
            n = legal(s, lists[i])
            apply(s, lists[i].action[min(choices[i], n - 1)])
        while s.phase != OVER and s.player != seats[i]:
            randoms[i] = shuffled(shuffled(randoms[i]))
            if anchor == 1:
                apply(s, simple_policy(s, randoms[i], lists[i]))
            else:
                apply(s, random_choice(s, randoms[i], lists[i]))
        if s.phase == OVER:
            results[i] = win_share(s, seats[i])
            continue
        turns = (6 - s.sun) % 6
        observe(s, turns, observations[i])
        n = min(legal(s, lists[i]), MAX_ACTIONS)
        asks[i].count = n
        for k in range(MAX_ACTIONS):
            asks[i].action[k] = TURNED_ACTION[turns, lists[i].action[k]] if k < n else 0
        going += 1
    return going


def rate(
    answer: Callable[[Array, Array], Array],
    anchor: str,
    starts: Array,
    games: int = 512,
    seed: int = 1,
) -> float:
    """Share of wins of the bare policy, one seat against anchors on all others.

    `answer(observations, asks)` returns (games, actions) logits in the order of `asks`.
    """
    states = starts[np.arange(games) % len(starts)]
    seats = np.arange(games) % states["players"]
    randoms = np.random.default_rng(seed).integers(1, 1 << 32, games)
    lists = np.zeros(games, kernel.LEGAL_LIST)
    observations = np.zeros(games, OBSERVATION)
    asks = np.zeros(games, ASK)
    choices = np.full(games, -1)
    results = np.zeros(games)
    which = ANCHORS.index(anchor)
    while play_on(states, seats, randoms, lists, observations, asks, which, choices, results):
        logits = answer(observations, asks)
        allowed = np.arange(MAX_ACTIONS)[None] < asks["count"][:, None]
        choices = np.where(allowed, logits, -np.inf).argmax(1)
    return float(results.mean())
