"""The course of the rounds (R-ROUND)."""

from referee.light import photosynthesis
from referee.moon import moonlight, move_moon
from referee.position import Position

SUN_POSITIONS = 6


def begin_round(position: Position) -> None:
    """Sun and moon move on, except in round 1; then everything gets its light (R-ROUND-1, R-ROUND-2)."""
    position.round += 1
    if position.round > 1:
        position.sun = (position.sun + 1) % SUN_POSITIONS
        move_moon(position)
    photosynthesis(position)
    if "moon" in position.options.modules:
        moonlight(position)
    position.phase = "turn"
    position.player = position.first


def end_turn(position: Position) -> None:
    """What belongs to the turn is over; another turn, the next round or the end follows (R-ACT-1, R-ROUND-3)."""
    mover = position.mover
    mover.fresh = [0, 0, 0, 0]
    mover.steps = 0
    mover.used = []
    position.activated = set()
    position.effects = []
    following = (mover.seat + 1) % len(position.players)
    if following != position.first:
        position.player = following
    elif position.round == position.rounds:  # R-ROUND-5
        position.phase = "over"
        position.player = None
    else:  # R-ROUND-4
        position.first = (position.first + 1) % len(position.players)
        begin_round(position)
