"""What a beginner pays attention to, and what it forgets."""

from __future__ import annotations

from dataclasses import dataclass


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
