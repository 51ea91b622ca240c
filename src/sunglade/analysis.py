"""Looking back at a game: what each turn was worth, what would have been better, which turns lost most.

A bot that searches judges the position before every turn, as the player could see it then. What the position is worth
to the mover after the turn is what the bot says before the next one; what was lost is the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sunglade import bots, kernel, names
from sunglade.bots import Analyst
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.options import Whole, must_be
from sunglade.words import key, saying
from sunglade.words.speech import tell

DEFAULT_NODES: Final = 5000
NAME: Final = 2
"""The column of names in the table of turns."""
DEFAULT_MS: Final = 300
"""For each position that is looked at, whichever ends first."""
JUDGE: Final = "elder"
LONGEST_LINE: Final = 20
"""Actions of a best line that are looked for; a turn may have more."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a game. In the set-up every action is a turn.

    Values run from 0 to 1. `before` and `after` are the mover's, `values` everybody's before the turn.
    """

    number: int
    first_action: int
    round: int
    phase: str
    player: int
    played: list[str]
    best: list[str]
    before: float
    after: float
    values: list[float]

    @property
    def loss(self) -> float:
        """What the turn cost the mover, at least nothing."""
        return round(max(0.0, self.before - self.after), 4)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game looked back at."""

    bot: str
    names: list[str]
    turns: list[Turn]
    winners: list[int] | None

    def worst(self, count: int) -> list[Turn]:
        """The turns that lost most, worst first."""
        costly = sorted(self.turns, key=lambda turn: -turn.loss)
        return [turn for turn in costly[:count] if turn.loss > 0]

    def to_dict(self, worst: int) -> dict[str, Any]:
        """The analysis for programs."""
        return {
            "bot": self.bot,
            "names": self.names,
            "winners": self.winners,
            "turns": [{**asdict(turn), "loss": turn.loss} for turn in self.turns],
            "worst": [turn.number for turn in self.worst(worst)],
        }


def analyst(name: str, seed: int = 0) -> Analyst:
    """A bot that can say what a position is worth, or a sentence about those that can."""
    bot = bots.make(name, seed=seed)
    if not isinstance(bot, Analyst):
        raise BadRequest(saying("terminal.analysis.no_judge", bot=name))
    return bot


def analyse(
    game: Game,
    name: str = JUDGE,
    *,
    ms: int | None = None,
    nodes: int | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> Analysis:
    """Judge every turn of a game; `ms` or `nodes` for each position that is looked at, the defaults if neither."""
    for limit, value, most in (("ms", ms, bots.MAX_MS), ("nodes", nodes, bots.MAX_NODES)):
        if value is not None and (type(value) is not int or not 1 <= value <= most):
            raise BadRequest(must_be(limit, Whole(1, most).wanted, value))
    bot = analyst(name)
    bots.check(bot, name, game.players, game.rules)
    if ms is None and nodes is None:
        ms, nodes = DEFAULT_MS, DEFAULT_NODES
    started = turns_of(game)
    if not started:
        raise BadRequest(saying("terminal.analysis.empty"))
    judged = []
    for done, (position, _) in enumerate(started):
        judged.append(_judged(bot, position, ms, nodes))
        report(done + 1)
    ends = [*(values for values, _ in judged[1:]), _end(bot, game, ms, nodes)]
    turns = [
        _turn(number, position, played, judged[number], ends[number])
        for number, (position, played) in enumerate(started)
    ]
    return Analysis(name, names.of_game(game.extra, game.players), turns, game.winners)


def turns_of(game: Game) -> list[tuple[Game, list[str]]]:
    """The position before each turn, and what was played; the last turn may not be over."""
    turns: list[tuple[Game, list[str]]] = []
    goes_on = False
    for position, line in zip(game.replay(), game.actions, strict=False):
        if not goes_on:
            turns.append((position, []))
        turns[-1][1].append(line)
        goes_on = position.phase == "turn" and line != "end"
    return turns


def _judged(bot: Analyst, position: Game, ms: int | None, nodes: int | None) -> tuple[list[float], list[str]]:
    """What a position is worth to each seat, and the best line until the turn is over."""
    view = position.redacted()
    thought = bot.think(view, ms=ms, nodes=nodes)
    values, best = list(thought.value), [thought.action]
    while len(best) < LONGEST_LINE and view.phase == "turn" and best[-1] not in ("end", "turtle.hatch"):
        view.play(best[-1])
        best.append(bot.think(view, ms=ms, nodes=nodes).action)
    return values, best


def _end(bot: Analyst, game: Game, ms: int | None, nodes: int | None) -> list[float]:
    """What the last position is worth, on the bot's own scale: of a finished game, what its last action leads to."""
    if game.winners is None:
        return list(bot.think(game.redacted(), ms=ms, nodes=nodes).value)
    before = game.fork()
    last = before.undo()
    lines = {line.action: list(line.value) for line in bot.think(before.redacted(), ms=ms, nodes=nodes).lines}
    result = [kernel.win_share(game.now, seat) for seat in range(game.players)]
    return lines.get(last, result)


def _turn(
    number: int, position: Game, played: list[str], judged: tuple[list[float], list[str]], end: list[float]
) -> Turn:
    values, best = judged
    seat = position.player
    assert seat is not None
    return Turn(
        number,
        len(position.actions),
        position.round,
        position.phase,
        seat,
        played,
        best,
        round(values[seat], 4),
        round(end[seat], 4),
        [round(value, 4) for value in values],
    )


# For people


def text(analysis: Analysis, worst: int) -> str:
    """Every turn in a line, then those that lost most with what would have been better."""
    headings = [tell("terminal.analysis.turn"), tell("terminal.analysis.round"), ""]
    headings += [tell("terminal.analysis.before"), tell("terminal.analysis.after"), tell("terminal.analysis.lost")]
    rows = [headings, *(_row(analysis, turn) for turn in analysis.turns)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(headings))]
    played = [tell("terminal.analysis.played"), *(_line(turn.played) for turn in analysis.turns)]
    lines = []
    for row, line in zip(rows, played, strict=True):
        cells = [f"{cell:{'<' if place == NAME else '>'}{widths[place]}}" for place, cell in enumerate(row)]
        lines.append("  ".join([*cells, line]))
    return "\n".join([*lines, "", _worst(analysis, worst)]) + "\n"


def _row(analysis: Analysis, turn: Turn) -> list[str]:
    """A turn in numbers: which, in which round, whose, and what it was worth."""
    loss = f"{turn.loss:.3f}" if turn.loss else ""
    values = f"{turn.before:.3f}", f"{turn.after:.3f}", loss
    return [str(turn.number), str(turn.round), analysis.names[turn.player], *values]


def _worst(analysis: Analysis, count: int) -> str:
    found = analysis.worst(count)
    if not found:
        return tell("terminal.analysis.nothing_lost")
    lines = [tell("terminal.analysis.worst")]
    for turn in found:
        where = {"turn": turn.number, "round": turn.round, "player": analysis.names[turn.player]}
        change = f"{turn.before:.3f} → {turn.after:.3f}"
        lines.append(f"  {tell('terminal.analysis.where', **where, change=change)}")
        for label, actions in (("played", turn.played), ("better", turn.best)):
            name = tell(key(f"terminal.analysis.{label}"))
            lines.append(f"    {tell('common.pair', name=name, value=_line(actions))}")
    return "\n".join(lines)


def _line(actions: Sequence[str]) -> str:
    return ", ".join(actions)
