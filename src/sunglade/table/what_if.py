"""What if: lines tried on a copy of a game. The copy is a table like any other that nobody keeps.

Whoever asks brings the game as far as they know it, and what they try from there, each time anew: nothing is stored,
nothing hidden can be told, and the game itself is nobody's business here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sunglade.game import Game
from sunglade.kernel.actions import TURTLE_HATCH
from sunglade.kernel.animals import baby_on
from sunglade.kernel.record import TURN
from sunglade.notation import ACTION_NAMES
from sunglade.table.agreement import AgreedSeat, Agreement, uploaded
from sunglade.table.event_view import Told
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Command, WhatIf
from sunglade.table.table import Event, Table

EVERYBODY: Final = "everybody"
"""Who holds the seats of a copy: whoever tries plays for all."""
HATCH: Final = ACTION_NAMES[TURTLE_HATCH]
UNSEEN: Final[dict[str, Any]] = {
    "reason": "unseen",
    "details": {},
    "message": "what hatches is not known before it does, so it cannot be tried.",
}


class Copy(Table):
    """A copy of a game, on which one person plays for everybody."""

    @classmethod
    def of(cls, game: Game) -> Copy:
        """The copy at its beginning."""
        seats = [AgreedSeat("person", holder=EVERYBODY) for _ in range(game.players)]
        agreed = Agreement(game.players, game.rules.to_dict(), 0, {}, seats, takeover_after=None, actions=game.actions)
        return cls("copy", Event(1, 0.0, "created", None, agreed.to_dict()), game)

    def try_out(self, line: str) -> list[Told]:
        """Play an action for whoever is to act; what happened."""
        doing = self.decide(Command("try", "play", expected=self.seq, action=line), EVERYBODY, ())
        if line == HATCH and self._hides_what_hatches():
            raise ServerProblem("illegal_action", **UNSEEN)
        return self.apply(Event(self.seq + 1, 0.0, doing.kind, doing.seat, doing.data))

    def _hides_what_hatches(self) -> bool:
        """Whether the baby under the turtle of the player to act is one that nobody has seen (M-SETUP-4)."""
        s = self.game.now
        return s.phase == TURN and HATCH in self.game.legal and not baby_on(s, s.at[s.player])

    def why(self, line: str) -> dict[str, Any]:
        """Why an action cannot be tried."""
        unseen = line == HATCH and self._hides_what_hatches()
        return {"action": line, "legal": False, **UNSEEN} if unseen else super().why(line)

    def view(self) -> dict[str, Any]:
        """The copy as a table is seen; what shows itself only in the game is not offered."""
        view = super().view()
        if self._hides_what_hatches():
            turn = view["turn"]
            turn["legal"] = [action for action in turn["legal"] if action["line"] != HATCH]
            turn["left"]["abilities"] -= 1
        return view


def tried(request: WhatIf) -> tuple[Copy, list[Told]]:
    """The copy after everything that was tried, and what happened meanwhile."""
    copy, told = Copy.of(uploaded(request.game)), list[Told]()
    for line in request.actions:
        told += copy.try_out(line)
    return copy, told


def turn_tried(request: WhatIf) -> tuple[Copy, list[str]]:
    """The copy after the turn that is tried there has ended, and its actions without the end."""
    if "end" in request.actions[:-1]:
        raise ServerProblem("bad_request", "one turn is judged: nothing comes after its end.")
    lines = [line for line in request.actions if line != "end"]
    copy, _ = tried(replace(request, actions=[*lines, "end"]))
    return copy, lines
