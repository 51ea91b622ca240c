"""The options of the game, the editions that preset them, and the modules; checked when made (R-ADV, R-ED, M-SETUP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypedDict, Unpack

from sunglade import board
from sunglade.errors import BadRequest, BadRules

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
MAX_ROUNDS: Final = 1000
MAX_MOONSTONES: Final = 9
SHORE_SPACES: Final = 6

MODULES: Final = ("moon", "elder", "stones")
ANIMALS: Final = ("boar", "hedgehog", "squirrel", "fox", "owl", "badger", "beaver", "turtle")
BABIES: Final = ("two", "small", "medium", "harvest", "light", "seed", "points", "leaf")


class Options(TypedDict, total=False):
    """The options by name. What is not given is as the edition has it."""

    light_cap: int | None
    rounds: int
    use_bought: bool
    leftover: str
    return_slot: str
    shade_forbids: bool
    shade_plant: str
    revolutions: int
    modules: list[str] | tuple[str, ...]
    moon_start: int
    shore: list[str] | tuple[str, ...]
    river: list[str] | tuple[str, ...]
    moonstones: int | None


_REFERENCE: Final[Options] = {
    "light_cap": 20,
    "use_bought": True,
    "leftover": "down",
    "return_slot": "highest",
    "shade_forbids": False,
    "shade_plant": "target",
    "revolutions": 3,
    "modules": (),
    "moon_start": 9,
    # The pictures of the expansion's board are not available: the six corners are chosen for symmetry (M-SETUP-5).
    "shore": tuple(sorted((board.NAMES[corner] for corner in board.SUN_CORNERS), key=board.NAMES.index)),
}

EDITIONS: Final[dict[str, Options]] = {
    "us": {},
    "us1": {},
    "he": {},
    "eu": {"light_cap": None},
    "fr": {"light_cap": None, "shade_plant": "origin"},
    "de": {"light_cap": None, "leftover": "up", "shade_plant": "both"},
    "es": {"light_cap": None, "use_bought": False, "return_slot": "lowest"},
    "it": {"light_cap": None, "shade_plant": "origin"},
    "ru": {"light_cap": None, "use_bought": False},
    "ro": {"light_cap": None},
}
"""How each rulebook differs from the reference `us` (R-ED-2)."""

SUNS: Final = len(board.SUN_CORNERS)
"""Rounds of a revolution."""
EXTRA_ROUNDS: Final = {"it": 1}
"""The Italian book prints 19 and 25 rounds (R-ED-2)."""


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "something too long to show"
    return text if len(text) <= 60 else text[:57] + "..."


def _whole(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _one_of(*words: object) -> Callable[[object], bool]:
    return lambda value: any(type(value) is type(word) and value == word for word in words)


def _is_cap(value: object) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _are_modules(value: object) -> bool:
    return (
        isinstance(value, (list, tuple))
        and all(isinstance(word, str) and word in MODULES for word in value)
        and len(set(value)) == len(value)
    )


def _are_spaces(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(s, str) and s in board.SPACE_NAMED for s in value)


def _is_shore(value: object) -> bool:
    return _are_spaces(value) and isinstance(value, (list, tuple)) and len(value) == len(set(value)) == SHORE_SPACES


def _is_river(value: object) -> bool:
    return _are_spaces(value) and isinstance(value, (list, tuple)) and len(value) > 0


_CHECKS: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    "light_cap": (_is_cap, "a whole number from 0, or null for none"),
    "rounds": (_whole(1, MAX_ROUNDS), f"a whole number from 1 to {MAX_ROUNDS}"),
    "use_bought": (_one_of(True, False), "true or false"),
    "leftover": (_one_of("down", "up"), '"down" or "up"'),
    "return_slot": (_one_of("highest", "lowest"), '"highest" or "lowest"'),
    "shade_forbids": (_one_of(True, False), "true or false"),
    "shade_plant": (_one_of("target", "origin", "both"), '"target", "origin" or "both"'),
    "revolutions": (_one_of(3, 4), "3 or 4"),
    "modules": (_are_modules, 'a list of different words from "moon", "elder", "stones"'),
    "moon_start": (_whole(0, len(board.MOON_PLACES) - 1), f"a whole number from 0 to {len(board.MOON_PLACES) - 1}"),
    "shore": (_is_shore, f"a list of {SHORE_SPACES} different spaces (a1 … g4)"),
    "river": (_is_river, "a list of at least one space (a1 … g4)"),
    "moonstones": (_whole(0, MAX_MOONSTONES), f"a whole number from 0 to {MAX_MOONSTONES}"),
}
OPTIONS: Final = tuple(_CHECKS)


def check_players(players: object) -> int:
    """2–4 players (R-SETUP-1)."""
    if type(players) is not int:
        raise BadRequest(f"players must be a whole number from {MIN_PLAYERS} to {MAX_PLAYERS}, not {_shown(players)}.")
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise BadRules(f"players must be from {MIN_PLAYERS} to {MAX_PLAYERS}, not {_shown(players)}.")
    return players


def _rounds(edition: str, revolutions: int) -> int:
    """How long a game is unless an option says otherwise (R-ROUND-1)."""
    return SUNS * revolutions + EXTRA_ROUNDS.get(edition, 0)


class Rules:
    """What was agreed: an edition and the options that differ from it.

    >>> Rules().rounds, Rules(edition="it").rounds, Rules(revolutions=4).rounds
    (18, 19, 24)
    >>> Rules(edition="es", modules=["moon"])
    Rules(edition='es', modules=('moon',))
    """

    __slots__ = (
        "edition", "leftover", "light_cap", "modules", "moon_start", "moonstones", "return_slot", "revolutions",
        "river", "rounds", "shade_forbids", "shade_plant", "shore", "use_bought",
    )  # fmt: skip

    edition: str
    light_cap: int | None
    rounds: int
    use_bought: bool
    leftover: str
    return_slot: str
    shade_forbids: bool
    shade_plant: str
    revolutions: int
    modules: tuple[str, ...]
    moon_start: int
    shore: tuple[str, ...]
    river: tuple[str, ...]
    moonstones: int | None

    def __init__(self, edition: str = "us", **options: Unpack[Options]) -> None:
        if not isinstance(edition, str) or edition not in EDITIONS:
            raise BadRules(f"rules.edition must be one of {', '.join(EDITIONS)}, not {_shown(edition)}.")
        for name, value in options.items():
            if name not in _CHECKS:
                raise BadRules(f"rules has no option {_shown(name)}; the options are {', '.join(OPTIONS)}.")
            holds, wanted = _CHECKS[name]
            if not holds(value) and not (name == "moonstones" and value is None):
                raise BadRules(f"rules.{name} must be {wanted}, not {_shown(value)}.")
        for name, value in self._resolved(edition, options).items():
            object.__setattr__(self, name, value)

    @staticmethod
    def _resolved(edition: str, options: Options) -> dict[str, Any]:
        """Every option with its value; lists in their fixed order."""
        values: dict[str, Any] = {**_REFERENCE, **EDITIONS[edition], **options}
        values["edition"] = edition
        values["modules"] = tuple(module for module in MODULES if module in values["modules"])
        values["shore"] = tuple(sorted(values["shore"], key=board.NAMES.index))
        values["river"] = tuple(sorted(set(values.get("river", values["shore"])), key=board.NAMES.index))
        values.setdefault("rounds", _rounds(edition, values["revolutions"]))
        values.setdefault("moonstones", None)
        return values

    @classmethod
    def from_dict(cls, rules: object) -> Rules:
        """Rules from a game's `rules` object (docs/protocol.md)."""
        if not isinstance(rules, Mapping):
            raise BadRequest(f"rules must be an object, not {_shown(rules)}.")
        options = dict(rules)
        edition = options.pop("edition", "us")
        if any(not isinstance(name, str) for name in options):
            raise BadRequest("rules must have option names as keys.")
        if "moonstones" in options and options["moonstones"] is None:
            raise BadRules(f"rules.moonstones must be {_CHECKS['moonstones'][1]}, not null.")
        for name in options:
            if name not in _CHECKS:
                raise BadRules(f"rules has no option {_shown(name)}; the options are {', '.join(OPTIONS)}.")
        return cls(edition, **options)

    @property
    def revolutions_begun(self) -> int:
        """How often the sun sets out in the whole game; an edition's extra round belongs to the last revolution."""
        usual = self.rounds == _rounds(self.edition, self.revolutions)
        return self.revolutions if usual else -(-self.rounds // SUNS)

    def revolution_of(self, current_round: int) -> int:
        """Which revolution a round belongs to, counted from 1; 0 before the first round."""
        return min(-(-current_round // SUNS), self.revolutions_begun)

    def to_dict(self) -> dict[str, Any]:
        """The edition and the options that differ from it, as a game stores them."""
        preset = self._resolved(self.edition, {"shore": self.shore, "revolutions": self.revolutions})
        preset["shore"] = _REFERENCE["shore"]
        preset["revolutions"] = _REFERENCE["revolutions"]
        different = {name: getattr(self, name) for name in OPTIONS if getattr(self, name) != preset[name]}
        return {"edition": self.edition} | {
            name: list(value) if isinstance(value, tuple) else value for name, value in different.items()
        }

    def stones_for(self, players: int) -> int:
        """How many moonstones are placed (M-SETUP-7)."""
        if "stones" not in self.modules:
            return 0
        if self.moonstones is not None:
            return self.moonstones
        return {2: 3, 3: 2, 4: 1 if "elder" in self.modules else 0}[players]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Rules cannot be changed; make new ones.")

    def __reduce__(self) -> tuple[Callable[[object], Rules], tuple[dict[str, Any]]]:
        return Rules.from_dict, (self.to_dict(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in ("edition", *OPTIONS))

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in ("edition", *OPTIONS)))

    def __repr__(self) -> str:
        options = {name: tuple(v) if isinstance(v, list) else v for name, v in self.to_dict().items()}
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in options.items())})"
