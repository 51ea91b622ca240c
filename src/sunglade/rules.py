"""The options of the game, the editions that preset them, and the modules; checked when made (R-ADV, R-ED, M-SETUP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields
from typing import Any, Final

from sunglade import board
from sunglade.errors import BadRequest, BadRules
from sunglade.options import SWITCH, UNSET, OneOf, Option, Several, Whole, must_be, shown
from sunglade.words import saying

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
MAX_ROUNDS: Final = 1000
MAX_LIGHT_CAP: Final = 255
MAX_MOONSTONES: Final = 9
SHORE_SPACES: Final = 6

MODULE_MEANINGS: Final = {
    "moon": "sun and moon, and an animal for each player with abilities for lunar points",
    "elder": "the Elder Tree: blocks a space, and its shadow reaches to the edge",
    "stones": "moonstones: block their spaces, throw a short shadow, and pass moonlight on",
}
MODULES: Final = tuple(MODULE_MEANINGS)
ANIMALS: Final = ("boar", "hedgehog", "squirrel", "fox", "owl", "badger", "beaver", "turtle")
BABIES: Final = ("two", "small", "medium", "harvest", "light", "seed", "points", "leaf")

EDITIONS: Final = {
    "us": "English US, new",
    "us1": "English US, old",
    "he": "Hebrew",
    "eu": "English EU",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "ru": "Russian",
    "ro": "Romanian",
}
"""Each edition and the rulebook it follows (R-ED-1)."""

SUNS: Final = len(board.SUN_CORNERS)
"""Rounds of a revolution."""
EXTRA_ROUNDS: Final = {"it": 1}
"""The Italian book prints 19 and 25 rounds (R-ED-2)."""


one_of_the_editions: Final = saying("terminal.rules.one_of", words=", ".join(EDITIONS))


def check_players(players: object) -> int:
    """2–4 players (R-SETUP-1)."""
    if type(players) is not int:
        raise BadRequest(must_be("players", Whole(MIN_PLAYERS, MAX_PLAYERS).wanted, players))
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        limits = {"low": MIN_PLAYERS, "high": MAX_PLAYERS}
        raise BadRules(saying("terminal.rules.range", option="players", **limits, value=shown(players)))
    return players


def _rounds(rules: Rules) -> int:
    """How long a game is unless an option says otherwise (R-ROUND-1)."""
    return SUNS * rules.revolutions + EXTRA_ROUNDS.get(rules.edition, 0)


def _option(kind: Whole | OneOf | Several, meaning: str, **facts: Any) -> Any:
    """A field of `Rules` with all there is to know about it."""
    return field(default=UNSET, metadata={"option": Option(kind, meaning, **facts)})


@dataclass(frozen=True, repr=False)
class Rules:
    """What was agreed: an edition and the options that differ from it.

    >>> Rules().rounds, Rules(edition="it").rounds, Rules(revolutions=4).rounds
    (18, 19, 24)
    >>> Rules(edition="es", modules=["moon"])
    Rules(edition='es', modules=('moon',))
    """

    edition: str = "us"
    _: KW_ONLY
    light_cap: int | None = _option(
        Whole(0, MAX_LIGHT_CAP, or_none=True),
        "the most light a player can hold; what comes over it is lost",
        reference=20,
        elsewhere={None: "eu fr de es it ru ro"},
    )
    rounds: int = _option(
        Whole(1, MAX_ROUNDS),
        "how many rounds are played; otherwise six for each revolution",
        follows=_rounds,
    )
    use_bought: bool = _option(
        SWITCH,
        "whether a piece may be used in the turn in which it was bought",
        reference=True,
        elsewhere={False: "es ru"},
        bits={False: 1},
    )
    leftover: str = _option(
        OneOf(("down", "up")),
        "a point for every three light at the end, a begun three counting (up) or not (down)",
        reference="down",
        elsewhere={"up": "de"},
        bits={"up": 2},
    )
    return_slot: str = _option(
        OneOf(("highest", "lowest")),
        "where a piece goes back to on the player board: the highest or the lowest price that is free",
        reference="highest",
        elsewhere={"lowest": "es"},
        bits={"lowest": 4},
    )
    shade_forbids: bool = _option(
        SWITCH,
        "the advanced rule: nothing is planted or grown in shade",
        reference=False,
        bits={True: 8},
    )
    shade_plant: str = _option(
        OneOf(("target", "origin", "both")),
        "what that rule looks at when planting: the target space, the tree of origin, or both",
        reference="target",
        elsewhere={"origin": "fr it", "both": "de"},
        bits={"target": 16, "origin": 32, "both": 16 + 32},
    )
    revolutions: int = _option(
        OneOf((3, 4)),
        "3, or 4 for the long game",
        reference=3,
    )
    modules: list[str] | tuple[str, ...] = _option(
        Several(MODULES, saying("terminal.rules.modules", words=", ".join(f'"{word}"' for word in MODULES))),
        "parts of Under the Moonlight that are played",
        reference=(),
        bits={"moon": 64, "elder": 128, "stones": 256},
    )
    moon_start: int = _option(
        Whole(0, len(board.MOON_PLACES) - 1),
        "where the moon begins, 0 to 17 counter-clockwise",
        reference=9,
        module="moon",
    )
    shore: list[str] | tuple[str, ...] = _option(
        Several(
            board.NAMES,
            saying("terminal.rules.shore", number=SHORE_SPACES),
            least=SHORE_SPACES,
            most=SHORE_SPACES,
        ),
        "the six spaces where the turtle's babies lie",
        # The pictures of the expansion's board are not available: the six corners are chosen for symmetry (M-SETUP-5).
        reference=tuple(name for space, name in enumerate(board.NAMES) if space in board.SUN_CORNERS),
        module="moon",
    )
    river: list[str] | tuple[str, ...] = _option(
        Several(board.NAMES, saying("terminal.rules.river"), least=1, different=False),
        "the spaces of which the beaver's dam must cover one",
        follows=lambda rules: rules.shore,
        module="moon",
    )
    moonstones: int | None = _option(
        Whole(0, MAX_MOONSTONES),
        "how many are placed; otherwise 3, 2, 0 with 2, 3, 4 players, or 1 with 4 and the Elder Tree",
        reference=None,
        module="stones",
    )
    moon_turns: str = _option(
        OneOf(("at_once", "on_arrival")),
        "when the moon turns over: as tracker and sun cross, or when it gets to the tracker, with the next move",
        reference="at_once",
        bits={"on_arrival": 512},
        module="moon",
    )
    boar_digs: str = _option(
        OneOf(("own", "any")),
        "whose large tree the boar digs up: its player's own, or anybody's",
        reference="own",
        bits={"any": 1024},
        module="moon",
    )
    fox_scares: str = _option(
        OneOf(("any", "adjacent")),
        "which animals the fox scares: any, or only one on a space next to it",
        reference="any",
        bits={"adjacent": 2048},
        module="moon",
    )
    fox_steals: str = _option(
        OneOf(("lunar", "light")),
        "what the fox steals: lunar points or light",
        reference="lunar",
        bits={"light": 4096},
        module="moon",
    )

    def __post_init__(self) -> None:
        """Check what was given; what was not is as the edition has it."""
        if not isinstance(self.edition, str) or self.edition not in EDITIONS:
            raise BadRules(must_be("rules.edition", one_of_the_editions, self.edition))
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value is not UNSET and value is not option.reference:
                object.__setattr__(self, name, option.checked(name, value))
        for name in sorted(OPTIONS, key=lambda name: OPTIONS[name].follows is not None):
            if getattr(self, name) is UNSET:
                object.__setattr__(self, name, OPTIONS[name].usual(self))

    @classmethod
    def from_dict(cls, rules: object) -> Rules:
        """Rules from a game's `rules` object (docs/protocol.md)."""
        if not isinstance(rules, Mapping):
            raise BadRequest(saying("terminal.rules.object", name="rules", value=shown(rules)))
        options = dict(rules)
        edition = options.pop("edition", "us")
        if any(not isinstance(name, str) for name in options):
            raise BadRequest("rules must have option names as keys.")
        for name, value in options.items():
            if name not in OPTIONS:
                raise BadRules(saying("terminal.rules.unknown", option=shown(name), options=", ".join(OPTIONS)))
            OPTIONS[name].checked(name, value)
        return cls(edition, **options)

    @property
    def bits(self) -> int:
        """The options that the record keeps as bits."""
        return sum(option.bits_of(getattr(self, name)) for name, option in OPTIONS.items())

    def to_dict(self) -> dict[str, Any]:
        """The edition and the options that differ from it, as a game stores them."""
        values = {name: getattr(self, name) for name in OPTIONS}
        different = {name: value for name, value in values.items() if value != OPTIONS[name].usual(self)}
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

    def __reduce__(self) -> tuple[Callable[[object], Rules], tuple[dict[str, Any]]]:
        return Rules.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        options = {name: tuple(v) if isinstance(v, list) else v for name, v in self.to_dict().items()}
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in options.items())})"


OPTIONS: Final[dict[str, Option]] = {
    each.name: each.metadata["option"] for each in fields(Rules) if "option" in each.metadata
}
"""Every option by its name."""


def option_bits(name: str, value: object) -> int:
    """The bits of one value of an option, or of one word of its list."""
    return OPTIONS[name].bits[value]
