"""Tree search for a network, in compiled code: a graph of positions, its leaves asked about in batches.

Answers of a network are dear, so no position is asked about twice: actions of a turn can often be taken in either
order, and both orders lead to the same node. That makes the tree a graph. Edges keep how often they were tried, nodes
what they are worth: the network's own word and the worth of the nodes behind, by the tries of the edges to them. So
whatever is learned of a position at once counts for every way that leads to it.

`gather` walks down several times, each time to a position nobody has asked about; `settle` takes the answers. A walk
in progress counts as a loss for the player who took it, so that the next walk goes elsewhere. Values are a vector,
one for each seat, never a sign flip: the mover often stays the same.

Nobody knows what lies face down (M-SETUP-4). Each walk lays the unseen babies anew, and positions that differ in those
alone are one node. Where a baby hatches, the edge leads to a node of chance with an edge for each baby, tried as often
as walks met it there: the worth of hatching is the mean over what may hatch.
"""

from __future__ import annotations

import math
from typing import Final

from sunglade.encode import ACTIONS, TURNED_ACTION, Observation, observe
from sunglade.kernel.animals import baby_on
from sunglade.kernel.apply import apply
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Memory, Number, Numbers, Part, Parts, Real, Reals, Words
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import shuffled
from sunglade.kernel.record import MODULE_MOON, OVER, Record
from sunglade.rules import BABIES
from sunglade.search.unseen_babies import laid_anew, those_seen
from sunglade.search.value import final_value

NODES: Final = 1 << 15
"""Positions a graph has room for: many turns of thinking on a laptop. Memory that is never written costs nothing."""
EDGES: Final = NODES * 24
HASHES: Final = 1 << 17
MAX_DEPTH: Final = 200
MAX_BATCH: Final = 64
_BITS: Final = (1 << 31) - 1
_SEED: Final = 0x9E3779B9
_FREE_WALKS: Final = 64
"""Walks in one `gather` that need no answer, at most: towards the end of a game all of them are such."""


class Graph(Memory):
    """A graph of positions."""

    root = Number()
    nodes = Number()
    edges = Number()
    leaves = Number()  # walks that wait for an answer
    random = Number()  # for the babies that nobody has seen
    path = Numbers(MAX_BATCH, MAX_DEPTH, code="i")  # [leaf, step]: the edge
    path_node = Numbers(MAX_BATCH, MAX_DEPTH, code="i")  # and the node it starts from
    depth = Numbers(MAX_BATCH, code="i")
    leaf = Numbers(MAX_BATCH, code="i")
    turns = Numbers(MAX_BATCH, code="i")  # how the board was turned for the network
    table = Numbers(HASHES, code="i")  # node + 1 by hash, 0 where there is none
    key = Numbers(NODES)
    first = Numbers(NODES, code="i")
    count = Numbers(NODES, code="i")  # edges; 0 when the game is over
    mover = Numbers(NODES, code="b")
    state = Numbers(NODES, code="b")
    visits = Numbers(NODES, code="i")
    own = Reals(NODES, 4, code="f")  # the network's word, or the result of a finished game
    worth = Reals(NODES, 4, code="f")
    action = Numbers(EDGES, code="h")
    child = Numbers(EDGES, code="i")  # −1 before it was tried
    tries = Numbers(EDGES, code="i")
    walking = Numbers(EDGES, code="h")  # walks in progress
    prior = Reals(EDGES, code="f")


ASKED, KNOWN, ENDED, CHANCE = 0, 1, 2, 3
"""States of a node."""


class Settings(Memory):
    """How to search."""

    explore = Real()  # weight of the prior against the value
    caution = Real()  # how much worse than its parent an action nobody tried is thought to be
    loss = Real()  # what a walk in progress counts as


class Desk(Memory):
    """Room for one walk at a time: the position, the same memory as numbers, and a legal list."""

    position = Part(Record)
    numbers_of_position = Words(position)
    legal_list = Part(LegalList)


class Questions(Memory):
    """Positions that wait for the network's word."""

    observation = Parts(Observation, MAX_BATCH)


class Answers(Memory):
    """What the network said of each: logits of all its actions, values by relative seat."""

    logits = Reals(MAX_BATCH, ACTIONS, code="f")
    values = Reals(MAX_BATCH, 4, code="f")


@inlined
def _hash(words: memoryview[int]) -> int:
    """A number of 62 bits for a position: two of 31, so that nothing overflows, compiled or not."""
    low = 0x243F6A88
    high = 0x13198A2E
    for i in range(len(words)):
        word = words[i]
        low = ((low ^ (word & _BITS)) * 0x5851F42D) ^ (word >> 31)
        low = (low ^ (low >> 29)) & _BITS
        high = ((high ^ (word >> 17 & _BITS)) * 0x4C957F2D) ^ word
        high = (high ^ (high >> 31)) & _BITS
    return high << 31 | low


@inlined
def _key(desk: Desk) -> int:
    """A number for what players can see of a position."""
    s = desk.position
    babies = s.babies
    s.babies = those_seen(s)
    key = _hash(desk.numbers_of_position)
    s.babies = babies
    return key


@inlined
def _slot(g: Graph, key: int) -> int:
    """Where a position is in the table, or where it would be."""
    slot = (key ^ (key >> 32)) & (HASHES - 1)
    while g.table[slot] and g.key[g.table[slot] - 1] != key:
        slot = (slot + 1) & (HASHES - 1)
    return slot


@compiled
def _node_of(g: Graph, s: Record, key: int, legal_list: LegalList) -> int:
    """The node of a position, made where there is none; −1 when there is no room."""
    slot = _slot(g, key)
    if g.table[slot]:
        return g.table[slot] - 1
    n = 0 if s.phase == OVER else legal(s, legal_list)
    node = g.nodes
    if node >= NODES or g.edges + n > EDGES:
        return -1
    g.nodes += 1
    g.table[slot] = node + 1
    g.key[node] = key
    g.first[node] = g.edges
    g.count[node] = n
    g.visits[node] = 0
    g.mover[node] = s.player
    g.state[node] = ASKED
    for i in range(n):
        edge = g.edges + i
        g.action[edge] = legal_list.action[i]
        g.child[edge] = -1
        g.tries[edge] = 0
        g.walking[edge] = 0
    g.edges += n
    if s.phase == OVER:
        g.state[node] = ENDED
        for seat in range(s.players):
            g.own[node, seat] = final_value(s, seat)
            g.worth[node, seat] = g.own[node, seat]
    return node


@compiled
def _chance_after(g: Graph, edge: int) -> int:
    """The node of chance behind an edge, with an edge for each baby; −1 when there is no room."""
    if g.child[edge] >= 0:
        return g.child[edge]
    node = g.nodes
    if node >= NODES or g.edges + len(BABIES) > EDGES:
        return -1
    g.nodes += 1
    g.key[node] = -1 - node  # no position has it
    g.first[node] = g.edges
    g.count[node] = len(BABIES)
    g.visits[node] = 0
    g.state[node] = CHANCE
    for outcome in range(g.edges, g.edges + len(BABIES)):
        g.action[outcome] = -1
        g.child[outcome] = -1
        g.tries[outcome] = 0
        g.walking[outcome] = 0
    g.edges += len(BABIES)
    g.child[edge] = node
    return node


@compiled
def _choose(g: Graph, node: int, settings: Settings) -> int:
    """The edge to try next: the best by worth, prior and tries (PUCT)."""
    mover = g.mover[node]
    first = g.first[node]
    last = first + g.count[node]
    tries = 0
    seen = 0.0
    for edge in range(first, last):
        tries += g.tries[edge] + g.walking[edge]
        if g.child[edge] >= 0:
            seen += g.prior[edge]
    unseen = g.worth[node, mover] - settings.caution * math.sqrt(seen)
    scale = settings.explore * math.sqrt(tries + 1.0)
    best = first
    best_score = -1e30
    for edge in range(first, last):
        n = g.tries[edge]
        w = g.walking[edge]
        worth = unseen
        if n > 0:
            worth = (n * g.worth[g.child[edge], mover] + w * settings.loss) / (n + w)
        score = worth + scale * g.prior[edge] / (1.0 + n + w)
        if score > best_score:
            best_score = score
            best = edge
    return best


@compiled
def _weigh(g: Graph, node: int) -> None:
    """The worth of a node anew: its own word, if it has one, and the nodes behind it, by tries."""
    first = g.first[node]
    total = 0.0 if g.state[node] == CHANCE else 1.0
    sum0 = total * g.own[node, 0]
    sum1 = total * g.own[node, 1]
    sum2 = total * g.own[node, 2]
    sum3 = total * g.own[node, 3]
    for edge in range(first, first + g.count[node]):
        n = g.tries[edge]
        if n > 0:
            child = g.child[edge]
            total += n
            sum0 += n * g.worth[child, 0]
            sum1 += n * g.worth[child, 1]
            sum2 += n * g.worth[child, 2]
            sum3 += n * g.worth[child, 3]
    g.worth[node, 0] = sum0 / total
    g.worth[node, 1] = sum1 / total
    g.worth[node, 2] = sum2 / total
    g.worth[node, 3] = sum3 / total


@compiled
def _finish_walk(g: Graph, leaf: int, depth: int) -> None:
    """A walk has come to its end: count it on the whole way back."""
    for step in range(depth - 1, -1, -1):
        edge = g.path[leaf, step]
        node = g.path_node[leaf, step]
        g.walking[edge] -= 1
        g.tries[edge] += 1
        g.visits[node] += 1
        _weigh(g, node)


@compiled
def _give_up_walk(g: Graph, leaf: int, depth: int) -> None:
    """A walk that met another one: as if it had never been."""
    for step in range(depth):
        g.walking[g.path[leaf, step]] -= 1


FULL = -1


@compiled
def _show(g: Graph, s: Record, observation: Observation) -> None:
    """Write the position for the network, turned so that the sun is at 0."""
    turns = (6 - s.sun) % 6
    g.turns[g.leaves] = turns
    observe(s, turns, observation)


@entry
def plant(g: Graph, root: Record, desk: Desk, questions: Questions, keep: bool) -> int:
    """Put the root at a position; what is known is kept if asked. Returns how many answers are wanted now: 0 or 1."""
    if not keep:
        g.nodes = 0
        g.edges = 0
        g.random = _SEED
        for slot in range(HASHES):
            g.table[slot] = 0
    g.leaves = 0
    desk.position = root
    node = _node_of(g, desk.position, _key(desk), desk.legal_list)
    g.root = node
    if g.state[node] != ASKED:
        return 0
    g.leaf[0] = node
    g.depth[0] = 0
    _show(g, desk.position, questions.observation[0])
    g.leaves = 1
    return 1


@entry
def gather(g: Graph, root: Record, desk: Desk, questions: Questions, how: Settings, wanted: int) -> int:
    """Walk down until so many positions wait for an answer; fewer where walks meet or there is no room.

    Returns how many wait, or −1 when the graph is full.
    """
    s = desk.position
    g.leaves = 0
    free = 0
    while g.leaves < wanted and free < _FREE_WALKS:
        desk.position = root
        if s.options & MODULE_MOON:
            g.random = shuffled(g.random)
            s.babies = laid_anew(s, g.random)
        row = g.leaves
        node = g.root
        depth = 0
        while True:
            edge = _choose(g, node, how)
            g.path[row, depth] = edge
            g.path_node[row, depth] = node
            g.walking[edge] += 1
            depth += 1
            face_down = s.face_down
            apply(s, int(g.action[edge]))
            hatched = face_down & ~s.face_down
            if hatched:
                node = _chance_after(g, edge)
                if node < 0:
                    _give_up_walk(g, row, depth)
                    return g.leaves if g.leaves else FULL
                edge = int(g.first[node]) + baby_on(s, lowest(hatched)) - 1
                g.path[row, depth] = edge
                g.path_node[row, depth] = node
                g.walking[edge] += 1
                depth += 1
            child = int(g.child[edge])
            made = False
            if child < 0:
                before = g.nodes
                child = _node_of(g, s, _key(desk), desk.legal_list)
                if child < 0:
                    _give_up_walk(g, row, depth)
                    return g.leaves if g.leaves else FULL
                made = child == before
                g.child[edge] = child
                if not made and g.state[child] != ASKED:
                    # Another way led here before: what is known of it counts at once.
                    _finish_walk(g, row, depth)
                    free += 1
                    break
            if g.state[child] == ENDED:
                _finish_walk(g, row, depth)
                free += 1
                break
            if made:
                g.leaf[row] = child
                g.depth[row] = depth
                _show(g, s, questions.observation[row])
                g.leaves += 1
                break
            if g.state[child] == ASKED:
                _give_up_walk(g, row, depth)
                return g.leaves
            if depth > MAX_DEPTH - 2:
                _finish_walk(g, row, depth)
                free += 1
                break
            node = child
    return g.leaves


@entry
def settle(g: Graph, root: Record, answers: Answers) -> None:
    """Take the network's answers for the positions that wait."""
    players = root.players
    for row in range(g.leaves):
        node = g.leaf[row]
        mover = g.mover[node]
        for seat in range(players):
            at = (mover + seat) % players
            g.own[node, at] = answers.values[row, seat]
            g.worth[node, at] = answers.values[row, seat]
        first = g.first[node]
        last = first + g.count[node]
        turns = g.turns[row]
        for edge in range(first, last):
            g.prior[edge] = answers.logits[row, TURNED_ACTION[turns, g.action[edge]]]
        most = g.prior[first]
        for edge in range(first, last):
            most = max(most, g.prior[edge])
        total = 0.0
        for edge in range(first, last):
            g.prior[edge] = math.exp(g.prior[edge] - most)
            total += g.prior[edge]
        for edge in range(first, last):
            g.prior[edge] /= total
        g.state[node] = KNOWN
    for row in range(g.leaves):
        _finish_walk(g, row, int(g.depth[row]))
    g.leaves = 0
