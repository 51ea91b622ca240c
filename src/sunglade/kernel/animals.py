"""The animals: their steps and abilities, and the turtle's babies (M-ANIMAL)."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import (
    ABILITIES,
    BADGER_FERTILISE,
    BEAVER_DAM,
    BEAVER_STRENGTHEN,
    BOAR_DIG,
    DAM_COST,
    DIG_COST,
    EAT_COST,
    FERTILISE_COST,
    FOX_MOVE,
    FOX_SCARE,
    FOX_STEAL,
    HATCH_COST,
    HEDGEHOG_PLANT,
    HEDGEHOG_RUN,
    HUNT_COST,
    MOVE_COST,
    OWL_HUNT,
    PLANT_HERE_COST,
    RUN_COST,
    SCARE_COST,
    SPACE_COUNT,
    SQUIRREL_EAT,
    STEAL_COST,
    STEP,
    STEPS_COST,
    STEPS_WITHOUT_SPACE,
    STRENGTHEN_COST,
    TURTLE_HARVEST,
    TURTLE_HATCH,
    TURTLE_SEED,
    TURTLE_STEPS,
)
from sunglade.kernel.bits import lowest, popcount
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.legal_list import ROOM, LegalList
from sunglade.kernel.lifecycle import (
    activate,
    enlarge,
    harvest,
    put_seed,
    return_piece,
    size_at,
    take_from_board,
    usable,
)
from sunglade.kernel.light import gain_light
from sunglade.kernel.moon import gain_lunar
from sunglade.kernel.moonlight_setup import animals_at
from sunglade.kernel.printed import (
    DAM,
    DAM_SPACES,
    LARGE,
    LEAVES,
    MEDIUM,
    NEIGHBOURS,
    SCARED_ANIMAL,
    SCARED_NUMBER,
    SEED,
    SMALL,
    STRAIGHT_TWO,
)
from sunglade.kernel.record import (
    BADGER,
    BEAVER,
    BOAR,
    BOAR_DIGS_ANY,
    FOX,
    FOX_SCARES_ADJACENT,
    FOX_STEALS_LIGHT,
    HEDGEHOG,
    LEAF,
    OWL,
    SQUIRREL,
    TURTLE,
    TWO,
    Record,
)
from sunglade.kernel.shortlist import appended, code_at, contains, removed
from sunglade.rules import BABIES

(DIG, RUN, PLANT_HERE, EAT, SCARE, MOVE_SEED, STEAL, HUNT, FERTILISE, BUILD_DAM, STRENGTHEN, HATCH, FIRST_STEPS) = (
    range(1, len(ABILITIES) + 1)
)
"""Codes of the abilities' names, in the table's order."""

STOLEN: Final = 2
HUNT_LIGHT: Final = (3, 7, 10)

BABY_TWO, BABY_SMALL, BABY_MEDIUM, BABY_HARVEST, BABY_LIGHT, BABY_SEED, BABY_POINTS, BABY_LEAF = range(1, 9)
BABY_LIGHT_POINTS: Final = 3
BABY_END_POINTS: Final = 3
STEPS_BABY: Final = tuple(BABIES.index(baby) + 1 for baby in STEPS_WITHOUT_SPACE)
"""The baby each of the numbered `turtle.steps` actions uses."""


@compiled
def _ready(s: Record, p: int, ability: int, cost: int) -> bool:
    """The lunar points are there and the name has not been used this turn (M-ANIMAL-2)."""
    return s.lunar[p] >= cost and not contains(s.used, ability)


@compiled
def _spend(s: Record, p: int, ability: int, cost: int) -> None:
    s.lunar[p] -= cost
    s.used = appended(s.used, ability)


@compiled
def _open_to_animals(s: Record) -> int:
    """Spaces without another animal, a stone or the Elder Tree (M-ANIMAL-1)."""
    return ~(animals_at(s) | s.elder | s.stones)


@entry
def steps_allowed(s: Record, p: int) -> int:
    """One step a turn; the squirrel two; the hedgehog one more after Run (M-ANIMAL-1)."""
    if s.animal[p] == SQUIRREL:
        return 2
    return 2 if contains(s.used, RUN) else 1


@compiled
def _list_spaces(out: LegalList, n: int, first: int, spaces: int) -> int:
    """One action a space, numbered from `first`."""
    while spaces:
        out.action[n & ROOM] = first + lowest(spaces)
        n += 1
        spaces &= spaces - 1
    return n


@compiled
def _list_one(out: LegalList, n: int, action: int) -> int:
    out.action[n & ROOM] = action
    return n + 1


@compiled
def animal_actions(s: Record, p: int, out: LegalList, n: int) -> int:
    """Steps and abilities of the player's animal (M-ANIMAL)."""
    at = s.at[p] & 63
    animal = s.animal[p]
    if s.steps < steps_allowed(s, p):
        n = _list_spaces(out, n, STEP, NEIGHBOURS[at] & _open_to_animals(s))
    if animal == BOAR:
        return _boar_actions(s, p, at, out, n)
    if animal == HEDGEHOG:
        return _hedgehog_actions(s, p, at, out, n)
    if animal == SQUIRREL:
        return _squirrel_actions(s, p, at, out, n)
    if animal == FOX:
        return _fox_actions(s, p, at, out, n)
    if animal == OWL:
        return _owl_actions(s, p, out, n)
    if animal == BADGER:
        return _badger_actions(s, p, at, out, n)
    if animal == BEAVER:
        return _beaver_actions(s, p, at, out, n)
    return _turtle_actions(s, p, at, out, n)


@compiled
def _boar_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Dig the large tree under the boar, its space not activated (M-ANIMAL-3)."""
    if digs_tree_of(s, p, at) >= 0 and not s.activated >> at & 1:
        if _ready(s, p, DIG, DIG_COST[0]):
            n = _list_one(out, n, BOAR_DIG)
        if _ready(s, p, DIG, DIG_COST[1]) and usable(s, p, SEED) > 0:
            n = _list_one(out, n, BOAR_DIG + 1)
    return n


@compiled
def digs_tree_of(s: Record, p: int, at: int) -> int:
    """Whose large tree the boar can dig up there, or −1: its player's, or anybody's where the option says so."""
    if s.pieces[p, LARGE] >> at & 1:
        return p
    if s.options & BOAR_DIGS_ANY:
        for owner in range(s.players):
            if s.pieces[owner, LARGE] >> at & 1:
                return owner
    return -1


@compiled
def _hedgehog_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Run, and Plant on its empty, unactivated space from the player board."""
    if _ready(s, p, RUN, RUN_COST):
        n = _list_one(out, n, HEDGEHOG_RUN)
    if s.empty & ~s.activated & 1 << at and s.slots[p, SEED] and _ready(s, p, PLANT_HERE, PLANT_HERE_COST):
        n = _list_one(out, n, HEDGEHOG_PLANT)
    return n


@compiled
def seeds_on(s: Record, spaces: int) -> int:
    """Whose seed lies on a space, or −1."""
    for p in range(s.players):
        if s.pieces[p, SEED] & spaces:
            return p
    return -1


@compiled
def _squirrel_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Eat an opponent's seed under the squirrel."""
    owner = seeds_on(s, 1 << at)
    if owner >= 0 and owner != p and _ready(s, p, EAT, EAT_COST + LEAVES[at]):
        n = _list_one(out, n, SQUIRREL_EAT)
    return n


@compiled
def _fox_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Scare an animal, move the seed under the fox, steal from a neighbour."""
    if _ready(s, p, SCARE, SCARE_COST):
        near = NEIGHBOURS[at] if s.options & FOX_SCARES_ADJACENT else -1
        for other in range(s.players):
            if other != p and near >> s.at[other] & 1:
                first = FOX_SCARE + SPACE_COUNT * SCARED_NUMBER[s.animal[other]]
                n = _list_spaces(out, n, first, NEIGHBOURS[s.at[other]] & _open_to_animals(s))
    if seeds_on(s, 1 << at) >= 0 and _ready(s, p, MOVE_SEED, MOVE_COST):
        n = _list_spaces(out, n, FOX_MOVE, STRAIGHT_TWO[at] & s.empty)
    if _ready(s, p, STEAL, STEAL_COST):
        for other in range(s.players):
            if other != p and NEIGHBOURS[at] >> s.at[other] & 1 and fox_finds(s, other) > 0:
                n = _list_one(out, n, FOX_STEAL + SCARED_NUMBER[s.animal[other]])
    return n


@compiled
def fox_finds(s: Record, victim: int) -> int:
    """What there is to steal: lunar points, or light where the option says so."""
    return s.light[victim] if s.options & FOX_STEALS_LIGHT else s.lunar[victim]


@compiled
def _owl_actions(s: Record, p: int, out: LegalList, n: int) -> int:
    """Night hunt at three levels."""
    for level in range(3):
        if _ready(s, p, HUNT, HUNT_COST[level]):
            n = _list_one(out, n, OWL_HUNT + level)
    return n


@compiled
def _badger_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Fertilise an own seed that was not planted this turn."""
    if s.pieces[p, SEED] & ~s.activated & 1 << at:
        if usable(s, p, SMALL) > 0 and _ready(s, p, FERTILISE, FERTILISE_COST[0]):
            n = _list_one(out, n, BADGER_FERTILISE)
        if s.slots[p, SMALL] and _ready(s, p, FERTILISE, FERTILISE_COST[1]):
            n = _list_one(out, n, BADGER_FERTILISE + 1)
    return n


@compiled
def can_strengthen(s: Record, p: int, at: int) -> bool:
    """An own piece under the beaver, on a dam space not activated, its next size at hand."""
    here = 1 << at & s.dam & ~s.activated
    for size in range(3):
        if s.pieces[p, size] & here:
            return usable(s, p, size + 1) > 0
    return False


@compiled
def _beaver_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Build the dam anew, or strengthen on it."""
    if _ready(s, p, BUILD_DAM, DAM_COST):
        for dam in range(len(DAM)):
            spaces = DAM[dam]
            if spaces >> at & 1 and spaces & s.river and not spaces & (s.elder | s.stones) and spaces != s.dam:
                n = _list_one(out, n, BEAVER_DAM + dam)
    if can_strengthen(s, p, at) and _ready(s, p, STRENGTHEN, STRENGTHEN_COST):
        n = _list_one(out, n, BEAVER_STRENGTHEN)
    return n


@compiled
def _turtle_actions(s: Record, p: int, at: int, out: LegalList, n: int) -> int:
    """Hatch the baby under the turtle, or use a hatched one (M-ANIMAL-4)."""
    if s.face_down >> at & 1 and _ready(s, p, HATCH, HATCH_COST):
        n = _list_one(out, n, TURTLE_HATCH)
    if s.hatched and _ready(s, p, FIRST_STEPS, STEPS_COST):
        for step in range(len(STEPS_BABY)):
            baby = STEPS_BABY[step]
            if contains(s.hatched, baby) and _baby_can(s, p, baby):
                n = _list_one(out, n, TURTLE_STEPS + step)
        if contains(s.hatched, BABY_HARVEST):
            n = _list_spaces(out, n, TURTLE_HARVEST, s.pieces[p, LARGE] & ~s.activated)
        if contains(s.hatched, BABY_SEED) and usable(s, p, SEED) > 0:
            n = _list_spaces(out, n, TURTLE_SEED, s.empty & ~s.activated)
    return n


@compiled
def _baby_can(s: Record, p: int, baby: int) -> bool:
    """*small* and *medium* need such a tree on the player board (M-ANIMAL-4)."""
    if baby == BABY_SMALL:
        return s.slots[p, SMALL] != 0
    if baby == BABY_MEDIUM:
        return s.slots[p, MEDIUM] != 0
    return True


@compiled
def apply_animal(s: Record, p: int, action: int) -> None:
    """Carry out a step or an ability of the player's animal."""
    at = s.at[p] & 63
    animal = s.animal[p]
    if STEP <= action < STEP + SPACE_COUNT:
        s.at[p] = action - STEP
        s.steps += 1
    elif animal == BOAR:
        _dig(s, p, at, action - BOAR_DIG)
    elif animal == HEDGEHOG:
        _apply_hedgehog(s, p, at, action)
    elif animal == SQUIRREL:
        _eat(s, p, at)
    elif animal == FOX:
        _apply_fox(s, p, at, action)
    elif animal == OWL:
        _hunt(s, p, action - OWL_HUNT)
    elif animal == BADGER:
        _fertilise(s, p, at, action - BADGER_FERTILISE)
    elif animal == BEAVER:
        _apply_beaver(s, p, at, action)
    elif animal == TURTLE:
        _apply_turtle(s, p, at, action)


@compiled
def _apply_hedgehog(s: Record, p: int, at: int, action: int) -> None:
    if action == HEDGEHOG_RUN:
        _spend(s, p, RUN, RUN_COST)
    elif action == HEDGEHOG_PLANT:
        _plant_here(s, p, at)


@compiled
def _apply_fox(s: Record, p: int, at: int, action: int) -> None:
    if FOX_SCARE <= action < FOX_MOVE:
        _scare(s, p, action - FOX_SCARE)
    elif FOX_MOVE <= action < FOX_STEAL:
        _move_seed(s, p, at, action - FOX_MOVE)
    elif FOX_STEAL <= action < OWL_HUNT:
        _steal(s, p, SCARED_ANIMAL[action - FOX_STEAL])


@compiled
def _apply_beaver(s: Record, p: int, at: int, action: int) -> None:
    if action == BEAVER_STRENGTHEN:
        _strengthen(s, p, at)
    elif BEAVER_DAM <= action < BEAVER_STRENGTHEN:
        _build_dam(s, p, action - BEAVER_DAM)


@compiled
def _apply_turtle(s: Record, p: int, at: int, action: int) -> None:
    if action == TURTLE_HATCH:
        _hatch(s, p, at)
    elif TURTLE_STEPS <= action < TURTLE_HARVEST:
        _first_steps(s, p, STEPS_BABY[action - TURTLE_STEPS])
    elif TURTLE_HARVEST <= action < TURTLE_SEED:
        _first_steps(s, p, BABY_HARVEST)
        harvest(s, p, p, action - TURTLE_HARVEST)
    elif TURTLE_SEED <= action < TURTLE_SEED + SPACE_COUNT:
        _first_steps(s, p, BABY_SEED)
        _plant_anywhere(s, p, 1 << (action - TURTLE_SEED))


@compiled
def _dig(s: Record, p: int, at: int, level: int) -> None:
    """Boar: collect without paying light, for its player; at the second level a seed goes in the tree's place."""
    _spend(s, p, DIG, DIG_COST[level])
    harvest(s, p, digs_tree_of(s, p, at), at)
    if level:
        s.available[p, SEED] -= 1
        put_seed(s, p, 1 << at)


@compiled
def _plant_here(s: Record, p: int, at: int) -> None:
    """Hedgehog: a seed straight from the player board."""
    _spend(s, p, PLANT_HERE, PLANT_HERE_COST)
    take_from_board(s, p, SEED)
    put_seed(s, p, 1 << at)
    activate(s, 1 << at)


@compiled
def _eat(s: Record, p: int, at: int) -> None:
    """Squirrel: the seed goes home, its owner gets 1 light, the squirrel's player the leaves. Not an action."""
    _spend(s, p, EAT, EAT_COST + LEAVES[at])
    owner = seeds_on(s, 1 << at)
    s.pieces[owner, SEED] ^= 1 << at
    s.empty |= 1 << at
    return_piece(s, owner, SEED)
    gain_light(s, owner, 1)
    gain_light(s, p, LEAVES[at])


@compiled
def owner_of(s: Record, animal: int) -> int:
    """Who plays an animal that is in the game."""
    for p in range(s.players):
        if s.animal[p] == animal:
            return p
    return 0


@compiled
def _scare(s: Record, p: int, choice: int) -> None:
    """Fox: another animal moves one space, as the fox's player chooses."""
    _spend(s, p, SCARE, SCARE_COST)
    s.at[owner_of(s, SCARED_ANIMAL[choice // SPACE_COUNT])] = choice % SPACE_COUNT


@compiled
def _move_seed(s: Record, p: int, at: int, to: int) -> None:
    """Fox: the seed goes to another space; not an action, but a seed planted this turn stays used."""
    _spend(s, p, MOVE_SEED, MOVE_COST)
    owner = seeds_on(s, 1 << at)
    s.pieces[owner, SEED] ^= 1 << at
    s.empty |= 1 << at
    put_seed(s, owner, 1 << to)
    if s.activated >> at & 1:
        s.activated |= 1 << to


@compiled
def _steal(s: Record, p: int, animal: int) -> None:
    """Fox: up to 2 points of a neighbour's; what the thief cannot hold is lost."""
    _spend(s, p, STEAL, STEAL_COST)
    victim = owner_of(s, animal)
    stolen = min(fox_finds(s, victim), STOLEN)
    if s.options & FOX_STEALS_LIGHT:
        s.light[victim] -= stolen
        gain_light(s, p, stolen)
    else:
        s.lunar[victim] -= stolen
        gain_lunar(s, p, stolen)


@compiled
def _hunt(s: Record, p: int, level: int) -> None:
    """Owl: lunar points become light."""
    _spend(s, p, HUNT, HUNT_COST[level])
    gain_light(s, p, HUNT_LIGHT[level])


@compiled
def _fertilise(s: Record, p: int, at: int, level: int) -> None:
    """Badger: a seed becomes a small tree, an available one or straight from the board. Not an action."""
    _spend(s, p, FERTILISE, FERTILISE_COST[level])
    if level:
        _make_available(s, p, SMALL)
    enlarge(s, p, SEED, 1 << at)


@compiled
def _build_dam(s: Record, p: int, dam: int) -> None:
    """Beaver: everything on the dam grows, the 2-leaf space first; then the three are activated."""
    _spend(s, p, BUILD_DAM, DAM_COST)
    s.dam = DAM[dam]
    for place in range(3):
        _grow_on_dam(s, p, 1 << DAM_SPACES[dam, place])
    activate(s, s.dam)


@compiled
def _grow_on_dam(s: Record, builder: int, spaces: int) -> None:
    """A seed or tree of anybody's grows for free if its owner has the next size at hand."""
    for p in range(s.players):
        for size in range(3):
            if s.pieces[p, size] & spaces:
                waiting = s.fresh[size + 1] if p == builder else 0
                if s.available[p, size + 1] > waiting:
                    enlarge(s, p, size, spaces)
                return


@compiled
def _strengthen(s: Record, p: int, at: int) -> None:
    """Beaver: grow the own piece here for free."""
    _spend(s, p, STRENGTHEN, STRENGTHEN_COST)
    enlarge(s, p, size_at(s, p, 1 << at), 1 << at)
    activate(s, 1 << at)


@entry
def baby_on(s: Record, space: int) -> int:
    """Which baby lies face down on a shore space; 0 where this is not known (M-SETUP-4)."""
    return code_at(s.babies, popcount(s.shore & ((1 << space) - 1)))


@compiled
def _hatch(s: Record, p: int, at: int) -> None:
    """Turtle: take the baby under it."""
    _spend(s, p, HATCH, HATCH_COST)
    s.face_down &= ~(1 << at)
    s.hatched = appended(s.hatched, baby_on(s, at))


@compiled
def _first_steps(s: Record, p: int, baby: int) -> None:
    """Turtle: a hatched baby is used and leaves the game; most help at once, wherever they are (M-ANIMAL-4)."""
    _spend(s, p, FIRST_STEPS, STEPS_COST)
    s.hatched = removed(s.hatched, baby)
    if baby == BABY_TWO:
        s.effects |= TWO
    elif baby == BABY_LEAF:
        s.effects |= LEAF
    elif baby == BABY_LIGHT:
        gain_light(s, p, BABY_LIGHT_POINTS)
    elif baby == BABY_POINTS:
        s.baby_points += BABY_END_POINTS
    elif baby == BABY_SMALL:
        _make_available(s, p, SMALL)
    elif baby == BABY_MEDIUM:
        _make_available(s, p, MEDIUM)


@compiled
def _make_available(s: Record, p: int, size: int) -> None:
    """The cheapest piece of a column goes to the available area for nothing."""
    take_from_board(s, p, size)
    s.available[p, size] += 1


@compiled
def _plant_anywhere(s: Record, p: int, spaces: int) -> None:
    """The baby *seed*: an available seed, wherever it is empty."""
    s.available[p, SEED] -= 1
    put_seed(s, p, spaces)
    activate(s, spaces)
