"""Puzzles: positions of strong games in which one turn is clearly the best, mined by `training/puzzles.py`.

Those about the last turn are proved by trying everything (`search/last_turn.py`); of the others a long search says
which turn is best and by how much. Any turn that is as good counts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, Final

from sunglade.bots import LEVELS
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.score import points

KINDS: Final = ("last_turn", "collect", "shade", "escape", "race", "animals")
AS_GOOD: Final = 0.02
"""A turn counts if a search thinks it worse than the best by no more than this chance of winning."""
EPOCH: Final = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and the turn that is best there; `others` are turns that are worse, told for comparison.

    `points` is what the mover can end the last turn with; `margin` how much worse the next best turn was thought.
    `levels` are the bots that find it. One that is not shipped has no number yet.
    """

    kind: str
    position: str
    best: list[str]
    others: list[list[str]]
    levels: list[str]
    points: int | None = None
    margin: float | None = None
    number: int = 0

    @property
    def difficulty(self) -> int:
        """How many of the levels do not find it."""
        return len(LEVELS) - len(self.levels)

    def game(self) -> Game:
        """The game that begins there."""
        return Game.from_position(self.position)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All that are shipped, easy ones first."""
    text = (files("sunglade.teaching") / "puzzles.json").read_text(encoding="utf-8")
    return tuple(Puzzle(**fields, number=number) for number, fields in enumerate(json.loads(text), start=1))


def puzzle(number: int) -> Puzzle:
    """The puzzle with a number, counted from 1."""
    if not 1 <= number <= len(puzzles()):
        raise BadRequest(f"there are puzzles 1 to {len(puzzles())}, not {number}.")
    return puzzles()[number - 1]


def of_the_day(day: date) -> Puzzle:
    """The puzzle of a day: the same for everybody, and no two days after each other alike."""
    step = next(step for step in range(len(puzzles()) * 5 // 8, 0, -1) if _is_coprime(step, len(puzzles())))
    return puzzles()[((day - EPOCH).days * step) % len(puzzles())]


def _is_coprime(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one == 1


def after_turn(game: Game, actions: list[str]) -> Game:
    """The game after a turn; its last action ends it."""
    played = game.fork()
    mover = game.player
    for line in actions:
        if played.player != mover or played.round != game.round:
            raise BadRequest("an answer is one turn.")
        played.play(line)
    if played.player == mover and played.round == game.round and not played.over:
        played.play("end")
    return played


def points_reached(task: Puzzle, actions: list[str]) -> int:
    """What the mover of a last turn has in the end."""
    start = task.game()
    return points(after_turn(start, actions).now, start.now.player)


def told(task: Puzzle) -> dict[str, Any]:
    """A puzzle without its answer (schema.Puzzle)."""
    return {
        "number": task.number,
        "kind": task.kind,
        "difficulty": task.difficulty,
        "levels": task.levels,
        "game": task.game().to_dict(),
        "points": task.points,
        "next": task.number + 1 if task.number < len(puzzles()) else None,
    }
