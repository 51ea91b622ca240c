"""How a simple player plays, in numbers: what compiled code asks of bots that look no further than one action."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.fields import Memory, Number, Real, Reals

AT_RANDOM, BY_IMPULSE, BY_JUDGEMENT, ASKED = range(4)
"""Kinds of players: any legal action; the first impulse (`impulses`); what leads to the best position (`judgement`);
from `ASKED` on, somebody else who must be asked."""
HALF_TURNS: Final = 16
"""How far ahead a tree is planned, in halves of a turn."""
CHANCES: Final = 1 << 32
"""What is forgotten is told as so many of these."""


class Manner(Memory):
    """What a player pays attention to. What each number means is told where bots have it by name."""

    kind = Number()
    forgets = Number()  # the share of the possibilities that it does not think of, of `CHANCES`
    # Impulses.
    collects_before_end = Number()
    looks_at_soil = Number()
    seeds = Number()
    hoards = Number()
    # Judgement.
    suns = Number()
    sees_shade = Number()
    patience = Reals(HALF_TURNS)  # [twice the turns]: what a point is worth that comes so much later
    crowded = Real()
    rival = Real()
