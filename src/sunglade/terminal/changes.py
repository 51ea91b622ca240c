"""What an action does, seen as the difference between two positions: the rules themselves stay in the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sunglade.game import Game
from sunglade.kernel import Record

PIECES: Final = ("seed", "small tree", "medium tree", "large tree")


@dataclass(frozen=True, slots=True)
class Change:
    """What an action brings its player; costs are negative. `gone` names pieces that leave the game (R-ACT-4)."""

    light: int
    lunar: int
    points: int
    gone: list[str]

    def cost(self) -> str:
        """What it costs and brings, in a few words; empty when nothing."""
        words = [f"{-self.light} light"] if self.light < 0 else []
        words += [f"{-self.lunar} lunar"] if self.lunar < 0 else []
        words += [f"+{self.light} light"] if self.light > 0 else []
        words += [f"+{self.lunar} lunar"] if self.lunar > 0 else []
        return ", ".join(words)


def change(before: Record, after: Record, p: int) -> Change:
    """What became different for a player."""
    return Change(
        light=int(after.light[p]) - int(before.light[p]),
        lunar=int(after.lunar[p]) - int(before.lunar[p]),
        points=int(after.score[p]) - int(before.score[p]),
        gone=[PIECES[size] for size in range(4) if _owned(after, p, size) < _owned(before, p, size)],
    )


def _owned(s: Record, p: int, size: int) -> int:
    """A player's pieces of a size, wherever they are."""
    return int(s.pieces[p, size]).bit_count() + int(s.available[p, size]) + int(s.slots[p, size]).bit_count()


def preview(game: Game, *lines: str) -> Change:
    """What legal actions, one after the other, would do for the player to act; nothing is played."""
    seat = game.player
    assert seat is not None, "nobody acts after the end"
    copy = game.fork()
    for line in lines:
        copy.play(line)
    return change(game.record, copy.record, seat)


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
