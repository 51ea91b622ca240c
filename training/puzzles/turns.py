"""Turns that are compared: where each leads, whether the best stands out, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sunglade import Game
from sunglade.kernel.actions import TABLE
from sunglade.kernel.record import Record
from sunglade.notation import ACTION_NUMBERS
from sunglade.teaching.light_facts import coming, light_of
from sunglade.teaching.puzzles import AS_GOOD, after_turn
from sunglade.teaching.reasons import reasons

MARGIN: Final = 0.045
"""How much worse the next best turn must be, as a chance of winning."""
MOST_AS_GOOD: Final = 5
"""Turns that may be as good as the best, such as with another purchase."""
SHADE: Final = 4
"""Light that rivals lose over the coming suns by a turn that is about shade."""


@dataclass
class Turn:
    """A turn that is looked at: the actions before its end, where it leads, and what that is worth to the mover."""

    actions: list[str]
    after: Game
    worth: float = 0.0

    @property
    def end(self) -> bytes:
        """The position it leads to; turns that lead to the same are the same."""
        return bytes(self.after.now)


def ending(game: Game, lines: Sequence[str]) -> Turn:
    """A turn of so many lines, without the one that ends it."""
    actions = [line for line in lines if line != "end"]
    return Turn(actions, after_turn(game, actions))


def without_one(game: Game, actions: Sequence[str]) -> Iterator[list[str]]:
    """The turn without one of its actions, as far as the others are still legal."""
    for left_out in range(len(actions)):
        copy, played = game.redacted(), []
        for place, line in enumerate(actions):
            if place != left_out and line in copy.legal:
                copy.play(line)
                played.append(line)
        yield played


def gap_below_the_best(turns: Sequence[Turn]) -> float | None:
    """The gap between the best turn with those that are as good, and the next; None where there is no next."""
    worths = sorted((turn.worth for turn in turns), reverse=True)
    as_good = [worth for worth in worths if worth >= worths[0] - AS_GOOD]
    rest = worths[len(as_good) :]
    return as_good[-1] - rest[0] if rest and len(as_good) <= MOST_AS_GOOD else None


def kind_of(game: Game, best: Turn, others: Sequence[Turn]) -> str | None:
    """What the best turn is about; None where it is nothing of these."""
    actions = [TABLE[ACTION_NUMBERS[line]] for line in best.actions]
    if any(action.kind == "ability" for action in actions):
        return "animals"
    copy = game.fork()
    for line in best.actions:
        if any(reason.kind == "race" for reason in reasons(copy, line)):
            return "race"
        copy.play(line)
    if any(action.kind == "collect" for action in actions):
        return "collect"
    mover, suns = game.now.player, min(6, game.now.rounds - game.round)
    rivals = [reason for reason in light_of(game.now, copy.now, mover, suns) if reason.kind.startswith("rival")]
    if sum(reason.numbers["old"] - reason.numbers["new"] for reason in rivals) >= SHADE:
        return "shade"
    if _own_in_shade(game.now, mover) & ~_own_in_shade(copy.now, mover):
        return "escape"
    waits = any(line.startswith("collect") for turn in others for line in turn.actions)
    return "collect" if waits else None


def _own_in_shade(s: Record, seat: int) -> int:
    """Own trees that the next sun leaves in shade."""
    own = s.pieces[seat, 1] | s.pieces[seat, 2] | s.pieces[seat, 3]
    return coming(s, 1).shaded[0] & own
