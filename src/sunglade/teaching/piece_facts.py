"""Pieces: what is lost and how to avoid it, what a purchase makes possible, how far it is to a token (R-ACT-2…5)."""

from __future__ import annotations

from collections.abc import Iterator

from sunglade.board import LEAVES, NAMES, names_of
from sunglade.changes import change, size_at
from sunglade.kernel.actions import BUY, TABLE
from sunglade.kernel.cost import cost
from sunglade.kernel.printed import LARGE, SEED, SIZES
from sunglade.kernel.record import TURTLE, Record
from sunglade.teaching.case import Case, Reason, legal_numbers, played
from sunglade.teaching.point_facts import top_token


def lost(case: Case) -> Iterator[Reason]:
    """Pieces that leave the game, and the purchase that would make room for them (R-ACT-4)."""
    if case.action.kind == "end":
        return
    for size in change(case.before, case.after, case.seat).lost:
        yield Reason(f"lost.{size}")
        if (price := buying_first(case.before, case.number, size)) is not None:
            yield Reason("lost.buy_first", {"price": price})


def buying_first(s: Record, number: int, size: str) -> int | None:
    """What the piece costs that has to be bought so that an action loses none of this size; None where it cannot."""
    buy = BUY + SIZES.index(size)
    if buy not in legal_numbers(s):
        return None
    bought = played(s, buy)
    if number not in legal_numbers(bought):
        return None
    keeps = not change(bought, played(bought, number), s.player).lost
    return cost(s, buy).light if keeps else None


def purchase(case: Case) -> Iterator[Reason]:
    """What a piece is bought for: to grow or to plant at once, to make room, or for the next turn."""
    if case.action.kind != "buy":
        return
    size = case.action.size
    old, new = legal_numbers(case.before), legal_numbers(case.after)
    gained = [TABLE[number] for number in new if number not in old]
    grows = tuple(NAMES[action.space] for action in gained if action.kind == "grow")
    saved = tuple(NAMES[TABLE[number].space] for number in _saved(case, old, new))
    if saved:
        yield Reason(f"room.{SIZES[size]}", {}, saved)
    if grows:
        yield Reason("enables", {}, grows)
    soils = [LEAVES[action.space] for action in gained if action.kind == "plant"]
    if soils:
        yield Reason("enables.seed", {"leaves": max(soils)})
    if size > SEED and not grows and case.before.available[case.seat, size] == 0:
        smaller = names_of(case.before.pieces[case.seat, size - 1])
        if smaller and case.rounds_left:
            yield Reason("ready", {}, tuple(smaller))
    if not (saved or grows or soils):
        yield Reason("price", {"price": cost(case.before, case.number).light})


def _saved(case: Case, old: list[int], new: list[int]) -> Iterator[int]:
    """The growths that would lose a piece before the purchase and lose none after it."""
    for number in old:
        if TABLE[number].kind == "grow" and number in new:
            losing = change(case.before, played(case.before, number), case.seat).lost
            if losing and not change(case.after, played(case.after, number), case.seat).lost:
                yield number


def soil(case: Case) -> Iterator[Reason]:
    """How rich the soil under a new seed is, and what is on top of its pile (R-BOARD-2)."""
    if case.action.kind == "plant" or case.action.ability == "hedgehog.plant":
        space = case.action.space if case.action.kind == "plant" else case.before.at[case.seat]
        numbers = {"leaves": LEAVES[space], "points": top_token(case.before, LEAVES[space])}
        yield Reason("soil", numbers, (NAMES[space],))


def ripe(case: Case) -> Iterator[Reason]:
    """When the piece can be collected at the earliest: it grows once a turn, and is collected in another (R-ACT-1)."""
    if case.action.kind not in ("plant", "grow"):
        return
    space = case.action.space
    steps = LARGE - size_at(case.after, space)
    earliest = case.before.current_round + steps + 1
    if _knows_shorter_ways(case, steps):
        if steps and case.rounds_left:
            yield Reason("growths", {"steps": steps}, (NAMES[space],))
        return
    if earliest > case.before.rounds:
        return
    numbers = {"steps": steps, "round": earliest}
    if earliest == case.before.rounds:
        yield Reason("last_call", numbers, (NAMES[space],))
    elif steps == 0:
        yield Reason("ripe.next", numbers, (NAMES[space],))
    else:
        yield Reason("ripe", numbers, (NAMES[space],))


def _knows_shorter_ways(case: Case, steps: int) -> bool:
    """Whether an animal might help: any to grow, to collect at once only the turtle with a baby (M-ANIMAL-4)."""
    return case.has_moon and (steps > 0 or case.before.animal[case.seat] == TURTLE)


def step(case: Case) -> Iterator[Reason]:
    """Abilities that an animal's step makes possible (M-ANIMAL-1)."""
    if case.action.kind == "step":
        old, new = ({TABLE[number].ability for number in legal_numbers(s)} for s in (case.before, case.after))
        for ability in sorted(new - old - {""}):
            yield Reason("enables.ability", {}, (), None, {"ability": f"ability.{ability}"})
