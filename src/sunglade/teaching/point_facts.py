"""Points now against points later: tokens, piles that others reach for, the end of the game (R-ACT-5, R-END)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sunglade.board import LEAVES, NAMES
from sunglade.changes import change, token_taken
from sunglade.forecast import forecast
from sunglade.kernel import leftover_points
from sunglade.kernel.actions import END, TABLE
from sunglade.kernel.printed import PILE_SIZE, TOKEN_VALUE
from sunglade.kernel.record import OVER, Record
from sunglade.teaching.case import Case, Reason, legal_numbers, played

LOOKS_AT_THE_END: Final = 6
"""From so many rounds before the end, what a tree could still bring is worth telling."""


def top_token(s: Record, leaves: int) -> int:
    """What the next collect on such soil pays (R-ACT-5); 0 when the piles are empty."""
    for pile in range(leaves - 1, -1, -1):
        if s.taken[pile] < PILE_SIZE[pile]:
            return int(TOKEN_VALUE[pile, s.taken[pile]])
    return 0


def token(case: Case) -> Iterator[Reason]:
    """The token that is taken, what the next one is worth, who else reaches for it, and what is given up."""
    taken = token_taken(case.before, case.after)
    if taken is None or not case.in_turn:
        return
    yield Reason("token", {"points": taken.value, "leaves": taken.leaves})
    space = case.action.space
    rivals = after_it(case.before, case.seat, taken.leaves)
    for seat, spaces in rivals.items():
        yield Reason("race", {"points": taken.value}, tuple(spaces), seat)
    following = top_token(case.after, taken.leaves)
    if following < taken.value:
        yield Reason("token.falls", {"points": following})
    if case.action.kind == "collect" and case.rounds_left <= LOOKS_AT_THE_END:
        yield Reason("late", {"light": light_to_come(case.before, space)}, (NAMES[space],))


def light_to_come(s: Record, space: int) -> int:
    """What the tree on a space will still bring before the game ends, six suns at most, if nobody acts."""
    return sum(ahead.trees.get(NAMES[space], 0) for ahead in forecast(s) if ahead.played)


def after_it(s: Record, mover: int, leaves: int) -> dict[int, list[str]]:
    """Who else can collect from soil with so many leaves before the mover's next turn, and where; played on a copy in
    which everybody only ends the turn.
    """
    found: dict[int, list[str]] = {}
    ahead = played(s, END)
    for _ in range(2 * s.players):
        if ahead.phase == OVER or ahead.player == mover:
            break
        spaces = [TABLE[number].space for number in legal_numbers(ahead) if TABLE[number].kind == "collect"]
        there = [NAMES[space] for space in spaces if LEAVES[space] == leaves]
        if there:
            found[ahead.player] = there
        ahead = played(ahead, END)
    return found


def waits(case: Case) -> Iterator[Reason]:
    """A tree that could be collected now and loses nothing by waiting: nobody takes its token before the next turn."""
    if not case.before.rounds > case.before.current_round > 0 or case.action.kind == "collect":
        return
    spaces = [TABLE[number].space for number in legal_numbers(case.before) if TABLE[number].kind == "collect"]
    for space in sorted(spaces, key=lambda space: -LEAVES[space]):
        worth = light_to_come(case.before, space)
        if worth > 0 and not after_it(case.before, case.seat, LEAVES[space]):
            numbers = {"light": worth, "points": top_token(case.before, LEAVES[space])}
            yield Reason("waits", numbers, (NAMES[space],))
            return


def gains(case: Case) -> Iterator[Reason]:
    """What an ability brings its player at once, and takes from others."""
    if case.action.kind != "ability" or case.after is case.before:
        return
    for seat in range(case.before.players):
        brought = change(case.before, case.after, seat)
        for what, count in (("points", brought.points), ("light", brought.light), ("lunar", brought.lunar)):
            if seat == case.seat and count > 0 and not (what == "points" and _took_token(case)):
                yield Reason(f"gains.{what}", {"gain": count})
            elif seat != case.seat and count < 0:
                yield Reason(f"takes.{what}", {"loss": -count}, (), seat)


def _took_token(case: Case) -> bool:
    return case.after.collected > case.before.collected


def leftover(case: Case) -> Iterator[Reason]:
    """Whoever ends the last turn has the points of the light that is left (R-END-1)."""
    if case.action.kind == "end" and case.before.current_round == case.before.rounds:
        light = case.before.light[case.seat]
        yield Reason("leftover", {"points": leftover_points(case.before, case.seat), "light": light})
