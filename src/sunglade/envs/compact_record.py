"""The same position in a fifth of the space, for where memory is dear: thousands of games at once on one GPU.

A compact record has every field of `kernel.STATE` by the same name, only narrower, so the rules run on it unchanged.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from sunglade.kernel.arrays import STATE
from sunglade.kernel.compiler import inlined
from sunglade.kernel.printed import TOKEN_COUNT
from sunglade.kernel.record import Record

_MODULE_SETS: Final = ("shore", "river", "elder", "stones", "dam", "face_down")
"""Sets of spaces that a game without modules leaves empty."""
_LISTS: Final = ("used", "babies", "hatched")
_WIDE: Final = ("pieces", "empty", "activated", "light_cap")
_TYPES: Final[dict[str, Any]] = {
    "light": np.int32,
    "score": np.int16,
    "current_round": np.int16,
    "rounds": np.int16,
    "options": np.int16,
    "dealt": np.int16,
}
"""What does not fit a byte. Light has no cap in some editions, and a game may have a thousand rounds."""


_PER_PLAYER: Final = ("pieces", "available", "slots", "light", "score", "dealt", "animal", "at", "lunar")


@cache
def compact_dtype(players: int, modules: bool) -> np.dtype[np.void]:
    """The narrow record for a number of players, with or without modules; the widest fields first.

    It has an odd number of 8-byte words: side by side in a GPU's shared memory, the records then begin in different
    banks.
    """
    fields: list[tuple[Any, ...]] = []
    for name, found in (STATE.fields or {}).items():
        base, shape = found[0].subdtype or (found[0], ())
        wide = name in _WIDE or (modules and name in (*_MODULE_SETS, *_LISTS))
        narrow = base if base.itemsize == 1 else np.dtype(_TYPES.get(name, np.int8))
        if name in _PER_PLAYER:
            shape = (rows_for(players), *shape[1:])
        fields.append((name, np.dtype(np.int64) if wide else narrow, shape))
    fields.sort(key=lambda field: -field[1].itemsize)
    if np.dtype(fields, align=True).itemsize // 8 % 2 == 0:
        fields.insert(len(_WIDE), ("unused", np.int64))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def rows_for(players: int) -> int:
    """How many players a compact record has room for: the rules look at two or at four."""
    return 2 if players == 2 else 4


@inlined
def copy_position(source: Record, target: Record, rows: int) -> None:
    """Copy a position field by field, between records of any widths."""
    for p in range(rows):
        for size in range(4):
            target.pieces[p, size] = source.pieces[p, size]
            target.available[p, size] = source.available[p, size]
            target.slots[p, size] = source.slots[p, size]
        target.light[p] = source.light[p]
        target.score[p] = source.score[p]
        target.dealt[p] = source.dealt[p]
        target.animal[p] = source.animal[p]
        target.at[p] = source.at[p]
        target.lunar[p] = source.lunar[p]
    for index in range(4):
        target.taken[index] = source.taken[index]
        target.fresh[index] = source.fresh[index]
    for token in range(TOKEN_COUNT):
        target.tokens[token] = source.tokens[token]
    _copy_clock(source, target)
    _copy_modules(source, target)


@inlined
def _copy_clock(source: Record, target: Record) -> None:
    """Whose turn it is, and what was agreed."""
    target.empty = source.empty
    target.activated = source.activated
    target.player = source.player
    target.first = source.first
    target.turn = source.turn
    target.phase = source.phase
    target.sun = source.sun
    target.current_round = source.current_round
    target.players = source.players
    target.options = source.options
    target.light_cap = source.light_cap
    target.rounds = source.rounds
    target.collected = source.collected


@inlined
def _copy_modules(source: Record, target: Record) -> None:
    """Under the Moonlight."""
    target.moon_start = source.moon_start
    target.shore = source.shore
    target.river = source.river
    target.stones_left = source.stones_left
    target.steps = source.steps
    target.used = source.used
    target.effects = source.effects
    target.elder = source.elder
    target.stones = source.stones
    target.dam = source.dam
    target.face_down = source.face_down
    target.babies = source.babies
    target.hatched = source.hatched
    target.baby_points = source.baby_points
