"""Bots held to less than they are offered: a time for the whole turn, a number of simulations for each action."""

from __future__ import annotations

import time
from threading import Event

from sunglade.bots.bot import Analyst, Bot, Choosy, Foreteller, Foretold, Noting, Thought
from sunglade.game import Game
from sunglade.rules import Rules


class TurnClock:
    """What is left of the time for a turn. In the set-up every single action is a turn of its own."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
        self.spent_ms = 0.0
        self.told = False
        """Whether this turn's lateness has been noted."""
        self._turn: object = None

    def left(self, game: Game) -> int:
        """Milliseconds left for the turn in progress, at least one; a new turn begins with all of them."""
        turn = (game.round, game.player) if game.phase == "turn" else len(game.actions)
        if turn != self._turn:
            self._turn = turn
            self.spent_ms = 0.0
            self.told = False
        return max(1, int(self.ms - self.spent_ms))

    def spend(self, seconds: float) -> None:
        """Count time that was thought in this turn."""
        self.spent_ms += seconds * 1000


class Limited:
    """A bot with a time of its own for a turn, however much more it is given."""

    def __init__(self, bot: Bot, ms: int) -> None:
        self._bot = bot
        self._clock = TurnClock(ms)

    def act(self, game: Game, ms: int) -> str:
        """What the bot does in its own time."""
        began = time.perf_counter()
        line = self._bot.act(game, min(ms, self._clock.left(game)))
        self._clock.spend(time.perf_counter() - began)
        return line


class LimitedAnalyst:
    """A bot that searches, with a time for a turn or a number of simulations for an action of its own."""

    def __init__(self, bot: Analyst, ms: int | None = None, nodes: int | None = None) -> None:
        self._bot = bot
        self._clock = None if ms is None else TurnClock(ms)
        self._nodes = nodes

    @property
    def note(self) -> str | None:
        """What the bot has to tell."""
        return self._bot.note if isinstance(self._bot, Noting) else None

    def refuses(self, players: int, rules: Rules) -> str | None:
        """Why the bot cannot play such a game, or None."""
        return self._bot.refuses(players, rules) if isinstance(self._bot, Choosy) else None

    def act(self, game: Game, ms: int) -> str:
        """What the bot does in its own time."""
        if self._nodes is None and self._clock is not None:
            began = time.perf_counter()
            line = self._bot.act(game, min(ms, self._clock.left(game)))
            self._clock.spend(time.perf_counter() - began)
            return line
        return self.think(game, ms=ms).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        """What the bot finds within the narrower of both limits; time is no limit where only nodes were asked for."""
        if self._nodes is not None:
            nodes = min(nodes or self._nodes, self._nodes)
        if self._clock is None:
            return self._bot.think(game, ms=ms, nodes=nodes, stop=stop)
        left = self._clock.left(game)
        if ms is not None or nodes is None:
            ms = left if ms is None else min(ms, left)
        began = time.perf_counter()
        thought = self._bot.think(game, ms=ms, nodes=nodes, stop=stop)
        self._clock.spend(time.perf_counter() - began)
        return thought

    def foretell(self, game: Game) -> Foretold | None:
        """What the bot expects, if it is one that can say so."""
        return self._bot.foretell(game) if isinstance(self._bot, Foreteller) else None
