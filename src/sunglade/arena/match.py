"""One game between bots: time for each turn, and what becomes of a bot that breaks down.

A bot that crashes, answers nonsense or overruns its turn has lost. Of two players the other wins at once. With more,
the game goes on while at least two are left: the bot's turns are ended for it from then on (in the set-up, where a turn
cannot be ended, the first legal action is played), and it is ranked last.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sunglade.arena.plan import HONOURED_MS, Entrant, Fixture, Plan
from sunglade.bots import Bot, BotFailed, Closable, make
from sunglade.bots.imported import make_imported
from sunglade.bots.limits import TurnClock
from sunglade.bots.program import ProgramBot
from sunglade.game import Game


@dataclass(slots=True)
class Match:
    """A game as far as it was played: enough for another process to go on with it."""

    fixture: Fixture
    actions: list[str] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)
    """Seat → why it has lost, in the order they failed."""
    longest_ms: dict[int, float] = field(default_factory=dict)
    late_turns: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Watcher:
    """Whom a match tells what happens: before a bot is asked, after it acted, when one fails."""

    asked: Callable[[int], None] = lambda seat: None
    played: Callable[[str], None] = lambda line: None
    failed: Callable[[int, str], None] = lambda seat, reason: None


class Contestants:
    """The bots of one process: registered ones and objects are made anew for each game, programs keep running."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._programs: dict[tuple[str, int], ProgramBot] = {}

    def sit_down(self, entrant: Entrant, seed: int, place: int) -> Bot:
        """A bot for a seat; `place` tells several seats of one program apart."""
        if entrant.imported:
            return make_imported(entrant.name, seed=seed)
        if not entrant.program:
            return make(entrant.name, seed=seed)
        key = (entrant.name, place)
        if key not in self._programs:
            self._programs[key] = ProgramBot(entrant.name, grace_ms=HONOURED_MS + self._plan.grace_ms)
        return self._programs[key]

    def close(self) -> None:
        """End the programs."""
        for program in self._programs.values():
            program.close()


def play(plan: Plan, match: Match, players: Contestants, watcher: Watcher) -> Game:
    """Play a match to its end, or on to it."""
    fixture = match.fixture
    game = Game(plan.players, plan.rules, seed=fixture.seed, actions=match.actions)
    clocks = [TurnClock(plan.ms) for _ in fixture.seats]
    seated: dict[int, Bot] = {}
    if plan.random_setup:
        _set_up_at_random(match, game, watcher)
    try:
        while not game.over and len(match.failed) < plan.players - 1:
            seat = game.player
            assert seat is not None
            if seat not in match.failed:
                watcher.asked(seat)
                try:
                    if seat not in seated:
                        seated[seat] = _sit_down(plan, players, fixture, seat)
                    line = _act(plan, match, seated[seat], game, clocks[seat])
                except BotFailed as failure:
                    match.failed[seat] = failure.message
                    watcher.failed(seat, failure.message)
                    continue
            else:
                line = "end" if "end" in game.legal else game.legal[0]
            game.play(line)
            match.actions.append(line)
            watcher.played(line)
    finally:
        for bot in seated.values():
            if isinstance(bot, Closable) and not isinstance(bot, ProgramBot):
                bot.close()
    return game


def _set_up_at_random(match: Match, game: Game, watcher: Watcher) -> None:
    """Play what comes before the first turn; each choice follows from the deal's seed and its place in the game."""
    while game.phase not in ("turn", "over"):
        chance = random.Random(f"{match.fixture.seed}/set-up/{len(match.actions)}")
        line = chance.choice(game.legal)
        game.play(line)
        match.actions.append(line)
        watcher.played(line)


def _sit_down(plan: Plan, players: Contestants, fixture: Fixture, seat: int) -> Bot:
    """The bot of a seat; one that cannot be made has failed."""
    entrant = plan.entrant(plan.names[fixture.seats[seat]])
    place = fixture.seats[:seat].count(fixture.seats[seat])
    try:
        return players.sit_down(entrant, fixture.bot_seeds[seat], place)
    except Exception as error:
        raise BotFailed(f"could not be made: {_told(error)}") from error


def _act(plan: Plan, match: Match, bot: Bot, game: Game, clock: TurnClock) -> str:
    """Ask a bot for an action, and hold it to its time."""
    left, view = clock.left(game), game.redacted()
    starting = isinstance(bot, ProgramBot) and not bot.running
    began = time.perf_counter()
    try:
        line = bot.act(view, left)
    except BotFailed:
        raise
    except Exception as error:
        raise BotFailed(f"crashed: {_told(error)}") from error
    finally:
        if not starting:
            clock.spend(time.perf_counter() - began)
            _note_time(plan, match, game, clock)
    if clock.spent_ms > plan.ms + HONOURED_MS + plan.grace_ms:
        raise BotFailed(f"took {clock.spent_ms:.0f} ms for a turn of {plan.ms} ms.")
    if line not in game.legal:
        raise BotFailed(f"answered {line!r:.60}, which is not a legal action here.")
    return line


def _note_time(plan: Plan, match: Match, game: Game, clock: TurnClock) -> None:
    """Remember the longest turn, and count a turn once when it goes over its time."""
    seat = game.player
    assert seat is not None
    match.longest_ms[seat] = max(match.longest_ms.get(seat, 0.0), clock.spent_ms)
    if clock.spent_ms > plan.ms + HONOURED_MS and not clock.told:
        clock.told = True
        match.late_turns[seat] = match.late_turns.get(seat, 0) + 1


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]


# What came of it


def result(plan: Plan, match: Match, game: Game, seconds: float) -> dict[str, Any]:
    """A finished match as a line of the results."""
    seats = range(plan.players)
    ranks = [_rank(match, game, seat) for seat in seats]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    winners = places.count(1)
    scores = game.scores()
    return {
        "game": match.fixture.number,
        "bots": [plan.names[place] for place in match.fixture.seats],
        "points": [scores[seat].total for seat in seats],
        "places": places,
        "shares": [1 / winners if place == 1 else 0.0 for place in places],
        "failed": {str(seat): reason for seat, reason in match.failed.items()},
        "longest_ms": [round(match.longest_ms.get(seat, 0.0), 1) for seat in seats],
        "late_turns": [match.late_turns.get(seat, 0) for seat in seats],
        "actions": len(match.actions),
        "seconds": round(seconds, 3),
    }


def _rank(match: Match, game: Game, seat: int) -> tuple[int, int, int]:
    """What players are ordered by, best highest: not failed, or failed late; points; pieces on the board (R-END-2)."""
    score = game.scores()[seat]
    if seat in match.failed:
        return (list(match.failed).index(seat) - len(match.failed), 0, 0)
    return (1, score.total, score.pieces)
