"""Actions told in short sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sunglade.changes import Change, change, size_at
from sunglade.game import Game
from sunglade.kernel.actions import TABLE, TURTLE_HATCH
from sunglade.kernel.printed import PIECES, SIZES
from sunglade.kernel.record import NOWHERE
from sunglade.notation import ACTION_NUMBERS, ACTION_WORDS, action_parts

_SENTENCES: Final = {
    "place": "places a small tree on {space}",
    "buy": "buys a {piece}",
    "plant": "plants a seed on {space} from {origin}",
    "grow": "grows {space} to {grown}",
    "collect": "collects {space} for {points}",
    "end": "ends the turn",
    "draft": "keeps the {animal}",
    "animal": "places the {animal} on {space}",
    "elder": "places the Elder Tree on {space}",
    "stone": "places a moonstone on {space}",
    "step": "moves the {animal} to {space}",
    "boar.dig": "lets the boar dig up {at} for {points}",
    "boar.dig2": "lets the boar dig up {at} for {points} and plant a seed there",
    "hedgehog.run": "lets the hedgehog run",
    "hedgehog.plant": "lets the hedgehog plant a seed on {at}",
    "squirrel.eat": "lets the squirrel eat the seed on {at}",
    "fox.scare": "lets the fox scare the {target} to {space}",
    "fox.move": "lets the fox carry the seed from {at} to {space}",
    "fox.steal": "lets the fox steal from the {target}",
    "owl.hunt": "lets the owl hunt by night",
    "badger.fertilise": "lets the badger fertilise {at}",
    "beaver.dam": "lets the beaver build its dam on {dam}",
    "beaver.strengthen": "lets the beaver strengthen {at}",
    "turtle.hatch": "hatches a baby: {hatched}",
    "turtle.steps": "sends the baby {baby} on its first steps",
}
"""What a player does, after the name, by the word its line begins with."""


def told(before: Game, line: str, after: Game) -> str:
    """What the player did, after the name: "grows c3 to medium (2 light)"."""
    seat = before.player
    assert seat is not None, "nobody acts after the end"
    number = ACTION_NUMBERS[line]
    action, verb = TABLE[number], ACTION_WORDS[number][0]
    own = after.state()["players"][seat]
    words: dict[str, Any] = {"animal": own.get("animal"), "at": before.state()["players"][seat].get("at")}
    words |= action_parts(number)
    what = change(before.now, after.now, seat)
    words["points"] = f"{what.points} points" if what.points else "nothing"
    if "{points}" in _SENTENCES[verb]:
        what = replace(what, points=0)  # said already
    if action.kind == "buy":
        words["piece"] = PIECES[action.size]
    if action.kind == "grow":
        words["grown"] = SIZES[size_at(after.now, action.space)]
    if number == TURTLE_HATCH:
        words["hatched"] = own["babies"][-1]
    if action.spaces:
        words["dam"] = joined(words["spaces"])
    sentence = _SENTENCES[verb].format(**words)
    if action.baby and action.space != NOWHERE:
        sentence += f" to {words['space']}"
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
