"""Whole games of uniform random play: the measure of the kernel's speed, and a quick way to random positions."""

from __future__ import annotations

from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.fields import Records
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.record import OVER, Record


@inlined
def shuffled(random: int) -> int:
    """The next state of the random generator (xorshift, 32 bits, never 0)."""
    random ^= (random << 13) & 0xFFFFFFFF
    random ^= random >> 17
    random ^= (random << 5) & 0xFFFFFFFF
    return random


@inlined
def below(random: int, n: int) -> int:
    """A number from 0 to n − 1 out of a state of the generator."""
    return (random * n) >> 32


@entry
def playouts(
    start: Records[Record], work: Records[Record], legal_list: Records[LegalList], games: int, random: int
) -> tuple[int, int, int]:
    """Play games to the end from `start[0]`; return actions played, their alternatives, and a sum over the scores."""
    played = 0
    alternatives = 0
    scores = 0
    out = legal_list[0]
    for _ in range(games):
        work[0] = start[0]
        s = work[0]
        while s.phase != OVER:
            n = legal(s, out)
            random = shuffled(random)
            apply(s, out.action[below(random, n)])
            played += 1
            alternatives += n
        for p in range(s.players):
            scores += s.score[p] * (p + 1)
    return played, alternatives, scores
