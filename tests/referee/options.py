"""What a table can agree on: options, and the editions that preset them (R-ED)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.board import NAMED, Space

CORNERS = ("a1", "a4", "d1", "d7", "g1", "g4")

EDITIONS: dict[str, dict[str, Any]] = {
    "us": {"light_cap": 20},
    "us1": {"light_cap": 20},
    "he": {"light_cap": 20},
    "eu": {},
    "fr": {"shade_plant": "origin"},
    "de": {"leftover": "up", "shade_plant": "both"},
    "es": {"use_bought": False, "return_slot": "lowest"},
    "it": {"more_rounds": 1, "shade_plant": "origin"},
    "ru": {"use_bought": False},
    "ro": {},
}
"""What each prints otherwise than the defaults of `Options` (R-ED-2)."""


@dataclass
class Options:
    """Everything that is agreed before a game (R-ED-1)."""

    light_cap: int | None = None
    more_rounds: int = 0
    rounds: int | None = None
    use_bought: bool = True
    leftover: str = "down"
    return_slot: str = "highest"
    shade_plant: str = "target"
    shade_forbids: bool = False
    revolutions: int = 3
    modules: set[str] = field(default_factory=set)
    moon_start: int = 9
    shore: set[Space] = field(default_factory=set)
    river: set[Space] = field(default_factory=set)
    moonstones: int | None = None
    moon_turns: str = "at_once"
    boar_digs: str = "own"
    fox_scares: str = "any"
    fox_steals: str = "lunar"


def agreed(rules: Mapping[str, Any]) -> Options:
    """The options of a game's `rules`: an edition, and what differs from it (R-ED-1)."""
    own = {name: value for name, value in rules.items() if name != "edition"}
    values = {**EDITIONS[rules.get("edition", "us")], **own}
    shore = values.get("shore", CORNERS)  # M-SETUP-5
    values["shore"] = {NAMED[name] for name in shore}
    values["river"] = {NAMED[name] for name in values.get("river", shore)}
    values["modules"] = set(values.get("modules", ()))
    return Options(**values)


def number_of_rounds(options: Options) -> int:
    """Six for each revolution, unless the edition or the option says otherwise (R-ROUND-1, R-ADV-1)."""
    return 6 * options.revolutions + options.more_rounds if options.rounds is None else options.rounds


def number_of_stones(options: Options, players: int) -> int:
    """How many moonstones are placed (M-SETUP-7)."""
    if "stones" not in options.modules:
        return 0
    if options.moonstones is not None:
        return options.moonstones
    if players == 4 and "elder" in options.modules:
        return 1
    return {2: 3, 3: 2, 4: 0}[players]
