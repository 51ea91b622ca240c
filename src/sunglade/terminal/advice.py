"""What the strongest bot would do, and the facts that speak for it: what it costs, brings and shades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sunglade.analysis import JUDGE, analyst
from sunglade.bots import Analyst, Thought
from sunglade.bots import check as check_bot
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.terminal.news import ended
from sunglade.terminal.words import told
from sunglade.words.speech import isolated, tell

HINT_MS: Final = 1000
VALUE_MS: Final = 300


class Adviser:
    """Thinks about a position as a player may know it; made when it is first asked."""

    def __init__(self) -> None:
        self._bot: Analyst | None = None

    def think(self, game: Game, ms: int) -> Thought:
        """What it finds in so much time."""
        if game.over:
            raise BadRequest(tell("error.game_over"))
        if self._bot is None:
            self._bot = analyst(JUDGE)
        check_bot(self._bot, JUDGE, game.players, game.rules)
        return self._bot.think(game.redacted(), ms=ms)


def hint(game: Game, names: Sequence[str], found: Thought) -> list[str]:
    """The action, what it does, what the coming suns bring with it and without, and the chances of winning."""
    seat = game.player
    assert seat is not None
    lines = [f"{ended(tell('hint.suggest', action=found.action))} {_effect(game, names, found.action)}"]
    lines += [f"  {fact}" for fact in _light_facts(game, names, found.action)]
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


def _light_facts(game: Game, names: Sequence[str], line: str) -> list[str]:
    """Whose light of the coming suns becomes another by it, by the forecast before and after."""
    if game.phase != "turn" or line in ("end", "turtle.hatch"):
        return []
    after = game.fork()
    after.play(line)
    if after.phase != "turn":
        return []
    facts = []
    for seat, name in enumerate(names):
        old, new = ([ahead.income[seat] for ahead in each.forecast() if ahead.played] for each in (game, after))
        if old and new and old != new:
            facts += [_light_fact(name, new[:count], old[:count]) for count in dict.fromkeys((1, len(new)))]
    return [fact for fact in facts if fact]


def _light_fact(name: str, new: Sequence[int], old: Sequence[int]) -> str:
    """What so many suns bring with an action and without it; nothing where that is the same."""
    if sum(new) == sum(old):
        return ""
    return tell("terminal.hint.light", player=name, new=sum(new), old=sum(old), count=len(new))


def _next_best(found: Thought, seat: int) -> str:
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
