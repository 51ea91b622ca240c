"""What happened since the screen was last drawn, told action by action and gathered by player."""

from __future__ import annotations

from collections.abc import Sequence

from sunglade.game import Game
from sunglade.terminal.answers import sun_name


class News:
    """Sentences to be shown. Those of one player after another are gathered into one."""

    def __init__(self) -> None:
        self._told: list[tuple[str, list[str]]] = []

    def add(self, name: str, phrase: str) -> None:
        """A player did something."""
        if self._told and self._told[-1][0] == name:
            self._told[-1][1].append(phrase)
        else:
            self._told.append((name, [phrase]))

    def note(self, sentence: str) -> None:
        """Something happened by itself."""
        self._told.append(("", [sentence]))

    def take(self) -> list[str]:
        """All sentences, which are then forgotten."""
        told, self._told = self._told, []
        return [f"{name} {', '.join(phrases)}.".lstrip() for name, phrases in told]


def sunrise(before: Game, after: Game, names: Sequence[str]) -> str | None:
    """What a new round brought everybody, if one began (R-ROUND-1)."""
    if after.round == before.round:
        return None
    gains = []
    for p, name in enumerate(names):
        light = int(after.record.light[p]) - int(before.record.light[p])
        lunar = int(after.record.lunar[p]) - int(before.record.lunar[p])
        gains.append(f"{name} +{light} light" + (f" +{lunar} lunar" if lunar else ""))
    return f"Round {after.round}, sun at {sun_name(int(after.record.sun))}: {', '.join(gains)}"
