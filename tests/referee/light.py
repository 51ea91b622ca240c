"""Sunlight and shadow (R-LIGHT, M-ELDER-2, M-STONE-2)."""

from referee.board import DIRECTIONS, Space, line
from referee.position import LARGE, SEED, SMALL, Position


def shadow(position: Position, space: Space) -> int:
    """The size of the largest tree that the shadow on a space is enough for; -1 where no shadow falls.

    R-LIGHT-1: a tree of size s shades the s spaces behind it; R-LIGHT-2: trees not larger than itself. Seen from the
    shaded space, the caster stands towards the sun, so many spaces away.
    """
    deepest = -1
    direction = DIRECTIONS[position.sun]
    towards_the_sun = (-direction[0], -direction[1])
    for away, there in enumerate(line(space, towards_the_sun), start=1):
        piece = position.board.get(there)
        if piece and piece.size >= away:
            deepest = max(deepest, piece.size)
        if there in position.stones and away == 1:  # M-STONE-2: like a small tree
            deepest = max(deepest, SMALL)
        if there == position.elder:  # M-ELDER-2: to the edge, every size
            deepest = LARGE
    return deepest


def shaded(position: Position, space: Space, size: int) -> bool:
    """Whether a piece of that size is or would be in shade there (R-LIGHT-2, R-ADV-2)."""
    return shadow(position, space) >= size


def photosynthesis(position: Position) -> None:
    """Each tree in the light brings its size (R-LIGHT-3), up to the cap (R-LIGHT-4)."""
    income = [0 for _ in position.players]
    for space, piece in position.board.items():
        if piece.size > SEED and not shaded(position, space, piece.size):
            income[piece.owner] += piece.size
    for player, points in zip(position.players, income, strict=True):
        position.gain_light(player, points)
