"""Before the first round (R-SETUP, M-SETUP)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.board import LEAVES, NAMES, SPACES, Space
from referee.moon import place_moon
from referee.options import Options, number_of_rounds, number_of_stones
from referee.position import SMALL, TOKENS, Actions, Piece, Player, Position
from referee.rounds import begin_round


def decisions(options: Options, players: int) -> list[tuple[str, int]]:
    """Phase and seat of everything that is decided before round 1, in order (M-SETUP)."""
    in_order = list(range(players))
    turns: list[tuple[str, int]] = []
    if "moon" in options.modules:
        turns += [("draft", seat) for seat in in_order]  # M-SETUP-1
        turns += [("animals", seat) for seat in reversed(in_order)]  # M-SETUP-3
    seat = players - 1
    if "elder" in options.modules:
        turns.append(("elder", seat))  # M-SETUP-6
        seat -= 1
    for _ in range(number_of_stones(options, players)):  # M-SETUP-7
        turns.append(("stones", seat % players))
        seat -= 1
    turns += [("placing", seat) for seat in in_order * 2]  # R-SETUP-5
    return turns


def start(options: Options, players: int, deal: Mapping[str, Any]) -> Position:
    """The position before the first decision (R-SETUP-1 to R-SETUP-6)."""
    position = Position(
        options=options,
        rounds=number_of_rounds(options),
        players=[Player(seat) for seat in range(players)],
        turns=decisions(options, players),
        tokens=[list(pile) for pile in TOKENS],
    )
    if players == 2:
        position.tokens[3] = []  # R-SETUP-4
    if "moon" in options.modules:
        for player, cards in zip(position.players, deal["animals"], strict=True):
            player.dealt = list(cards)
        position.hidden = list(deal["babies"])
        place_moon(position)
    position.phase, position.player = position.turns.pop(0)
    return position


def next_decision(position: Position) -> None:
    """On to the next one, or to round 1."""
    if not position.turns:
        begin_round(position)
        return
    before = position.phase
    position.phase, position.player = position.turns.pop(0)
    if before == "animals" and position.phase != "animals":
        lay_out_babies(position)


def lay_out_babies(position: Position) -> None:
    """Face down on the shore, once the animals are placed and the turtle is among them (M-SETUP-4)."""
    if any(player.animal == "turtle" for player in position.players):
        shore = [space for space in SPACES if space in position.options.shore]
        position.babies = dict(zip(shore, position.hidden, strict=True))


def draft(position: Position, animal: str) -> None:
    """One of the two cards is kept (M-SETUP-1)."""
    position.mover.animal = animal
    next_decision(position)


def place_animal(position: Position, space: Space) -> None:
    """The animal comes to the board (M-SETUP-3)."""
    position.mover.at = space
    next_decision(position)


def place_elder(position: Position, space: Space) -> None:
    """The Elder Tree comes to the board (M-SETUP-6)."""
    position.elder = space
    next_decision(position)


def place_stone(position: Position, space: Space) -> None:
    """A moonstone comes to the board (M-SETUP-7)."""
    position.stones.add(space)
    next_decision(position)


def place_tree(position: Position, space: Space) -> None:
    """One of the first small trees (R-SETUP-5)."""
    position.mover.available[SMALL] -= 1
    position.board[space] = Piece(position.mover.seat, SMALL)
    next_decision(position)


def setup_actions(position: Position) -> Actions:
    """What may be decided now."""
    if position.phase == "draft":
        for animal in position.mover.dealt:
            yield f"draft {animal}", partial(draft, position, animal)
    for space in SPACES:
        name = NAMES[space]
        taken = position.animal_at(space)
        if position.phase == "animals" and LEAVES[space] == 3 and not taken:
            yield f"animal {name}", partial(place_animal, position, space)
        if position.phase == "elder" and not taken and space not in position.babies:
            yield f"elder {name}", partial(place_elder, position, space)
        if position.phase == "stones" and not (taken or space in position.babies or position.blocked(space)):
            yield f"stone {name}", partial(place_stone, position, space)
        if position.phase == "placing" and LEAVES[space] == 1 and position.empty(space):
            yield f"place {name}", partial(place_tree, position, space)
