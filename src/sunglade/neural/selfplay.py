"""Self-play: thousands of games side by side on all cores, the network answering for all of them at once.

While the network answers for one half of the games, the cores go on with the other half.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import kernel
from sunglade.deal import Deal
from sunglade.encode import MODULES_MASK, OBSERVATION
from sunglade.neural import selfplay_search
from sunglade.options import OneOf
from sunglade.rules import MAX_ROUNDS, MODULES, OPTIONS, Rules

PLAYER_MIX: Final = (2, 2, 3, 4)
"""Player counts of new games, drawn evenly from this list."""
RULES_MIX: Final[tuple[dict[str, Any], ...]] = (
    *({},) * 9,
    {"edition": "eu"},
    {"edition": "de"},
    {"edition": "es"},
    {"edition": "ru"},
    {"edition": "it"},
    {"shade_forbids": True},
    {"edition": "fr", "shade_forbids": True},
    {"revolutions": 4},
    {"edition": "de", "revolutions": 4, "shade_forbids": True},
)
"""Rules of new games: half of them the reference, half the other editions and the options people play with."""

Array = NDArray[Any]


@dataclass
class Settings:
    """How long searches are, and how much they explore."""

    full: int = 16
    fast: int = 6
    full_share: float = 0.3
    considered: int = 8
    noise: float = 1.0
    noisy_rounds: int = MAX_ROUNDS
    """Rounds in which there is noise; later on everybody plays their best. 0: in the set-up only."""
    past: float = 0.0
    """Share of the tables with an older network at some of the seats."""
    mixed: float = 0.0
    """And of the rest with hasty or simple players."""
    random_setup: float = 0.0
    """Share of the games whose set-up is played at random."""
    rival: int = 0
    """In a match: simulations of the rival's searches."""
    once: bool = False
    """In a match: each table plays one game."""

    def record(self, games: int) -> Array:
        """As compiled code reads it, for so many tables in a half."""
        array = np.zeros(1, selfplay_search.SETTINGS)
        array[0] = (
            self.full, self.fast, self.full_share, self.considered, self.noise, self.noisy_rounds,
            int(self.past * games), self.mixed, self.random_setup, self.rival, self.once,
        )  # fmt: skip
        return array


MODULE_SHARE: Final = 0.5
"""Share of the games with modules."""
DEALS: Final = 8
"""Deals, module sets and options drawn for each of the rules above."""


def start_positions(mix: tuple[int, ...] = PLAYER_MIX, rounds: int | None = None, modules: bool = True) -> Array:
    """The positions new games begin from; with `rounds`, short games by the reference rules."""
    if rounds is not None:
        return np.concatenate([kernel.new_record(Rules(rounds=rounds), players).array() for players in mix])
    base = [kernel.new_record(Rules(**rules), players).array() for players in mix for rules in RULES_MIX]
    if not modules:
        return np.concatenate(base)
    rng = np.random.default_rng(1)
    under_the_moon = [with_modules(rules, players, rng) for players in mix for rules in RULES_MIX for _ in range(DEALS)]
    weight = round(DEALS * (1 - MODULE_SHARE) / MODULE_SHARE)
    return np.concatenate(base * weight + under_the_moon)


def modules_only(starts: Array) -> Array:
    """Those of the start positions that have modules."""
    chosen: Array = starts[starts["options"] & MODULES_MASK != 0]
    return chosen


def with_modules(rules: dict[str, Any], players: int, rng: np.random.Generator) -> Array:
    """A start position with modules, a deal and readings of the expansion drawn at random; often all three modules."""
    sets = [sets for sets in MODULE_SETS for _ in range(3 if len(sets) == len(MODULES) else 1)]
    drawn: dict[str, Any] = {"modules": sets[rng.integers(len(sets))]}
    for name, values in READINGS.items():
        drawn[name] = values[rng.integers(len(values)) if rng.random() < OTHER_READING else 0]
    deal = Deal.from_dict({}, int(rng.integers(1 << 40)), players)
    return kernel.new_record(Rules(**{**rules, **drawn}), players, deal.animals, deal.babies).array()


MODULE_SETS: Final = tuple(
    tuple(module for number, module in enumerate(MODULES) if chosen >> number & 1)
    for chosen in range(1, 1 << len(MODULES))
)
READINGS: Final = {
    name: option.kind.values for name, option in OPTIONS.items() if option.module and isinstance(option.kind, OneOf)
}
"""The readings of the expansion that are options; ours first."""
OTHER_READING: Final = 0.3


class Half:
    """One half of the games, with its trees and the buffers it shares with the network."""

    def __init__(self, games: int, allocate: Callable[[int], Array]) -> None:
        self.games = np.zeros(games, kernel.STATE)
        self.leaves = np.zeros(games, kernel.STATE)
        self.trees = np.zeros(games, selfplay_search.TREE)
        self.lists = np.zeros(games, kernel.LEGAL_LIST)
        self.observations = allocate(games * OBSERVATION.itemsize).view(OBSERVATION)
        self.asks = allocate(games * selfplay_search.ASK.itemsize).view(selfplay_search.ASK)
        self.answers = allocate(games * selfplay_search.ANSWER.itemsize).view(selfplay_search.ANSWER)
        self.staged = np.zeros((games, selfplay_search.MAX_SAMPLES), kernel.STATE)
        self.policies = np.zeros((games, selfplay_search.MAX_SAMPLES), selfplay_search.SAMPLE)
        self.outcomes = np.zeros(games, selfplay_search.OUTCOME)


def plain_memory(size: int) -> Array:
    """Ordinary memory for the buffers."""
    return np.zeros(size, np.uint8)


class SelfPlay:
    """Runs two halves in turn; finished games come out as samples."""

    def __init__(
        self,
        games: int,
        threads: int,
        settings: Settings,
        starts: Array,
        seed: int,
        allocate: Callable[[int], Array] = plain_memory,
        match: bool = False,
    ) -> None:
        self.settings = settings.record(games // 2)
        self.starts = starts
        self.threads = threads
        self.halves = [Half(games // 2, allocate) for _ in range(2)]
        self.pool = ThreadPoolExecutor(threads)
        for which in range(2):
            self._begin(which, 2 * seed + which, match)

    def _begin(self, which: int, seed: int, match: bool) -> None:
        h = self.halves[which]
        self._each_part(lambda a, b: selfplay_search.begin(
            a, b, self.starts, h.games, h.trees, h.lists, h.observations, h.asks, self.settings, seed, match
        ))  # fmt: skip

    def _each_part(self, work: Callable[[int, int], Any]) -> list[Any]:
        """Share the games of a half among the threads."""
        size = len(self.halves[0].games)
        edges = [size * part // self.threads for part in range(self.threads + 1)]
        return list(self.pool.map(work, edges[:-1], edges[1:]))

    def advance(self, which: int) -> int:
        """Go on with one half, whose answers have come; return the moves played."""
        h = self.halves[which]
        return sum(self._each_part(lambda a, b: selfplay_search.advance(
            a, b, self.starts, h.games, h.leaves, h.trees, h.lists, h.observations, h.asks, h.answers,
            h.staged, h.policies, h.outcomes, self.settings,
        )))  # fmt: skip

    def finished(self, which: int) -> tuple[Array, Array, Array, int]:
        """Samples of the games that ended in the last `advance`: positions, policies, outcomes, and how many games."""
        h = self.halves[which]
        done = np.nonzero(h.trees["finished"])[0]
        counts = h.trees["finished"][done]
        if not len(done):
            return h.staged[0, :0], h.policies[0, :0], h.outcomes[:0], 0
        states = np.concatenate([h.staged[i, :n] for i, n in zip(done, counts, strict=True)])
        policies = np.concatenate([h.policies[i, :n] for i, n in zip(done, counts, strict=True)])
        return states, policies, np.repeat(h.outcomes[done], counts), len(done)
