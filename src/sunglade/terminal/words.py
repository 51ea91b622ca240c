"""Actions told in short sentences, those of the client's log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sunglade.changes import Change, change, size_at, token_taken
from sunglade.game import Game
from sunglade.kernel.actions import TABLE, TURTLE_HATCH, Action
from sunglade.kernel.printed import SIZES
from sunglade.kernel.record import NOWHERE
from sunglade.notation import ACTION_NUMBERS, action_parts
from sunglade.words import is_key, key
from sunglade.words.speech import gain, tell

SAYS_LIGHT: Final = ("buy", "squirrel.eat", "owl.hunt")
SAYS_POINTS: Final = ("collect", "boar.dig")
"""Abilities, and kinds of actions, whose sentences tell light or points, which are not told again in brackets."""


def told(before: Game, line: str, after: Game, names: Sequence[str]) -> str:
    """What a player did: "Ada grows the small tree on c3 into a medium tree (2 light)"."""
    seat = before.player
    assert seat is not None, "nobody acts after the end"
    number = ACTION_NUMBERS[line]
    action, what = TABLE[number], change(before.now, after.now, seat)
    loot = _loot(action, before, after)
    counts = {"light": what.light, "points": what.points, "loot": sum(loot)}
    sentence = tell(
        key(_log_key(action, before, after)),
        player=names[seat],
        victim=names[_seat_of(before, action.target)] if action.target else "",
        count=abs(counts[_counted(action)]),
        **_details(number, before, after),
    )
    if before.round != after.round:
        return sentence
    return sentence + _aside(_unsaid(action, replace(what, light=what.light - loot[0], lunar=what.lunar - loot[1])))


def _unsaid(action: Action, what: Change) -> Change:
    """What the sentence about an action does not tell itself."""
    word = _word(action)
    return replace(
        what,
        light=0 if word in SAYS_LIGHT else what.light,
        points=0 if word in SAYS_POINTS else what.points,
    )


def _word(action: Action) -> str:
    return action.ability or action.kind


def _log_key(action: Action, before: Game, after: Game) -> str:
    """Which message of the log tells of an action."""
    name = f"log.{_word(action)}"
    if action.kind == "buy":
        return f"{name}.{SIZES[action.size]}"
    if action.kind == "grow":
        return f"{name}.{SIZES[size_at(after.now, action.space)]}"
    if action.ability == "boar.dig" and action.level == 2:
        name += "2"
    if is_key(f"{name}.nothing") and token_taken(before.now, after.now) is None:
        return f"{name}.nothing"
    if action.ability == "fox.steal" and before.rules.fox_steals == "light":
        return f"{name}.light"
    return f"{name}.on" if action.baby and action.space != NOWHERE else name


def _counted(action: Action) -> str:
    """What the number in a sentence counts."""
    if action.ability == "fox.steal":
        return "loot"
    return "points" if _word(action) in SAYS_POINTS else "light"


def _loot(action: Action, before: Game, after: Game) -> tuple[int, int]:
    """Light and lunar points that the fox stole."""
    if action.ability != "fox.steal":
        return 0, 0
    victim = _seat_of(before, action.target)
    lost = change(before.now, after.now, victim)
    return -lost.light, -lost.lunar


def _seat_of(game: Game, animal: str) -> int:
    """The seat that leads an animal."""
    return next(seat for seat, own in enumerate(game.state()["players"]) if own["animal"] == animal)


def _details(number: int, before: Game, after: Game) -> dict[str, Any]:
    """Places, animal and baby, as messages call them."""
    action, parts, seat = TABLE[number], action_parts(number), before.player or 0
    own, at = after.state()["players"][seat], before.state()["players"][seat].get("at") or ""
    space = parts.get("space", at)
    baby = own["babies"][-1] if number == TURTLE_HATCH else action.baby
    animal = action.target or action.animal or own.get("animal")
    form = "" if action.kind == "draft" else ".the"
    return {
        "space": space,
        "target": space,
        "origin": parts.get("origin", at),
        "spaces": " ".join(parts.get("spaces", [])),
        "animal": tell(key(f"animal.{animal}{form}")) if animal else "",
        "baby": tell(key(f"baby.{baby}")) if baby else "",
    }


def _aside(what: Change) -> str:
    """Cost and losses in brackets."""
    said = ", ".join(filter(None, [price(what), *losses(what)]))
    return f" ({said})" if said else ""


def price(what: Change) -> str:
    """What an action costs and brings, in a few words; empty when nothing."""
    amounts = {
        "light": (what.light, tell("terminal.light.count", count=abs(what.light))),
        "lunar": (what.lunar, tell("terminal.lunar.count", count=abs(what.lunar))),
        "points": (what.points, tell("count.points", count=abs(what.points))),
    }
    costs = [said for amount, said in amounts.values() if amount < 0]
    return ", ".join(costs + [gain(said) for amount, said in amounts.values() if amount > 0])


def losses(what: Change) -> list[str]:
    """What leaves the game, each in a few words (R-ACT-4)."""
    return [tell("terminal.lost", piece=tell(key(f"piece.{size}"))) for size in what.lost]
