"""What a finished game pays each seat: one number, the same in every interface.

All three add up to 0 over the seats. Each is one division of whole numbers, so that a CPU and a GPU agree to the
last bit.
"""

from __future__ import annotations

from typing import Final

from sunglade.errors import BadRequest
from sunglade.kernel import points, winners
from sunglade.kernel.bits import popcount
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.record import Record
from sunglade.kernel.score import standing

REWARDS: Final = ("win", "margin", "rank")
"""The names; a reward's number in compiled code is its place."""
WIN, MARGIN, RANK = range(3)
MARGIN_UNIT: Final = 100
"""So many points of margin are a reward of 1."""
ILLEGAL: Final = -1.0
"""What an illegal action brings whoever tried it, where the interface ends the game for it."""


def reward_number(reward: str) -> int:
    """The number of a reward by its name."""
    if not isinstance(reward, str) or reward not in REWARDS:
        raise BadRequest(f"reward must be one of {', '.join(REWARDS)}, not {reward!r:.60}.")
    return REWARDS.index(reward)


@compiled
def _win(s: Record, p: int) -> float:
    """1 for the winner, less when the win is shared; the others pay for it in equal parts (R-END-2)."""
    who = winners(s)
    shared = popcount(who)
    if who >> p & 1:
        return (s.players - shared) / (shared * (s.players - 1))
    return -1 / (s.players - 1)


@compiled
def _margin(s: Record, p: int) -> float:
    """Points more than the others have on average, a hundred to the unit."""
    more = 0
    for other in range(s.players):
        more += points(s, p) - points(s, other)
    return more / (MARGIN_UNIT * (s.players - 1))


@compiled
def _rank(s: Record, p: int) -> float:
    """From 1 for the first to −1 for the last in equal steps; players who are level share."""
    beaten = 0
    for other in range(s.players):
        difference = standing(s, p) - standing(s, other)
        beaten += 1 if difference > 0 else (-1 if difference < 0 else 0)
    return beaten / (s.players - 1)


@entry
def reward(s: Record, p: int, kind: int) -> float:
    """What the game would pay a seat if it ended now."""
    if kind == WIN:
        return _win(s, p)
    if kind == MARGIN:
        return _margin(s, p)
    return _rank(s, p)
