"""What actions would do, tried on a copy of the game."""

from __future__ import annotations

from sunglade.changes import Change, change
from sunglade.game import Game


def preview(game: Game, *lines: str) -> Change:
    """What legal actions, one after the other, would do for the player to act; nothing is played."""
    seat = game.player
    assert seat is not None, "nobody acts after the end"
    copy = game.fork()
    for line in lines:
        copy.play(line)
    return change(game.now, copy.now, seat)


def purchase_first(game: Game, line: str) -> list[str] | None:
    """The two actions that bring about what only lacks an available piece: buy it, then do it. None if that fails."""
    refusal = game.refusal(line)
    if refusal is None or refusal.reason != "none_available":
        return None
    lines = [f"buy {refusal.details['size']}", line]
    copy = game.fork()
    for each in lines:
        if each not in copy.legal:
            return None
        copy.play(each)
    return lines
