"""Animals: the moonlight that a step leads to, what a card can do, what a stone or the Elder Tree closes (M-ANIMAL)."""

from __future__ import annotations

from collections.abc import Iterator

from sunglade.board import LEAVES, NAMES
from sunglade.bots.moonlit_way import SEEN, lunar_from
from sunglade.kernel.actions import TABLE, Action
from sunglade.kernel.moon import LUNAR_CAP
from sunglade.teaching.case import Case, Reason


def way(case: Case) -> Iterator[Reason]:
    """Lunar points within reach of the animal, if it may step in every turn: from there, and from where it was."""
    if case.action.kind not in ("animal", "step") or case.before.rounds == case.before.current_round:
        return
    within, room = lunar_from(case.before, case.seat), LUNAR_CAP - case.before.lunar[case.seat]
    numbers = {"suns": min(SEEN, case.rounds_left), "new": min(within[case.after.at[case.seat]], room)}
    if case.action.kind == "animal":
        yield Reason("way", numbers)
        return
    numbers["old"] = min(within[case.before.at[case.seat]], room)
    if numbers["new"] != numbers["old"]:
        yield Reason("way.more" if numbers["new"] > numbers["old"] else "way.less", numbers)


def card(case: Case) -> Iterator[Reason]:
    """The cheapest ability of an animal that is kept, and from which price on it can be had (M-ANIMAL-2)."""
    if case.action.kind == "draft":
        cheapest = min((action for action in TABLE if _comes_first(action, case.action.animal)), key=_least_price)
        terms = {"ability": f"ability.{cheapest.ability}"}
        yield Reason("card", {"price": _least_price(cheapest)}, (), None, terms)


def _comes_first(action: Action, animal: str) -> bool:
    """Whether it is an ability of the animal that needs no other before it, as a baby's steps need hatching."""
    return action.kind == "ability" and action.animal == animal and not action.baby


def _least_price(action: Action) -> int:
    """Lunar points at least; what leaves cost is at least one."""
    return action.lunar + (1 if action.extra == "leaves" else 0)


def closes(case: Case) -> Iterator[Reason]:
    """The soil that nobody can use any more (M-ELDER-1, M-STONE-1)."""
    if case.action.kind in ("elder", "stone"):
        yield Reason("closes", {"leaves": LEAVES[case.action.space]}, (NAMES[case.action.space],))
