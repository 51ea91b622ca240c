"""Actions told in short sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sunglade.changes import Change, change
from sunglade.game import Game
from sunglade.kernel.printed import PIECES, SIZES

_SENTENCES: Final = {
    "place": "places a small tree on {0}",
    "buy": "buys a {piece}",
    "plant": "plants a seed on {1} from {0}",
    "grow": "grows {0} to {size}",
    "collect": "collects {0} for {points}",
    "end": "ends the turn",
    "draft": "keeps the {0}",
    "animal": "places the {animal} on {0}",
    "elder": "places the Elder Tree on {0}",
    "stone": "places a moonstone on {0}",
    "step": "moves the {animal} to {0}",
    "boar.dig": "lets the boar dig up {at} for {points}",
    "boar.dig2": "lets the boar dig up {at} for {points} and plant a seed there",
    "hedgehog.run": "lets the hedgehog run",
    "hedgehog.plant": "lets the hedgehog plant a seed on {at}",
    "squirrel.eat": "lets the squirrel eat the seed on {at}",
    "fox.scare": "lets the fox scare the {0} to {1}",
    "fox.move": "lets the fox carry the seed from {at} to {0}",
    "fox.steal": "lets the fox steal from the {0}",
    "owl.hunt": "lets the owl hunt by night",
    "badger.fertilise": "lets the badger fertilise {at}",
    "beaver.dam": "lets the beaver build its dam on {0}, {1} and {2}",
    "beaver.strengthen": "lets the beaver strengthen {at}",
    "turtle.hatch": "hatches a baby: {baby}",
    "turtle.steps": "sends the baby {0} on its first steps",
}
"""What a player does, after the name. {0}, {1} … are the words of the line."""


def told(before: Game, line: str, after: Game) -> str:
    """What the player did, after the name: "grows c3 to medium (2 light)"."""
    seat = before.player
    assert seat is not None, "nobody acts after the end"
    verb, *rest = line.split()
    own = after.state()["players"][seat]
    words: dict[str, Any] = {"animal": own.get("animal"), "at": before.state()["players"][seat].get("at")}
    what = change(before.now, after.now, seat)
    words["points"] = f"{what.points} points" if what.points else "nothing"
    if "{points}" in _SENTENCES[verb]:
        what = replace(what, points=0)  # said already
    if verb == "buy":
        words["piece"] = PIECES[SIZES.index(rest[0])]
    if verb == "grow":
        words["size"] = SIZES[after.state()["spaces"][rest[0]]["size"]]
    if verb == "turtle.hatch":
        words["baby"] = own["babies"][-1]
    sentence = _SENTENCES[verb].format(*rest, **words)
    if verb == "turtle.steps" and len(rest) > 1:
        sentence += f" to {rest[1]}"
    return sentence + (_aside(what) if before.round == after.round else "")


def _aside(what: Change) -> str:
    """Cost and losses in brackets."""
    said = ", ".join(filter(None, [price(what), *losses(what)]))
    return f" ({said})" if said else ""


def price(what: Change) -> str:
    """What an action costs and brings, in a few words; empty when nothing."""
    amounts = (("light", what.light), ("lunar", what.lunar), ("points", what.points))
    costs = [f"{-amount} {name}" for name, amount in amounts if amount < 0]
    return ", ".join(costs + [f"+{amount} {name}" for name, amount in amounts if amount > 0])


def losses(what: Change) -> list[str]:
    """What leaves the game, each in a few words (R-ACT-4)."""
    return [f"the {PIECES[SIZES.index(size)]} leaves the game" for size in what.lost]


def joined(names: list[str]) -> str:
    """Names with commas and one "and"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "")))
