"""The moon: its way, its face and its light (M-MOON, M-ELDER-3, M-STONE-3)."""

from referee.board import NEIGHBOURS, Space, moon_lines
from referee.position import MOST_LUNAR, Position

PLACES = 18
PACE = 5


def place_moon(position: Position) -> None:
    """Where it begins, the crescent up, the tracker ahead (M-MOON-3)."""
    position.moon = position.options.moon_start
    position.tracker = position.options.moon_start + PACE


def crossings(tracker: int, sun_moves: int) -> int:
    """How often tracker and sun have met: floor of the angle between them in circles (M-MOON-4).

    The tracker stands half a place beyond its number, the sun three places clockwise for each of its moves. Both
    doubled here, so that everything is whole.
    """
    return (2 * tracker + 1 + 6 * sun_moves) // (2 * PLACES)


def move_moon(position: Position) -> None:
    """With the sun: moon to tracker, tracker ahead, and a face turns when tracker and sun cross (M-MOON-4)."""
    sun_moves = position.round - 1  # after this one
    before = crossings(position.tracker, sun_moves - 1)
    after = crossings(position.tracker + PACE, sun_moves)
    crossed = before != after
    if position.options.moon_turns == "at_once":
        position.moon_full ^= crossed
    else:  # the moon takes over the tracker's face, which then may turn
        position.moon_full = position.tracker_full
        position.tracker_full ^= crossed
    position.moon = position.tracker % PLACES
    position.tracker += PACE


def lit(position: Position) -> set[Space]:
    """Every space in moonlight."""
    spaces = set()
    for line in moon_lines(position.moon):
        for space in line:  # M-MOON-2
            spaces.add(space)
            if space == position.elder:  # M-ELDER-3
                break
    shining: set[Space] = set()  # M-STONE-3
    while dark := (position.stones & spaces) - shining:
        for stone in dark:
            shining.add(stone)
            spaces |= NEIGHBOURS[stone]
    return spaces


def moonlight(position: Position) -> None:
    """Animals in moonlight earn lunar points (M-MOON-5)."""
    bright = lit(position)
    for player in position.players:
        if player.at in bright:
            player.lunar = min(player.lunar + (2 if position.moon_full else 1), MOST_LUNAR)
