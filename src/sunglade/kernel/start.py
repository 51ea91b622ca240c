"""The position before the first action (R-SETUP, M-SETUP)."""

from __future__ import annotations

from sunglade import board
from sunglade.kernel.moon import LUNAR_START
from sunglade.kernel.moonlight_setup import begin_setup
from sunglade.kernel.printed import FULL_SLOTS, PILE_SIZE, STARTING_AVAILABLE
from sunglade.kernel.record import NO_ANIMAL, NO_CAP, NOWHERE, Record
from sunglade.kernel.shortlist import packed
from sunglade.rules import ANIMALS, BABIES, Rules


def new_record(
    rules: Rules,
    players: int,
    animals: tuple[tuple[str, str], ...] = (),
    babies: tuple[str | None, ...] = (),
) -> Record:
    """The start position. The deal is needed with module moon only."""
    s = Record()
    s.players = players
    s.options = rules.bits
    s.light_cap = NO_CAP if rules.light_cap is None else rules.light_cap
    s.rounds = rules.rounds
    for p in range(players):
        for size in range(4):
            s.available[p, size] = STARTING_AVAILABLE[size]
            s.slots[p, size] = FULL_SLOTS[size]
    s.empty = board.ALL_SPACES
    if players == 2:
        s.taken[3] = PILE_SIZE[3]  # the 4-leaf pile is left in the box (R-SETUP-4)
    for seat in range(4):
        s.animal[seat] = NO_ANIMAL
        s.at[seat] = NOWHERE
    s.stones_left = rules.stones_for(players)
    if "moon" in rules.modules:
        s.moon_start = rules.moon_start
        s.shore = board.set_of(board.SPACE_NAMED[name] for name in rules.shore)
        s.river = board.set_of(board.SPACE_NAMED[name] for name in rules.river)
        for p in range(players):
            s.lunar[p] = LUNAR_START
        for seat, hand in enumerate(animals):
            s.dealt[seat] = board.set_of(ANIMALS.index(card) for card in hand)
        s.babies = packed([0 if baby is None else BABIES.index(baby) + 1 for baby in babies])
    begin_setup(s)
    return s
