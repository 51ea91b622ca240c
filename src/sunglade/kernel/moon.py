"""The moon: where it stands, what it lights, whom it feeds (M-MOON, M-ELDER-3, M-STONE-3)."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.printed import MOON_LIT, NEIGHBOURS, NO_ELDER
from sunglade.kernel.record import MOON_TURNS_ON_ARRIVAL, NOWHERE, Record

MOON_PLACES: Final = 18
TRACKER_AHEAD: Final = 5
LUNAR_CAP: Final = 14
LUNAR_START: Final = 2


@entry
def moon_place(s: Record, moves: int) -> int:
    """Where the moon stands after so many moves of the sun (M-MOON-3, M-MOON-4)."""
    return (s.moon_start + TRACKER_AHEAD * moves) % MOON_PLACES


@entry
def moon_is_full(s: Record, moves: int) -> bool:
    """Crescent at the start; turned over each time the tracker and the sun's corner cross (M-MOON-4).

    Where it is the tracker that turns over, the moon has the tracker's face of one move ago.
    In half positions the tracker is at 2·(start + 5 + 5·moves) + 1, the sun at −6·moves, a whole round has 36.
    """
    if s.options & MOON_TURNS_ON_ARRIVAL:
        moves = max(moves - 1, 0)
    at_start = 2 * (s.moon_start + TRACKER_AHEAD) + 1
    crossings = (at_start + 16 * moves) // 36 - at_start // 36
    return crossings % 2 == 1


@entry
def lit_spaces(s: Record, moves: int) -> int:
    """The moon's two lines, and the neighbours of every stone that is lit (M-MOON-2, M-STONE-3)."""
    lit = MOON_LIT[moon_place(s, moves), lowest(s.elder) if s.elder else NO_ELDER]
    waiting = s.stones
    shining = waiting & lit
    while shining:
        waiting &= ~shining
        while shining:
            lit |= NEIGHBOURS[lowest(shining)]
            shining &= shining - 1
        shining = waiting & lit
    return lit


@entry
def moves_before(current_round: int) -> int:
    """How often the sun has moved by a round (R-ROUND-2)."""
    return max(current_round - 1, 0)


@compiled
def gain_lunar(s: Record, p: int, points: int) -> None:
    """Lunar points for a player, at most 14 (M-MOON-5)."""
    s.lunar[p] = min(s.lunar[p] + points, LUNAR_CAP)


@entry
def lunar_income(s: Record, p: int, moves: int) -> int:
    """What the moon brings a player's animal: 1 lunar point on a lit space, 2 under a full moon (M-MOON-5)."""
    if s.at[p] == NOWHERE or not lit_spaces(s, moves) >> s.at[p] & 1:
        return 0
    return 2 if moon_is_full(s, moves) else 1


@compiled
def moonlight(s: Record) -> None:
    """The moon's part of the photosynthesis phase (M-MOON-5)."""
    for p in range(s.players):
        gain_lunar(s, p, lunar_income(s, p, moves_before(s.current_round)))
