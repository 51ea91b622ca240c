"""Hints never let a tree be lost that buying first would have kept."""

from __future__ import annotations

from threading import Event

from positions import turn
from sunglade.game import Game
from sunglade.search.rollout_thinker import Line, Thought
from sunglade.teaching.advice import advise


class Planning:
    """A bot that plays the lines of a plan, one after the other, and thinks so much of the others."""

    def __init__(self, *plan: str, others: tuple[Line, ...] = ()) -> None:
        self.plan, self.others = list(plan), list(others)

    def act(self, game: Game, ms: int) -> str:
        return self.think(game).action

    def think(
        self, game: Game, *, ms: float | None = None, nodes: int | None = None, stop: Event | None = None
    ) -> Thought:
        line = next((line for line in self.plan if line in game.legal and not self._done(game, line)), "end")
        return Thought([Line(line, 9, [0.5, 0.5]), *self.others], [0.5, 0.5], 9)

    def _done(self, game: Game, line: str) -> bool:
        return line in game.actions


def full_column() -> Game:
    """Growing the tree on c4 gives back a small one, and no slot is free for it."""
    return turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})


def test_who_grows_first_and_buys_later_is_advised_to_buy_first() -> None:
    found = advise(Planning("grow c4", "buy small"), full_column(), ms=100)
    assert found.action == "buy small"
    assert [reason.kind for reason in found.reasons][:1] == ["room.small"]


def test_purchase_that_is_as_good_is_advised_first() -> None:
    as_good = Line("buy small", 5, [0.49, 0.51])
    assert advise(Planning("grow c4", others=(as_good,)), full_column(), nodes=10).action == "buy small"


def test_who_does_without_the_piece_on_purpose_is_told_what_is_lost() -> None:
    worse = Line("buy small", 5, [0.3, 0.7])
    found = advise(Planning("grow c4", others=(worse,)), full_column(), ms=100)
    assert found.action == "grow c4"
    assert [reason.kind for reason in found.reasons][:2] == ["lost.small", "lost.buy_first"]


def test_after_the_purchase_the_growth_is_advised_and_loses_nothing() -> None:
    game = full_column()
    game.play("buy small")
    found = advise(Planning("grow c4"), game, ms=100)
    assert found.action == "grow c4"
    assert not any(reason.kind.startswith("lost") for reason in found.reasons)
