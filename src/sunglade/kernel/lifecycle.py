"""The actions of the life-cycle phase on the pieces: buy, plant, grow, collect (R-ACT)."""

from __future__ import annotations

from sunglade.kernel.actions import COLLECT_COST, PLANT_COST
from sunglade.kernel.compiler import inlined
from sunglade.kernel.printed import (
    LARGE,
    LEAVES,
    MEDIUM,
    PILE_SIZE,
    PLANT_ORIGIN,
    PLANT_TARGET,
    PRICE,
    RETURNED,
    SEED,
    SMALL,
    TOKEN_VALUE,
)
from sunglade.kernel.record import LEAF, NO_FRESH, RETURN_LOWEST, TWO, Record
from sunglade.kernel.tokens import owned_token


@inlined
def usable(s: Record, p: int, size: int) -> int:
    """How many available pieces may be used now: those bought this turn wait where the edition says so (R-ED)."""
    return s.available[p, size] - s.fresh[size]


@inlined
def activate(s: Record, spaces: int) -> None:
    """Spaces acted on stay activated for the turn (R-ACT-1); touching one again uses up *two* (M-ANIMAL-4)."""
    if s.effects & TWO and s.activated & spaces:
        s.effects &= ~TWO
    s.activated |= spaces


@inlined
def return_piece(s: Record, p: int, size: int) -> None:
    """A piece goes back to the player board, or out of the game when its column is full (R-ACT-4)."""
    order = 1 if s.options & RETURN_LOWEST else 0
    s.slots[p, size] = RETURNED[order, size, s.slots[p, size] & 15]


@inlined
def take_token(s: Record, p: int, pile: int) -> None:
    """The top token of a pile, or of the next lower one that has any (R-ACT-5)."""
    while pile >= 0:
        gone = s.taken[pile]
        if gone < PILE_SIZE[pile]:
            value = TOKEN_VALUE[pile, gone]
            s.taken[pile] = gone + 1
            s.score[p] += value
            s.tokens[s.collected] = owned_token(p, value)
            s.collected += 1
            return
        pile -= 1


@inlined
def take_from_board(s: Record, p: int, size: int) -> None:
    """The cheapest piece of a column leaves the player board (R-ACT-2)."""
    occupied = s.slots[p, size]
    s.slots[p, size] = occupied & (occupied - 1)


@inlined
def buy(s: Record, p: int, size: int) -> None:
    """The cheapest piece of a column moves to the available area (R-ACT-2)."""
    s.light[p] -= PRICE[size, s.slots[p, size] & 15]
    take_from_board(s, p, size)
    s.available[p, size] += 1
    if s.options & NO_FRESH:
        s.fresh[size] += 1


@inlined
def put_seed(s: Record, p: int, spaces: int) -> None:
    """A seed on an empty space."""
    s.pieces[p, SEED] |= spaces
    s.empty &= ~spaces


@inlined
def plant(s: Record, p: int, pair: int) -> None:
    """A seed thrown by an own tree (R-ACT-3)."""
    target = 1 << int(PLANT_TARGET[pair])
    s.light[p] -= PLANT_COST
    s.available[p, SEED] -= 1
    put_seed(s, p, target)
    activate(s, 1 << int(PLANT_ORIGIN[pair]) | target)


@inlined
def size_at(s: Record, p: int, spaces: int) -> int:
    """The size of a player's piece on a space known to have one."""
    if s.pieces[p, SEED] & spaces:
        return SEED
    if s.pieces[p, SMALL] & spaces:
        return SMALL
    if s.pieces[p, MEDIUM] & spaces:
        return MEDIUM
    return LARGE


@inlined
def enlarge(s: Record, p: int, size: int, spaces: int) -> None:
    """A piece is replaced by the next size from the available area (R-ACT-4)."""
    s.pieces[p, size] ^= spaces
    s.pieces[p, size + 1] |= spaces
    s.available[p, size + 1] -= 1
    return_piece(s, p, size)


@inlined
def grow(s: Record, p: int, space: int) -> None:
    """Seed → small for 1 light, small → medium for 2, medium → large for 3 (R-ACT-4)."""
    spaces = 1 << space
    size = size_at(s, p, spaces)
    enlarge(s, p, size, spaces)
    s.light[p] -= size + 1
    activate(s, spaces)


@inlined
def harvest(s: Record, p: int, owner: int, space: int) -> None:
    """A large tree goes back to its owner and the player takes its soil's token, whatever it cost (R-ACT-5)."""
    spaces = 1 << space
    s.pieces[owner, LARGE] ^= spaces
    s.empty |= spaces
    return_piece(s, owner, LARGE)
    pile = LEAVES[space] - 1
    if s.effects & LEAF:
        s.effects &= ~LEAF
        pile = min(pile + 1, 3)
    take_token(s, p, pile)
    activate(s, spaces)


@inlined
def collect(s: Record, p: int, space: int) -> None:
    """Harvest for 4 light (R-ACT-5)."""
    s.light[p] -= COLLECT_COST
    harvest(s, p, p, space)
