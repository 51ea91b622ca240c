"""Why an action is not legal: the same conditions as `legal`, asked one by one, so that a person gets an answer.

Plain Python, because nobody asks it a million times. A test holds it to `legal`: no refusal exactly for legal actions.
A reason is a word and its details; the sentences are made from them elsewhere, in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from sunglade import board
from sunglade.board import NAMES
from sunglade.kernel.actions import ABILITIES, PLANT, TABLE, Action
from sunglade.kernel.animals import steps_allowed
from sunglade.kernel.cost import price_of
from sunglade.kernel.light import shaded_by
from sunglade.kernel.printed import LARGE, PRICE, SEED, SIZES, SMALL
from sunglade.kernel.record import (
    BOAR_DIGS_ANY,
    FOX_SCARES_ADJACENT,
    FOX_STEALS_LIGHT,
    OVER,
    SHADE_FORBIDS,
    SHADE_ORIGIN,
    SHADE_TARGET,
    TWO,
    Record,
)
from sunglade.kernel.shortlist import unpacked
from sunglade.rules import ANIMALS, BABIES


class Refusal(NamedTuple):
    """Why not: a word, and what it is about."""

    reason: str
    details: dict[str, Any]


Checks = Iterator[Refusal]
"""Each refusal an action meets, the one that explains most first."""


def refusal(s: Record, action: int) -> Refusal | None:
    """The first thing that speaks against an action, or None when it is legal."""
    a = TABLE[action]
    if s.phase == OVER:
        return _no("over")
    if s.phase != a.phase:
        return _no("phase", phase=s.phase)
    return next(_CHECKS[a.ability or a.kind](s, s.player, a), None)


def _no(reason: str, **details: Any) -> Refusal:
    return Refusal(reason, details)


def _pay(s: Record, p: int, a: Action) -> Checks:
    """An ability's name is not used yet (M-ANIMAL-2); the light and the lunar points are there."""
    if a.ability and ABILITIES.index(a.ability) + 1 in unpacked(s.used):
        yield _no("ability_used", ability=a.ability)
    light, lunar = price_of(s, a)
    if s.light[p] < light:
        yield _no("light", cost=light, light=s.light[p])
    if s.lunar[p] < lunar:
        yield _no("lunar", cost=lunar, lunar=s.lunar[p])


def _at_hand(s: Record, p: int, size: int) -> Checks:
    """A piece of the size in the available area, and not bought this turn where that matters (R-ACT-4, R-ED)."""
    if s.available[p, size] == 0:
        price = int(PRICE[size, s.slots[p, size]]) if s.slots[p, size] else None
        yield _no("none_available", size=SIZES[size], price=price)
    elif s.available[p, size] <= s.fresh[size]:
        yield _no("bought_now", size=SIZES[size])


def _not_activated(s: Record, *spaces: int) -> Checks:
    """A space acts once a turn; *two* forgives one (R-ACT-1, M-ANIMAL-4)."""
    again = [space for space in spaces if s.activated >> space & 1]
    if again and not (s.effects & TWO and len(again) == 1):
        yield _no("activated", space=NAMES[again[0]])


def _own_piece(s: Record, p: int, space: int) -> int | None:
    """The size of the player's piece there."""
    return next((size for size in range(4) if s.pieces[p, size] >> space & 1), None)


def _empty(s: Record, space: int) -> Checks:
    if s.elder >> space & 1:
        yield _no("elder_there", space=NAMES[space])
    elif s.stones >> space & 1:
        yield _no("stone_there", space=NAMES[space])
    elif not s.empty >> space & 1:
        yield _no("occupied", space=NAMES[space])


def _not_shaded(s: Record, space: int, size: int) -> Checks:
    """The advanced rule: no planting and no growing in shade (R-ADV-2)."""
    casters = shaded_by(s, s.sun, space, size)
    if casters:
        yield _no("shaded", space=NAMES[space], by=board.names_of(casters))


def _end(s: Record, p: int, a: Action) -> Checks:
    yield from ()


def _buy(s: Record, p: int, a: Action) -> Checks:
    yield from _on_board(s, p, a.size)
    yield from _pay(s, p, a)


def _on_board(s: Record, p: int, size: int) -> Checks:
    if not s.slots[p, size]:
        yield _no("column_empty", size=SIZES[size])


def _grow(s: Record, p: int, a: Action) -> Checks:
    size = _own_piece(s, p, a.space)
    if size is None:
        yield _no("not_yours", space=NAMES[a.space])
    elif size == LARGE:
        yield _no("fully_grown", space=NAMES[a.space])
    else:
        yield from _not_activated(s, a.space)
        if s.options & SHADE_FORBIDS:
            yield from _not_shaded(s, a.space, size)
        yield from _at_hand(s, p, size + 1)
        yield from _pay(s, p, a)


def _collect(s: Record, p: int, a: Action) -> Checks:
    yield from _own_large(s, p, a.space)
    yield from _not_activated(s, a.space)
    yield from _pay(s, p, a)


def _own_large(s: Record, p: int, space: int) -> Checks:
    size = _own_piece(s, p, space)
    if size is None:
        yield _no("not_yours", space=NAMES[space])
    elif size != LARGE:
        yield _no("not_large", space=NAMES[space])


def _any_large(s: Record, space: int) -> Checks:
    if not any(s.pieces[p, LARGE] >> space & 1 for p in range(s.players)):
        yield _no("no_large_tree", space=NAMES[space])


def planting_refused(s: Record, origin: int, target: int) -> Refusal | None:
    """What speaks against a seed from one space to another, also where no tree at all could throw it."""
    return next(_planting(s, s.player, origin, target), None)


def _plant(s: Record, p: int, a: Action) -> Checks:
    yield from _planting(s, p, a.origin, a.space)


def _planting(s: Record, p: int, origin: int, target: int) -> Checks:
    size = _own_piece(s, p, origin)
    if size is None:
        yield _no("not_yours", space=NAMES[origin])
        return
    if size == SEED:
        yield _no("seed_cannot_plant", space=NAMES[origin])
        return
    away = board.distance(board.COORDINATES[origin], board.COORDINATES[target])
    if away > size:
        yield _no("out_of_reach", space=NAMES[target], size=SIZES[size], distance=away, reach=size)
    yield from _empty(s, target)
    yield from _not_activated(s, origin, target)
    if s.options & SHADE_FORBIDS and s.options & SHADE_ORIGIN:
        yield from _not_shaded(s, origin, size)
    if s.options & SHADE_FORBIDS and s.options & SHADE_TARGET:
        yield from _not_shaded(s, target, SEED)
    yield from _at_hand(s, p, SEED)
    yield from _pay(s, p, TABLE[PLANT])


def _place(s: Record, p: int, a: Action) -> Checks:
    yield from _empty(s, a.space)


def _draft(s: Record, p: int, a: Action) -> Checks:
    hand = [ANIMALS[card] for card in board.spaces_in(s.dealt[p])]
    if a.animal not in hand:
        yield _no("not_dealt", animal=a.animal, hand=hand)


def _animal_there(s: Record, space: int) -> Checks:
    for p in range(s.players):
        if s.at[p] == space:
            yield _no("animal_there", space=NAMES[space], animal=ANIMALS[s.animal[p]])


def _animal(s: Record, p: int, a: Action) -> Checks:
    yield from _animal_there(s, a.space)


def _elder_or_stone(s: Record, p: int, a: Action) -> Checks:
    yield from _empty(s, a.space)
    yield from _animal_there(s, a.space)
    if s.face_down >> a.space & 1:
        yield _no("baby_there", space=NAMES[a.space])


def _open_for_animal(s: Record, start: int, space: int) -> Checks:
    """A neighbouring space without animal, stone or Elder Tree (M-ANIMAL-1)."""
    if not board.NEIGHBOURS[start] >> space & 1:
        yield _no("not_next", space=NAMES[space], start=NAMES[start])
    if s.elder >> space & 1:
        yield _no("elder_there", space=NAMES[space])
    if s.stones >> space & 1:
        yield _no("stone_there", space=NAMES[space])
    yield from _animal_there(s, space)


def _step(s: Record, p: int, a: Action) -> Checks:
    if s.animal[p] < 0:
        yield _no("no_animals")
        return
    allowed = steps_allowed(s, p)
    if s.steps >= allowed:
        yield _no("no_step_left", steps=allowed)
    yield from _open_for_animal(s, s.at[p], a.space)


def _plays(s: Record, p: int, a: Action) -> Checks:
    """The player has the animal whose ability it is."""
    if s.animal[p] < 0:
        yield _no("no_animals")
    elif ANIMALS[s.animal[p]] != a.animal:
        yield _no("other_animal", animal=a.animal, yours=ANIMALS[s.animal[p]])


def _dig(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    yield from _any_large(s, s.at[p]) if s.options & BOAR_DIGS_ANY else _own_large(s, p, s.at[p])
    yield from _not_activated(s, s.at[p])
    yield from _pay(s, p, a)
    if a.level == 2:
        yield from _at_hand(s, p, SEED)


def _run_or_hunt(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    yield from _pay(s, p, a)


def _plant_here(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    yield from _empty(s, s.at[p])
    yield from _not_activated(s, s.at[p])
    yield from _on_board(s, p, SEED)
    yield from _pay(s, p, a)


def _seed_owner(s: Record, space: int) -> int | None:
    return next((p for p in range(s.players) if s.pieces[p, SEED] >> space & 1), None)


def _eat(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    if _seed_owner(s, s.at[p]) in (None, p):
        yield _no("no_foreign_seed", space=NAMES[s.at[p]])
    yield from _pay(s, p, a)


def _seat_of(s: Record, animal: str) -> int | None:
    return next((p for p in range(s.players) if s.animal[p] == ANIMALS.index(animal)), None)


def _scare(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    seat = _seat_of(s, a.target)
    if seat is None:
        yield _no("not_in_play", animal=a.target)
        return
    if s.options & FOX_SCARES_ADJACENT:
        yield from _beside_fox(s, p, seat)
    yield from _open_for_animal(s, s.at[seat], a.space)
    yield from _pay(s, p, a)


def _beside_fox(s: Record, p: int, seat: int) -> Checks:
    if not board.NEIGHBOURS[s.at[p]] >> s.at[seat] & 1:
        yield _no("not_beside", animal=ANIMALS[s.animal[seat]])


def _move_seed(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    at = s.at[p]
    if _seed_owner(s, at) is None:
        yield _no("no_seed", space=NAMES[at])
    if not board.STRAIGHT_TWO[at] >> a.space & 1:
        yield _no("not_straight", space=NAMES[a.space], start=NAMES[at])
    yield from _empty(s, a.space)
    yield from _pay(s, p, a)


def _steal(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    seat = _seat_of(s, a.target)
    if seat is None:
        yield _no("not_in_play", animal=a.target)
        return
    yield from _beside_fox(s, p, seat)
    if s.options & FOX_STEALS_LIGHT:
        if s.light[seat] == 0:
            yield _no("no_light_to_steal", animal=a.target)
    elif s.lunar[seat] == 0:
        yield _no("nothing_to_steal", animal=a.target)
    yield from _pay(s, p, a)


def _fertilise(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    at = s.at[p]
    if _own_piece(s, p, at) != SEED:
        yield _no("no_own_seed", space=NAMES[at])
    yield from _not_activated(s, at)
    yield from _pay(s, p, a)
    yield from _at_hand(s, p, SMALL) if a.level == 1 else _on_board(s, p, SMALL)


def _dam(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    spaces = board.set_of(a.spaces)
    if not spaces >> s.at[p] & 1:
        yield _no("not_on_dam", space=NAMES[s.at[p]])
    if not spaces & s.river:
        yield _no("no_river", river=board.names_of(s.river))
    blocked = spaces & (s.elder | s.stones)
    if blocked:
        yield _no("blocked", space=board.names_of(blocked)[0])
    if spaces == s.dam:
        yield _no("dam_there")
    yield from _pay(s, p, a)


def _strengthen(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    at = s.at[p]
    size = _own_piece(s, p, at)
    if not s.dam >> at & 1:
        yield _no("no_dam", space=NAMES[at])
    elif size is None:
        yield _no("not_yours", space=NAMES[at])
    elif size == LARGE:
        yield _no("fully_grown", space=NAMES[at])
    else:
        yield from _not_activated(s, at)
        yield from _at_hand(s, p, size + 1)
        yield from _pay(s, p, a)


def _hatch(s: Record, p: int, a: Action) -> Checks:
    yield from _plays(s, p, a)
    if not s.face_down >> s.at[p] & 1:
        yield _no("no_baby", space=NAMES[s.at[p]])
    yield from _pay(s, p, a)


def _first_steps(s: Record, p: int, a: Action) -> Checks:
    """Some babies need something of their own (M-ANIMAL-4)."""
    yield from _plays(s, p, a)
    if BABIES.index(a.baby) + 1 not in unpacked(s.hatched):
        yield _no("baby_not_hatched", baby=a.baby)
    yield from _pay(s, p, a)
    if a.baby in ("small", "medium"):
        yield from _on_board(s, p, SIZES.index(a.baby))
    elif a.baby == "harvest":
        yield from _own_large(s, p, a.space)
        yield from _not_activated(s, a.space)
    elif a.baby == "seed":
        yield from _empty(s, a.space)
        yield from _not_activated(s, a.space)
        yield from _at_hand(s, p, SEED)


_CHECKS: Final[dict[str, Callable[[Record, int, Action], Checks]]] = {
    "end": _end,
    "buy": _buy,
    "grow": _grow,
    "collect": _collect,
    "plant": _plant,
    "place": _place,
    "draft": _draft,
    "animal": _animal,
    "elder": _elder_or_stone,
    "stone": _elder_or_stone,
    "step": _step,
    "boar.dig": _dig,
    "hedgehog.run": _run_or_hunt,
    "hedgehog.plant": _plant_here,
    "squirrel.eat": _eat,
    "fox.scare": _scare,
    "fox.move": _move_seed,
    "fox.steal": _steal,
    "owl.hunt": _run_or_hunt,
    "badger.fertilise": _fertilise,
    "beaver.dam": _dam,
    "beaver.strengthen": _strengthen,
    "turtle.hatch": _hatch,
    "turtle.steps": _first_steps,
}
"""What to ask about each kind of action and each ability."""
