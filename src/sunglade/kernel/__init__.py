"""The rules, compiled: functions over one record. No I/O, no clock, no randomness, no objects.

`new_record` makes a start position, `legal` lists the legal action numbers, `apply` carries one out. Everything else
answers questions about a position. Sets of spaces are integers (`board.spaces_in` opens them).
"""

from __future__ import annotations

from sunglade.kernel.apply import apply
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LEGAL_LIST
from sunglade.kernel.light import income, shaded_by, shadows
from sunglade.kernel.moon import lit_spaces, lunar_income, moon_is_full, moon_place
from sunglade.kernel.outlook import light_of_trees, look_ahead, points_made_of, under_suns
from sunglade.kernel.playout import playouts
from sunglade.kernel.record import STATE, Record
from sunglade.kernel.rounds import begin_round, next_first
from sunglade.kernel.score import leftover_points, moon_points, pieces_on_board, points, winners
from sunglade.kernel.start import new_record

__all__ = [
    "LEGAL_LIST",
    "STATE",
    "Record",
    "apply",
    "begin_round",
    "income",
    "leftover_points",
    "legal",
    "light_of_trees",
    "lit_spaces",
    "look_ahead",
    "lunar_income",
    "moon_is_full",
    "moon_place",
    "moon_points",
    "new_record",
    "next_first",
    "pieces_on_board",
    "playouts",
    "points",
    "points_made_of",
    "shaded_by",
    "shadows",
    "under_suns",
    "winners",
]
