"""The latest positions of self-play, drawn at random to learn from. Nothing of it is kept when training stops."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade import kernel
from sunglade.board import SPACES, rotated
from sunglade.encode import OBSERVATION, TURNED_ACTION, observe
from sunglade.kernel.arrays import dtype_of
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.fields import Memory, Numbers, Reals
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.record import Record
from sunglade.neural.selfplay_search import MAX_ACTIONS, OUTCOME, SAMPLE, Outcome, Sample
from sunglade.search.light_tally import ROW

Array = NDArray[Any]

TURNED_SPACE = np.array([[rotated(space, turns) for space in SPACES] for turns in range(6)], np.int64)


class Target(Memory):
    """What the network should have said."""

    win = Reals(4, code="f")  # by relative seat
    margin = Reals(4, code="f")
    points = Reals(4, code="f")
    action = Numbers(MAX_ACTIONS, code="h")
    policy = Reals(MAX_ACTIONS, code="f")
    owner = Numbers(ROW, code="b")  # 0 nobody, 1 + relative seat
    light = Reals(2 * ROW, code="f")  # [mine, others'][space]: light points still to come from there


TARGET: Final = dtype_of(Target)


@entry
def lay_out(
    first: int, last: int, states: Array, policies: Array, outcomes: Array, chosen: Array, lists: Array,
    observations: Array, targets: Array,
) -> None:  # fmt: skip
    """Observations and targets of chosen samples, seat-relative and turned like the search's questions."""
    for row in range(first, last):
        i = chosen[row]
        s: Record = states[i]
        turns = (6 - s.sun) % 6
        observe(s, turns, observations[row])
        t: Target = targets[row]
        legal_list: LegalList = lists[row]
        n = min(legal(s, legal_list), MAX_ACTIONS)
        for k in range(MAX_ACTIONS):
            t.action[k] = TURNED_ACTION[turns, legal_list.action[k]] if k < n else 0
            t.policy[k] = policies[i].policy[k] / 65535.0
        for space in range(ROW):
            t.owner[space] = 0
            t.light[space] = 0.0
            t.light[ROW + space] = 0.0
        for seat in range(4):
            player = (s.player + seat) % s.players
            playing = seat < s.players
            t.win[seat] = outcomes[i].win[player] if playing else 0.0
            t.margin[seat] = outcomes[i].margin[player] if playing else 0.0
            t.points[seat] = outcomes[i].points[player] if playing else 0.0
            spaces = outcomes[i].owner[player] if playing else 0
            while spaces:
                t.owner[TURNED_SPACE[turns, lowest(spaces)]] = 1 + seat
                spaces &= spaces - 1
            if playing:
                _lay_out_light(t, turns, min(seat, 1), player, policies[i], outcomes[i])


@inlined
def _lay_out_light(t: Target, turns: int, row: int, player: int, sample: Sample, outcome: Outcome) -> None:
    """What each space brings a player from this moment to the end of the game."""
    for space in range(TURNED_SPACE.shape[1]):
        k = player * ROW + space
        t.light[row * ROW + TURNED_SPACE[turns, space]] += float(outcome.light[k] - sample.light[k])


class Replay:
    """A ring of samples."""

    def __init__(self, capacity: int, seed: int) -> None:
        self.states = np.zeros(capacity, kernel.STATE)
        self.policies = np.zeros(capacity, SAMPLE)
        self.outcomes = np.zeros(capacity, OUTCOME)
        self.added = 0
        self.random = np.random.default_rng(seed)

    def __len__(self) -> int:
        return min(self.added, len(self.states))

    def add(self, states: Array, policies: Array, outcomes: Array) -> None:
        """Put new samples over the oldest."""
        places = (self.added + np.arange(len(states))) % len(self.states)
        self.states[places] = states
        self.policies[places] = policies
        self.outcomes[places] = outcomes
        self.added += len(states)

    def draw(self, observations: Array, targets: Array, lists: Array, pool: ThreadPoolExecutor, threads: int) -> None:
        """Fill a batch with random samples."""
        size = len(observations)
        chosen = self.random.integers(0, len(self), size)
        edges = [size * part // threads for part in range(threads + 1)]
        list(pool.map(lambda a, b: lay_out(
            a, b, self.states, self.policies, self.outcomes, chosen, lists, observations, targets
        ), edges[:-1], edges[1:]))  # fmt: skip


def batch_buffers(size: int, allocate: Any) -> tuple[Array, Array, Array]:
    """Memory for a batch: observations, targets, legal lists."""
    observations = allocate(size * OBSERVATION.itemsize).view(OBSERVATION)
    targets = allocate(size * TARGET.itemsize).view(TARGET)
    return observations, targets, np.zeros(size, kernel.LEGAL_LIST)
