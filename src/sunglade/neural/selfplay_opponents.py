"""Who a network in training plays against: mostly itself, at some tables others on some of the seats.

The others keep it from preparing for its own style only. Nothing is learned from their choices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER, TURN, Record
from sunglade.search.light_tally import count_light
from sunglade.search.rollout import sensible_policy

if TYPE_CHECKING:
    from sunglade.neural.selfplay_search import Tree

ITSELF: Final = 0
PAST: Final = 1
"""An older network, by its bare policy."""
HASTY: Final = 2
"""The same network without search, by its bare policy."""
SIMPLE: Final = 3
"""The rollout policy of the search with rollouts."""
RIVAL: Final = 4
"""In a match: another network, or the same one, with searches of its own."""

MAX_HISTORY: Final = 640
"""Actions of a game that are remembered; strong play has under 400."""


@compiled
def seat_others(t: Tree, s: Record, past: bool, mixed: float) -> None:
    """Draw who sits at a new table: with `past` an older network, at a share of the other tables hasty or simple."""
    t.manner = ITSELF
    t.others = 0
    t.random = shuffled(t.random)
    if past:
        t.manner = PAST
    elif t.random < mixed * 4294967296.0:
        t.random = shuffled(t.random)
        t.manner = SIMPLE if below(t.random, 4) == 0 else HASTY
    if t.manner != ITSELF:
        t.random = shuffled(t.random)
        t.others = 1 + below(t.random, (1 << s.players) - 2)  # neither nobody nor everybody


@inlined
def is_other(t: Tree, seat: int) -> bool:
    """Whether this seat is not the learning network's."""
    return t.others >> seat & 1 != 0


@compiled
def play(t: Tree, s: Record, action: int) -> None:
    """Play an action and remember it, and count the light that a new round brings."""
    if t.played < MAX_HISTORY:
        t.history[t.played] = action
    t.played += 1
    before = s.current_round
    apply(s, action)
    if s.current_round != before and s.phase != OVER:
        count_light(s, t)


@compiled
def play_set_up(t: Tree, s: Record, legal_list: LegalList) -> None:
    """Play the set-up at random, up to the first turn of the game."""
    while s.phase < TURN:
        t.random = shuffled(t.random)
        play(t, s, int(legal_list.action[below(t.random, legal(s, legal_list))]))


@compiled
def play_on(t: Tree, s: Record, legal_list: LegalList) -> None:
    """While there is only one thing to do, or a simple player to move."""
    while s.phase != OVER:
        if legal(s, legal_list) == 1:
            play(t, s, int(legal_list.action[0]))
        elif t.manner == SIMPLE and is_other(t, s.player):
            t.random = shuffled(shuffled(t.random))
            play(t, s, sensible_policy(s, t.random, legal_list))
        else:
            return
