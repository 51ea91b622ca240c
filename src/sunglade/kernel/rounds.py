"""The course of the game: placing the first trees, turns, rounds, the end (R-SETUP-5, R-ROUND)."""

from __future__ import annotations

from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.light import photosynthesis
from sunglade.kernel.moon import moonlight
from sunglade.kernel.printed import SMALL
from sunglade.kernel.record import MODULE_MOON, OVER, PLACING, TURN, Record
from sunglade.rules import SUNS


@inlined
def begin_placing(s: Record) -> None:
    """The first small trees are placed, starting with the first player (R-SETUP-5)."""
    s.phase = PLACING
    s.player = 0
    s.turn = 0


@inlined
def place(s: Record, p: int, space: int) -> None:
    """A small tree on the edge; after two laps round 1 begins (R-SETUP-5)."""
    s.pieces[p, SMALL] |= 1 << space
    s.empty &= ~(1 << space)
    s.available[p, SMALL] -= 1
    s.turn += 1
    s.player = p + 1 if p + 1 < s.players else 0
    if s.turn == 2 * s.players:
        s.phase = TURN
        s.turn = 0
        begin_round(s)


@inlined
def next_sun(s: Record) -> int:
    """Where the sun will stand in the next round; it stays for round 1 (R-ROUND-2)."""
    if s.current_round == 0:
        return s.sun
    return s.sun + 1 if s.sun < 5 else 0


@entry
def begin_round(s: Record) -> None:
    """The sun moves and shines (R-ROUND-1, R-ROUND-2)."""
    s.sun = next_sun(s)
    s.current_round += 1
    photosynthesis(s)
    if s.options & MODULE_MOON:
        moonlight(s)


@inlined
def end_turn(s: Record, p: int) -> None:
    """The turn passes clockwise; after the last one the round ends (R-ROUND-3)."""
    s.activated = 0
    for size in range(4):
        s.fresh[size] = 0
    s.steps = 0
    s.used = 0
    s.effects = 0
    s.turn += 1
    s.player = p + 1 if p + 1 < s.players else 0
    if s.turn == s.players:
        end_round(s)


@entry
def next_first(s: Record) -> int:
    """Who has the first-player token in the next round (R-ROUND-4)."""
    return s.first + 1 if s.first + 1 < s.players else 0


def revolutions(s: Record) -> int:
    """How often the sun goes round in the whole game; a single extra round belongs to the last time (R-ROUND-4)."""
    return max(1, -(-(s.rounds - 1) // SUNS))


def revolution(s: Record) -> int:
    """Which revolution the round belongs to, counted from 1; 0 before the first round."""
    return min(-(-s.current_round // SUNS), revolutions(s))


def turn_order(s: Record) -> list[int]:
    """The seats of this round in the order of their turns: clockwise from the first player (R-ROUND-3)."""
    return _clockwise(s.first, s.players)


def next_turn_order(s: Record) -> list[int] | None:
    """The same for the next round (R-ROUND-4); None before the first round and in the last."""
    return _clockwise(next_first(s), s.players) if 0 < s.current_round < s.rounds else None


def _clockwise(first: int, players: int) -> list[int]:
    return [(first + turn) % players for turn in range(players)]


@inlined
def end_round(s: Record) -> None:
    """The first-player token passes on, or the game ends (R-ROUND-4, R-ROUND-5)."""
    s.turn = 0
    if s.current_round == s.rounds:
        s.phase = OVER
        s.player = s.first
        return
    s.first = next_first(s)
    s.player = s.first
    begin_round(s)
