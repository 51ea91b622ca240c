"""Games that a player of the lower levels imagines: everybody goes on as it would itself, animals only step.

Whoever wants to know what an ability is worth plays the rest of the game out in its mind, with the ability and without
it, many times. What it does with its trees are its `impulses`.
"""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BOAR_DIG, END, SPACE_COUNT, STEP
from sunglade.kernel.animals import steps_allowed
from sunglade.kernel.apply import apply
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry, inlined, shared
from sunglade.kernel.fields import Memory, Number, Numbers, Part
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.moon import lit_spaces, moon_is_full, moves_before
from sunglade.kernel.moonlight_setup import animals_at
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.printed import NEIGHBOURS
from sunglade.kernel.record import MODULE_MOON, OVER, Record
from sunglade.search.impulses import NO_IMPULSE, impulse
from sunglade.search.manner import Manner
from sunglade.search.rollout import legal_actions
from sunglade.search.value import margin

SEEN: Final = 3
"""Rounds of moonlight that a step looks ahead."""


class Desk(Memory):
    """What imagining works with: the position it begins from, the one it is at, and how everybody plays."""

    start = Part(Record)
    now = Part(Record)
    manner = Part(Manner)
    legal_list = Part(LegalList)
    moonlit = Numbers(64)  # [space]: lunar points of the coming rounds from there
    reached = Numbers(64)  # [space]: the same after one more step
    random = Number()
    memory = Number()  # what is forgotten in this game follows from it


@entry
def imagined_margin(d: Desk, games: int, seed: int) -> float:
    """By how many points the mover of `start`, in a turn, ends ahead of the best other, on average over so many games.

    Game by game the same is forgotten for the same seed, so that two positions can be compared by few games.
    """
    seat = d.start.player
    total = 0
    for game in range(games):
        d.random = _begun(seed + game)
        d.memory = _drawn(d)
        d.now = d.start
        while d.now.phase != OVER:
            _play(d.now, _next_action(d))
        total += margin(d.now, seat)
    return total / games


@inlined
def _begun(seed: int) -> int:
    """A state of the random generator; never 0."""
    return shuffled(shuffled(((seed & 0x7FFFFFFF) * 2654435761 + 88172645) % 0xFFFFFFFF + 1))


@inlined
def _drawn(d: Desk) -> int:
    """The next random number."""
    d.random = shuffled(d.random)
    return d.random


@shared
def _play(s: Record, action: int) -> None:
    """`apply`, compiled once."""
    apply(s, action)


@shared
def _next_action(d: Desk) -> int:
    """What a lower level would do: something for its trees, else a step, else the end of the turn."""
    s = d.now
    count = legal_actions(s, d.legal_list)
    action = _for_the_trees(d, s, count)
    if action == END and s.options & MODULE_MOON and s.steps < steps_allowed(s, s.player):
        action = _into_the_moonlight(d, s, count)
    return action


TIE: Final = 100
"""What is equally promising is chosen by chance."""


@compiled
def _for_the_trees(d: Desk, s: Record, count: int) -> int:
    """The first impulse that finds something: collect, grow, buy, plant; END if none does."""
    best = 0
    chosen = END
    for i in range(count):
        action = d.legal_list.action[i]
        wanted = impulse(s, action, d.manner)
        if wanted != NO_IMPULSE and not _is_forgotten(d, s, action):
            wanted = wanted * TIE + below(_drawn(d), TIE)
            if wanted > best:
                best = wanted
                chosen = action
    return chosen


@inlined
def _is_forgotten(d: Desk, s: Record, action: int) -> bool:
    """Whether a player does not think of an action on this turn."""
    turn = (s.current_round * 4 + s.player) * 2048 + action
    return _begun(d.memory ^ turn * 40503) < d.manner.forgets


@compiled
def _into_the_moonlight(d: Desk, s: Record, count: int) -> int:
    """A step to where the moon of the coming rounds brings more than here; END if there is none (M-MOON-5)."""
    _look_at_the_moon(d, s)
    best = d.moonlit[s.at[s.player & 3]] * TIE + TIE - 1
    chosen = END
    for i in range(count):
        action = d.legal_list.action[i]
        if STEP <= action < BOAR_DIG:
            worth = d.moonlit[action - STEP] * TIE + below(_drawn(d), TIE)
            if worth > best:
                best = worth
                chosen = action
    return chosen


@compiled
def _look_at_the_moon(d: Desk, s: Record) -> None:
    """For every space the lunar points of the coming rounds, with a step a turn; `bots/moonlit_way.py` tells more."""
    p = s.player & 3
    free = ~(animals_at(s) & ~(1 << s.at[p]) | s.elder | s.stones)
    for space in range(SPACE_COUNT):
        d.moonlit[space] = 0
    ahead = min(SEEN, s.rounds - s.current_round)
    while ahead > 0:
        moves = moves_before(s.current_round + ahead)
        lit = lit_spaces(s, moves)
        each = 2 if moon_is_full(s, moves) else 1
        for space in range(SPACE_COUNT):
            d.reached[space] = d.moonlit[space]
            near = NEIGHBOURS[space] & free
            while near:
                d.reached[space] = max(d.reached[space], d.moonlit[lowest(near)])
                near &= near - 1
        for space in range(SPACE_COUNT):
            d.moonlit[space] = d.reached[space] + each * (lit >> space & 1)
        ahead -= 1
