"""Setting up Under the Moonlight: draft, animals, Elder Tree, moonstones, in this order (M-SETUP)."""

from __future__ import annotations

from sunglade.kernel.actions import ANIMAL, DRAFT, ELDER, STONE
from sunglade.kernel.bits import lowest
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.legal_list import ROOM, LegalList
from sunglade.kernel.printed import RICH, RICH_NUMBER, RICH_SPACE
from sunglade.kernel.record import (
    ANIMALS_PHASE,
    DRAFT_PHASE,
    ELDER_PHASE,
    MODULE_ELDER,
    MODULE_MOON,
    NOWHERE,
    STONES_PHASE,
    TURTLE,
    Record,
)
from sunglade.kernel.rounds import begin_placing


@entry
def begin_setup(s: Record) -> None:
    """The first decision of the game: the draft, where there are animals (M-SETUP-1)."""
    if s.options & MODULE_MOON:
        s.phase = DRAFT_PHASE
        s.player = 0
    else:
        _begin_elder(s)


@compiled
def _begin_elder(s: Record) -> None:
    """The last player places the Elder Tree (M-SETUP-6)."""
    if s.options & MODULE_ELDER:
        s.phase = ELDER_PHASE
        s.player = s.players - 1
    else:
        _begin_stones(s)


@compiled
def _begin_stones(s: Record) -> None:
    """Starting with the last player, or the one to the right of who placed the Elder Tree (M-SETUP-7)."""
    if s.stones_left > 0:
        s.phase = STONES_PHASE
        s.player = s.players - 2 if s.options & MODULE_ELDER else s.players - 1
    else:
        begin_placing(s)


@compiled
def animals_at(s: Record) -> int:
    """The spaces with an animal."""
    spaces = 0
    for p in range(s.players):
        if s.at[p] != NOWHERE:
            spaces |= 1 << s.at[p]
    return spaces


@compiled
def _undisturbed(s: Record) -> int:
    """Where the Elder Tree or a stone may go: no animal, baby, Elder Tree or stone (M-SETUP-6, M-SETUP-7)."""
    return s.empty & ~animals_at(s) & ~s.face_down


@compiled
def setup_actions(s: Record, p: int, out: LegalList) -> int:
    """What may be chosen in the set-up of the modules (M-SETUP)."""
    first = DRAFT
    choices = s.dealt[p]
    if s.phase == ANIMALS_PHASE:
        first = ANIMAL
        choices = RICH & ~animals_at(s)
    elif s.phase == ELDER_PHASE:
        first = ELDER
        choices = _undisturbed(s)
    elif s.phase == STONES_PHASE:
        first = STONE
        choices = _undisturbed(s)
    n = 0
    while choices:
        choice = lowest(choices)
        out.action[n & ROOM] = first + (RICH_NUMBER[choice] if first == ANIMAL else choice)
        n += 1
        choices &= choices - 1
    return n


@compiled
def apply_setup(s: Record, p: int, action: int) -> None:
    """Carry out a decision of the set-up."""
    if s.phase == DRAFT_PHASE:
        draft(s, p, action - DRAFT)
    elif s.phase == ANIMALS_PHASE:
        place_animal(s, p, RICH_SPACE[action - ANIMAL])
    elif s.phase == ELDER_PHASE:
        place_elder(s, action - ELDER)
    elif s.phase == STONES_PHASE:
        place_stone(s, p, action - STONE)


@compiled
def draft(s: Record, p: int, animal: int) -> None:
    """A player keeps one of two cards; the last one also begins the placing of the animals (M-SETUP-1)."""
    s.animal[p] = animal
    if p + 1 < s.players:
        s.player = p + 1
    else:
        s.phase = ANIMALS_PHASE


@compiled
def place_animal(s: Record, p: int, space: int) -> None:
    """In reverse turn order, on 3-leaf spaces (M-SETUP-3)."""
    s.at[p] = space
    if p > 0:
        s.player = p - 1
    else:
        _lay_out_babies(s)
        _begin_elder(s)


@compiled
def _lay_out_babies(s: Record) -> None:
    """With the turtle in play a baby goes face down on each shore space (M-SETUP-4)."""
    for p in range(s.players):
        if s.animal[p] == TURTLE:
            s.face_down = s.shore


@compiled
def place_elder(s: Record, space: int) -> None:
    """The Elder Tree blocks its space for good (M-SETUP-6, M-ELDER-1)."""
    s.elder = 1 << space
    s.empty &= ~s.elder
    _begin_stones(s)


@compiled
def place_stone(s: Record, p: int, space: int) -> None:
    """Stones are placed one by one, counter-clockwise, and never move (M-SETUP-7, M-STONE-1)."""
    s.stones |= 1 << space
    s.empty &= ~s.stones
    s.stones_left -= 1
    s.player = p - 1 if p > 0 else s.players - 1
    if s.stones_left == 0:
        begin_placing(s)
