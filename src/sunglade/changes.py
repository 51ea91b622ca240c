"""What an action did: the difference between two positions. The rules themselves stay in the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sunglade import kernel
from sunglade.kernel.printed import SIZES
from sunglade.kernel.record import Record
from sunglade.kernel.tokens import token_value


@dataclass(frozen=True, slots=True)
class Change:
    """What an action brought a player; costs are negative. `lost` names the sizes of pieces that left the game."""

    light: int
    lunar: int
    points: int
    lost: list[str]


def change(before: Record, after: Record, p: int) -> Change:
    """What became different for a player. A sunrise that the action brought about is not counted in."""
    played = after if after.current_round == before.current_round else before
    return Change(
        light=played.light[p] - before.light[p],
        lunar=played.lunar[p] - before.lunar[p],
        points=_earned(after, p) - _earned(before, p),
        lost=[size for size, fewer in zip(SIZES, _fewer(before, after, p), strict=True) for _ in range(fewer)],
    )


def _fewer(before: Record, after: Record, p: int) -> list[int]:
    """How many pieces of each size a player has no longer."""
    return [pieces_owned(before, p, size) - pieces_owned(after, p, size) for size in range(4)]


def _earned(s: Record, p: int) -> int:
    """Points that stay: scoring tokens, and the turtle's baby *points* (R-END-1, M-ANIMAL-4)."""
    return s.score[p] + kernel.baby_points(s, p)


def pieces_owned(s: Record, p: int, size: int) -> int:
    """A player's pieces of a size, wherever they are: fewer once one has left the game (R-SETUP-1, R-ACT-4)."""
    return s.pieces[p, size].bit_count() + s.available[p, size] + s.slots[p, size].bit_count()


class Token(NamedTuple):
    """A scoring token, and how many leaves its pile has."""

    value: int
    leaves: int


def token_taken(before: Record, after: Record) -> Token | None:
    """The scoring token that an action took (R-ACT-5)."""
    if after.collected == before.collected:
        return None
    pile = next(pile for pile in range(4) if after.taken[pile] > before.taken[pile])
    return Token(token_value(after.tokens[before.collected]), pile + 1)


def touched(before: Record, after: Record) -> int:
    """The spaces whose piece, Elder Tree or stone changed; where the dam lies is told by the action itself."""
    changed = before.elder ^ after.elder | before.stones ^ after.stones
    for old, new in zip(before.numbers("pieces"), after.numbers("pieces"), strict=True):
        changed |= old ^ new
    return changed


def size_at(s: Record, space: int) -> int:
    """The size of the piece on a space known to have one, whosever it is."""
    return next(size for p in range(s.players) for size in range(4) if s.pieces[p, size] >> space & 1)


@dataclass(frozen=True, slots=True)
class Sunrise:
    """What the beginning of a round brought, by seat: light points of the trees, what the cap took, lunar points."""

    income: list[int]
    capped: list[int]
    lunar: list[int]


def sunrise(before: Record, after: Record) -> Sunrise | None:
    """What the round that an action began has brought everybody (R-ROUND-1); None where none began."""
    if after.current_round == before.current_round:
        return None
    dark = kernel.shadows(after, after.sun)
    income = [kernel.income(after, p, dark) for p in range(after.players)]
    return Sunrise(
        income=income,
        capped=[before.light[p] + more - after.light[p] for p, more in enumerate(income)],
        lunar=[after.lunar[p] - before.lunar[p] for p in range(after.players)],
    )
