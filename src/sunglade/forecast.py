"""What is to come if nobody acts: light, shade and moon of the next rounds; and what points are made of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel.outlook import NO_TREE, Outlook
from sunglade.kernel.record import MODULE_MOON, Record

ROUNDS_AHEAD: Final = 6


@dataclass(frozen=True, slots=True)
class MoonAhead:
    """The moon in a coming round, and what it brings each player's animal (M-MOON)."""

    at: int
    full: bool
    lit: list[str]
    income: list[int]
    lunar: list[int]


@dataclass(frozen=True, slots=True)
class Sunlight:
    """Light and shade under one sun. `trees` says what each tree brings, `income` what each player's bring together.

    `shaded` names, for each tree in shade, the spaces of those that shade it, `shadows` the spaces that are dark and
    the largest size of tree that would be shaded there.
    """

    sun: int
    income: list[int]
    trees: dict[str, int]
    shaded: dict[str, list[str]]
    shadows: dict[str, int]


@dataclass(frozen=True, slots=True)
class RoundAhead(Sunlight):
    """A coming round. `light` is what each player would then have, `lost` what the cap takes away.

    `played` is False for rounds after the end of the game, which the sun would bring but nobody sees.
    """

    round: int
    played: bool
    light: list[int]
    lost: list[int]
    moon: MoonAhead | None


Forecast = list[RoundAhead]


@dataclass(frozen=True, slots=True)
class Score:
    """What a player's points are made of (R-END-1, M-MOON-6)."""

    tokens: int
    leftover: int
    moon: int
    total: int
    pieces: int


def forecast(s: Record) -> Forecast:
    """The next six sun positions if nobody acts (R-LIGHT, M-MOON)."""
    ahead = s.copy()
    rounds = []
    for _ in range(ROUNDS_AHEAD):
        before = ahead.light[: s.players].tolist()
        kernel.begin_round(ahead)
        rounds.append(_round_ahead(before, ahead))
    return rounds


def sunlight(s: Record) -> Sunlight:
    """Light and shade now."""
    return Sunlight(**_light_and_shade(s, _looked_at(s)))


def _looked_at(s: Record) -> Outlook:
    outlook = Outlook()
    kernel.look(s, outlook)
    return outlook


def _light_and_shade(s: Record, o: Outlook) -> dict[str, Any]:
    """The fields of `Sunlight`."""
    brings, casters = o.brings.tolist(), o.casters.tolist()
    return {
        "sun": s.sun,
        "income": o.income[: s.players].tolist(),
        "trees": {NAMES[space]: light for space, light in enumerate(brings) if light != NO_TREE},
        "shaded": {NAMES[space]: board.names_of(by) for space, by in enumerate(casters) if by},
        "shadows": _dark_spaces(*o.dark),
    }


def _dark_spaces(small: int, medium: int, large: int) -> dict[str, int]:
    """The spaces in shadow, and the largest size of tree that would be shaded there (R-LIGHT-2)."""
    return {  # what shades a tree shades smaller ones too
        NAMES[space]: 1 + (medium >> space & 1) + (large >> space & 1) for space in board.spaces_in(small)
    }


def _round_ahead(before: list[int], s: Record) -> RoundAhead:
    """A round that was just begun; `before` is what light everybody had."""
    o, light = _looked_at(s), s.light[: s.players].tolist()
    return RoundAhead(
        **_light_and_shade(s, o),
        round=s.current_round,
        played=s.current_round <= s.rounds,
        light=light,
        lost=[had + more - has for had, more, has in zip(before, o.income, light, strict=False)],
        moon=_moon_ahead(s, o) if s.options & MODULE_MOON else None,
    )


def _moon_ahead(s: Record, o: Outlook) -> MoonAhead:
    """The moon of a round (M-MOON-4, M-MOON-5)."""
    return MoonAhead(
        at=o.moon_at,
        full=bool(o.moon_full),
        lit=board.names_of(o.moon_lit),
        income=o.lunar_income[: s.players].tolist(),
        lunar=s.lunar[: s.players].tolist(),
    )


def scores(s: Record) -> list[Score]:
    """Each player's points as if the game ended now (R-END-1)."""
    made_of = kernel.Points()
    kernel.count_points(s, made_of)
    parts = (made_of.tokens, made_of.leftover, made_of.moon, made_of.total, made_of.pieces)
    return [Score(*(part[p] for part in parts)) for p in range(s.players)]
