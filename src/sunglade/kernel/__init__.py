"""The rules, compiled: functions over one record. No I/O, no clock, no randomness, no objects.

`new_record` makes a start position, `legal` lists the legal action numbers, `apply` carries one out. Everything else
answers questions about a position. Sets of spaces are integers (`board.spaces_in` opens them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sunglade.kernel.apply import apply
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.light import income, shaded_by, shadows
from sunglade.kernel.moon import lit_spaces, lunar_income, moon_is_full, moon_place
from sunglade.kernel.outlook import ComingSuns, Outlook, Points, count_points, look, look_at_suns
from sunglade.kernel.playout import playouts
from sunglade.kernel.record import Record
from sunglade.kernel.rounds import begin_round, next_first
from sunglade.kernel.score import baby_points, leftover_points, moon_points, pieces_on_board, points, win_share, winners
from sunglade.kernel.start import new_record

if TYPE_CHECKING:
    from sunglade.kernel.arrays import LEGAL_LIST, STATE
else:

    def __getattr__(name: str) -> Any:
        """NumPy's descriptions of records, imported when somebody asks for them."""
        if name not in ("LEGAL_LIST", "STATE"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sunglade.kernel import arrays

        return getattr(arrays, name)


__all__ = [
    "LEGAL_LIST",
    "STATE",
    "ComingSuns",
    "LegalList",
    "Outlook",
    "Points",
    "Record",
    "apply",
    "baby_points",
    "begin_round",
    "count_points",
    "income",
    "leftover_points",
    "legal",
    "lit_spaces",
    "look",
    "look_at_suns",
    "lunar_income",
    "moon_is_full",
    "moon_place",
    "moon_points",
    "new_record",
    "next_first",
    "pieces_on_board",
    "playouts",
    "points",
    "shaded_by",
    "shadows",
    "win_share",
    "winners",
]
