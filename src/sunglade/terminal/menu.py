"""The legal actions, numbered and grouped by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sunglade.board import SPACE_NAMED
from sunglade.game import Game
from sunglade.kernel.printed import SIZES
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.words import losses, price

_TITLES: Final = {
    "end": "End",
    "buy": "Buy",
    "grow": "Grow",
    "collect": "Collect",
    "plant": "Plant",
    "place": "Place",
    "draft": "Keep",
    "animal": "Place",
    "elder": "Place",
    "stone": "Place",
    "step": "Step",
}

Group = tuple[str, list[tuple[str, str]]]
"""A title, and for each action what to type and what it says."""


def groups(game: Game) -> list[Group]:
    """Every legal action with its number, in groups for people. The number is its place in `game.legal`."""
    found: dict[str, list[tuple[str, str]]] = {}
    for number, line in enumerate(game.legal):
        title, label = _entry(game, line)
        found.setdefault(title, []).append((str(number), label))
    end = found.pop("End", None)
    combined = [(line, label) for line, label in buy_and_do(game)]
    if combined:
        found["Buy first"] = combined
    return [*found.items(), *([("End", end)] if end else [])]


def _entry(game: Game, line: str) -> tuple[str, str]:
    """Title of the group and label of one action."""
    verb, *rest = line.split()
    if "." in verb:
        return _ability(game, line)
    if verb == "plant":
        return f"Plant from {rest[0]}", rest[1]
    if verb == "grow":
        size = game.state()["spaces"][rest[0]]["size"]
        return "Grow", f"{rest[0]} to {SIZES[size + 1]} {_price(game, line)}"
    if verb == "collect":
        return "Collect", f"{rest[0]} {_price(game, line)}"
    if verb == "buy":
        return "Buy", f"{rest[0]} {_price(game, line)}"
    if verb == "end":
        return "End", "end the turn"
    return _TITLES[verb], rest[0]


def _ability(game: Game, line: str) -> tuple[str, str]:
    """Abilities that differ only by a space share a group."""
    verb, *rest = line.split()
    animal, ability = verb.split(".")
    spaces = [word for word in rest if word in SPACE_NAMED]
    named = " ".join([ability, *(word for word in rest if word not in SPACE_NAMED)])
    if not spaces:
        return animal.capitalize(), f"{named} {_price(game, line)}"
    return f"{animal.capitalize()}: {named} {_price(game, line)}", " ".join(spaces)


def _price(game: Game, line: str) -> str:
    what = preview(game, line)
    return f"({', '.join(filter(None, [price(what), *losses(what)]))})"


def buy_and_do(game: Game) -> Iterator[tuple[str, str]]:
    """Grows that only lack a piece which could be bought now: what to type, and what both cost together."""
    if game.phase != "turn":
        return
    for space, piece in game.state()["spaces"].items():
        line = f"grow {space}"
        if piece["owner"] == game.player and (lines := purchase_first(game, line)):
            size = lines[0].split()[1]
            yield line, f"to {size}, buying it ({price(preview(game, *lines))})"


def summary(game: Game) -> str:
    """What can be done, in one line: kinds, and the spaces where that is short."""
    kinds: dict[str, dict[str, None]] = {}
    for line in game.legal:
        verb, *rest = line.split()
        kinds.setdefault(verb, {}).update({rest[0]: None} if rest else {})
    said = [_kind(verb, list(objects)) for verb, objects in kinds.items() if verb != "end"]
    return " · ".join([*said, "end"] if "end" in kinds else said)


def brief(game: Game) -> str:
    """The same where room is short: in a turn the kinds only; otherwise the choices are few or counted."""
    if game.phase != "turn":
        return summary(game)
    return " · ".join(dict.fromkeys(line.split()[0] for line in reversed(game.legal))) + " (l lists them)"


def _kind(verb: str, objects: list[str]) -> str:
    if verb == "plant":
        verb = "plant from"
    if verb in ("place", "elder", "stone") and len(objects) > 6:
        return f"{verb} (one of {len(objects)} spaces)"
    return " ".join([verb, *objects])
