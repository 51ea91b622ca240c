"""Tree search with rollouts, in compiled code: UCT over atomic actions for any number of players.

A node is one atomic action; the player on move may stay the same from one node to the next, so values are a vector,
one for each seat, and every edge keeps the sum for its own mover (max^n): nothing is ever negated. A node has no
position: the path to it is played again on a copy of the root's record. A node is expanded when it is reached a
second time; its children are contiguous. Which babies lie face down may differ from one root to the next (`roots`),
so nothing behind a hatching is kept in the tree: the rollouts average over it.

The tree is one record of flat arrays: compiled code counts references to arrays, and not to records.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sunglade.kernel.actions import TURTLE_HATCH
from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.legal_list import LEGAL_LIST
from sunglade.kernel.playout import shuffled
from sunglade.kernel.record import MODULE_MOON, OVER, STATE, Record
from sunglade.search.candidates import NOTHING_BEFORE, SORTING, candidates
from sunglade.search.rollout import legal_actions, sensible_policy, simple_policy
from sunglade.search.value import final_value

Array = NDArray[np.void]
Desk = tuple[Array, Array, Array]

NODES: Final = 1 << 21
"""Room of a tree. Memory that is never written costs nothing."""
_INSIDE: Final = NODES - 1
"""`array[node & _INSIDE]`: never out of bounds, and the compiler need not ask whether the node is negative."""
MAX_DEPTH: Final = 256

TREE: Final = np.dtype(
    (
        np.record,
        [
            ("root", np.int64),
            ("used", np.int64),  # nodes
            ("simulations", np.int64),
            ("random", np.int64),
            ("reward", np.float64, 4),  # of the last simulation, by seat
            ("won", np.float64, NODES),  # sum of rewards for the mover of the action
            ("path", np.int64, MAX_DEPTH),
            ("shares", np.float32, (NODES, 4)),  # sum of rewards by seat, with more than two players
            ("visits", np.int32, NODES),
            ("first", np.int32, NODES),  # child
            ("count", np.int16, NODES),  # children, 0 before they are known
            ("action", np.int16, NODES),  # that leads here
            ("mover", np.int8, NODES),  # who took it
        ],
    )
)

SIMPLE_ROLLOUTS: Final = 1
SIMPLE_TREE: Final = 2

SETTINGS: Final = np.dtype(
    (
        np.record,
        [
            ("explore", np.float64),  # weight of the uncertainty against the value
            ("width", np.float64),  # children looked at from the start
            ("widen", np.float64),  # and so many more for the root of the visits
            ("simple", np.int64),  # SIMPLE_ROLLOUTS and SIMPLE_TREE, as the C++ yardstick has them, for comparisons
        ],
    )
)


def new_desk() -> Desk:
    """Room for one simulation at a time: the position, a legal list, and what it takes to sort that."""
    return np.zeros(1, STATE), np.zeros(1, LEGAL_LIST), np.zeros(1, SORTING)


def new_tree(seed: int) -> Array:
    """An array of one empty tree, its random numbers following from the seed."""
    trees = np.zeros(1, TREE)
    plant_tree(trees, seed)
    return trees


def plant_tree(trees: Array, seed: int) -> None:
    """Make a tree empty: a root and nothing else."""
    t = trees[0]
    t.root = 0
    t.used = 1
    t.simulations = 0
    t.random = (seed * 2654435761 + 88172645463325252) % 0xFFFFFFFF + 1
    t.visits[0] = 0
    t.count[0] = 0
    t.action[0] = NOTHING_BEFORE
    t.won[0] = 0.0


@entry
def simulate(trees: Array, roots: Array, desk: Desk, settings: Array, simulations: int) -> int:
    """Run so many simulations from the root, which is at `roots` (one record, or several that look the same).

    Returns how many were run: fewer when the tree has no room left.
    """
    t = trees[0]
    work, lists, sorting = desk
    s = work[0]
    out = lists[0]
    room = sorting[0]
    how = settings[0]
    for done in range(simulations):
        if t.used + len(out.action) > NODES:
            return done
        work[0] = roots[t.simulations % len(roots)]
        depth = _walk_down(s, t, out, room, how)
        _play_out(s, t, out, how)
        _back_up(s, t, depth)
        t.simulations += 1
    return simulations


@compiled
def _applied(s: Record, action: int) -> None:
    """`apply`, compiled once for the way down and for the rollout."""
    apply(s, action)


@inlined
def _walk_down(s: Record, t: Record, out: Record, room: Record, how: Record) -> int:
    """Follow the most promising actions to a position met for the first time; return how many there were."""
    node = t.root
    depth = 0
    t.path[0] = node
    while s.phase != OVER and depth < MAX_DEPTH - 1:
        if t.count[node & _INSIDE] == 0:
            if depth and (t.visits[node & _INSIDE] == 0 or t.action[node & _INSIDE] == TURTLE_HATCH):
                break
            _expand(s, t, node, out, room, how)
        node = _select(t, node, how)
        depth += 1
        t.path[depth] = node
        _applied(s, t.action[node & _INSIDE] + 0)  # + 0: as a 64-bit number, or all is compiled twice
    return depth


@compiled
def _expand(s: Record, t: Record, node: int, out: Record, room: Record, how: Record) -> None:
    """Give a node its children."""
    if how.simple & SIMPLE_TREE:
        n = legal_actions(s, out)
    else:
        n = candidates(s, t.action[node & _INSIDE] + 0, out, room)
    first = t.used
    t.first[node & _INSIDE] = first
    t.count[node & _INSIDE] = n
    for i in range(n):
        child = (first + i) & _INSIDE
        t.action[child] = out.action[i]
        t.mover[child] = s.player
        t.visits[child] = 0
        t.count[child] = 0
        t.won[child] = 0.0
        for seat in range(4 if s.players > 2 else 0):
            t.shares[child, seat] = 0.0
    t.used = first + n


@inlined
def _select(t: Record, node: int, how: Record) -> int:
    """The child to try next: one never tried, or the best by value and uncertainty (UCB1)."""
    visits = t.visits[node & _INSIDE]
    width = min(int(t.count[node & _INSIDE]), int(how.width + how.widen * math.sqrt(visits)))
    first = int(t.first[node & _INSIDE])
    log = math.log(visits + 1)
    best = first
    best_bound = -1.0
    for child in range(first, first + width):
        n = t.visits[child & _INSIDE]
        if n == 0:
            return child
        bound = t.won[child & _INSIDE] / n + how.explore * math.sqrt(log / n)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@inlined
def _play_out(s: Record, t: Record, out: Record, how: Record) -> None:
    """Play on to the end by a rollout policy."""
    random = t.random
    simple = how.simple & SIMPLE_ROLLOUTS
    while s.phase != OVER:
        random = shuffled(shuffled(random))
        if simple:
            action = simple_policy(s, random, out)
        else:
            if s.options & MODULE_MOON:
                random = shuffled(random)  # the animal needs one more
            action = sensible_policy(s, random, out)
        _applied(s, action)
    t.random = random


@compiled
def _back_up(s: Record, t: Record, depth: int) -> None:
    """Count the result at every node of the path, each for its own mover."""
    for seat in range(s.players):
        t.reward[seat] = final_value(s, seat)
    for step in range(depth + 1):
        node = t.path[step] & _INSIDE
        t.visits[node] += 1
        t.won[node] += t.reward[t.mover[node] & 3]
        if s.players > 2:
            for seat in range(s.players):
                t.shares[node, seat] += t.reward[seat]


@compiled
def child_after(t: Record, action: int) -> int:
    """The root's child by an action, or −1."""
    first = t.first[t.root & _INSIDE]
    for child in range(first, first + t.count[t.root & _INSIDE]):
        if t.action[child & _INSIDE] == action:
            return child
    return -1


@entry
def move_root(trees: Array, action: int) -> bool:
    """Go on from the position after an action; False where the tree does not know it."""
    t = trees[0]
    child = child_after(t, action)
    if child < 0:
        return False
    t.root = child
    return True


@entry
def advance(games: Array, lists: Array, to_round: int, random: int) -> None:
    """Play a game on by the yardstick's policy until a round begins: the position its measurement starts from."""
    s = games[0]
    while s.phase != OVER and s.current_round < to_round:
        random = shuffled(shuffled(random))
        _applied(s, simple_policy(s, random, lists[0]))
