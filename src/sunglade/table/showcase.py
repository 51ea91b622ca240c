"""A forest to look at where no game is played, with the light of all six suns, as the kernel tells it."""

from __future__ import annotations

from typing import Any, Final

from sunglade import board, kernel
from sunglade.forecast import sunlight
from sunglade.rules import MAX_PLAYERS, SUNS, Rules

PIECES: Final = {
    (0, 0): "g4",
    (0, 1): "e2",
    (0, 2): "a3 e5",
    (0, 3): "c3",
    (1, 1): "c1 f5",
    (1, 2): "b4 g2",
    (1, 3): "d4",
    (2, 1): "a1",
    (2, 2): "c5 f3",
    (2, 3): "d2",
    (3, 0): "e4",
    (3, 1): "f1",
    (3, 2): "b2",
    (3, 3): "d6",
}
"""By owner and size."""


def showcase() -> dict[str, Any]:
    """Pieces by space, and what each sun leaves in shade."""
    s = kernel.new_record(Rules(), MAX_PLAYERS)
    for (owner, size), spaces in PIECES.items():
        for name in spaces.split():
            s.pieces[owner, size] |= 1 << board.SPACE_NAMED[name]
    suns = []
    for sun in range(SUNS):
        s.sun = sun
        light = sunlight(s)
        suns.append({"shaded": light.shaded, "shadows": light.shadows})
    pieces = {name: {"owner": owner, "size": size} for (owner, size), some in PIECES.items() for name in some.split()}
    return {"spaces": dict(sorted(pieces.items())), "suns": suns}
