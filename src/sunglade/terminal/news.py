"""What happened since the screen was last drawn, told action by action and gathered by player."""

from __future__ import annotations

from collections.abc import Sequence

from sunglade import changes
from sunglade.drawing.as_text import sun_name
from sunglade.game import Game


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
    rise = changes.sunrise(before.now, after.now)
    if rise is None:
        return None
    gains = []
    for name, income, capped, lunar in zip(names, rise.income, rise.capped, rise.lunar, strict=True):
        gains.append(f"{name} +{income - capped} light" + (f" +{lunar} lunar" if lunar else ""))
    return f"Round {after.round}, sun at {sun_name(after.now.sun)}: {', '.join(gains)}"
