"""How actions would change light and shade over the coming rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sunglade import board, kernel
from sunglade.kernel.record import Record
from sunglade.rules import SUNS


@dataclass(frozen=True, slots=True)
class Coming:
    """For the suns of the coming rounds: income of each seat, and which trees stand in shade."""

    income: list[list[int]]
    shaded: list[int]

    @classmethod
    def of(cls, s: Record) -> Coming:
        """What the coming suns would bring in a position if nobody acts."""
        suns = kernel.ComingSuns()
        kernel.look_at_suns(s, suns)
        income = [[suns.income[sun, p] for p in range(s.players)] for sun in range(SUNS)]
        return cls(income, suns.shaded.tolist())

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
