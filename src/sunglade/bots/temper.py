"""What a beginner pays attention to, and what it forgets."""

from __future__ import annotations

from dataclasses import dataclass

from sunglade.search.manner import BY_IMPULSE, CHANCES, Manner


@dataclass(frozen=True, slots=True)
class Temper:
    """What a beginner pays attention to."""

    collects_before_end: int = 1000
    """How many rounds before the end it begins to collect; many: as soon as there is a large tree."""
    looks_at_soil: bool = False
    """Whether it grows and plants where the soil is rich; otherwise what is tallest, where a space is near."""
    seeds: int = 1000
    """How many seeds it has on the board at most; many: it plants whenever it can, and has no light left to grow."""
    forgets: float = 0.0
    """The share of its possibilities it does not think of on a turn."""
    hoards: int = 0
    """Light that it does not like to spend, for a rainy day."""


def tempered(manner: Manner, temper: Temper) -> Manner:
    """The same for compiled code: somebody of this temper, in everything else of such a manner."""
    m = manner.copy()
    m.kind = BY_IMPULSE
    m.forgets = round(temper.forgets * CHANCES)
    m.collects_before_end, m.looks_at_soil = temper.collects_before_end, temper.looks_at_soil
    m.seeds, m.hoards = temper.seeds, temper.hoards
    return m
