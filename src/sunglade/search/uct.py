"""Tree search with rollouts, in compiled code: UCT over atomic actions for any number of players and threads.

A node is one atomic action; the player on move may stay the same from one node to the next, so values are a vector,
one for each seat, and every edge keeps the sum for its own mover (max^n): nothing is ever negated. A node has no
position: the path to it is played again on a copy of the root's record. A node is expanded when it is reached a
second time; its children are contiguous. Which babies lie face down may differ from one root to the next (`roots`),
so nothing behind a hatching is kept in the tree: the rollouts average over it.

Several threads may grow one tree at a time, without locks. Each has a hand of its own: its part of the free nodes, its
random numbers, its path. Children are announced in one word, and after they are written; where two threads expand the
same node, the later family stays. A visit is counted on the way down, its result on the way up, so that a thread sees
where the others are and rather looks elsewhere.

The tree is one record of flat arrays: compiled code counts references to arrays, and not to records. All that the
functions take are such records, so that neither they nor who calls them need NumPy.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Final

from sunglade.kernel.actions import MAX_LEGAL, TURTLE_HATCH
from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Memory, Number, Numbers, Part, Parts, Real, Reals
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import shuffled
from sunglade.kernel.record import MODULE_MOON, OVER, Record
from sunglade.kernel.score import win_share
from sunglade.search.candidates import NOTHING_BEFORE, Sorting, candidates
from sunglade.search.rollout import legal_actions, sensible_policy, simple_policy
from sunglade.search.sharing import add, observe, publish
from sunglade.search.value import margin_value

NODES: Final = 1 << 21
"""Room of a tree. Memory that is never written costs nothing."""
LEAST_ROOM: Final = 1 << 14


def _room(wish: str) -> int:
    """The nodes that a tree may have on this device, which may have little memory; all where none are named."""
    return min(NODES, max(LEAST_ROOM, int(wish))) if wish.isascii() and wish.isdigit() else NODES


ROOM: Final = _room(os.environ.get("SUNGLADE_TREE_NODES", ""))
OPENED: Final = 100_000
"""Nodes each thread has memory for from the start; the system gives it in large pages, each takes milliseconds."""
_INSIDE: Final = NODES - 1
"""`array[node & _INSIDE]`: never out of bounds, and the compiler need not ask whether the node is negative."""
MAX_DEPTH: Final = 256
_COUNT: Final = 2 * MAX_LEGAL
"""A node's `family` is the first child × this + the number of children; 0 before they are known."""


class Tree(Memory):
    """A tree: flat arrays over its nodes. Each is written when it comes to be."""

    begins_empty = False
    root = Number()
    won = Reals(NODES)  # sum of rewards for the mover of the action
    shares = Reals(4 * NODES, code="f")  # sums of rewards by seat, with more than two players
    family = Numbers(NODES)
    visits = Numbers(NODES, code="i")
    action = Numbers(NODES, code="h")  # that leads here
    mover = Numbers(NODES, code="b")  # who took it


class Hand(Memory):
    """What a thread has of its own."""

    free = Number()  # nodes from here
    end = Number()  # to here are this thread's to use
    simulations = Number()
    random = Number()
    reward = Reals(4)  # of the last simulation, by seat
    path = Numbers(MAX_DEPTH)


SIMPLE_ROLLOUTS: Final = 1
SIMPLE_TREE: Final = 2


class Settings(Memory):
    """How to search."""

    explore = Real()  # weight of the uncertainty against the value
    width = Real()  # children looked at from the start
    widen = Real()  # and so many more for the root of the visits
    widen_root = Real()  # the same at the tree's root
    margin = Real()  # share of the score margin in the value; the rest is the win
    simple = Number()  # SIMPLE_ROLLOUTS and SIMPLE_TREE, as the C++ yardstick has them, for comparisons


class Desk(Memory):
    """What one thread works with: the position, a legal list, what it takes to sort that, and its hand."""

    position = Part(Record)
    legal_list = Part(LegalList)
    sorting = Part(Sorting)
    hand = Part(Hand)


MAX_ROOTS: Final = 8


class Roots(Memory):
    """The position at a tree's root: one record, or several that look the same."""

    count = Number()
    position = Parts(Record, MAX_ROOTS)

    @classmethod
    def at(cls, positions: Sequence[Record]) -> Roots:
        """Roots at these positions."""
        roots = cls()
        roots.count = len(positions)
        for number, position in enumerate(positions):
            roots.position[number] = position
        return roots


def plant(t: Tree, hands: list[Hand], seeds: list[int]) -> None:
    """Make a tree empty: a root and nothing else; the hands' random numbers follow from their seeds."""
    t.root = 0
    t.visits[0] = 0
    t.family[0] = 0
    t.action[0] = NOTHING_BEFORE
    t.won[0] = 0.0
    for seat in range(4):
        t.shares[seat] = 0.0
    share_room(hands, 1)
    for hand, seed in zip(hands, seeds, strict=True):
        hand.simulations = 0
        hand.random = (seed * 2654435761 + 88172645463325252) % 0xFFFFFFFF + 1


def open_room(t: Tree, hands: list[Hand]) -> None:
    """Write where each hand begins: the system gives that memory now, and not while a clock runs."""
    for hand in hands:
        for node in range(hand.free, hand.end, OPENED)[:2]:
            for numbers in (t.won, t.family, t.visits, t.action, t.mover):
                numbers[node] = 0


def share_room(hands: list[Hand], used: int) -> None:
    """Give every hand its part of the nodes that are not used."""
    part = (ROOM - used) // len(hands)
    for number, hand in enumerate(hands):
        hand.free = used + number * part
        hand.end = used + (number + 1) * part


@entry
def simulate(t: Tree, roots: Roots, desk: Desk, how: Settings, simulations: int) -> None:
    """Run so many simulations from the root.

    When the room for nodes is used up the tree grows no more, and its leaves are still played out.
    """
    s = desk.position
    out = desk.legal_list
    room = desk.sorting
    hand = desk.hand
    for _ in range(simulations):
        desk.position = roots.position[hand.simulations % roots.count]
        depth = _walk_down(s, t, out, room, hand, how)
        _play_out(s, out, hand, how)
        _back_up(s, t, hand, depth, how)
        hand.simulations += 1


@compiled
def _applied(s: Record, action: int) -> None:
    """`apply`, compiled once for the way down and for the rollout."""
    apply(s, action)


@inlined
def _walk_down(s: Record, t: Tree, out: LegalList, room: Sorting, hand: Hand, how: Settings) -> int:
    """Follow the most promising actions to a position met for the first time; return how many there were."""
    node = t.root
    depth = 0
    hand.path[0] = node
    add(t.visits, node & _INSIDE, 1)
    while s.phase != OVER and depth < MAX_DEPTH - 1:
        if t.family[node & _INSIDE] == 0:
            if depth and (t.visits[node & _INSIDE] == 1 or t.action[node & _INSIDE] == TURTLE_HATCH):
                break
            if hand.free + MAX_LEGAL > hand.end:
                break
            _expand(s, t, node, out, room, hand, how)
        node = _select(t, node, how, how.widen if depth else how.widen_root)
        depth += 1
        hand.path[depth] = node
        add(t.visits, node & _INSIDE, 1)
        _applied(s, t.action[node & _INSIDE] + 0)  # + 0: as a 64-bit number, or all is compiled twice
    return depth


@compiled
def _expand(s: Record, t: Tree, node: int, out: LegalList, room: Sorting, hand: Hand, how: Settings) -> None:
    """Give a node its children."""
    if how.simple & SIMPLE_TREE:
        n = legal_actions(s, out)
    else:
        n = candidates(s, t.action[node & _INSIDE] + 0, out, room)
    first = hand.free
    for i in range(n):
        child = (first + i) & _INSIDE
        t.action[child] = out.action[i]
        t.mover[child] = s.player
        t.visits[child] = 0
        t.family[child] = 0
        t.won[child] = 0.0
        for seat in range(4 if s.players > 2 else 0):
            t.shares[4 * child + seat] = 0.0
    hand.free = first + n
    publish()
    t.family[node & _INSIDE] = first * _COUNT + n


@inlined
def _select(t: Tree, node: int, how: Settings, widen: float) -> int:
    """The child to try next: one never tried, or the best by value and uncertainty (UCB1)."""
    family = t.family[node & _INSIDE]
    observe()
    visits = t.visits[node & _INSIDE]
    width = min(family % _COUNT, int(how.width + widen * math.sqrt(visits)))
    first = family // _COUNT
    log = math.log(visits)
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
def _play_out(s: Record, out: LegalList, hand: Hand, how: Settings) -> None:
    """Play on to the end by a rollout policy."""
    random = hand.random
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
    hand.random = random


@compiled
def _back_up(s: Record, t: Tree, hand: Hand, depth: int, how: Settings) -> None:
    """Count the result at every node of the path, each for its own mover. The visits are counted already."""
    for seat in range(s.players):
        hand.reward[seat] = (1.0 - how.margin) * win_share(s, seat) + how.margin * margin_value(s, seat)
    for step in range(depth + 1):
        node = hand.path[step] & _INSIDE
        add(t.won, node, hand.reward[t.mover[node] & 3])
        if s.players > 2:
            for seat in range(s.players):
                add(t.shares, 4 * node + seat, hand.reward[seat])


@compiled
def child_after(t: Tree, action: int) -> int:
    """The root's child by an action, or −1."""
    family = t.family[t.root & _INSIDE]
    first = family // _COUNT
    for child in range(first, first + family % _COUNT):
        if t.action[child & _INSIDE] == action:
            return child
    return -1


@entry
def move_root(t: Tree, action: int) -> bool:
    """Go on from the position after an action; False where the tree does not know it."""
    child = child_after(t, action)
    if child < 0:
        return False
    t.root = child
    return True


def root_children(t: Tree) -> slice:
    """Where the root's children are."""
    first, count = divmod(t.family[t.root], _COUNT)
    return slice(first, first + count)


@entry
def transplant(old: Tree, new: Tree, most: int) -> int:
    """Copy the upper part of what is below the root, about so many nodes, into another tree; return the nodes used.

    Breadth first: a node that waits for its children has, in place of its family, where it comes from.
    """
    new.root = 0
    _copy_node(old, old.root, new, 0)
    used = 1
    node = 0
    while node < used:
        family = old.family[new.family[node & _INSIDE] & _INSIDE] if used < most else 0
        count = family % _COUNT
        for i in range(count):
            _copy_node(old, family // _COUNT + i, new, used + i)
        new.family[node & _INSIDE] = used * _COUNT + count if count else 0
        used += count
        node += 1
    return used


@inlined
def _copy_node(old: Tree, source: int, new: Tree, target: int) -> None:
    """A node's numbers, and where it comes from."""
    new.family[target & _INSIDE] = source
    new.visits[target & _INSIDE] = old.visits[source & _INSIDE]
    new.won[target & _INSIDE] = old.won[source & _INSIDE]
    new.action[target & _INSIDE] = old.action[source & _INSIDE]
    new.mover[target & _INSIDE] = old.mover[source & _INSIDE]
    for seat in range(4):
        new.shares[4 * (target & _INSIDE) + seat] = old.shares[4 * (source & _INSIDE) + seat]


@entry
def advance(s: Record, out: LegalList, to_round: int, random: int) -> None:
    """Play a game on by the yardstick's policy until a round begins: the position its measurement starts from."""
    while s.phase != OVER and s.current_round < to_round:
        random = shuffled(shuffled(random))
        _applied(s, simple_policy(s, random, out))
