"""A game that is refereed: legal lines, what they do, the state after it."""

from collections.abc import Mapping
from typing import Any

from referee.animals import animal_actions
from referee.lifecycle import lifecycle_actions
from referee.options import agreed
from referee.position import Effect, Position
from referee.setup import setup_actions, start
from referee.words import state


class Game:
    """Begins as a game of docs/protocol.md that tells its deal does; plays lines of that protocol."""

    def __init__(self, agreement: Mapping[str, Any]) -> None:
        deal = agreement.get("deal", {})
        self.position: Position = start(agreed(agreement.get("rules", {})), agreement["players"], deal)

    def _actions(self) -> dict[str, Effect]:
        position = self.position
        if position.phase == "over":
            return {}
        if position.phase != "turn":
            return dict(setup_actions(position))
        return {**dict(lifecycle_actions(position)), **dict(animal_actions(position))}

    def legal(self) -> set[str]:
        """Every legal line."""
        return set(self._actions())

    def play(self, line: str) -> None:
        """Carry a legal line out."""
        self._actions()[line]()

    def state(self) -> dict[str, Any]:
        """The state of docs/protocol.md."""
        return state(self.position)
