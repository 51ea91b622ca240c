"""What the strongest bot would do, and the facts that speak for it (`sunglade.teaching`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sunglade.analysis import JUDGE, analyst
from sunglade.bots import Analyst, Thought
from sunglade.bots import check as check_bot
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.teaching.advice import Advice, advise
from sunglade.teaching.reasons import sentence
from sunglade.terminal.news import ended
from sunglade.terminal.words import told
from sunglade.words.speech import isolated, tell

HINT_MS: Final = 1000
VALUE_MS: Final = 300
MOST_REASONS: Final = 4
"""Told with a hint; the weightiest come first."""


class Adviser:
    """Thinks about a position as a player may know it; made when it is first asked."""

    def __init__(self) -> None:
        self._bot: Analyst | None = None

    def think(self, game: Game, ms: int) -> Thought:
        """What it finds in so much time."""
        return self._asked(game).think(game.redacted(), ms=ms)

    def advise(self, game: Game, ms: int) -> Advice:
        """What it would do, and why."""
        return advise(self._asked(game), game.redacted(), ms=ms)

    def _asked(self, game: Game) -> Analyst:
        if game.over:
            raise BadRequest(tell("refusal.over"))
        if self._bot is None:
            self._bot = analyst(JUDGE)
        check_bot(self._bot, JUDGE, game.players, game.rules)
        return self._bot


def hint(game: Game, names: Sequence[str], found: Advice) -> list[str]:
    """The action, what it does, what speaks for it and against it, and the chances of winning."""
    seat = game.player
    assert seat is not None
    lines = [f"{ended(tell('hint.suggest', action=found.action))} {_effect(game, names, found.action)}"]
    lines += [f"  {sentence(reason, names, tell)}" for reason in found.reasons[:MOST_REASONS]]
    chance = ended(tell("hint.chance", percent=chances(found.value)[seat]))
    lines.append(f"  {chance}{_next_best(found, seat)}")
    return lines


def _effect(game: Game, names: Sequence[str], line: str) -> str:
    """What an action does, in a sentence. Which baby would hatch is not told."""
    if line == "turtle.hatch":
        return tell("terminal.hint.hatch", price=tell("terminal.lunar.count", count=game.cost(line).lunar))
    after = game.fork()
    after.play(line)
    return ended(told(game, line, after, names))


def _next_best(found: Advice, seat: int) -> str:
    others = [line for line in found.lines if line.action != found.action]
    if not others:
        return ""
    return " " + tell("terminal.hint.other", action=others[0].action, percent=chances(others[0].value)[seat])


def value_line(names: Sequence[str], found: Thought) -> str:
    """Everybody's chance of winning, in one line."""
    each = zip(map(isolated, names), map(isolated, chances(found.value)), strict=True)
    return tell("common.pair", name=tell("replay.value"), value=" · ".join(map(" ".join, each)))


def chances(values: Sequence[float]) -> list[str]:
    """Values for people, as shares: those of three or four players look at margins, too, and may add up to more.

    Each share is rounded by itself, so that equal ones look equal: together they may miss a hundred by a little.
    """
    whole = sum(values) or 1.0
    return [f"{round(100 * value / whole)} %" for value in values]
