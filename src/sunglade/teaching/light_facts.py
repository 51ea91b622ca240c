"""Light of the coming suns, with an action and without it, if nobody does anything else (R-LIGHT)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sunglade import kernel
from sunglade.board import names_of
from sunglade.forecast import forecast
from sunglade.kernel.record import Record
from sunglade.rules import SUNS
from sunglade.teaching.case import Case, Reason


class Coming(NamedTuple):
    """What so many suns bring each seat together, and for each sun the spaces of the trees in shade."""

    income: list[int]
    shaded: list[int]


def coming(s: Record, suns: int) -> Coming:
    """The next suns of a position."""
    found = kernel.ComingSuns()
    kernel.look_at_suns(s, found)
    income = [sum(found.income[ahead, seat] for ahead in range(suns)) for seat in range(s.players)]
    return Coming(income, [found.shaded[ahead] for ahead in range(suns)])


def light(case: Case) -> Iterator[Reason]:
    """Whose light of the coming suns becomes more or less by the action."""
    if case.action.kind not in ("end", "buy", "draft"):
        yield from light_of(case.before, case.after, case.seat, min(SUNS, case.rounds_left))


def light_of(without: Record, with_it: Record, mover: int, suns: int) -> Iterator[Reason]:
    """The same of any two positions of one round: the mover first, then everybody else."""
    old, new = coming(without, suns), coming(with_it, suns)
    for seat in (mover, *(seat for seat in range(without.players) if seat != mover)):
        if old.income[seat] == new.income[seat]:
            continue
        whose = "own" if seat == mover else "rival"
        more = new.income[seat] > old.income[seat]
        numbers = {"suns": suns, "new": new.income[seat], "old": old.income[seat]}
        yield Reason(f"{whose}.{'more' if more else 'less'}", numbers, (), seat)
    trees = _trees(without) & _trees(with_it)
    for kind, before, after in (("shades", old, new), ("frees", new, old)):
        changed = 0
        for light_before, light_after in zip(before.shaded, after.shaded, strict=True):
            changed |= light_after & ~light_before
        if changed & trees:
            yield Reason(kind, {}, tuple(names_of(changed & trees)))


def _trees(s: Record) -> int:
    """The spaces with a tree, whosever it is."""
    found = 0
    for seat in range(s.players):
        found |= s.pieces[seat, 1] | s.pieces[seat, 2] | s.pieces[seat, 3]
    return found


def cap(case: Case) -> Iterator[Reason]:
    """Light that the next sunrise would take away above the limit, and that is spent in time (R-LIGHT-4)."""
    if case.in_turn and case.rounds_left > 0:
        wasted = [forecast(s)[0].lost[case.seat] for s in (case.before, case.after)]
        if wasted[1] < wasted[0]:
            yield Reason("cap", {"saved": wasted[0] - wasted[1], "cap": case.before.light_cap})


def keep(case: Case) -> Iterator[Reason]:
    """What ending the turn leaves for the next one (R-LIGHT-3)."""
    if case.action.kind == "end" and case.rounds_left > 0:
        kept, then = case.before.light[case.seat], forecast(case.before)[0].light[case.seat]
        yield Reason("keep" if kept else "spent", {"kept": kept, "then": then})


def moonlight(case: Case) -> Iterator[Reason]:
    """Lunar points of the coming rounds, with the action and without it (M-MOON-5)."""
    if case.has_moon and case.action.kind not in ("end", "buy", "draft"):
        for seat in range(case.before.players):
            old, new = (_lunar(s, seat) for s in (case.before, case.after))
            if old != new:
                own = f"lunar.{'more' if new > old else 'less'}"
                numbers = {"suns": min(SUNS, case.rounds_left), "new": new, "old": old}
                yield Reason(own if seat == case.seat else "rival.lunar", numbers, (), seat)


def _lunar(s: Record, seat: int) -> int:
    """What the moon of the coming rounds brings, as far as there is room for it on the tracker (M-MOON-5)."""
    had = [ahead.moon.lunar[seat] for ahead in forecast(s) if ahead.played and ahead.moon is not None]
    return had[-1] - s.lunar[seat] if had else 0
