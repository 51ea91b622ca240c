"""What is to come if nobody acts: light, shade and moon of the next rounds; and what points are made of now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel.moon import LUNAR_CAP, moves_before
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.kernel.tables import LARGE, SMALL

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

    `shaded` names, for each tree in shade, the spaces of those that shade it. `played` is False for rounds after
    the end of the game, which the sun would bring but nobody sees.
    """

    round: int
    sun: int
    played: bool
    income: list[int]
    light: list[int]
    lost: list[int]
    shaded: dict[str, list[str]]
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
    light = [int(points) for points in s.light[: s.players]]
    lunar = [int(points) for points in s.lunar[: s.players]]
    ahead = []
    for round_ahead in range(int(s.current_round) + 1, int(s.current_round) + 1 + ROUNDS_AHEAD):
        sun = moves_before(round_ahead) % 6
        dark = kernel.shadows(s, sun)
        income = [int(kernel.income(s, p, dark)) for p in range(s.players)]
        wanted = [have + more for have, more in zip(light, income, strict=True)]
        light = [min(points, max(int(s.light_cap), 0)) for points in wanted]
        lost = [want - got for want, got in zip(wanted, light, strict=True)]
        moon = _moon_ahead(s, round_ahead, lunar) if s.options & MODULE_MOON else None
        lunar = moon.lunar if moon else lunar
        shaded = shaded_trees(s, sun)
        ahead.append(RoundAhead(round_ahead, sun, round_ahead <= s.rounds, income, light, lost, shaded, moon))
    return ahead


def shaded_trees(s: Record, sun: int) -> dict[str, list[str]]:
    """The trees in shade under a sun position, and who shades each (R-LIGHT-2)."""
    found = {}
    for size in range(SMALL, LARGE + 1):
        for p in range(s.players):
            for space in board.spaces_in(s.pieces[p, size]):
                casters = kernel.shaded_by(s, sun, space, size)
                if casters:
                    found[space] = board.names_of(casters)
    return {NAMES[space]: found[space] for space in sorted(found)}


def _moon_ahead(s: Record, round_ahead: int, lunar: list[int]) -> MoonAhead:
    """The moon after as many moves as the sun will have made (M-MOON-4, M-MOON-5)."""
    moves = moves_before(round_ahead)
    lit = int(kernel.lit_spaces(s, moves))
    full = bool(kernel.moon_is_full(s, moves))
    income = [int(kernel.lunar_income(s, p, moves)) for p in range(s.players)]
    after = [min(have + more, LUNAR_CAP) for have, more in zip(lunar, income, strict=True)]
    return MoonAhead(int(kernel.moon_place(s, moves)), full, board.names_of(lit), income, after)


def score(s: Record, p: int) -> Score:
    """A player's points as if the game ended now (R-END-1)."""
    return Score(
        tokens=int(s.score[p]),
        leftover=int(kernel.leftover_points(s, p)),
        moon=int(kernel.moon_points(s, p)),
        total=int(kernel.points(s, p)),
        pieces=int(kernel.pieces_on_board(s, p)),
    )
