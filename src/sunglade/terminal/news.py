"""What happened since the screen was last drawn, told action by action and gathered by player."""

from __future__ import annotations

from collections.abc import Sequence

from sunglade import changes
from sunglade.drawing.as_text import sun_name
from sunglade.game import Game
from sunglade.words.speech import gain, isolated, tell, without_subject


class News:
    """Sentences to be shown. Those of one player after another are gathered into one."""

    def __init__(self) -> None:
        self._told: list[tuple[str, list[str]]] = []

    def add(self, name: str, sentence: str) -> None:
        """A player, with whose name the sentence begins, did something."""
        if self._told and self._told[-1][0] == name:
            self._told[-1][1].append(without_subject(sentence, name))
        else:
            self._told.append((name, [sentence]))

    def note(self, sentence: str) -> None:
        """Something happened by itself."""
        self._told.append(("", [sentence]))

    def take(self) -> list[str]:
        """All sentences, which are then forgotten."""
        told, self._told = self._told, []
        return [ended(", ".join(sentences)) for _, sentences in told]


def ended(sentence: str) -> str:
    """With a point where it has no end yet."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


def sunrise(before: Game, after: Game, names: Sequence[str]) -> str | None:
    """What a new round brought everybody, if one began (R-ROUND-1)."""
    rise = changes.sunrise(before.now, after.now)
    if rise is None:
        return None
    gains = []
    for name, income, capped, lunar in zip(names, rise.income, rise.capped, rise.lunar, strict=True):
        gained = f"{isolated(name)} {gain(tell('terminal.light.count', count=income - capped))}"
        gains.append(gained + (f" {gain(tell('terminal.lunar.count', count=lunar))}" if lunar else ""))
    return " · ".join([new_round(after), *gains])


def new_round(game: Game) -> str:
    """The clock when a round begins."""
    clock = tell("table.round", round=game.round, rounds=game.rules.rounds)
    return f"{clock}, {tell('common.pair', name=tell('term.sun'), value=sun_name(game.now.sun))}"
