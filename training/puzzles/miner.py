"""Plays strong games and looks at their turns for one that is clearly the best.

Of every last turn the best end is found by trying everything. Other turns are judged by searches, short ones first: by
the small network, which is three times as quick and settles half of them, then by the large one. What the turn is about
is asked before any search, and the longest begins with the turns that can spoil the puzzle. When the best stands out
by a clear margin, every level of the bots tries the position: which find it is its difficulty.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from training.puzzles.turns import MARGIN, Turn, ending, gap_below_the_best, kind_of, without_one

from sunglade import Game, bots, kernel
from sunglade.bots import LEVELS, Analyst
from sunglade.kernel.actions import TABLE
from sunglade.kernel.record import TURTLE
from sunglade.kernel.score import points
from sunglade.notation import ACTION_NAMES, ACTION_NUMBERS
from sunglade.rules import Rules
from sunglade.search.last_turn import Solver, is_last_turn
from sunglade.teaching.puzzles import AS_GOOD, KINDS, Puzzle, after_turn

PLAYED: Final = 96
"""Simulations for an action of the games."""
LOOKED_AT: Final = 0.5
"""Share of the turns before the last that are looked at."""
FIRST_ROUND: Final = 4
OPEN: Final = 0.06
"""Whoever has less than this of all chances, or all but this, has little to gain by one turn."""
GLANCE: Final = 32
"""Simulations of the small network for the end of a turn."""
LONG: Final = 1000
"""Simulations for the end of a turn that is judged for good."""
STAGES: Final = ((40, 0.4), (160, 0.7))
"""Simulations for the end of a turn, and the share of the margin that the best must have for the next stage."""
SHORT: Final = STAGES[-1][0]
HOPELESS: Final = 2 * MARGIN
"""A turn so much worse than the best is not looked at any longer."""
ELDER: Final = 1000
"""Simulations for an action of `elder`: less than it has on an idle machine, and as many on a busy one."""
MOST_ACTIONS: Final = 20
QUICK: Final = ("sapling", "birch", "maple", "oak")
"""Levels whose turns are compared with the best."""
STRONG: Final = {"sequoia", "elder"}
"""What none of these finds is no puzzle: the search that judged may have been wrong."""
BUSY: Final = ("owl", "hedgehog", "fox")
"""Animals that are kept where they are dealt: strong players use their abilities most (docs/strategy.md)."""
MODULES: Final = ((), ("moon",), ("moon", "elder", "stones"))


class Miner:
    """Plays games and looks at their turns, until a time."""

    def __init__(
        self,
        seed: int,
        until: float,
        *,
        played: int = PLAYED,
        share: float = LOOKED_AT,
        kinds: Collection[str] = KINDS,
    ) -> None:
        self.played, self.share, self.kinds = played, share, kinds
        self.chance = random.Random(seed)
        self.until = until
        self.player, self.judge = bots.make("neural:small"), bots.make("neural")
        self.solver = Solver()

    def out_of_time(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until

    def run(self) -> Iterator[Puzzle]:
        """The puzzles of one game after the other, until the time is over."""
        while not self.out_of_time():
            yield from self._game()

    def _game(self) -> Iterator[Puzzle]:
        modules = list(self.chance.choice(MODULES if set(self.kinds) != {"animals"} else MODULES[1:]))
        game = Game(self.chance.choice((2, 3, 4)), Rules(modules=modules), seed=self.chance.randrange(1 << 40))
        while game.phase != "turn":
            busy = [line for line in game.legal if line.removeprefix("draft ") in BUSY]
            game.play(self.chance.choice(busy or game.legal))
        if TURTLE in game.now.animal:
            return  # what lies face down cannot be judged
        while not game.over and not self.out_of_time():
            turn = turn_of(self.player, game, self.played)
            found = None
            if is_last_turn(game.now):
                found = self.last_turn(game) if "last_turn" in self.kinds else None
            elif game.round >= FIRST_ROUND and self._is_looked_at(turn):
                found = self.judged_turn(game, turn)
            if found is not None:
                yield found
            for line in turn:
                game.play(line)

    def _is_looked_at(self, turn: Sequence[str]) -> bool:
        """Some turns are, and all in which an animal does something, for those are rare."""
        able = any(TABLE[ACTION_NUMBERS[line]].kind == "ability" for line in turn)
        return able or self.chance.random() < self.share

    # Last turns

    def last_turn(self, game: Game) -> Puzzle | None:
        """The puzzle of a last turn: whoever tries everything knows the most points."""
        best = self.solver.solve(game.now)
        if len(best.line) < 2 or best.points == points(game.now, game.now.player):
            return None
        if all(self._points_of(game, name) == best.points for name in QUICK):
            return None  # too easy
        found = [name for name in LEVELS if self._points_of(game, name) == best.points]
        if not STRONG & set(found):
            return None
        lines = [ACTION_NAMES[number] for number in best.line]
        return Puzzle("last_turn", game.position(), lines, [], found, points=best.points)

    def _points_of(self, game: Game, level: str) -> int:
        """What a level ends its last turn with."""
        return points(after_turn(game, turn_of(level_of(level), game)).now, game.now.player)

    # Other turns

    def judged_turn(self, game: Game, lines: Sequence[str]) -> Puzzle | None:
        """The puzzle of a turn in the midst of a game, if the one that was played stands out."""
        turns = list(self._candidates(game, lines))
        if len(turns) < 3 or kind_of(game, turns[0], turns[1:]) not in self.kinds or not self._is_open(game):
            return None
        if not self._stands_out(game, turns) or kind_of(game, turns[0], turns[1:]) not in self.kinds:
            return None
        if self._gap(game, turns, LONG) < MARGIN:
            return None
        return self._graded(game, turns)

    def _is_open(self, game: Game) -> bool:
        """Whether the turn can decide something."""
        value = self._think(self.player, game, GLANCE)
        return OPEN < value[game.now.player] / sum(value) < 1 - OPEN

    def _candidates(self, game: Game, lines: Sequence[str]) -> Iterator[Turn]:
        """The turn that was played and others, each end once: what weaker bots do, nothing, all but one action."""
        best = ending(game, lines)
        seen = {best.end}
        yield best
        others = [[], *(turn_of(level_of(name), game) for name in QUICK), *without_one(game, best.actions)]
        for each in others:
            turn = ending(game, each)
            if turn.end not in seen:
                seen.add(turn.end)
                yield turn

    def _stands_out(self, game: Game, turns: list[Turn]) -> bool:
        """Whether short searches think that some turn stands out; the best comes first then."""
        for turn in turns:
            turn.worth = self._worth(self.player, turn.after, game.now.player, GLANCE)
        gap = gap_below_the_best(turns) or 0.0
        for nodes, share in STAGES:
            if gap < share * MARGIN:
                return False
            gap = self._gap(game, turns, nodes, share)
        return gap >= STAGES[-1][1] * MARGIN

    def _gap(self, game: Game, turns: list[Turn], nodes: int, share: float = 1.0) -> float:
        """The gap below the best turn by searches of so many simulations, best turns first; 0 as soon as one spoils it.

        Hopeless turns keep what they were thought worth.
        """
        turns.sort(key=lambda turn: -turn.worth)
        top = turns[0].worth
        gap: float | None = None
        for place, turn in enumerate(turns):
            if turn.worth < top - HOPELESS and place > 1:
                break
            turn.worth = self._worth(self.judge, turn.after, game.now.player, nodes)
            gap = gap_below_the_best(turns[: place + 1])
            if gap is not None and gap < share * MARGIN:
                return 0.0
        turns.sort(key=lambda turn: -turn.worth)
        return gap or 0.0

    def _graded(self, game: Game, turns: list[Turn]) -> Puzzle | None:
        """The puzzle with the levels that find it. Their turns are judged as the others were, and may spoil it."""
        known = {turn.end: turn for turn in turns}
        ends = {}
        for name in LEVELS:
            turn = ending(game, turn_of(level_of(name), game))
            ends[name] = turn.end
            if turn.end not in known:
                known[turn.end] = turn
                turn.worth = self.worth(turn.after, game.now.player, SHORT)
                if turn.worth > turns[0].worth - HOPELESS:
                    turn.worth = self.worth(turn.after, game.now.player, LONG)
        turns = sorted(known.values(), key=lambda turn: -turn.worth)
        gap = gap_below_the_best(turns) or 0.0
        good = turns[0].worth - AS_GOOD
        levels = [name for name in LEVELS if known[ends[name]].worth >= good]
        kind = kind_of(game, turns[0], turns[1:])
        if gap < MARGIN or kind is None or kind not in self.kinds or not STRONG & set(levels):
            return None
        worse = [turn.actions for turn in turns if turn.worth < good][:3]
        return Puzzle(kind, game.position(), turns[0].actions, worse, levels, margin=round(gap, 3))

    def graded_again(self, task: Puzzle, names: Collection[str]) -> Puzzle:
        """A puzzle with some levels asked again: they may have changed since it was found."""
        game = task.game()
        finds = {name: name in task.levels for name in LEVELS}
        for name in names:
            if task.points is not None:
                finds[name] = self._points_of(game, name) == task.points
            else:
                finds[name] = self._is_as_good(game, task, ending(game, turn_of(level_of(name), game)))
        return replace(task, levels=[name for name in LEVELS if finds[name]])

    def _is_as_good(self, game: Game, task: Puzzle, turn: Turn) -> bool:
        """Whether a turn is the best one of a puzzle, or as good."""
        best = ending(game, task.best)
        if turn.end == best.end or turn.end in {ending(game, other).end for other in task.others}:
            return turn.end == best.end
        seat = game.now.player
        if self.worth(turn.after, seat, SHORT) < self.worth(best.after, seat, SHORT) - HOPELESS:
            return False
        return self.worth(turn.after, seat, LONG) >= self.worth(best.after, seat, LONG) - AS_GOOD

    # Thinking

    def worth(self, after: Game, seat: int, nodes: int) -> float:
        """What the end of a turn is worth to the mover, as the judge thinks."""
        return self._worth(self.judge, after, seat, nodes)

    def _worth(self, bot: bots.Bot, after: Game, seat: int, nodes: int) -> float:
        return kernel.win_share(after.now, seat) if after.over else self._think(bot, after, nodes)[seat]

    def _think(self, bot: bots.Bot, game: Game, nodes: int) -> list[float]:
        assert isinstance(bot, Analyst)
        return bot.think(game.redacted(), nodes=nodes).value


def level_of(name: str) -> bots.Bot:
    """A level that knows nothing of other games; what it finds does not depend on how busy the machine is."""
    return bots.make(f"elder:nodes={ELDER}" if name == "elder" else name)


def turn_of(bot: bots.Bot, game: Game, nodes: int | None = None) -> list[str]:
    """A bot's whole turn; with `nodes` it searches so much for an action."""
    copy, mover, now = game.redacted(), game.player, game.round
    lines: list[str] = []
    while copy.player == mover and copy.round == now and not copy.over:
        if len(lines) == MOST_ACTIONS:
            lines.append("end")
        elif nodes is not None and isinstance(bot, Analyst):
            lines.append(bot.think(copy, nodes=nodes).action)
        else:
            lines.append(bot.act(copy, 2000))
        copy.play(lines[-1])
    return lines
