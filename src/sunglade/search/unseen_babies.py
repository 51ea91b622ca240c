"""Babies nobody has seen: a search must not know what lies face down (M-SETUP-4)."""

from __future__ import annotations

from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import entry, inlined
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import ANIMALS_PHASE, MODULE_MOON, TURTLE, Record
from sunglade.rules import BABIES


@entry
def laid_anew(s: Record, random: int) -> int:
    """The babies of a position (a short list), those nobody has seen drawn from all that nobody has seen."""
    seen = 0
    for hidden in range(2):  # first note the babies that were seen, then lay the others
        babies = s.babies
        shore = s.shore
        place = 0
        while shore:
            face_down = s.phase <= ANIMALS_PHASE or s.face_down & shore & -shore
            if not hidden and not face_down:
                seen |= 1 << (babies >> 4 * place & 15)
            if hidden and face_down:
                random = shuffled(random)
                unseen = _ALL & ~seen
                for _ in range(below(random, popcount(unseen))):
                    unseen &= unseen - 1
                baby = lowest(unseen)
                seen |= 1 << baby
                babies = babies & ~(15 << 4 * place) | baby << 4 * place
            shore &= shore - 1
            place += 1
    return babies


@entry
def those_seen(s: Record) -> int:
    """The babies of a position (a short list), 0 for each that nobody has seen: what players can tell apart."""
    if not s.options & MODULE_MOON or s.phase <= ANIMALS_PHASE or not _turtle_plays(s):
        return 0
    babies = s.babies
    shore = s.shore
    place = 0
    while shore:
        if s.face_down & shore & -shore:
            babies &= ~(15 << 4 * place)
        shore &= shore - 1
        place += 1
    return babies


@inlined
def _turtle_plays(s: Record) -> bool:
    """Without a turtle the babies stay in the box."""
    found = False
    for p in range(s.players):
        found = found or s.animal[p] == TURTLE
    return found


_ALL = (1 << len(BABIES) + 1) - 2
"""The codes 1 to 8, a bit each."""
