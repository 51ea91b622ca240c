"""Chance that helps: what a game could have brought, given all at once, so that rare actions come up."""

import random

from referee.animals import free_for_animals
from referee.board import SPACES
from referee.position import LARGE, MOST_LUNAR, PRICES, SEED, Piece, Player, Position, cheapest, take_from_board


def give(position: Position, choose: random.Random) -> None:
    """Some gifts to everybody. The result could have come about by playing, and nobody has acted in this turn."""
    for player in position.players:
        for gift in GIFTS if "moon" in position.options.modules else GIFTS[:4]:
            if choose.random() < 0.5:
                gift(position, player, choose)


def _light(position: Position, player: Player, choose: random.Random) -> None:
    position.gain_light(player, choose.randint(1, 15))


def _purchase(position: Position, player: Player, choose: random.Random) -> None:
    size = choose.randrange(len(PRICES))
    if cheapest(player, size) is not None:
        take_from_board(player, size)
        player.available[size] += 1


def _growth(position: Position, player: Player, choose: random.Random) -> None:
    """A piece becomes as large as the player has trees for; those between are spent."""
    mine = [space for space in SPACES if (piece := position.board.get(space)) and piece.owner == player.seat]
    for space in choose.sample(mine, min(len(mine), 3)):
        size = position.board[space].size
        while size < LARGE and player.available[size + 1]:
            size += 1
            player.available[size] -= 1
        position.board[space] = Piece(player.seat, size)


def _tokens(position: Position, player: Player, choose: random.Random) -> None:
    pile = choose.choice(position.tokens)
    count = min(len(pile), choose.choice([0, 1, 1, 9]))
    player.tokens += pile[:count]
    del pile[:count]


def _lunar(position: Position, player: Player, choose: random.Random) -> None:
    player.lunar = choose.randint(0, MOST_LUNAR)


FOOD = {"boar": LARGE, "squirrel": SEED, "fox": SEED, "badger": SEED}
"""Which pieces an animal's abilities are about."""


def _walk(position: Position, player: Player, choose: random.Random) -> None:
    """The animal comes to the river, to the shore, or to what its abilities are about."""
    food = [space for space, piece in position.board.items() if piece.size == FOOD.get(player.animal or "")]
    if player.animal == "beaver":
        food = [*position.dam]
    places = food or [*position.babies, *position.options.river, *position.board]
    player.at = choose.choice([space for space in places if free_for_animals(position, space)] or [player.at])


def _hatching(position: Position, player: Player, choose: random.Random) -> None:
    if player.animal == "turtle" and position.babies:
        space = choose.choice(sorted(position.babies))
        player.babies.append(position.babies.pop(space))


GIFTS = [_light, _purchase, _growth, _tokens, _lunar, _walk, _hatching]
