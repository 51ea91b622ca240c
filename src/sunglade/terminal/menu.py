"""The legal actions, numbered and grouped by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from sunglade.board import NAMES
from sunglade.changes import size_at
from sunglade.drawing.as_text import size_name
from sunglade.game import Game
from sunglade.kernel.actions import TABLE, Action
from sunglade.notation import ACTION_NAMES, ACTION_WORDS
from sunglade.terminal.preview import preview, purchase_first
from sunglade.terminal.words import losses, price
from sunglade.words import key
from sunglade.words.speech import isolated, tell

if TYPE_CHECKING:
    from sunglade.words.keys import Key

_TITLES: Final[dict[str, Key]] = {
    "draft": "terminal.menu.keep",
    "place": "action.place",
    "animal": "action.place",
    "elder": "action.place",
    "stone": "action.place",
    "buy": "action.buy",
    "grow": "action.grow",
    "collect": "action.collect",
    "step": "action.step",
    "end": "action.end",
}
"""What the kinds of actions are called."""

Group = tuple[str, list[tuple[str, str]]]
"""A title, and for each action what to type and what it says."""


def groups(game: Game) -> list[Group]:
    """Every legal action with its number, in groups for people. The number is its place in `game.legal`."""
    found: dict[str, list[tuple[str, str]]] = {}
    for place, number in enumerate(game.legal_numbers):
        title, label = _entry(game, number)
        found.setdefault(title, []).append((str(place), label))
    end = found.pop(tell("action.end"), None)
    combined = list(buy_and_do(game))
    if combined:
        found[tell("terminal.menu.buy_first")] = combined
    return [*found.items(), *([(tell("action.end"), end)] if end else [])]


def _entry(game: Game, number: int) -> tuple[str, str]:
    """Title of the group and label of one action."""
    action, line = TABLE[number], ACTION_NAMES[number]
    if action.ability:
        return _ability(game, number)
    spaces = [NAMES[space] for space in action.names]
    if action.kind == "plant":
        return tell("action.plant.from", space=spaces[0]), spaces[1]
    title = tell(_TITLES[action.kind])
    if action.kind == "grow":
        return title, f"{_grown(spaces[0], size_at(game.now, action.space) + 1)} {_price(game, line)}"
    if action.kind == "buy":
        return title, f"{size_name(action.size)} {_price(game, line)}"
    if action.kind == "draft":
        return title, tell(key(f"animal.{action.animal}"))
    label = " ".join(spaces) or "end"
    return title, f"{label} {_price(game, line)}" if action.kind == "collect" else label


def _grown(space: str, size: int) -> str:
    return tell("common.pair", name=space, value=size_name(size))


def _ability(game: Game, number: int) -> tuple[str, str]:
    """Abilities that differ only by a space share a group."""
    action = TABLE[number]
    named = f"{_ability_name(action)} {_price(game, ACTION_NAMES[number])}"
    title = tell(key(f"animal.{action.animal}"))
    spaces = " ".join(NAMES[space] for space in action.names)
    return (tell("common.pair", name=title, value=named), spaces) if spaces else (title, named)


def _ability_name(action: Action) -> str:
    """An ability with its level, the animal it is turned against, or the baby that it uses."""
    name = tell(key(f"ability.{action.ability}"))
    if action.level:
        return tell("ability.level", ability=name, level=action.level)
    if action.target:
        return tell("common.pair", name=name, value=tell(key(f"animal.{action.target}")))
    return tell("common.pair", name=name, value=tell(key(f"baby.{action.baby}"))) if action.baby else name


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
            yield line, f"{size_name(piece['size'] + 1)} ({price(preview(game, *lines))})"


def summary(game: Game) -> str:
    """What can be typed, in one line: verbs, and the spaces where that is short."""
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
    kinds = dict.fromkeys(ACTION_WORDS[number][0] for number in reversed(game.legal_numbers))
    return f"{isolated(' · '.join(kinds))} ({tell('terminal.more.list')})"


def _kind(verb: str, objects: list[str]) -> str:
    if verb in ("place", "elder", "stone") and len(objects) > 6:
        return f"{isolated(f'{verb} {objects[0]} …')} ({tell('a11y.legal', count=len(objects))})"
    if verb == "plant":
        objects = [f"{origin}…" for origin in objects]
    return " ".join([verb, *objects])
