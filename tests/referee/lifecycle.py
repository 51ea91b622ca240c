"""The actions of the base game (R-ACT)."""

from functools import partial

from referee.board import NAMES, SPACES, Space, distance
from referee.light import shaded
from referee.position import (
    LARGE,
    MEDIUM,
    PRICES,
    SEED,
    SMALL,
    Actions,
    Position,
    cheapest,
    take_from_board,
)
from referee.rounds import end_turn

SIZE_NAMES = ["seed", "small", "medium", "large"]
PLANT_COST = 1
COLLECT_COST = 4


def may_act_on(position: Position, *spaces: Space) -> bool:
    """Nobody acts on a space twice in a turn (R-ACT-1), but the baby *two* forgives one of them (M-ANIMAL-4-TWO)."""
    again = sum(space in position.activated for space in spaces)
    return again == 0 or (again == 1 and "two" in position.effects)


def act_on(position: Position, *spaces: Space) -> None:
    """They are activated (R-ACT-1), and *two* is used up where it was needed (M-ANIMAL-4-TWO)."""
    if any(space in position.activated for space in spaces):
        position.effects.remove("two")
    position.activated.update(spaces)


def buy_actions(position: Position) -> Actions:
    """*Buy* (R-ACT-2)."""
    for size, name in enumerate(SIZE_NAMES):
        slot = cheapest(position.mover, size)
        if slot is not None and PRICES[size][slot] <= position.mover.light:
            yield f"buy {name}", partial(buy, position, size, PRICES[size][slot])


def buy(position: Position, size: int, price: int) -> None:
    """The cheapest piece of a column becomes available (R-ACT-2)."""
    position.mover.light -= price
    take_from_board(position.mover, size)
    position.mover.available[size] += 1
    position.mover.fresh[size] += 1


def plant_actions(position: Position) -> Actions:
    """*Plant* (R-ACT-3)."""
    if position.mover.light < PLANT_COST or not position.usable(position.mover, SEED):
        return
    for origin in position.own(SMALL, MEDIUM, LARGE):
        size = position.board[origin].size
        for target in SPACES:
            if (
                position.empty(target)
                and distance(origin, target) <= size
                and may_act_on(position, origin, target)
                and not planting_forbidden(position, origin, target)
            ):
                yield f"plant {NAMES[origin]} {NAMES[target]}", partial(plant, position, origin, target)


def planting_forbidden(position: Position, origin: Space, target: Space) -> bool:
    """Whether the advanced rule forbids it, for the shade on the target, on the origin, or on either (R-ADV-2)."""
    if not position.options.shade_forbids:
        return False
    on_target = shaded(position, target, SEED)
    on_origin = shaded(position, origin, position.board[origin].size)
    return {"target": on_target, "origin": on_origin, "both": on_target or on_origin}[position.options.shade_plant]


def plant(position: Position, origin: Space, target: Space) -> None:
    """A seed from the tree of origin to the target (R-ACT-3)."""
    position.mover.light -= PLANT_COST
    act_on(position, origin, target)
    position.plant(target)


def grow_actions(position: Position) -> Actions:
    """*Grow* (R-ACT-4), in the shade only where that is allowed (R-ADV-2)."""
    for space in position.own(SEED, SMALL, MEDIUM):
        size = position.board[space].size
        cost = size + 1
        forbidden = position.options.shade_forbids and shaded(position, space, size)
        if position.mover.light >= cost and position.can_grow(space) and may_act_on(position, space) and not forbidden:
            yield f"grow {NAMES[space]}", partial(grow, position, space, cost)


def grow(position: Position, space: Space, cost: int) -> None:
    """The next size comes there (R-ACT-4)."""
    position.mover.light -= cost
    act_on(position, space)
    position.grow(space)


def collect_actions(position: Position) -> Actions:
    """*Collect* (R-ACT-5)."""
    for space in position.own(LARGE):
        if position.mover.light >= COLLECT_COST and may_act_on(position, space):
            yield f"collect {NAMES[space]}", partial(collect, position, space)


def collect(position: Position, space: Space) -> None:
    """The tree goes, a token comes (R-ACT-5)."""
    position.mover.light -= COLLECT_COST
    act_on(position, space)
    position.collect(space)


def lifecycle_actions(position: Position) -> Actions:
    """All of them; ending the turn is always legal (R-ACT-6)."""
    yield "end", partial(end_turn, position)
    yield from buy_actions(position)
    yield from plant_actions(position)
    yield from grow_actions(position)
    yield from collect_actions(position)
