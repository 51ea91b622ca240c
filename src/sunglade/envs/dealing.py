"""Seeds and deals in compiled code: the same deal as `Deal.from_seed`, and a stream of seeds for each game of a batch.

A stream depends on the batch's seed and the game's place alone, so results do not depend on threads or on the machine.
"""

from __future__ import annotations

from typing import Final

from sunglade.deal import CARDS_EACH
from sunglade.envs.wrapping import shifted_right, unsigned_remainder, wrapping_product, wrapping_sum
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.record import MODULE_MOON, Record
from sunglade.rules import ANIMALS, SHORE_SPACES

_STEP: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1: Final = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_2: Final = 0x94D049BB133111EB - (1 << 64)
_STREAM: Final = 0xD1B54A32D192ED03 - (1 << 64)
"""The constants of `deal`, as signed 64-bit integers."""
_CARDS: Final = 0x87654321
"""Eight cards as a short list (kernel.shortlist), codes 1 to 8; there are as many babies as animals."""
_POSITIVE: Final = (1 << 63) - 1
_LOW_32: Final = (1 << 32) - 1


@inlined
def scrambled(state: int) -> int:
    """What SplitMix64 gives for a state."""
    mixed = wrapping_product(state ^ shifted_right(state, 30), _MIX_1)
    mixed = wrapping_product(mixed ^ shifted_right(mixed, 27), _MIX_2)
    return mixed ^ shifted_right(mixed, 31)


@compiled
def shuffled_cards(seed: int, stream: int) -> int:
    """Eight cards in the order `Deal.from_seed` shuffles them into."""
    state = seed ^ wrapping_product(stream, _STREAM)
    cards = _CARDS
    for last in range(7, 0, -1):
        state = wrapping_sum(state, _STEP)
        other = unsigned_remainder(scrambled(state), last + 1)
        swapped = (cards >> 4 * last ^ cards >> 4 * other) & 15
        cards ^= swapped << 4 * last | swapped << 4 * other
    return cards


@compiled
def deal(s: Record, seed: int) -> None:
    """Give out animals and lay babies as the seed has it (M-SETUP-1, M-SETUP-4)."""
    if s.options & MODULE_MOON:
        cards = shuffled_cards(seed, 1)
        for p in range(s.players):
            s.dealt[p] = 0
            for card in range(CARDS_EACH):
                s.dealt[p] |= 1 << ((cards >> 4 * (CARDS_EACH * p + card) & 15) - 1)
        s.babies = shuffled_cards(seed, 2) & ((1 << 4 * SHORE_SPACES) - 1)


@inlined
def first_seed(batch_seed: int, game: int) -> int:
    """The seed of a batch's game when it is played for the first time."""
    batch = scrambled(wrapping_sum(batch_seed, _STEP))
    return scrambled(wrapping_sum(batch, wrapping_product(game + 1, _STREAM))) & _POSITIVE


@inlined
def next_seed(seed: int) -> int:
    """The seed of the game that is played in the same place afterwards."""
    return scrambled(wrapping_sum(seed, _STEP)) & _POSITIVE


@inlined
def first_random(seed: int) -> int:
    """Where a game's own random generator begins (kernel.playout.shuffled; never 0)."""
    return max(scrambled(seed ^ _STREAM) & _LOW_32, 1)


assert len(ANIMALS) == 8
