"""Why an action is not legal: the same conditions as `legal`, asked one by one, so that a person gets an answer.

Plain Python, because nobody asks it a million times. A test holds it to `legal`: no refusal exactly for legal actions.
A reason is a word and its details; the sentences are made from them elsewhere, in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from sunglade import board
from sunglade.board import NAMES
from sunglade.kernel import actions, animals
from sunglade.kernel.light import shaded_by
from sunglade.kernel.printed import COLLECT_COST, EDGE_SPACE, LARGE, PRICE, RICH_SPACE, SEED, SIZES, SMALL
from sunglade.kernel.record import (
    ANIMALS_PHASE,
    DRAFT_PHASE,
    ELDER_PHASE,
    OVER,
    PLACING,
    SHADE_FORBIDS,
    SHADE_ORIGIN,
    SHADE_TARGET,
    STONES_PHASE,
    TURN,
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
    for first, phase, checks in reversed(_KINDS):
        if action >= first:
            if s.phase == OVER:
                return Refusal("over", {})
            if s.phase != phase:
                return Refusal("phase", {"phase": int(s.phase)})
            return next(checks(s, int(s.player), action - first), None)
    raise ValueError(f"there is no action {action}")


def _no(reason: str, **details: Any) -> Refusal:
    return Refusal(reason, details)


def _pay_light(s: Record, p: int, cost: int) -> Checks:
    if s.light[p] < cost:
        yield _no("light", cost=int(cost), light=int(s.light[p]))


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


def _end(s: Record, p: int, _: int) -> Checks:
    yield from ()


def _buy(s: Record, p: int, size: int) -> Checks:
    if not s.slots[p, size]:
        yield _no("column_empty", size=SIZES[size])
    else:
        yield from _pay_light(s, p, PRICE[size, s.slots[p, size]])


def _grow(s: Record, p: int, space: int) -> Checks:
    size = _own_piece(s, p, space)
    if size is None:
        yield _no("not_yours", space=NAMES[space])
    elif size == LARGE:
        yield _no("fully_grown", space=NAMES[space])
    else:
        yield from _not_activated(s, space)
        if s.options & SHADE_FORBIDS:
            yield from _not_shaded(s, space, size)
        yield from _at_hand(s, p, size + 1)
        yield from _pay_light(s, p, size + 1)


def _collect(s: Record, p: int, space: int) -> Checks:
    yield from _own_large(s, p, space)
    yield from _not_activated(s, space)
    yield from _pay_light(s, p, COLLECT_COST)


def _own_large(s: Record, p: int, space: int) -> Checks:
    size = _own_piece(s, p, space)
    if size is None:
        yield _no("not_yours", space=NAMES[space])
    elif size != LARGE:
        yield _no("not_large", space=NAMES[space])


def planting_refused(s: Record, origin: int, target: int) -> Refusal | None:
    """What speaks against a seed from one space to another, also where no tree at all could throw it."""
    return next(_planting(s, int(s.player), origin, target), None)


def _plant(s: Record, p: int, pair: int) -> Checks:
    yield from _planting(s, p, *actions.PLANT_PAIRS[pair])


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
    yield from _pay_light(s, p, 1)


def _place(s: Record, p: int, number: int) -> Checks:
    yield from _empty(s, int(EDGE_SPACE[number]))


def _draft(s: Record, p: int, animal: int) -> Checks:
    if not s.dealt[p] >> animal & 1:
        hand = [ANIMALS[card] for card in board.spaces_in(s.dealt[p])]
        yield _no("not_dealt", animal=ANIMALS[animal], hand=hand)


def _animal_there(s: Record, space: int) -> Checks:
    for p in range(s.players):
        if s.at[p] == space:
            yield _no("animal_there", space=NAMES[space], animal=ANIMALS[s.animal[p]])


def _animal(s: Record, p: int, number: int) -> Checks:
    yield from _animal_there(s, int(RICH_SPACE[number]))


def _elder_or_stone(s: Record, p: int, space: int) -> Checks:
    yield from _empty(s, space)
    yield from _animal_there(s, space)
    if s.face_down >> space & 1:
        yield _no("baby_there", space=NAMES[space])


def _open_for_animal(s: Record, start: int, space: int) -> Checks:
    """A neighbouring space without animal, stone or Elder Tree (M-ANIMAL-1)."""
    if not board.NEIGHBOURS[start] >> space & 1:
        yield _no("not_next", space=NAMES[space], start=NAMES[start])
    if s.elder >> space & 1:
        yield _no("elder_there", space=NAMES[space])
    if s.stones >> space & 1:
        yield _no("stone_there", space=NAMES[space])
    yield from _animal_there(s, space)


def _plays(s: Record, p: int, animal: str) -> Checks:
    """The player has that animal."""
    if s.animal[p] < 0:
        yield _no("no_animals")
    elif ANIMALS[s.animal[p]] != animal:
        yield _no("other_animal", animal=animal, yours=ANIMALS[s.animal[p]])


def _pay_lunar(s: Record, p: int, ability: int, cost: int) -> Checks:
    """The lunar points are there, the name is not used yet (M-ANIMAL-2)."""
    if ability in unpacked(s.used):
        yield _no("ability_used", ability=animals.ABILITIES[ability - 1])
    if s.lunar[p] < cost:
        yield _no("lunar", cost=int(cost), lunar=int(s.lunar[p]))


def _step(s: Record, p: int, space: int) -> Checks:
    if s.animal[p] < 0:
        yield _no("no_animals")
        return
    animal = ANIMALS[s.animal[p]]
    allowed = 2 if animal == "squirrel" or animals.RUN in unpacked(s.used) else 1
    if s.steps >= allowed:
        yield _no("no_step_left", steps=allowed)
    yield from _open_for_animal(s, int(s.at[p]), space)


def _dig(s: Record, p: int, level: int) -> Checks:
    yield from _plays(s, p, "boar")
    yield from _own_large(s, p, int(s.at[p]))
    yield from _not_activated(s, int(s.at[p]))
    yield from _pay_lunar(s, p, animals.DIG, animals.DIG_COST[level])
    if level:
        yield from _at_hand(s, p, SEED)


def _run(s: Record, p: int, _: int) -> Checks:
    yield from _plays(s, p, "hedgehog")
    yield from _pay_lunar(s, p, animals.RUN, animals.RUN_COST)


def _plant_here(s: Record, p: int, _: int) -> Checks:
    yield from _plays(s, p, "hedgehog")
    yield from _empty(s, int(s.at[p]))
    yield from _not_activated(s, int(s.at[p]))
    yield from _on_board(s, p, SEED)
    yield from _pay_lunar(s, p, animals.PLANT_HERE, animals.PLANT_COST)


def _on_board(s: Record, p: int, size: int) -> Checks:
    if not s.slots[p, size]:
        yield _no("column_empty", size=SIZES[size])


def _seed_owner(s: Record, space: int) -> int | None:
    return next((p for p in range(s.players) if s.pieces[p, SEED] >> space & 1), None)


def _eat(s: Record, p: int, _: int) -> Checks:
    yield from _plays(s, p, "squirrel")
    at = int(s.at[p])
    if _seed_owner(s, at) in (None, p):
        yield _no("no_foreign_seed", space=NAMES[at])
    yield from _pay_lunar(s, p, animals.EAT, animals.EAT_COST + board.LEAVES[at])


def _seat_of(s: Record, animal: str) -> int | None:
    return next((p for p in range(s.players) if s.animal[p] == ANIMALS.index(animal)), None)


def _scare(s: Record, p: int, choice: int) -> Checks:
    yield from _plays(s, p, "fox")
    animal = actions.SCARED[choice // actions.SPACE_COUNT]
    seat = _seat_of(s, animal)
    if seat is None:
        yield _no("not_in_play", animal=animal)
        return
    yield from _open_for_animal(s, int(s.at[seat]), choice % actions.SPACE_COUNT)
    yield from _pay_lunar(s, p, animals.SCARE, animals.SCARE_COST)


def _move_seed(s: Record, p: int, space: int) -> Checks:
    yield from _plays(s, p, "fox")
    at = int(s.at[p])
    if _seed_owner(s, at) is None:
        yield _no("no_seed", space=NAMES[at])
    if not board.STRAIGHT_TWO[at] >> space & 1:
        yield _no("not_straight", space=NAMES[space], start=NAMES[at])
    yield from _empty(s, space)
    yield from _pay_lunar(s, p, animals.MOVE_SEED, animals.MOVE_COST)


def _steal(s: Record, p: int, number: int) -> Checks:
    yield from _plays(s, p, "fox")
    animal = actions.SCARED[number]
    seat = _seat_of(s, animal)
    if seat is None:
        yield _no("not_in_play", animal=animal)
        return
    if not board.NEIGHBOURS[s.at[p]] >> int(s.at[seat]) & 1:
        yield _no("not_beside", animal=animal)
    if s.lunar[seat] == 0:
        yield _no("nothing_to_steal", animal=animal)
    yield from _pay_lunar(s, p, animals.STEAL, animals.STEAL_COST)


def _hunt(s: Record, p: int, level: int) -> Checks:
    yield from _plays(s, p, "owl")
    yield from _pay_lunar(s, p, animals.HUNT, animals.HUNT_COST[level])


def _fertilise(s: Record, p: int, level: int) -> Checks:
    yield from _plays(s, p, "badger")
    at = int(s.at[p])
    if _own_piece(s, p, at) != SEED:
        yield _no("no_own_seed", space=NAMES[at])
    yield from _not_activated(s, at)
    yield from _pay_lunar(s, p, animals.FERTILISE, animals.FERTILISE_COST[level])
    yield from _on_board(s, p, SMALL) if level else _at_hand(s, p, SMALL)


def _dam(s: Record, p: int, number: int) -> Checks:
    yield from _plays(s, p, "beaver")
    spaces = board.set_of(board.DAMS[number])
    if not spaces >> int(s.at[p]) & 1:
        yield _no("not_on_dam", space=NAMES[s.at[p]])
    if not spaces & int(s.river):
        yield _no("no_river", river=board.names_of(s.river))
    blocked = spaces & int(s.elder | s.stones)
    if blocked:
        yield _no("blocked", space=board.names_of(blocked)[0])
    if spaces == s.dam:
        yield _no("dam_there")
    yield from _pay_lunar(s, p, animals.BUILD_DAM, animals.DAM_COST)


def _strengthen(s: Record, p: int, _: int) -> Checks:
    yield from _plays(s, p, "beaver")
    at = int(s.at[p])
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
        yield from _pay_lunar(s, p, animals.STRENGTHEN, animals.STRENGTHEN_COST)


def _hatch(s: Record, p: int, _: int) -> Checks:
    yield from _plays(s, p, "turtle")
    if not s.face_down >> int(s.at[p]) & 1:
        yield _no("no_baby", space=NAMES[s.at[p]])
    yield from _pay_lunar(s, p, animals.HATCH, animals.HATCH_COST)


def _has_baby(s: Record, p: int, baby: int) -> Checks:
    yield from _plays(s, p, "turtle")
    if baby not in unpacked(s.hatched):
        yield _no("baby_not_hatched", baby=BABIES[baby - 1])
    yield from _pay_lunar(s, p, animals.FIRST_STEPS, animals.STEPS_COST)


def _first_steps(s: Record, p: int, number: int) -> Checks:
    baby = animals.STEPS_BABY[number]
    yield from _has_baby(s, p, baby)
    if baby in (animals.BABY_SMALL, animals.BABY_MEDIUM):
        yield from _on_board(s, p, baby - animals.BABY_SMALL + SMALL)


def _baby_harvest(s: Record, p: int, space: int) -> Checks:
    yield from _has_baby(s, p, animals.BABY_HARVEST)
    yield from _own_large(s, p, space)
    yield from _not_activated(s, space)


def _baby_seed(s: Record, p: int, space: int) -> Checks:
    yield from _has_baby(s, p, animals.BABY_SEED)
    yield from _empty(s, space)
    yield from _not_activated(s, space)
    yield from _at_hand(s, p, SEED)


_KINDS: Final[tuple[tuple[int, int, Callable[[Record, int, int], Checks]], ...]] = (
    (actions.END, TURN, _end),
    (actions.BUY, TURN, _buy),
    (actions.GROW, TURN, _grow),
    (actions.COLLECT, TURN, _collect),
    (actions.PLANT, TURN, _plant),
    (actions.PLACE, PLACING, _place),
    (actions.DRAFT, DRAFT_PHASE, _draft),
    (actions.ANIMAL, ANIMALS_PHASE, _animal),
    (actions.ELDER, ELDER_PHASE, _elder_or_stone),
    (actions.STONE, STONES_PHASE, _elder_or_stone),
    (actions.STEP, TURN, _step),
    (actions.BOAR_DIG, TURN, _dig),
    (actions.HEDGEHOG_RUN, TURN, _run),
    (actions.HEDGEHOG_PLANT, TURN, _plant_here),
    (actions.SQUIRREL_EAT, TURN, _eat),
    (actions.FOX_SCARE, TURN, _scare),
    (actions.FOX_MOVE, TURN, _move_seed),
    (actions.FOX_STEAL, TURN, _steal),
    (actions.OWL_HUNT, TURN, _hunt),
    (actions.BADGER_FERTILISE, TURN, _fertilise),
    (actions.BEAVER_DAM, TURN, _dam),
    (actions.BEAVER_STRENGTHEN, TURN, _strengthen),
    (actions.TURTLE_HATCH, TURN, _hatch),
    (actions.TURTLE_STEPS, TURN, _first_steps),
    (actions.TURTLE_HARVEST, TURN, _baby_harvest),
    (actions.TURTLE_SEED, TURN, _baby_seed),
)
"""First number, phase and checks of each kind of action, in the order of the numbers."""
