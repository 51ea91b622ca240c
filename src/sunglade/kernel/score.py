"""Points and winners (R-END, M-MOON-6)."""

from __future__ import annotations

from sunglade.kernel.bits import popcount
from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.record import LEFTOVER_UP, MODULE_MOON, TURTLE, Record


@entry
def leftover_points(s: Record, p: int) -> int:
    """A point for every 3 leftover light points, a begun three counting where the edition says so (R-END-1)."""
    return (s.light[p] + 2) // 3 if s.options & LEFTOVER_UP else s.light[p] // 3


@entry
def baby_points(s: Record, p: int) -> int:
    """What the baby *points* has brought the turtle's player (M-ANIMAL-4)."""
    return s.baby_points if s.animal[p] == TURTLE else 0


@entry
def moon_points(s: Record, p: int) -> int:
    """Leftover lunar points, and the turtle's baby *points* (M-MOON-6, M-ANIMAL-4)."""
    if not s.options & MODULE_MOON:
        return 0
    return s.lunar[p] + baby_points(s, p)


@entry
def points(s: Record, p: int) -> int:
    """What a player's score would be if the game ended now (R-END-1)."""
    return s.score[p] + leftover_points(s, p) + moon_points(s, p)


@entry
def pieces_on_board(s: Record, p: int) -> int:
    """Seeds and trees on the main board, which break ties (R-END-2)."""
    return popcount(s.pieces[p, 0] | s.pieces[p, 1] | s.pieces[p, 2] | s.pieces[p, 3])


@inlined
def standing(s: Record, p: int) -> int:
    """What players are ordered by: points, then pieces on the board (R-END-2)."""
    return points(s, p) * 64 + pieces_on_board(s, p)


@entry
def winners(s: Record) -> int:
    """Who would win now, a bit a player: most points, then most pieces on the board, else shared (R-END-2)."""
    best = -1
    who = 0
    for p in range(s.players):
        rank = standing(s, p)
        if rank > best:
            best = rank
            who = 0
        if rank == best:
            who |= 1 << p
    return who


@entry
def win_share(s: Record, p: int) -> float:
    """1 for a win, 1/k for a win shared by k players, else 0 (R-END-2)."""
    who = winners(s)
    return 1.0 / popcount(who) if who >> p & 1 else 0.0
