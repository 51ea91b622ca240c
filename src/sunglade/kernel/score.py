"""Points and winners (R-END, M-MOON-6)."""

from __future__ import annotations

from sunglade.kernel.bits import popcount
from sunglade.kernel.compiler import entry
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


@entry
def winners(s: Record) -> int:
    """Who would win now, a bit a player: most points, then most pieces on the board, else shared (R-END-2)."""
    best = -1
    who = 0
    for p in range(s.players):
        rank = points(s, p) * 64 + pieces_on_board(s, p)
        if rank > best:
            best = rank
            who = 0
        if rank == best:
            who |= 1 << p
    return who
