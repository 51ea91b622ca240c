"""Beginning and stepping games as functions that XLA calls: from arrays to new arrays, nothing kept in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numba
import numpy as np
from numba import carray, types

from sunglade.encode import MASK, OBSERVATION, mark, observe_as
from sunglade.envs.dealing import deal, next_seed
from sunglade.envs.rewards import reward
from sunglade.envs.xla_frame import FRAME, asks_for_version, buffer, pointer, rows
from sunglade.kernel import apply, legal
from sunglade.kernel.arrays import LEGAL_LIST, STATE
from sunglade.kernel.code_cache import cache_folder
from sunglade.kernel.compiler import compiled
from sunglade.kernel.record import OVER

MOST_SEED: Final = (1 << 63) - 1
SIGNATURE: Final = types.voidptr(types.voidptr)
"""Takes the frame of a call, gives an error or nothing."""


@compiled
def _legal(s: Any, out: Any) -> int:
    """`kernel.legal`, compiled once for all the places below that need it."""
    return legal(s, out)


@compiled
def _show(s: Any, out: Any, observation: Any, mask: Any) -> None:
    """What the player to act sees and may do; a finished game's mask allows 0, since softmax needs an action."""
    n = 0
    if s.phase != OVER:
        n = _legal(s, out)
    mark(out, n, mask)
    if n == 0:
        mask.mask[0] = 1
    observe_as(s, s.player & 3, 0, observation)


@compiled
def _is_legal(s: Any, out: Any, action: int) -> bool:
    """Whether an action is among the legal ones."""
    for index in range(_legal(s, out)):  # noqa: SIM110  # compiled: no generators
        if out.action[index] == action:
            return True
    return False


def begin(address: Any) -> Any:
    """start, seeds → records, seeds, observations, masks, players."""
    frame = carray(address, 1, FRAME)[0]
    if asks_for_version(frame):
        return pointer(0)
    given = buffer(frame.args, 1)
    n = rows(given, 1)
    start = carray(pointer(buffer(frame.args, 0).data), 1, STATE)
    drawn = carray(pointer(given.data), n, np.int64)
    records = carray(pointer(buffer(frame.rets, 0).data), n, STATE)
    seeds = carray(pointer(buffer(frame.rets, 1).data), n, np.int64)
    observations = carray(pointer(buffer(frame.rets, 2).data), n, OBSERVATION)
    masks = carray(pointer(buffer(frame.rets, 3).data), n, MASK)
    players = carray(pointer(buffer(frame.rets, 4).data), n, np.int32)
    legal_list = np.zeros(1, LEGAL_LIST)
    for game in range(n):
        seeds[game] = drawn[game] & MOST_SEED
        records[game] = start[0]
        deal(records[game], seeds[game])
        _show(records[game], legal_list[0], observations[game], masks[game])
        players[game] = records[game].player
    return pointer(0)


def step(address: Any) -> Any:
    """start, how, records, seeds, actions → records, seeds, observations, masks, players, rewards, done, illegal.

    `how` is the kind of reward and whether a finished game begins anew in the same step.
    """
    frame = carray(address, 1, FRAME)[0]
    if asks_for_version(frame):
        return pointer(0)
    given = buffer(frame.args, 4)
    n = rows(given, 0)
    start = carray(pointer(buffer(frame.args, 0).data), 1, STATE)
    how = carray(pointer(buffer(frame.args, 1).data), 2, np.int32)
    before = carray(pointer(buffer(frame.args, 2).data), n, STATE)
    seeds_before = carray(pointer(buffer(frame.args, 3).data), n, np.int64)
    actions = carray(pointer(given.data), n, np.int32)
    records = carray(pointer(buffer(frame.rets, 0).data), n, STATE)
    seeds = carray(pointer(buffer(frame.rets, 1).data), n, np.int64)
    observations = carray(pointer(buffer(frame.rets, 2).data), n, OBSERVATION)
    masks = carray(pointer(buffer(frame.rets, 3).data), n, MASK)
    players = carray(pointer(buffer(frame.rets, 4).data), n, np.int32)
    seats = start[0].players
    rewards = carray(pointer(buffer(frame.rets, 5).data), (n, seats), np.float32)
    done = carray(pointer(buffer(frame.rets, 6).data), n, np.bool_)
    illegal = carray(pointer(buffer(frame.rets, 7).data), n, np.bool_)
    legal_list = np.zeros(1, LEGAL_LIST)
    for game in range(n):
        records[game] = before[game]
        seeds[game] = seeds_before[game]
        s = records[game]
        was_over = s.phase == OVER
        illegal[game] = not was_over and not _is_legal(s, legal_list[0], actions[game])
        if not was_over and not illegal[game]:
            apply(s, actions[game])
        done[game] = s.phase == OVER
        for seat in range(seats):
            rewards[game, seat] = 0.0
            if done[game] and not was_over:
                rewards[game, seat] = reward(s, seat, how[0])
        if done[game] and how[1] != 0:
            seeds[game] = next_seed(seeds[game])
            records[game] = start[0]
            deal(records[game], seeds[game])
        _show(records[game], legal_list[0], observations[game], masks[game])
        players[game] = records[game].player
    return pointer(0)


def made(function: Callable[[Any], Any]) -> Any:
    """The function as XLA calls it, by its address; compiled once, then taken from the file cache."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        return numba.cfunc(SIGNATURE, nopython=True, cache=True, error_model="numpy")(function).ctypes
    finally:
        numba.config.CACHE_DIR = before
