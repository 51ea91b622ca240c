"""A game that was played is played again, and what each seat did and each space brought is written down (R-LIGHT)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sunglade.kernel.actions import ABILITIES, PLACE, TABLE
from sunglade.kernel.apply import apply
from sunglade.kernel.arrays import dtype_of
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.fields import Memory, Number, Numbers, Real
from sunglade.kernel.light import shaded_by
from sunglade.kernel.printed import EDGE_SPACE, LARGE, SMALL
from sunglade.kernel.record import NOWHERE, PLACING, Record
from sunglade.kernel.score import points, win_share

Array = NDArray[Any]

ROUNDS: Final = 26
"""Room for the rounds of the longest game, 25, and for the set-up, round 0."""
SPACES: Final = 37
KINDS: Final = ("end", "buy", "plant", "grow", "collect", "step", "ability")
"""What is counted of the actions; those of the set-up are not."""
KIND: Final = np.array([KINDS.index(action.kind) if action.kind in KINDS else -1 for action in TABLE])
ABILITY: Final = np.array([ABILITIES.index(action.ability) if action.ability else -1 for action in TABLE])
SPACE: Final = np.array([action.space for action in TABLE])


class Story(Memory):
    """What one seat did in a game, and how it ended for it."""

    win = Real()  # 1, or a share of it
    points = Number()
    score = Number()  # of them, from scoring tokens
    animal = Number()
    placed = Numbers(2)  # where its first two trees went
    acted = Numbers(len(KINDS))
    abilities = Numbers(len(ABILITIES))
    income = Numbers(ROUNDS)  # [round]: light that its trees brought
    tokens = Numbers(ROUNDS)  # [round]: scoring tokens taken
    trees = Number()  # trees that stood there when the sun shone, over all rounds
    # How many of those trees were in shade, and the light that this cost.
    shaded_by_own = Number()  # that nobody but the player's own trees threw
    shaded_by_others = Number()  # that only other players' trees threw
    lost_to_own = Number()
    lost_to_others = Number()
    took = Number()  # light that others lost because of this player's trees alone


STORY: Final = dtype_of(Story)


@entry
def replay(
    starts: Array, actions: Array, first: Array, stories: Array, sizes: Array, light: Array, tokens: Array, work: Array
) -> None:
    """Play the games again: game n has the actions first[n] to first[n + 1]; write the story of every seat.

    `sizes`, `light` and `tokens` have for each game, round and space the tree that stood there in the sun, the light
    it brought, and the points of a token taken there.
    """
    for game in range(len(starts)):
        work[0] = starts[game]
        s = work[0]
        for place in range(first[game], first[game + 1]):
            before = s.current_round
            _act(s, int(actions[place]), game, stories, tokens)
            if s.current_round != before:
                _shine(s, game, stories, sizes, light)
        for seat in range(s.players):
            stories[4 * game + seat].win = win_share(s, seat)
            stories[4 * game + seat].points = points(s, seat)
            stories[4 * game + seat].score = s.score[seat]
            stories[4 * game + seat].animal = s.animal[seat]


@compiled
def _act(s: Record, action: int, game: int, stories: Array, tokens: Array) -> None:
    """Play an action and note it."""
    seat = s.player
    story = stories[4 * game + seat]
    if s.phase == PLACING:
        story.placed[0 if s.turn < s.players else 1] = EDGE_SPACE[action - PLACE]
    if KIND[action] >= 0:
        story.acted[KIND[action]] += 1
    if ABILITY[action] >= 0:
        story.abilities[ABILITY[action]] += 1
    before, number = s.score[seat], s.current_round
    space = SPACE[action] if SPACE[action] != NOWHERE else s.at[seat]  # the boar digs where it is
    apply(s, action)
    if s.score[seat] != before:
        story.tokens[number] += 1
        tokens[game, number, space] = s.score[seat] - before


@compiled
def _shine(s: Record, game: int, stories: Array, sizes: Array, light: Array) -> None:
    """Note what the sun of a round that has just begun brings to whom, and who takes light from whom (R-LIGHT)."""
    for seat in range(s.players):
        for size in range(SMALL, LARGE + 1):
            trees = s.pieces[seat, size]
            while trees:
                _look_at(s, game, seat, size, lowest(trees), stories, sizes, light)
                trees &= trees - 1


@compiled
def _look_at(
    s: Record, game: int, seat: int, size: int, space: int, stories: Array, sizes: Array, light: Array
) -> None:
    """One tree in the sun, or in whose shade."""
    story = stories[4 * game + seat]
    story.trees += 1
    sizes[game, s.current_round, space] = size
    casters = shaded_by(s, s.sun, space, size)
    if casters == 0:
        light[game, s.current_round, space] = size
        story.income[s.current_round] += size
        return
    of_others = 0
    for other in range(s.players):
        mine = s.pieces[other, 1] | s.pieces[other, 2] | s.pieces[other, 3]
        if other == seat and casters & ~mine == 0:
            story.shaded_by_own += 1
            story.lost_to_own += size
        elif other != seat:
            of_others |= mine
            if casters & ~mine == 0:
                stories[4 * game + other].took += size
    if casters & ~of_others == 0:
        story.shaded_by_others += 1
        story.lost_to_others += size


class Replayed:
    """Games played again: [game, seat] and [game, round, space]."""

    def __init__(self, starts: Array, actions: Array, lengths: Array) -> None:
        games = len(starts)
        stories = np.zeros(4 * games, STORY)
        self.sizes = np.zeros((games, ROUNDS, SPACES), np.int8)
        self.light = np.zeros((games, ROUNDS, SPACES), np.int8)
        self.tokens = np.zeros((games, ROUNDS, SPACES), np.int8)
        first = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        work = starts[:1].copy()
        replay(starts, actions, first, stories, self.sizes, self.light, self.tokens, work)
        self.stories: Array = stories.reshape(games, 4)
