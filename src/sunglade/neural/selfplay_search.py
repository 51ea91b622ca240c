"""Many searches side by side, each waiting for a network: the engine of self-play.

For every game there is a record and a small tree of flat arrays. `advance` takes the network's answers for the leaves
of the last call, and goes on with each game until it needs the next answer: backing up, walking down, and, when a
search has had its simulations, playing the action it chose and starting anew. The position of a leaf is not stored:
the path to it is played again on a copy of the game's record.

The search is the one of "Policy improvement by planning with Gumbel" (Danihelka et al., 2022): at the root actions are
drawn without replacement by Gumbel noise and halved in rounds, below the visits follow the improved policy. It improves
the policy with very few simulations. Values are a vector, one for each seat, never a sign flip: the mover often stays
the same.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade.encode import TURNED_ACTION, Observation, observe
from sunglade.kernel.apply import apply
from sunglade.kernel.arrays import dtype_of
from sunglade.kernel.compiler import compiled, entry, inlined
from sunglade.kernel.fields import Memory, Number, Numbers, Real, Reals
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, Record
from sunglade.kernel.score import points, win_share
from sunglade.neural.selfplay_opponents import (
    MAX_HISTORY,
    PAST,
    RIVAL,
    is_other,
    play,
    play_on,
    play_set_up,
    seat_others,
)  # fmt: skip
from sunglade.search.light_tally import TALLY
from sunglade.search.unseen_babies import laid_anew
from sunglade.search.value import final_value, margin_value

MAX_ACTIONS: Final = 192
"""Actions of a position that a search looks at; strong play has under 100."""
MAX_NODES: Final = 66
MAX_EDGES: Final = 4096
MAX_DEPTH: Final = 64
MAX_SIMULATIONS: Final = 64
MAX_CONSIDERED: Final = 16
VISIT_SCALE: Final = 50.0
"""Danihelka's c_visit: how much a value counts against the prior before any visits."""
VALUE_SCALE: Final = 1.0
MAX_SAMPLES: Final = 160


class Tree(Memory):
    """A tree: flat arrays over its nodes."""

    nodes = Number()
    edges = Number()
    simulations = Number()  # done
    target = Number()  # wanted
    considered = Number()  # root actions looked at
    keep = Number()  # whether this search becomes a training sample
    random = Number()
    depth = Number()  # edges on the path to the waiting leaf
    samples = Number()
    finished = Number()  # a game ended in the last call
    waiting = Number()  # the node whose position the network is asked about
    others = Number()  # seats that are not the learning network's
    manner = Number()  # and how they play
    babies = Number()  # as this search believes them to lie
    path = Numbers(MAX_DEPTH)
    path_node = Numbers(MAX_DEPTH)
    first = Numbers(MAX_NODES)
    count = Numbers(MAX_NODES)
    mover = Numbers(MAX_NODES)
    value = Reals(MAX_NODES, 4, code="f")  # the network's word on the node, by seat
    visits = Numbers(MAX_NODES)
    action = Numbers(MAX_EDGES, code="h")
    child = Numbers(MAX_EDGES, code="h")
    tries = Numbers(MAX_EDGES, code="i")
    logit = Reals(MAX_EDGES, code="f")
    won = Reals(MAX_EDGES, code="f")  # sum of values for the mover
    gumbel = Reals(MAX_ACTIONS, code="f")
    light = Numbers(TALLY, code="B")  # that each space brought in this game
    played = Number()  # actions of this game so far
    history = Numbers(MAX_HISTORY, code="h")  # and which they were


TREE: Final = dtype_of(Tree)


Ask = Any
ASK: Final = np.dtype((np.record, [("count", np.int32), ("past", np.int32), ("action", np.int16, MAX_ACTIONS)]))
"""What a network is asked: how many actions, whether it is the older one, and the actions on the turned board."""


class Answer(Memory):
    """What the network says: a value for each relative seat, and a logit for each action asked about."""

    value = Reals(4, code="f")
    logit = Reals(MAX_ACTIONS, code="f")


ANSWER: Final = dtype_of(Answer)


class Sample(Memory):
    """The improved policy over the legal actions, in 65535ths, and the light that each space had brought by then."""

    policy = Numbers(MAX_ACTIONS, code="H")
    light = Numbers(TALLY, code="B")


SAMPLE: Final = dtype_of(Sample)


class Settings(Memory):
    """How to search."""

    full = Number()  # simulations of a search that teaches
    fast = Number()  # and of one that only plays on
    full_share = Real()
    considered = Number()  # root actions looked at
    noise = Real()  # scale of the Gumbel noise: 1 to explore, 0 to play one's best
    noisy_rounds = Number()  # until the end of which round there is noise; the set-up is round 0
    past = Number()  # the first so many tables of a half have an older network at some seats
    mixed = Real()  # share of the others with hasty or simple players at some seats
    random_setup = Real()  # share of the games whose set-up is played at random
    rival = Number()  # in a match: simulations of the rival's searches
    once = Number()  # in a match: whether each table plays one game only


SETTINGS: Final = dtype_of(Settings)


class Outcome(Memory):
    """How a game ended, by seat; and the light that each space brought in all of it."""

    win = Reals(4, code="f")
    margin = Reals(4, code="f")
    points = Reals(4, code="f")
    owner = Numbers(4)
    light = Numbers(TALLY, code="B")


OUTCOME: Final = dtype_of(Outcome)


def visit_schedule() -> NDArray[np.int64]:
    """`SCHEDULE[considered, simulation]`: the visit count that root actions in the running must have to be next.

    Sequential halving: the considered actions share the simulations of a phase, then the better half goes on.
    """
    table = np.zeros((MAX_CONSIDERED + 1, MAX_SIMULATIONS + 1, MAX_SIMULATIONS + 1), dtype=np.int64)
    for considered in range(1, MAX_CONSIDERED + 1):
        for simulations in range(1, MAX_SIMULATIONS + 1):
            sequence = _halving(considered, simulations)
            table[considered, simulations, : len(sequence)] = sequence
    return table


def _halving(considered: int, simulations: int) -> list[int]:
    if considered == 1:
        return list(range(simulations))
    phases = max(1, math.ceil(math.log2(considered)))
    sequence: list[int] = []
    visits = [0] * considered
    running = considered
    while len(sequence) < simulations:
        extra = max(1, simulations // (phases * running))
        for _ in range(extra):
            sequence += visits[:running]
            visits = [count + 1 for count in visits[:running]]
        running = max(2, running // 2)
    return sequence[:simulations]


SCHEDULE: Final = visit_schedule()


@inlined
def _uniform(t: Tree) -> float:
    t.random = shuffled(t.random)
    return (t.random + 0.5) / 4294967296.0


@compiled
def _new_node(t: Tree, s: Record, legal_list: LegalList) -> int:
    """A node for the position `s`, its logits still to come; −1 when the tree is full."""
    n = min(legal(s, legal_list), MAX_ACTIONS)
    node = t.nodes
    if node >= MAX_NODES or t.edges + n > MAX_EDGES:
        return -1
    t.nodes += 1
    t.first[node] = t.edges
    t.count[node] = n
    t.mover[node] = s.player
    t.visits[node] = 0
    for i in range(n):
        edge = t.edges + i
        t.action[edge] = legal_list.action[i]
        t.child[edge] = -1
        t.tries[edge] = 0
        t.won[edge] = 0.0
    t.edges += n
    return node


@compiled
def _ask(s: Record, t: Tree, node: int, observation: Observation, ask: Ask) -> None:
    """Show the network the position of a node, turned so that the sun is at 0."""
    turns = (6 - s.sun) % 6
    observe(s, turns, observation)
    first = t.first[node]
    n = t.count[node]
    ask.count = n
    ask.past = 1 if (t.manner == PAST or t.manner == RIVAL) and is_other(t, t.mover[0]) else 0
    for i in range(n):
        ask.action[i] = TURNED_ACTION[turns, t.action[first + i]]
    for i in range(n, MAX_ACTIONS):
        ask.action[i] = 0


@compiled
def _hear(t: Tree, node: int, players: int, answer: Answer) -> None:
    """Take the network's answer for a node: values by seat, logits of its actions."""
    mover = t.mover[node]
    for seat in range(players):
        t.value[node, (mover + seat) % players] = answer.value[seat]
    first = t.first[node]
    for i in range(t.count[node]):
        t.logit[first + i] = answer.logit[i]


@inlined
def _count_visit(t: Tree, step: int, value: float) -> None:
    """One more visit of the edge at a step of the path, worth so much to its mover."""
    edge = t.path[step]
    t.tries[edge] += 1
    t.won[edge] += value
    t.visits[t.path_node[step]] += 1


@compiled
def _back_up(t: Tree, node: int) -> None:
    """Add what the network said of a node to every edge on the path, each for its own mover."""
    for step in range(t.depth):
        _count_visit(t, step, t.value[node, t.mover[t.path_node[step]]])


@compiled
def _back_up_end(t: Tree, s: Record) -> None:
    """The same for a game that ended on the way."""
    for step in range(t.depth):
        _count_visit(t, step, final_value(s, t.mover[t.path_node[step]]))


@compiled
def _completed_q(t: Tree, node: int) -> float:
    """The value unvisited actions are given: the network's, mixed with what the visited ones found."""
    first = t.first[node]
    n = t.count[node]
    most = -1e30
    for i in range(n):
        most = max(most, t.logit[first + i])
    visited_prior = 0.0
    weighted = 0.0
    total = 0.0
    visits = 0
    for i in range(n):
        edge = first + i
        prior = math.exp(t.logit[edge] - most)
        total += prior
        if t.tries[edge] > 0:
            visited_prior += prior
            weighted += prior * t.won[edge] / t.tries[edge]
            visits += t.tries[edge]
    own = t.value[node, t.mover[node]]
    if visits == 0:
        return own
    return (own + visits * weighted / visited_prior) / (1.0 + visits)


@compiled
def _sigma(t: Tree, node: int) -> float:
    """The scale by which values move logits."""
    most = 0
    for edge in range(t.first[node], t.first[node] + t.count[node]):
        most = max(most, t.tries[edge])
    return (VISIT_SCALE + most) * VALUE_SCALE


@inlined
def _score(t: Tree, edge: int, filler: float, sigma: float) -> float:
    """Logit of the improved policy."""
    q = t.won[edge] / t.tries[edge] if t.tries[edge] > 0 else filler
    return t.logit[edge] + sigma * q


@compiled
def _choose_root(t: Tree) -> int:
    """The next root action in the halving: among those with the scheduled number of visits, the best."""
    filler = _completed_q(t, 0)
    sigma = _sigma(t, 0)
    wanted = SCHEDULE[t.considered, t.target, t.simulations]
    best = -1
    best_score = -1e30
    for edge in range(t.count[0]):
        if t.tries[edge] == wanted:
            score = t.gumbel[edge] + _score(t, edge, filler, sigma)
            if score > best_score:
                best_score = score
                best = edge
    return best if best >= 0 else _most_visited(t)


@compiled
def _most_visited(t: Tree) -> int:
    """The root action the halving ended with; ties go to the better score."""
    filler = _completed_q(t, 0)
    sigma = _sigma(t, 0)
    most = 0
    for edge in range(t.count[0]):
        most = max(most, t.tries[edge])
    best = 0
    best_score = -1e30
    for edge in range(t.count[0]):
        if t.tries[edge] == most:
            score = t.gumbel[edge] + _score(t, edge, filler, sigma)
            if score > best_score:
                best_score = score
                best = edge
    return best


@compiled
def _choose_inner(t: Tree, node: int) -> int:
    """Below the root: keep the visits in proportion to the improved policy."""
    filler = _completed_q(t, node)
    sigma = _sigma(t, node)
    first = t.first[node]
    n = t.count[node]
    most = -1e30
    for edge in range(first, first + n):
        most = max(most, _score(t, edge, filler, sigma))
    total = 0.0
    for edge in range(first, first + n):
        total += math.exp(_score(t, edge, filler, sigma) - most)
    best = first
    best_gap = -1e30
    for edge in range(first, first + n):
        wanted = math.exp(_score(t, edge, filler, sigma) - most) / total
        gap = wanted - t.tries[edge] / (1.0 + t.visits[node])
        if gap > best_gap:
            best_gap = gap
            best = edge
    return best


GAME_ENDED: Final = -1
TREE_FULL: Final = -2


@compiled
def _walk(t: Tree, s: Record, legal_list: LegalList) -> int:
    """Walk from the root to a position the network has not seen, and make its node."""
    t.depth = 0
    node = 0
    while t.depth < MAX_DEPTH:
        edge = _choose_root(t) if node == 0 else _choose_inner(t, node)
        t.path[t.depth] = edge
        t.path_node[t.depth] = node
        t.depth += 1
        apply(s, int(t.action[edge]))
        if s.phase == OVER:
            return GAME_ENDED
        if t.child[edge] < 0:
            child = _new_node(t, s, legal_list)
            if child < 0:
                return TREE_FULL
            t.child[edge] = child
            return child
        node = int(t.child[edge])
    return TREE_FULL


@compiled
def _begin_search(t: Tree, s: Record, legal_list: LegalList, settings: Settings) -> None:
    """An empty tree with the present position at its root, waiting for the network's first word."""
    noise = settings.noise if s.current_round <= settings.noisy_rounds else 0.0
    t.random = shuffled(t.random)
    t.babies = laid_anew(s, t.random) if s.babies else 0
    t.nodes = 0
    t.edges = 0
    t.simulations = 0
    t.depth = 0
    t.waiting = 0
    _new_node(t, s, legal_list)
    for i in range(t.count[0]):
        t.gumbel[i] = -noise * math.log(-math.log(_uniform(t)))


@compiled
def _plan(t: Tree, settings: Settings) -> None:
    """Playout-cap randomisation: some searches are long and teach the policy, most are short and only play on.

    Others do not search at all, unless they are rivals: the noise draws an action by the bare policy.
    """
    t.keep = 1 if _uniform(t) < settings.full_share else 0
    t.target = settings.full if t.keep else settings.fast
    if is_other(t, t.mover[0]):
        t.keep = 0
        t.target = settings.rival if t.manner == RIVAL else 0
    t.considered = min(min(settings.considered, t.count[0]), t.target)


@compiled
def _take_answer(t: Tree, players: int, answer: Answer, settings: Settings) -> None:
    """The network has spoken: of the root, which begins the search, or of a leaf, which is backed up."""
    _hear(t, t.waiting, players, answer)
    if t.waiting == 0:
        _plan(t, settings)
    else:
        _back_up(t, t.waiting)
        t.simulations += 1


@compiled
def _write_sample(t: Tree, sample: Sample) -> None:
    """The improved policy at the root: what the network should learn; and the light so far."""
    for i in range(TALLY):
        sample.light[i] = t.light[i]
    filler = _completed_q(t, 0)
    sigma = _sigma(t, 0)
    most = -1e30
    for edge in range(t.count[0]):
        most = max(most, _score(t, edge, filler, sigma))
    total = 0.0
    for edge in range(t.count[0]):
        total += math.exp(_score(t, edge, filler, sigma) - most)
    for edge in range(MAX_ACTIONS):
        share = math.exp(_score(t, edge, filler, sigma) - most) / total if edge < t.count[0] else 0.0
        sample.policy[edge] = int(share * 65535.0 + 0.5)


@compiled
def _write_outcome(t: Tree, s: Record, outcome: Outcome) -> None:
    """How a game ended: win, margin, points, who has what on the board, and the light of every space."""
    for i in range(TALLY):
        outcome.light[i] = t.light[i]
    for seat in range(4):
        playing = seat < s.players
        outcome.win[seat] = win_share(s, seat) if playing else 0.0
        outcome.margin[seat] = margin_value(s, seat) if playing else 0.0
        outcome.points[seat] = points(s, seat) if playing else 0.0
        outcome.owner[seat] = s.pieces[seat, 0] | s.pieces[seat, 1] | s.pieces[seat, 2] | s.pieces[seat, 3]


@compiled
def _begin_game(t: Tree, s: Record, legal_list: LegalList, past: bool, settings: Settings) -> None:
    """Seat the players of a new game, and play on to its first choice."""
    t.samples = 0
    t.played = 0
    for i in range(TALLY):
        t.light[i] = 0
    seat_others(t, s, past, settings.mixed)
    t.random = shuffled(t.random)
    if t.random < settings.random_setup * 4294967296.0:
        play_set_up(t, s, legal_list)
    play_on(t, s, legal_list)


@entry
def begin(
    first: int,
    last: int,
    starts: NDArray[np.void],
    games: NDArray[np.void],
    trees: NDArray[np.void],
    lists: NDArray[np.void],
    observations: NDArray[np.void],
    asks: NDArray[np.void],
    settings: NDArray[np.void],
    seed: int,
    match: bool,
) -> None:
    """Start the games first…last: of a match between rivals, or of self-play."""
    for i in range(first, last):
        t: Tree = trees[i]
        t.finished = 0
        if match:
            _seat_rivals(t, i, starts, games, lists[i], settings[0], seed)
        else:
            t.random = _first_random(seed, i)
            games[i] = starts[below(t.random, len(starts))]
            _begin_game(t, games[i], lists[i], i < settings[0].past, settings[0])
        _begin_search(t, games[i], lists[i], settings[0])
        _ask(games[i], t, 0, observations[i], asks[i])


@compiled
def _seat_rivals(
    t: Tree,
    table: int,
    starts: NDArray[np.void],
    games: NDArray[np.void],
    legal_list: LegalList,
    settings: Settings,
    seed: int,
) -> None:
    """Neighbouring tables share the opening; every way to seat the rivals comes equally often."""
    ways = (1 << starts[0].players) - 2
    opening = table // ways
    t.random = _first_random(seed, opening)
    games[table] = starts[opening % len(starts)]
    _begin_game(t, games[table], legal_list, False, settings)
    t.manner = RIVAL
    t.others = 1 + table % ways
    play_on(t, games[table], legal_list)


@compiled
def _first_random(seed: int, number: int) -> int:
    """Where the random numbers of a game begin."""
    random = (seed * 1000003 + number * 7919 + 12345) % 4294967291 + 1
    for _ in range(8):
        random = shuffled(random)
    return random


@entry
def advance(
    first: int,
    last: int,
    starts: NDArray[np.void],
    games: NDArray[np.void],
    leaves: NDArray[np.void],
    trees: NDArray[np.void],
    lists: NDArray[np.void],
    observations: NDArray[np.void],
    asks: NDArray[np.void],
    answers: NDArray[np.void],
    staged: NDArray[np.void],
    policies: NDArray[np.void],
    outcomes: NDArray[np.void],
    settings: NDArray[np.void],
) -> int:
    """Go on with the games first…last until each needs the network again; return how many moves were played."""
    moves = 0
    for i in range(first, last):
        t: Tree = trees[i]
        t.finished = 0
        if games[i].phase == OVER:
            continue  # a match that has ended
        _take_answer(t, games[i].players, answers[i], settings[0])
        node = TREE_FULL
        while node < 0 and t.simulations < t.target:
            leaves[i] = games[i]
            leaves[i].babies = t.babies
            node = _walk(t, leaves[i], lists[i])
            if node == GAME_ENDED:
                _back_up_end(t, leaves[i])
            elif node == TREE_FULL:
                _back_up(t, t.path_node[t.depth - 1])
            if node < 0:
                t.simulations += 1
        if node >= 0:
            t.waiting = node
            _ask(leaves[i], t, node, observations[i], asks[i])
            continue
        moves += 1
        if t.keep and t.samples < MAX_SAMPLES and t.count[0] <= MAX_ACTIONS:
            staged[i, t.samples] = games[i]
            _write_sample(t, policies[i, t.samples])
            t.samples += 1
        play(t, games[i], int(t.action[_most_visited(t)]))
        play_on(t, games[i], lists[i])
        if games[i].phase == OVER:
            _write_outcome(t, games[i], outcomes[i])
            t.finished = t.samples
            if settings[0].once:
                asks[i].count = 0
                continue
            t.random = shuffled(t.random)
            games[i] = starts[below(t.random, len(starts))]
            _begin_game(t, games[i], lists[i], i < settings[0].past, settings[0])
        _begin_search(t, games[i], lists[i], settings[0])
        _ask(games[i], t, 0, observations[i], asks[i])
    return moves
