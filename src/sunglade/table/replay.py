"""A game position by position, with what led to each, and light and points by round."""

from __future__ import annotations

from typing import Any

from sunglade.forecast import sunlight
from sunglade.game import Game
from sunglade.table.event_view import Chronicle, tell_action
from sunglade.table.view import boards, round_view, scores, sunlight_view


def frames(game: Game, first: int, count: int) -> list[dict[str, Any]]:
    """Some positions of a game."""
    lines = game.actions
    found = []
    passing = Game.passing(game.to_dict())
    before, seat = game.now, 0
    for index, passed in enumerate(passing):
        if index >= first + count:
            break
        if index >= first:
            told = [] if index == 0 else tell_action(before, passed.now, lines[index - 1], seat)
            found.append(_frame(index, passed, [{"seq": index, "at": 0.0, **part} for part in told]))
        before, seat = passed.now.copy(), passed.player or 0
    return found


def _frame(index: int, game: Game, told: list[dict[str, Any]]) -> dict[str, Any]:
    s = game.now
    return {
        "index": index,
        "events": told,
        "state": game.state(),
        "round": round_view(s),
        "now": sunlight_view(sunlight(s)),
        "boards": boards(s),
        "scores": scores(s),
    }


def history(game: Game) -> list[dict[str, Any]]:
    """Light and points by round, from the first action on."""
    lines = game.actions
    chronicle: Chronicle | None = None
    before, seat = game.now, 0
    for index, passed in enumerate(Game.passing(game.to_dict())):
        if chronicle is None:
            chronicle = Chronicle(passed)
        else:
            chronicle.note(before, tell_action(before, passed.now, lines[index - 1], seat))
        before, seat = passed.now.copy(), passed.player or 0
    return chronicle.rounds(game.now) if chronicle is not None else []
