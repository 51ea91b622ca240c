"""Steps and abilities of the animals (M-ANIMAL)."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from referee.board import (
    DIRECTIONS,
    LEAVES,
    NAMES,
    NEIGHBOURS,
    ON_BOARD,
    SPACES,
    Space,
    clockwise,
    distance,
    in_order,
    moved,
)
from referee.position import (
    LARGE,
    MEDIUM,
    MOST_LUNAR,
    SEED,
    SMALL,
    Actions,
    Effect,
    Piece,
    Player,
    Position,
    cheapest,
    take_from_board,
)

Ability = Iterator[tuple[str, int, Effect]]
"""Lines whose conditions hold, each with its price in lunar points and what it does."""


def animal_actions(position: Position) -> Actions:
    """What the animal of the player to act may do: step, and use each ability once a turn (M-ANIMAL-2)."""
    mover = position.mover
    if mover.animal is None or mover.at is None:
        return
    yield from step_actions(position, mover, mover.at)
    for line, cost, effect in ABILITIES[mover.animal](position, mover, mover.at):
        name = line.split()[0].removesuffix("2")
        if cost <= mover.lunar and name not in mover.used:
            yield line, partial(use, mover, name, cost, effect)


def use(mover: Player, name: str, cost: int, effect: Effect) -> None:
    """The price is paid, the name is used, the effect comes (M-ANIMAL-2)."""
    mover.lunar -= cost
    mover.used.append(name)
    effect()


def free_for_animals(position: Position, space: Space) -> bool:
    """No other animal, no stone, no Elder Tree (M-ANIMAL-1)."""
    return not position.animal_at(space) and not position.blocked(space)


def step_actions(position: Position, mover: Player, at: Space) -> Actions:
    """One step a turn (M-ANIMAL-1); two for M-ANIMAL-3-SQUIRREL; one more after the run of M-ANIMAL-3-HEDGEHOG."""
    allowed = 1 + (mover.animal == "squirrel") + ("hedgehog.run" in mover.used)
    if mover.steps >= allowed:
        return
    for space in NEIGHBOURS[at]:
        if free_for_animals(position, space):
            yield f"step {NAMES[space]}", partial(step, mover, space)


def step(mover: Player, space: Space) -> None:
    """The animal moves (M-ANIMAL-1)."""
    mover.at = space
    mover.steps += 1


def nothing_more() -> None:
    """For abilities that work by having been used."""


# Boar


def boar(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-BOAR: collect the tree on its space, and plant there."""
    tree = position.board.get(at)
    if tree is None or tree.size != LARGE or at in position.activated:
        return
    if tree.owner != mover.seat and position.options.boar_digs == "own":
        return
    yield "boar.dig", 5, partial(dig, position, at, False)
    if position.usable(mover, SEED):
        yield "boar.dig2", 8, partial(dig, position, at, True)


def dig(position: Position, at: Space, then_plant: bool) -> None:
    """M-ANIMAL-3-BOAR."""
    position.collect(at)
    if then_plant:
        position.plant(at)
    position.activated.add(at)


# Hedgehog


def hedgehog(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-HEDGEHOG: one more step; a seed on its space."""
    yield "hedgehog.run", 1, nothing_more
    if position.empty(at) and at not in position.activated and cheapest(mover, SEED) is not None:
        yield "hedgehog.plant", 3, partial(plant_from_board, position, mover, at)


def plant_from_board(position: Position, mover: Player, at: Space) -> None:
    """M-ANIMAL-3-HEDGEHOG: straight from the player board."""
    take_from_board(mover, SEED)
    position.board[at] = Piece(mover.seat, SEED)
    position.activated.add(at)


# Squirrel


def squirrel(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-SQUIRREL: an opponent's seed on its space."""
    seed = position.board.get(at)
    if seed and seed.size == SEED and seed.owner != mover.seat:
        yield "squirrel.eat", 4 + LEAVES[at], partial(eat, position, mover, at)


def eat(position: Position, mover: Player, at: Space) -> None:
    """M-ANIMAL-3-SQUIRREL: the seed returns, both get light; no space is activated."""
    seed = position.board.pop(at)
    position.give_back(seed)
    position.gain_light(position.players[seed.owner], 1)
    position.gain_light(mover, LEAVES[at])


# Fox


def fox(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-FOX: scare, move a seed, steal."""
    near = [player for player in position.opponents() if player.at and distance(player.at, at) == 1]
    for player in near if position.options.fox_scares == "adjacent" else position.opponents():
        assert player.at is not None
        for space in NEIGHBOURS[player.at]:
            if free_for_animals(position, space):
                yield f"fox.scare {player.animal} {NAMES[space]}", 1, partial(scare, player, space)
    seed = position.board.get(at)
    if seed and seed.size == SEED:
        for direction in DIRECTIONS:
            for steps in (1, 2):
                space = moved(at, direction, steps)
                if space in ON_BOARD and position.empty(space):
                    yield f"fox.move {NAMES[space]}", 3, partial(move_seed, position, at, space)
    for player in near:
        if (player.light if position.options.fox_steals == "light" else player.lunar) >= 1:
            yield f"fox.steal {player.animal}", 4, partial(steal, position, mover, player)


def scare(player: Player, space: Space) -> None:
    """M-ANIMAL-3-FOX: it is moved, which is no step of its own."""
    player.at = space


def move_seed(position: Position, at: Space, space: Space) -> None:
    """M-ANIMAL-3-FOX: no action, but a seed planted this turn takes its activation along."""
    position.board[space] = position.board.pop(at)
    if at in position.activated:
        position.activated.add(space)


def steal(position: Position, mover: Player, player: Player) -> None:
    """M-ANIMAL-3-FOX: up to two; what exceeds the thief's cap is lost."""
    if position.options.fox_steals == "light":
        taken = min(player.light, 2)
        player.light -= taken
        position.gain_light(mover, taken)
    else:
        taken = min(player.lunar, 2)
        player.lunar -= taken
        mover.lunar = min(mover.lunar + taken, MOST_LUNAR)


# Owl


def owl(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-OWL: lunar points for light."""
    for level, (cost, light) in enumerate([(5, 3), (9, 7), (12, 10)], start=1):
        yield f"owl.hunt {level}", cost, partial(position.gain_light, mover, light)


# Badger


def badger(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-BADGER: the own seed on its space becomes a small tree."""
    seed = position.board.get(at)
    if seed is None or seed.size != SEED or seed.owner != mover.seat or at in position.activated:
        return
    if position.usable(mover, SMALL):
        yield "badger.fertilise 1", 4, partial(position.grow, at)
    if cheapest(mover, SMALL) is not None:
        yield "badger.fertilise 2", 6, partial(fertilise_from_board, position, mover, at)


def fertilise_from_board(position: Position, mover: Player, at: Space) -> None:
    """M-ANIMAL-3-BADGER: with a tree straight from the player board; the space stays unactivated."""
    seed = position.board[at]
    take_from_board(mover, SMALL)
    position.board[at] = Piece(mover.seat, SMALL)
    position.give_back(seed)


# Beaver


def beaver(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-BEAVER: build the dam, or grow where it lies."""
    for dam in dams(at):
        on_river = bool(dam & position.options.river)
        if on_river and dam != position.dam and not any(position.blocked(space) for space in dam):
            yield f"beaver.dam {' '.join(in_order(dam))}", 6, partial(build, position, dam)
    piece = position.board.get(at)
    if (
        at in position.dam
        and at not in position.activated
        and piece is not None
        and piece.owner == mover.seat
        and position.can_grow(at)
    ):
        yield "beaver.strengthen", 5, partial(strengthen, position, at)


def dams(at: Space) -> list[set[Space]]:
    """Three mutually adjacent spaces, this one among them: two of 1 leaf and one of 2 leaves (M-ANIMAL-3-BEAVER)."""
    found = []
    for one, other in combinations(sorted(NEIGHBOURS[at]), 2):
        soil = sorted(LEAVES[space] for space in (at, one, other))
        if other in NEIGHBOURS[one] and soil == [1, 1, 2]:
            found.append({at, one, other})
    return found


def build(position: Position, dam: set[Space]) -> None:
    """M-ANIMAL-3-BEAVER: what stands there grows, the inner space first, then clockwise; all are activated."""
    position.dam = dam
    inner = [space for space in dam if LEAVES[space] == 2]
    outer = clockwise([space for space in dam if LEAVES[space] == 1])
    for space in [*inner, *outer]:
        if position.can_grow(space):
            position.grow(space)
    position.activated |= dam


def strengthen(position: Position, at: Space) -> None:
    """M-ANIMAL-3-BEAVER: a free growth, which is an action on the space."""
    position.grow(at)
    position.activated.add(at)


# Turtle


def turtle(position: Position, mover: Player, at: Space) -> Ability:
    """M-ANIMAL-3-TURTLE: hatch the baby here, or use one that has hatched."""
    if at in position.babies:
        yield "turtle.hatch", 4, partial(hatch, position, mover, at)
    for baby in mover.babies:
        for words, effect in first_steps(position, mover, baby):
            yield f"turtle.steps {words}", 1, partial(use_baby, mover, baby, effect)


def hatch(position: Position, mover: Player, at: Space) -> None:
    """M-ANIMAL-3-TURTLE: the baby comes to the turtle's player."""
    mover.babies.append(position.babies.pop(at))


def use_baby(mover: Player, baby: str, effect: Effect) -> None:
    """M-ANIMAL-3-TURTLE: it leaves the game."""
    mover.babies.remove(baby)
    effect()


def first_steps(position: Position, mover: Player, baby: str) -> Actions:
    """M-ANIMAL-4: what a baby can do now."""
    if baby in ("two", "leaf"):
        yield baby, partial(position.effects.append, baby)
    if baby in ("small", "medium"):
        size = SMALL if baby == "small" else MEDIUM
        if cheapest(mover, size) is not None:
            yield baby, partial(bring, mover, size)
    if baby == "light":
        yield baby, partial(position.gain_light, mover, 3)
    if baby == "points":
        yield baby, partial(keep_points, mover)
    if baby == "harvest":
        for space in position.own(LARGE):
            if space not in position.activated:
                yield f"harvest {NAMES[space]}", partial(dig, position, space, False)
    if baby == "seed" and position.usable(mover, SEED):
        for space in SPACES:
            if position.empty(space) and space not in position.activated:
                yield f"seed {NAMES[space]}", partial(plant_anywhere, position, space)


def bring(mover: Player, size: int) -> None:
    """M-ANIMAL-4-SMALL, M-ANIMAL-4-MEDIUM: it becomes available and is not bought."""
    take_from_board(mover, size)
    mover.available[size] += 1


def keep_points(mover: Player) -> None:
    """M-ANIMAL-4-POINTS."""
    mover.baby_points += 3


def plant_anywhere(position: Position, space: Space) -> None:
    """M-ANIMAL-4-SEED."""
    position.plant(space)
    position.activated.add(space)


ABILITIES = {
    "boar": boar,
    "hedgehog": hedgehog,
    "squirrel": squirrel,
    "fox": fox,
    "owl": owl,
    "badger": badger,
    "beaver": beaver,
    "turtle": turtle,
}
