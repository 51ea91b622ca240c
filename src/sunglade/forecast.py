"""What is to come if nobody acts: light, shade and moon of the next rounds; and what points are made of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel.moon import moves_before
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.tables import SMALL

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
class RoundAhead:
    """A coming round. `light` is what each player would then have, `lost` what the cap takes away.

    `trees` says what each tree brings, `shaded` names, for each tree in shade, the spaces of those that shade it,
    `shadows` the spaces that are dark and the largest size of tree that would be shaded there. `played` is False
    for rounds after the end of the game, which the sun would bring but nobody sees.
    """

    round: int
    sun: int
    played: bool
    income: list[int]
    light: list[int]
    lost: list[int]
    trees: dict[str, int]
    shaded: dict[str, list[str]]
    shadows: dict[str, int]
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
    """The next six sun positions if nobody acts: the rounds are begun on a copy (R-LIGHT, M-MOON)."""
    copy = np.frombuffer(bytearray(s.tobytes()), kernel.STATE)[0]
    return [_begun(copy, played=bool(copy.current_round < s.rounds)) for _ in range(ROUNDS_AHEAD)]


def _begun(copy: Record, *, played: bool) -> RoundAhead:
    """Begin the next round on the copy and tell what came of it."""
    players = range(int(copy.players))
    light = copy.light.tolist()
    kernel.begin_round(copy)
    sun, now = int(copy.sun), copy.light.tolist()[: len(players)]
    dark = kernel.shadows(copy, sun)
    income = [int(kernel.income(copy, p, dark)) for p in players]
    trees, shaded = light_of_trees(copy, sun)
    return RoundAhead(
        round=int(copy.current_round),
        sun=sun,
        played=played,
        income=income,
        light=now,
        lost=[light[p] + income[p] - now[p] for p in players],
        trees=trees,
        shaded=shaded,
        shadows=dark_spaces(dark),
        moon=_moon_ahead(copy) if copy.options & MODULE_MOON else None,
    )


def shaded_trees(s: Record, sun: int) -> dict[str, list[str]]:
    """The trees in shade under a sun position, and who shades each (R-LIGHT-2)."""
    return light_of_trees(s, sun)[1]


def light_of_trees(s: Record, sun: int) -> tuple[dict[str, int], dict[str, list[str]]]:
    """What each tree brings under a sun position, and for those in shade who shades them (R-LIGHT-2, R-LIGHT-3)."""
    light, casters = np.full(len(NAMES), -1), np.zeros(len(NAMES), np.int64)
    kernel.light_of_trees(s, sun, light, casters)
    lights = {NAMES[space]: points for space, points in enumerate(light.tolist()) if points >= 0}
    shaded = {NAMES[space]: board.names_of(by) for space, by in enumerate(casters.tolist()) if by}
    return lights, shaded


def dark_spaces(dark: tuple[int, int, int]) -> dict[str, int]:
    """The spaces in shadow, and the largest size of tree that would be shaded there (R-LIGHT-2)."""
    largest: dict[int, int] = {}
    for size, spaces in enumerate(dark, start=SMALL):
        for space in board.spaces_in(spaces):
            largest[space] = size
    return {NAMES[space]: largest[space] for space in sorted(largest)}


def _moon_ahead(copy: Record) -> MoonAhead:
    """The moon of a round that has begun on a copy (M-MOON-4, M-MOON-5)."""
    moves = moves_before(copy.current_round)
    players = range(int(copy.players))
    return MoonAhead(
        at=int(kernel.moon_place(copy, moves)),
        full=bool(kernel.moon_is_full(copy, moves)),
        lit=board.names_of(kernel.lit_spaces(copy, moves)),
        income=[int(kernel.lunar_income(copy, p, moves)) for p in players],
        lunar=[int(copy.lunar[p]) for p in players],
    )


def score(s: Record, p: int) -> Score:
    """A player's points as if the game ended now (R-END-1)."""
    return Score(
        tokens=int(s.score[p]),
        leftover=int(kernel.leftover_points(s, p)),
        moon=int(kernel.moon_points(s, p)),
        total=int(kernel.points(s, p)),
        pieces=int(kernel.pieces_on_board(s, p)),
    )
