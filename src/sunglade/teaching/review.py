"""Looking back at a game by whole turns: which were good, which lost how much, and who gained by whose mistakes.

What a position is worth to everybody is told by a bot, before every action (`table/analysis.py`). A turn costs its
mover the difference between its beginning and its end. Small differences are noise: docs/teaching.md tells how often
the strongest player's own turns stay below the thresholds, as far as that was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final

from sunglade.board import NAMES, spaces_in
from sunglade.forecast import scores
from sunglade.game import Game
from sunglade.kernel.light import shaded_by
from sunglade.kernel.record import TURN, Record

SLIP: Final = {2: 0.04, 3: 0.04, 4: 0.04}
MISTAKE: Final = {2: 0.06, 3: 0.06, 4: 0.06}
"""What a turn costs that is called so, by the number of players, as a share of everybody's chances together: above the
noise of the judgement, below what planted mistakes cost (docs/teaching.md)."""

TOLD: Final = {"gentle": ("mistake", "turning_point"), "strict": ("slip", "mistake", "turning_point")}
"""Verdicts that a teacher of a game speaks up for before a turn ends, by how strict the table is."""

UNLIKELY: Final = 0.05
"""A chance below which nothing is told of who may stand on a space at the end."""

Values = Sequence[float]


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn: the actions from `first` to before `last`, what it was worth to the mover before and after, what it cost.

    `verdict` is good, slip, mistake or turning_point; `gifts` is what each other seat gained by it.
    """

    first: int
    last: int
    seat: int
    round: int
    before: float
    after: float
    verdict: str
    gifts: list[float]

    @property
    def loss(self) -> float:
        """What the turn cost its mover, at least nothing."""
        return round(max(0.0, self.before - self.after), 4)


def shares(values: Values) -> list[float]:
    """Values as shares of what they add up to: those of three or four players look at margins, too."""
    whole = sum(values) or 1.0
    return [value / whole for value in values]


def turns_of(game: Game) -> list[tuple[int, int, int, int]]:
    """First action, end, seat and round of every turn after the set-up."""
    found: list[tuple[int, int, int, int]] = []
    begun: tuple[int, int, int] | None = None
    lines = game.actions
    for index, (position, line) in enumerate(zip(Game.passing(game.to_dict()), lines, strict=False)):
        s = position.now
        if s.phase != TURN:
            continue
        begun = begun or (index, s.player, s.current_round)
        if line == "end":
            found.append((begun[0], index + 1, begun[1], begun[2]))
            begun = None
    if begun is not None:
        found.append((begun[0], len(lines), begun[1], begun[2]))
    return found


def judged(game: Game, values: Sequence[Values | None]) -> list[JudgedTurn]:
    """Every turn whose beginning and end have been looked at."""
    told = []
    for first, last, seat, number in turns_of(game):
        before, after = values[first], values[last]
        if before is not None and after is not None:
            told.append(judged_turn(game.players, (first, last, seat, number), shares(before), shares(after)))
    return told


def judged_turn(players: int, turn: tuple[int, int, int, int], before: Values, after: Values) -> JudgedTurn:
    """What a turn (first action, end, seat, round) cost its mover, by everybody's shares before it and after."""
    first, last, seat, number = turn
    loss = before[seat] - after[seat]
    verdict = "mistake" if loss >= MISTAKE[players] else "slip" if loss >= SLIP[players] else "good"
    if verdict == "mistake" and before[seat] == max(before) and after[seat] < max(after):
        verdict = "turning_point"  # the mover was ahead of everybody, and is not any more
    gifts = [0.0 if other == seat else round(max(0.0, after[other] - before[other]), 4) for other in range(players)]
    worth = round(before[seat], 4), round(after[seat], 4)
    return JudgedTurn(first, last, seat, number, *worth, verdict, gifts if loss > 0 else [0.0] * players)


def balance(players: int, turns: Sequence[JudgedTurn]) -> list[dict[str, float]]:
    """For every seat: what it lost by its own turns, and what others' losing turns gave it."""
    return [
        {
            "lost": round(sum(turn.loss for turn in turns if turn.seat == seat), 4),
            "given": round(sum(turn.gifts[seat] for turn in turns), 4),
        }
        for seat in range(players)
    ]


def shade_ledger(game: Game) -> list[list[int]]:
    """`ledger[by][whom]`: light that trees of one seat kept from trees of another over the whole game (R-LIGHT-2)."""
    ledger = [[0] * game.players for _ in range(game.players)]
    rounds = pairwise(position.now.copy() for position in Game.passing(game.to_dict()))
    for before, after in rounds:
        if after.current_round > before.current_round:
            _note_shade(after, ledger)
    return ledger


def _note_shade(s: Record, ledger: list[list[int]]) -> None:
    """What the sun of a round did not bring, put down to whoever stands in its way; shared shade counts for each."""
    for whom in range(s.players):
        for size in range(1, 4):
            for space in spaces_in(s.pieces[whom, size]):
                casters = shaded_by(s, s.sun, space, size)
                for by in range(s.players):
                    trees = s.pieces[by, 1] | s.pieces[by, 2] | s.pieces[by, 3]
                    if casters & trees:
                        ledger[by][whom] += size


def outlook(game: Game, foretold: Sequence[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    """What was expected of the end before each action, spaces that hardly anybody may have left out; then the end."""
    expected: list[dict[str, Any] | None] = [None if each is None else _likely(each) for each in foretold]
    if game.over:
        expected[-1] = {"points": [score.total for score in scores(game.now)], "standing": _standing(game.now)}
    return expected


def _likely(foretold: dict[str, Any]) -> dict[str, Any]:
    """Only those spaces where somebody may well have a piece."""
    standing = {space: chances for space, chances in foretold["standing"].items() if max(chances) >= UNLIKELY}
    return {"points": foretold["points"], "standing": standing}


def _standing(s: Record) -> dict[str, list[float]]:
    """Who has a piece where, as chances."""
    return {
        NAMES[space]: [float(other == seat) for other in range(s.players)]
        for seat in range(s.players)
        for size in range(4)
        for space in spaces_in(s.pieces[seat, size])
    }


def told(game: Game, values: Sequence[Values | None], foretold: Sequence[dict[str, Any] | None] = ()) -> dict[str, Any]:
    """The review as far as it has come (schema.Review)."""
    turns = judged(game, values)
    return {
        "turns": [{**asdict(turn), "loss": turn.loss} for turn in turns],
        "balance": balance(game.players, turns),
        "shade": shade_ledger(game),
        "outlook": outlook(game, foretold or [None] * len(values)),
    }
