"""Why one turn is better than another: both are played on copies, and what they lead to is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sunglade import kernel
from sunglade.changes import pieces_owned
from sunglade.kernel.actions import END, TURTLE_HATCH
from sunglade.kernel.record import TURN, Record
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import SUNS
from sunglade.teaching.case import Reason
from sunglade.teaching.light_facts import light_of


def compared(before: Record, better: Sequence[str], worse: Sequence[str]) -> list[Reason]:
    """What the better turn brings that the worse one does not, and what it gives up for that."""
    seat = before.player
    new, old = _before_its_end(before, better), _before_its_end(before, worse)
    return [*_points(old, new, seat), *_pieces(old, new, seat), *_light(old, new, seat), *_kept(old, new, seat)]


def _before_its_end(before: Record, lines: Sequence[str]) -> Record:
    """The position after a turn's actions, before it ends; what hatches is not known."""
    after = before.copy()
    for line in lines:
        number = ACTION_NUMBERS[line]
        if number in (END, TURTLE_HATCH):
            break
        kernel.apply(after, number)
    return after


def _points(old: Record, new: Record, seat: int) -> Iterator[Reason]:
    had, has = (s.score[seat] + kernel.baby_points(s, seat) for s in (old, new))
    if had != has:
        yield Reason("points.more" if has > had else "points.fewer", {"new": has, "old": had}, (), seat)


def _pieces(old: Record, new: Record, seat: int) -> Iterator[Reason]:
    had, has = (sum(pieces_owned(s, seat, size) for size in range(4)) for s in (old, new))
    if has > had:
        yield Reason("keeps", {"pieces": has - had})


def _light(old: Record, new: Record, seat: int) -> Iterator[Reason]:
    suns = min(SUNS, old.rounds - old.current_round)
    if old.phase == TURN == new.phase and suns > 0:
        yield from light_of(old, new, seat, suns)


def _kept(old: Record, new: Record, seat: int) -> Iterator[Reason]:
    had, has = old.light[seat], new.light[seat]
    if has > had:
        yield Reason("left.more", {"new": has, "old": had})
