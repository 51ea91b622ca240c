"""What is to come if nobody acts: light, shade and moon of the next rounds; and what points are made of now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.kernel import outlook as column
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
    return outlook(s)[1]


def outlook(s: Record) -> tuple[Sunlight, Forecast]:
    """Light and shade now, and in the next six rounds if nobody acts: these are begun on a copy."""
    rows = _rows(s, 1 + ROUNDS_AHEAD)
    players, last, has_moon = int(s.players), int(s.rounds), bool(s.options & MODULE_MOON)
    trees = _trees(rows[0])
    ahead = [
        _round_ahead(before, row, trees, players, played=row[column.ROUND] <= last, has_moon=has_moon)
        for before, row in pairwise(rows)
    ]
    return _sunlight(rows[0], trees, players), ahead


def sunlight(s: Record) -> Sunlight:
    """Light and shade now."""
    (row,) = _rows(s, 1)
    return _sunlight(row, _trees(row), int(s.players))


def _rows(s: Record, count: int) -> list[list[int]]:
    """What `kernel.look_ahead` writes, this round first."""
    copy = np.frombuffer(bytearray(s.tobytes()), kernel.STATE)[0]
    rows = np.zeros((count, column.ROW), np.int64)
    kernel.look_ahead(copy, rows)
    read: list[list[int]] = rows.tolist()
    return read


def _trees(row: list[int]) -> list[int]:
    """The spaces with a tree."""
    return [space for space in board.SPACES if row[column.POINTS + space] != column.NO_TREE]


def _sunlight(row: list[int], trees: list[int], players: int) -> Sunlight:
    return Sunlight(
        sun=row[column.SUN],
        income=row[column.INCOME : column.INCOME + players],
        trees={NAMES[space]: row[column.POINTS + space] for space in trees},
        shaded=_casters(row[column.CASTERS :], trees),
        shadows=_dark_spaces(row),
    )


def _round_ahead(
    before: list[int], row: list[int], trees: list[int], players: int, *, played: bool, has_moon: bool
) -> RoundAhead:
    """A round out of its row and the row of the round before."""
    income = row[column.INCOME : column.INCOME + players]
    light = row[column.LIGHT : column.LIGHT + players]
    return RoundAhead(
        round=row[column.ROUND],
        sun=row[column.SUN],
        played=played,
        income=income,
        light=light,
        lost=[before[column.LIGHT + p] + income[p] - light[p] for p in range(players)],
        trees={NAMES[space]: row[column.POINTS + space] for space in trees},
        shaded=_casters(row[column.CASTERS :], trees),
        shadows=_dark_spaces(row),
        moon=_moon_ahead(row, players) if has_moon else None,
    )


def _moon_ahead(row: list[int], players: int) -> MoonAhead:
    """The moon of a round (M-MOON-4, M-MOON-5)."""
    return MoonAhead(
        at=row[column.MOON_AT],
        full=bool(row[column.MOON_FULL]),
        lit=board.names_of(row[column.MOON_LIT]),
        income=row[column.LUNAR_INCOME : column.LUNAR_INCOME + players],
        lunar=row[column.LUNAR : column.LUNAR + players],
    )


def _casters(of_spaces: list[int], trees: Iterable[int]) -> dict[str, list[str]]:
    """Who shades each tree in shade."""
    return {NAMES[space]: board.names_of(of_spaces[space]) for space in trees if of_spaces[space]}


def _dark_spaces(row: list[int]) -> dict[str, int]:
    """The spaces in shadow, and the largest size of tree that would be shaded there (R-LIGHT-2)."""
    small, medium, large = row[column.DARK : column.DARK + 3]  # what shades a tree shades smaller ones too
    return {
        name: 1 + (medium >> space & 1) + (large >> space & 1) for space, name in enumerate(NAMES) if small >> space & 1
    }


def shaded_trees(s: Record, sun: int) -> dict[str, list[str]]:
    """The trees in shade under a sun position, and who shades each (R-LIGHT-2)."""
    light, casters = np.zeros(len(NAMES), np.int64), np.zeros(len(NAMES), np.int64)
    kernel.light_of_trees(s, sun, light, casters)
    return _casters(casters.tolist(), board.SPACES)


def scores(s: Record) -> list[Score]:
    """Each player's points as if the game ended now (R-END-1)."""
    rows = np.zeros((int(s.players), 5), np.int64)
    kernel.points_made_of(s, rows)
    return [Score(*row) for row in rows.tolist()]
