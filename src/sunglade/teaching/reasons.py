"""Why an action is good: facts about it, the weightiest first.

>>> from sunglade import Game
>>> game = Game(players=2, actions=["place a1", "place g4", "place a3", "place g2"])
>>> [reason.kind for reason in reasons(game, "grow a1")]
['lost.small', 'own.more', 'shades', 'ripe']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from sunglade.game import Game
from sunglade.teaching import light_facts, moon_facts, piece_facts, point_facts
from sunglade.teaching.case import Case, Reason, case_of
from sunglade.words import Tell, key

__all__ = ["Reason", "reasons", "sentence", "told"]

FACTS: Final[tuple[Callable[[Case], Iterator[Reason]], ...]] = (
    piece_facts.lost,
    point_facts.token,
    point_facts.gains,
    light_facts.light,
    piece_facts.purchase,
    light_facts.cap,
    light_facts.moonlight,
    moon_facts.way,
    piece_facts.step,
    moon_facts.card,
    moon_facts.closes,
    piece_facts.soil,
    piece_facts.ripe,
    light_facts.keep,
    point_facts.leftover,
    point_facts.waits,
)
"""What is looked for, in the order in which it is told."""


def reasons(game: Game, line: str) -> list[Reason]:
    """Everything there is to say about a legal action."""
    case = case_of(game.now, line)
    return [reason for facts in FACTS for reason in facts(case)]


def sentence(reason: Reason, names: Sequence[str], tell: Tell) -> str:
    """A reason in a language."""
    told_with: dict[str, str | int] = {**reason.numbers, "spaces": ", ".join(reason.spaces)}
    told_with |= {name: tell(key(term)) for name, term in reason.terms.items()}
    if reason.seat is not None:
        told_with["player"] = names[reason.seat]
    return tell(key(f"reason.{reason.kind}"), **told_with)


def told(found: Sequence[Reason]) -> list[dict[str, Any]]:
    """Reasons for programs, as `schema.Reason` has them."""
    return [
        {
            "kind": reason.kind,
            "numbers": reason.numbers,
            "spaces": list(reason.spaces),
            "seat": reason.seat,
            "terms": reason.terms,
        }
        for reason in found
    ]
