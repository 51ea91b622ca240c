"""Starting an environment from any position: a `Game`, a game file's object, or a position string."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sunglade.board import spaces_in
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.kernel.animals import baby_on
from sunglade.kernel.record import ANIMALS_PHASE, MODULE_MOON


def given_game(options: Mapping[str, Any] | None, players: int) -> Game | None:
    """The game named in `reset(options={"game": …})`, as a copy of its own; None where there is none."""
    if options is not None and not isinstance(options, Mapping):
        raise BadRequest(f"options must be a dict, not {options!r:.60}.")
    if not options or options.get("game") is None:
        return None
    game = _read(options["game"])
    if game.players != players:
        raise BadRequest(f"this environment is for {players} players, and the game has {game.players}.")
    if game.over:
        raise BadRequest("the game to start from is over.")
    check_babies(game)
    return game


def check_babies(game: Game) -> None:
    """Refuse a game in which a baby could hatch that is not known (M-SETUP-4)."""
    if _has_unknown_babies(game):
        raise BadRequest(
            "nobody knows the babies of a redacted game; start from one of its `determinised(seed)` copies."
        )


def _read(given: object) -> Game:
    if isinstance(given, Game):
        return given.fork()
    if isinstance(given, Mapping):
        return Game.from_dict(dict(given))
    if isinstance(given, str):
        return Game.from_position(given)
    raise BadRequest(f"game must be a Game, a game object or a position string, not {given!r:.60}.")


def _has_unknown_babies(game: Game) -> bool:
    s = game.now
    if not s.options & MODULE_MOON:
        return False
    waiting = s.face_down if s.phase > ANIMALS_PHASE else s.shore
    return any(not baby_on(s, space) for space in spaces_in(waiting))
