"""A position in the words of docs/protocol.md, State."""

from typing import Any

from referee.board import NAMES, SPACES, in_order
from referee.moon import PLACES, lit
from referee.position import PRICES, Player, Position
from referee.score import points, winners


def state(position: Position) -> dict[str, Any]:
    """The state of a position."""
    modules = position.options.modules
    words: dict[str, Any] = {
        "phase": position.phase,
        "round": position.round,
        "rounds": position.rounds,
        "sun": position.sun,
        "first": position.first,
        "player": position.player,
        "spaces": {
            NAMES[space]: {"owner": position.board[space].owner, "size": position.board[space].size}
            for space in SPACES
            if space in position.board
        },
        "activated": in_order(position.activated),
        "tokens": position.tokens,
        "players": [player_words(position, player) for player in position.players],
        "winners": winners(position) if position.phase == "over" else None,
    }
    if position.effects:
        words["effects"] = position.effects
    if "moon" in modules:
        words["moon"] = {
            "at": position.moon,
            "tracker": position.tracker % PLACES,
            "full": position.moon_full,
            "lit": in_order(lit(position)),
        }
        words["dam"] = in_order(position.dam)
        words["face_down"] = in_order(set(position.babies))
    if "elder" in modules:
        words["elder"] = NAMES[position.elder] if position.elder else None
    if "stones" in modules:
        words["stones"] = in_order(position.stones)
    return words


def player_words(position: Position, player: Player) -> dict[str, Any]:
    """What the state says of a player."""
    words: dict[str, Any] = {
        "light": player.light,
        "available": player.available,
        "slots": [
            [price for price, occupied in zip(prices, column, strict=True) if occupied]
            for prices, column in zip(PRICES, player.slots, strict=True)
        ],
        "tokens": player.tokens,
        "points": points(position, player),
    }
    if not position.options.use_bought:
        words["fresh"] = player.fresh
    if "moon" in position.options.modules:
        words["animal"] = player.animal
        words["at"] = NAMES[player.at] if player.at else None
        words["lunar"] = player.lunar
        words["steps"] = player.steps
        words["used"] = player.used
        words["babies"] = player.babies
    return words
