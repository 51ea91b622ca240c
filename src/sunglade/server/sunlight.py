"""Light and shade of a position under one sun, and how an action would change them over the coming rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sunglade import board, kernel
from sunglade.forecast import dark_spaces, light_of_trees
from sunglade.kernel.record import Record


def copied(record: Record) -> Record:
    """A record of its own."""
    return np.frombuffer(bytearray(record.tobytes()), kernel.STATE)[0]


def sunlight(s: Record, sun: int) -> dict[str, Any]:
    """What `schema.Sunlight` tells."""
    dark = kernel.shadows(s, sun)
    trees, shaded = light_of_trees(s, sun)
    return {
        "sun": sun,
        "income": [int(kernel.income(s, p, dark)) for p in range(s.players)],
        "trees": trees,
        "shaded": shaded,
        "shadows": dark_spaces(dark),
    }


@dataclass(frozen=True, slots=True)
class Coming:
    """For the suns of the coming rounds: income of each seat, and which trees stand in shade."""

    income: list[list[int]]
    shaded: list[int]
    trees: int

    @classmethod
    def under(cls, s: Record, suns: NDArray[np.int64], players: int, trees: int) -> Coming:
        """A position with these trees under the coming suns if nobody acts."""
        income, shaded = np.zeros((len(suns), 4), np.int64), np.zeros(len(suns), np.int64)
        kernel.under_suns(s, suns, income, shaded)
        return cls(income[:, :players].tolist(), shaded.tolist(), trees)

    def changed_by(self, after: Coming) -> dict[str, Any]:
        """What an action changes: income, trees newly in shade and newly free; only what is not empty."""
        income = [
            [new - old for new, old in zip(then, now, strict=True)]
            for then, now in zip(after.income, self.income, strict=True)
        ]
        both = self.trees & after.trees
        pairs = list(zip(after.shaded, self.shaded, strict=True))
        shades = [board.names_of(new & ~old & after.trees) for new, old in pairs]
        frees = [board.names_of(old & ~new & both) for new, old in pairs]
        found: dict[str, Any] = {}
        if any(any(row) for row in income):
            found["income"] = income
        if any(shades):
            found["shades"] = shades
        if any(frees):
            found["frees"] = frees
        return found
