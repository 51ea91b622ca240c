"""What a bot would do, as a teacher says it: in the order that loses nothing, and with the reasons.

Bots that search grow a tree now and buy its successor later in the same turn, or the other way round, as they come upon
it. Where the order decides whether a piece leaves the game, advice buys first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Final

from sunglade.bots import Analyst, Line, Thought
from sunglade.changes import change
from sunglade.game import Game
from sunglade.teaching.case import Reason, case_of
from sunglade.teaching.piece_facts import buying_first
from sunglade.teaching.reasons import reasons

AS_GOOD: Final = 0.02
"""A purchase that the bot thinks worse by no more than this is advised first, if that keeps a piece in the game."""
LOOKED_AHEAD: Final = 5
"""Actions of the bot's turn that are looked through for the purchase it makes later."""
SHARE: Final = 4
"""Each of them is thought about for a part of the time: one of so many."""


@dataclass(frozen=True, slots=True)
class Advice:
    """An action, what the position and its actions are worth, and why."""

    action: str
    value: list[float]
    lines: Sequence[Line]
    reasons: list[Reason]


def advise(
    bot: Analyst, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
) -> Advice:
    """What a bot advises at a position as a player may know it."""
    thought = bot.think(game, ms=ms, nodes=nodes, stop=stop)
    action = thought.action
    for purchase in _purchases_that_save(game, action):
        if _is_as_good(thought, purchase, game.now.player) or _comes_later(
            bot, game, action, purchase, ms, nodes, stop
        ):
            action = purchase
            break
    return Advice(action, list(thought.value), thought.lines, reasons(game, action))


def _purchases_that_save(game: Game, line: str) -> list[str]:
    """What could be bought first so that an action loses no piece."""
    case = case_of(game.now, line)
    if case.action.kind == "end":
        return []
    sizes = change(case.before, case.after, case.seat).lost
    return [f"buy {size}" for size in sizes if buying_first(case.before, case.number, size) is not None]


def _is_as_good(thought: Thought, purchase: str, seat: int) -> bool:
    worth = {line.action: line.value[seat] for line in thought.lines if line.visits > 0}
    return purchase in worth and worth[purchase] >= worth.get(thought.action, 1.0) - AS_GOOD


def _comes_later(
    bot: Analyst, game: Game, action: str, purchase: str, ms: float | None, nodes: int | None, stop: Event | None
) -> bool:
    """Whether the bot itself goes on to buy that piece in this turn."""
    ahead = game.fork()
    ahead.play(action)
    short, few = (None if ms is None else ms / SHARE), (None if nodes is None else max(1, nodes // SHARE))
    for _ in range(LOOKED_AHEAD):
        if ahead.player != game.player or (stop is not None and stop.is_set()):
            return False
        following = bot.think(ahead, ms=short, nodes=few, stop=stop).action
        if following == purchase:
            return True
        if following in ("end", "turtle.hatch"):
            return False
        ahead.play(following)
    return False
