"""Where the turns of a game began: what can be asked to be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from sunglade.game import Game
from sunglade.kernel.actions import TURTLE_HATCH
from sunglade.notation import ACTION_NAMES

_HATCH = ACTION_NAMES[TURTLE_HATCH]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: how many actions came before it, whose it is, in which round (0: before the first)."""

    first: int
    seat: int
    round: int


class Turns:
    """The turns begun so far. The last one is under way."""

    def __init__(self, game: Game) -> None:
        self.count = 1
        """Grows with every turn that begins, also with one that begins again."""
        self._begun: list[Turn] = []
        if game.player is not None:
            self._begun.append(Turn(len(game.actions), game.player, game.round))

    def copy(self) -> Turns:
        """The same turns, to be continued on its own."""
        twin = Turns.__new__(Turns)
        twin.count, twin._begun = self.count, list(self._begun)
        return twin

    def follow(self, game: Game) -> bool:
        """Take up a position that has changed; whether another turn is under way than before."""
        before, played = self.count, len(game.actions)
        while len(self._begun) > 1 and self._begun[-1].first > played:
            self._begun.pop()
            self.count = before + 1
        now = (game.player, game.round)
        if game.player is not None and (not self._begun or (self._begun[-1].seat, self._begun[-1].round) != now):
            self._begun.append(Turn(played, game.player, game.round))
            self.count = before + 1
        return self.count != before

    def to_take_back(self, seat: int, game: Game) -> list[Turn]:
        """Own turns that are over, of this round and the one before, the last first; none from before a hatch.

        A hatch shows a hidden baby, and what was seen cannot be unseen (M-SETUP-4).
        """
        actions = game.actions
        seen = next((at + 1 for at in range(len(actions) - 1, -1, -1) if actions[at] == _HATCH), 0)
        over = reversed(self._begun[:-1])
        return [turn for turn in over if turn.seat == seat and turn.round >= game.round - 1 and turn.first >= seen]
