"""The legal actions, numbered and grouped by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sunglade.board import NAMES
from sunglade.changes import size_at
from sunglade.game import Game
from sunglade.kernel.actions import TABLE
from sunglade.kernel.printed import SIZES
from sunglade.notation import ACTION_NAMES, ACTION_WORDS
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.words import losses, price

_TITLES: Final = {"draft": "Keep", "animal": "Place", "elder": "Place", "stone": "Place"}
"""Kinds of actions with another title than their own word."""

Group = tuple[str, list[tuple[str, str]]]
"""A title, and for each action what to type and what it says."""


def groups(game: Game) -> list[Group]:
    """Every legal action with its number, in groups for people. The number is its place in `game.legal`."""
    found: dict[str, list[tuple[str, str]]] = {}
    for place, number in enumerate(game.legal_numbers):
        title, label = _entry(game, number)
        found.setdefault(title, []).append((str(place), label))
    end = found.pop("End", None)
    combined = [(line, label) for line, label in buy_and_do(game)]
    if combined:
        found["Buy first"] = combined
    return [*found.items(), *([("End", end)] if end else [])]


def _entry(game: Game, number: int) -> tuple[str, str]:
    """Title of the group and label of one action."""
    action, line = TABLE[number], ACTION_NAMES[number]
    if action.ability:
        return _ability(game, number)
    if action.kind == "end":
        return "End", "end the turn"
    spaces = [NAMES[space] for space in action.names]
    if action.kind == "plant":
        return f"Plant from {spaces[0]}", spaces[1]
    if action.kind == "grow":
        grown = SIZES[size_at(game.now, action.space) + 1]
        return "Grow", f"{spaces[0]} to {grown} {_price(game, line)}"
    label = " ".join(ACTION_WORDS[number][1:])
    if action.kind in ("buy", "collect"):
        label += f" {_price(game, line)}"
    return _TITLES.get(action.kind, action.kind.capitalize()), label


def _ability(game: Game, number: int) -> tuple[str, str]:
    """Abilities that differ only by a space share a group."""
    action, words = TABLE[number], ACTION_WORDS[number]
    verb, *details = words[: len(words) - len(action.names)]
    named = " ".join([verb.removeprefix(f"{action.animal}."), *details, _price(game, ACTION_NAMES[number])])
    title = action.animal.capitalize()
    return (f"{title}: {named}", " ".join(words[-len(action.names) :])) if action.names else (title, named)


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
            yield line, f"to {SIZES[piece['size'] + 1]}, buying it ({price(preview(game, *lines))})"


def summary(game: Game) -> str:
    """What can be done, in one line: kinds, and the spaces where that is short."""
    kinds: dict[str, dict[str, None]] = {}
    for number in game.legal_numbers:
        verb, *rest = ACTION_WORDS[number]
        kinds.setdefault(verb, {}).update({rest[0]: None} if rest else {})
    said = [_kind(verb, list(objects)) for verb, objects in kinds.items() if verb != "end"]
    return " · ".join([*said, "end"] if "end" in kinds else said)


def brief(game: Game) -> str:
    """The same where room is short: in a turn the kinds only; otherwise the choices are few or counted."""
    if game.phase != "turn":
        return summary(game)
    return " · ".join(dict.fromkeys(ACTION_WORDS[n][0] for n in reversed(game.legal_numbers))) + " (l lists them)"


def _kind(verb: str, objects: list[str]) -> str:
    if verb == "plant":
        verb = "plant from"
    if verb in ("place", "elder", "stone") and len(objects) > 6:
        return f"{verb} (one of {len(objects)} spaces)"
    return " ".join([verb, *objects])
