"""A recorded game played again by the kernel: its positions, and whether all that was recorded is true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sunglade import kernel
from sunglade.data.result import Result, result
from sunglade.errors import BadRequest
from sunglade.kernel.record import OVER, Record


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a file tells of a game: its actions, the positions in which a search chose, and the result."""

    actions: list[int]
    plies: list[int]
    movers: list[int]
    tried: list[set[int]]
    points: list[float]
    places: list[float]
    shares: list[float]


def replay(s: Record, told: Recorded, records: NDArray[np.void]) -> None:
    """Play a game from its start, and write the positions in which a search chose; refuse what cannot be."""
    if told.plies != sorted(set(told.plies) & set(range(len(told.actions)))):
        raise BadRequest("its positions are not in the order of its actions.")
    bytes_of = records.view(np.uint8).reshape(len(records), Record.size)
    row_at = {ply: row for row, ply in enumerate(told.plies)}
    legal_list = kernel.LegalList()
    for ply, action in enumerate(told.actions):
        legal = legal_list.action[: kernel.legal(s, legal_list)].tolist() if s.phase != OVER else []
        if action not in legal:
            raise BadRequest(f"action {ply} is not legal.")
        if ply in row_at:
            row = row_at[ply]
            if told.movers[row] != s.player or not told.tried[row] or not told.tried[row] <= set(legal):
                raise BadRequest(f"what was tried before action {ply} is not legal there.")
            bytes_of[row] = np.frombuffer(s.data, np.uint8)
        kernel.apply(s, action)
    _check_result(s, told)


def _check_result(s: Record, told: Recorded) -> None:
    """The game is over, and ended as it was told."""
    if s.phase != OVER or result(s) != Result(told.points, told.places, told.shares):
        raise BadRequest("its result is not what its actions lead to.")
