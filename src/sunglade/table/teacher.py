"""What can be asked of the teacher of a house: puzzles, and whether a turn is their answer."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from sunglade import kernel
from sunglade.analysis import JUDGE
from sunglade.errors import IllegalAction
from sunglade.game import Game
from sunglade.table.event_view import tell_action
from sunglade.table.problems import ServerProblem
from sunglade.table.thinking import Asker, Thinkers
from sunglade.teaching import puzzles
from sunglade.teaching.comparison import compared
from sunglade.teaching.puzzles import AS_GOOD, Puzzle, after_turn
from sunglade.teaching.reasons import told as reasons_told
from sunglade.teaching.review import TOLD, JudgedTurn, judged_turn, shares

NODES: Final = 300
"""Simulations by which a turn is compared with the best, and for each action of a better one."""
LONGEST_TURN: Final = 12


class Teacher:
    """Knows the puzzles, and asks bots what turns are worth."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def puzzles(self, day: str) -> dict[str, Any]:
        """All puzzles, easy ones first, and the one of a day."""
        try:
            today = date.fromisoformat(day)
        except ValueError:
            raise ServerProblem("bad_request", f"a day is written like 2026-11-17, not {day!r:.40}.") from None
        each = [
            {"number": one.number, "kind": one.kind, "difficulty": one.difficulty, "levels": one.levels}
            for one in puzzles.puzzles()
        ]
        return {"daily": puzzles.of_the_day(today).number, "puzzles": each}

    def puzzle(self, number: int) -> dict[str, Any]:
        """One, without its answer."""
        return puzzles.told(puzzles.puzzle(number))

    async def judge(self, number: int, actions: list[str], client: str) -> dict[str, Any]:
        """Whether a turn is the best, or as good; and the best turn with what speaks for it."""
        task = puzzles.puzzle(number)
        try:
            answer = after_turn(task.game(), actions)
        except IllegalAction as error:
            raise ServerProblem("illegal_action", str(error)) from None
        best = after_turn(task.game(), task.best)
        reached: int | None = None
        if task.points is not None:
            reached = puzzles.points_reached(task, actions)
            solved = reached >= task.points
        else:
            solved = answer == best or await self._is_as_good(task, answer, best, client)
        start = task.game()
        return {
            "number": number,
            "solved": solved,
            "points": reached,
            "best_points": task.points,
            "best": task.best,
            "events": _events(start, task.best),
            "reasons": reasons_told([] if solved else compared(start.now, task.best, actions)),
        }

    async def better(self, game: Game, first: int, table: str, client: str) -> dict[str, Any]:
        """The turn that a bot would have played at a point of a game, and why, compared with what was played."""
        lines = game.actions
        if not 0 <= first < len(lines):
            raise ServerProblem("bad_request", f"the game has {len(lines)} actions; there is none after {first}.")
        shown = game.data.to_dict() if game.over else game.redacted_data.to_dict()
        start = Game.from_dict({**shown, "actions": lines[:first]})
        until = next((place for place in range(first, len(lines)) if lines[place] == "end"), len(lines))
        return {"first": first, **await self._best(start, lines[first:until], Asker(table, lambda: [client]))}

    async def turn_so_far(self, game: Game, strictness: str, asker: Asker) -> dict[str, Any]:
        """What a turn costs if it ends now, as far as it can still be taken back; told only where it is too much."""
        first, lines = len(game.actions) - game.undoable(), game.actions
        start, end = game.fork(), game.fork()
        for _ in lines[first:]:
            start.undo()
        end.play("end")
        turn = await self._judged(start, end, asker)
        if turn.verdict not in TOLD.get(strictness, ()):
            return {"verdict": "good", **_worth(turn), "best": [], "events": [], "reasons": []}
        return {"verdict": turn.verdict, **_worth(turn), **await self._best(start, lines[first:], asker)}

    async def turn_tried(self, start: Game, end: Game, lines: list[str], asker: Asker) -> dict[str, Any]:
        """A turn that somebody tries again on a copy, judged as the review does, beside the best."""
        turn = await self._judged(start, end, asker)
        return {"verdict": turn.verdict, **_worth(turn), **await self._best(start, lines, asker)}

    async def _judged(self, start: Game, end: Game, asker: Asker) -> JudgedTurn:
        """What a turn costs, by the positions at its beginning and its end."""
        before, after = [shares(await self._values(one, asker)) for one in (start, end)]
        turn = (len(start.actions), len(end.actions), start.now.player, start.round)
        return judged_turn(start.players, turn, before, after)

    async def _best(self, start: Game, lines: list[str], asker: Asker) -> dict[str, Any]:
        """The turn that a bot would play, and what it brings that another does not."""
        best = await self._turn(start, asker)
        reasons = reasons_told(compared(start.now, best, lines))
        return {"best": best, "events": _events(start, best), "reasons": reasons}

    async def _values(self, game: Game, asker: Asker) -> list[float]:
        """What a position is worth to everybody."""
        if game.over:
            return [kernel.win_share(game.now, seat) for seat in range(game.players)]
        shown = game.redacted_data.to_dict()
        told = await self._thinkers.think(shown, JUDGE, seed=0, asker=asker, nodes=NODES)
        return [float(value) for value in told["value"]]

    async def _turn(self, start: Game, asker: Asker) -> list[str]:
        """A bot's whole turn, without its end; what hatches is not known."""
        ahead, best = start.fork(), list[str]()
        while len(best) < LONGEST_TURN and ahead.player == start.player and not ahead.over:
            game = ahead.redacted_data.to_dict()
            told = await self._thinkers.think(game, JUDGE, seed=0, asker=asker, nodes=NODES, reasons=True)
            if told["action"] in ("end", "turtle.hatch"):
                break
            ahead.play(told["action"])
            best.append(told["action"])
        return best

    async def _is_as_good(self, task: Puzzle, answer: Game, best: Game, client: str) -> bool:
        """Whether a search thinks the end of a turn no worse than that of the best."""
        seat = task.game().now.player
        worth = [await self._worth(end, seat, client) for end in (best, answer)]
        return worth[1] >= worth[0] - AS_GOOD

    async def _worth(self, end: Game, seat: int, client: str) -> float:
        if end.over:
            return kernel.win_share(end.now, seat)
        asker = Asker("", lambda: [client])
        told = await self._thinkers.think(end.redacted_data.to_dict(), JUDGE, seed=0, asker=asker, nodes=NODES)
        return float(told["value"][seat])


def _events(start: Game, lines: list[str]) -> list[dict[str, Any]]:
    """What a turn does, as a log tells it."""
    events = []
    played, seat = start.fork(), start.now.player
    for line in lines:
        before = played.now.copy()
        played.play(line)
        events += [{"seq": 0, "at": 0.0, **part} for part in tell_action(before, played.now, line, seat)]
    return events


def _worth(turn: JudgedTurn) -> dict[str, float]:
    """What a turn was worth to its mover at its beginning and at its end."""
    return {"before": turn.before, "after": turn.after}
