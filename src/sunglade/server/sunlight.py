"""How actions would change light and shade over the coming rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sunglade import board, kernel
from sunglade.kernel.record import Record


def copied(record: Record) -> Record:
    """A record of its own."""
    return np.frombuffer(bytearray(record.tobytes()), kernel.STATE)[0]


@dataclass(frozen=True, slots=True)
class Coming:
    """For the suns of the coming rounds: income of each seat, and which trees stand in shade."""

    income: list[list[int]]
    shaded: list[int]

    @classmethod
    def under(cls, records: NDArray[np.void], suns: NDArray[np.int64], players: int) -> list[Coming]:
        """What the coming suns would bring in each of some positions if nobody acts."""
        income = np.zeros((len(records), len(suns), 4), np.int64)
        shaded = np.zeros((len(records), len(suns)), np.int64)
        kernel.under_suns(records, suns, income, shaded)
        return [cls(*both) for both in zip(income[:, :, :players].tolist(), shaded.tolist(), strict=True)]

    def changed_by(self, after: Coming, trees: int, trees_after: int) -> dict[str, Any]:
        """What an action changes: income, trees newly in shade and newly free; only what is not empty."""
        found: dict[str, Any] = {}
        if after.income != self.income:
            found["income"] = [
                [new - old for new, old in zip(then, now, strict=True)]
                for then, now in zip(after.income, self.income, strict=True)
            ]
        if after.shaded != self.shaded:
            pairs = list(zip(after.shaded, self.shaded, strict=True))
            shades = [new & ~old & trees_after for new, old in pairs]
            frees = [old & ~new & trees & trees_after for new, old in pairs]
            for name, spaces in (("shades", shades), ("frees", frees)):
                if any(spaces):
                    found[name] = [board.names_of(some) for some in spaces]
        return found
