"""Which actions a search looks at, and in which order: the promising first, equal ones once.

Three things keep the tree small. Actions of one turn that lead to the same position in either order are looked at in
one order only. A space is planted from one tree only, the one that is missed least. And the rest is put in order, so
that the search may look at the first few and widen its view as visits come in.
"""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import BOAR_DIG, BUY, COLLECT, END, GROW, MAX_LEGAL, PLACE, PLANT
from sunglade.kernel.compiler import compiled, inlined
from sunglade.kernel.fields import Memory, Numbers
from sunglade.kernel.legal import growable
from sunglade.kernel.legal_list import ROOM, LegalList
from sunglade.kernel.lifecycle import size_at, usable
from sunglade.kernel.printed import LARGE, LEAVES, NEIGHBOURS, PLANT_ORIGIN, PLANT_TARGET, SEED
from sunglade.kernel.record import SHADE_FORBIDS, TURN, Record
from sunglade.search.rollout import legal_actions


class Sorting(Memory):
    """Room for what it takes to put a legal list in order."""

    promise = Numbers(MAX_LEGAL)  # of each action in the list
    harm = Numbers(64)  # [target]: what the tree chosen to plant there could have done instead
    place = Numbers(64)  # [target]: where that planting is in the list


NOTHING_BEFORE: Final = -1
SEED_TO_TOKEN: Final = 4
"""Turns from planting to collecting; a seed planted later is only a seed."""


@compiled
def candidates(s: Record, before: int, out: LegalList, sorting: Sorting) -> int:
    """Write the actions worth a look, most promising first; return how many there are, at least one.

    `before` is the action that led here, `NOTHING_BEFORE` where that is not known.
    """
    n = legal_actions(s, out)
    if s.phase != TURN:
        return n
    n = _without_repetitions(s, before, out, sorting, n)
    _judge(s, out, sorting, n)
    _sort(out, sorting, n)
    return n


@inlined
def in_order(s: Record, before: int, action: int) -> bool:
    """Whether this action after that one is the order to look at; the other order leads to the same position.

    Buys from different columns can be swapped, and so can growing, collecting and planting on different spaces: each
    needs only light and pieces of its own, so what is legal second was legal first. Not so where shade forbids (a
    collected tree lets light through) and while the baby *two* waits.
    """
    if BUY <= before < GROW:
        return not BUY <= action < before
    if GROW <= before < PLACE and not s.options & SHADE_FORBIDS and not s.effects:
        return not GROW <= action < before
    return True


@inlined
def _without_repetitions(s: Record, before: int, out: LegalList, sorting: Sorting, n: int) -> int:
    """Drop the other order of what can be swapped, second trees that plant the same space, and seeds come too late."""
    p = s.player & 3
    turns = s.rounds - s.current_round
    ready = growable(s, p)
    for target in range(64):
        sorting.place[target] = -1
    kept = 0
    for i in range(n):
        action = out.action[i]
        if not in_order(s, before, action) or (BUY <= action < GROW and turns == 0):
            continue
        late = turns < SEED_TO_TOKEN
        if PLANT <= action < PLACE and (late or not _best_origin(s, p, out, sorting, kept, action, ready)):
            continue
        out.action[kept & ROOM] = action
        kept += 1
    return kept


@inlined
def _best_origin(s: Record, p: int, out: LegalList, sorting: Sorting, place: int, action: int, ready: int) -> bool:
    """Whether this is the first planting of its target; a later one from a tree less missed takes its place."""
    origin = int(PLANT_ORIGIN[action - PLANT])
    target = int(PLANT_TARGET[action - PLANT])
    harm = size_at(s, p, 1 << origin)
    if harm == LARGE:
        harm = 1 if s.rounds - s.current_round > 3 else 4
    elif not ready >> origin & 1:
        harm = 0
    harm = harm * 4
    if sorting.place[target] < 0:
        sorting.place[target] = place
        sorting.harm[target] = harm
        return True
    if harm < sorting.harm[target]:
        sorting.harm[target] = harm
        out.action[sorting.place[target] & ROOM] = action
    return False


@inlined
def _judge(s: Record, out: LegalList, sorting: Sorting, n: int) -> None:
    """How promising each action looks at first sight."""
    p = s.player & 3
    own = s.pieces[p, 0] | s.pieces[p, 1] | s.pieces[p, 2] | s.pieces[p, 3]
    for i in range(n):
        sorting.promise[i & ROOM] = _promise(s, p, own, out.action[i & ROOM])


@inlined
def _promise(s: Record, p: int, own: int, action: int) -> int:
    """A rough order: grow and collect, what a buy makes possible, the end of the turn, seeds by their soil."""
    if action == END:
        return 34
    if action < GROW:
        return _promise_of_buy(s, p, action - BUY)
    if action < COLLECT:
        space = action - GROW
        return 50 + 5 * size_at(s, p, 1 << space) + LEAVES[space]
    if action < PLANT:
        return 48 + LEAVES[action - COLLECT] + (20 if s.rounds - s.current_round <= 3 else 0)
    if action < PLACE:
        target = int(PLANT_TARGET[action - PLANT])
        beside = 12 if NEIGHBOURS[target] & own else 0
        return 26 + 4 * LEAVES[target] - beside
    return 37 if action >= BOAR_DIG else 33


@inlined
def _promise_of_buy(s: Record, p: int, size: int) -> int:
    """A piece is wanted when none is at hand and something could become it."""
    if usable(s, p, size) > 0:
        return 20
    if size == SEED:
        return 38
    return 46 if s.pieces[p, size - 1] & ~s.activated else 25


@inlined
def _sort(out: LegalList, sorting: Sorting, n: int) -> None:
    """Insertion sort, most promising first; stable."""
    for i in range(1, n):
        action = out.action[i & ROOM]
        promise = sorting.promise[i & ROOM]
        k = i
        while k > 0 and sorting.promise[(k - 1) & ROOM] < promise:
            out.action[k & ROOM] = out.action[(k - 1) & ROOM]
            sorting.promise[k & ROOM] = sorting.promise[(k - 1) & ROOM]
            k -= 1
        out.action[k & ROOM] = action
        sorting.promise[k & ROOM] = promise
