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
    if not options or options.get("game") is None:
        return None
    given = options["game"]
    game = _read(given)
    if game.players != players:
        raise BadRequest(f"this environment is for {players} players, and the game has {game.players}.")
    if game.over:
        raise BadRequest("the game to start from is over.")
    if _has_unknown_babies(game):
        raise BadRequest(
            "nobody knows the babies of a redacted game; start from one of its `determinised(seed)` copies."
        )
    return game


def _read(given: object) -> Game:
    if isinstance(given, Game):
        return given.fork()
    if isinstance(given, Mapping):
        return Game.from_dict(dict(given))
    if isinstance(given, str):
        return Game.from_position(given)
    raise BadRequest(f"game must be a Game, a game object or a position string, not {given!r:.60}.")


def _has_unknown_babies(game: Game) -> bool:
    """Whether a baby could hatch that is not known (M-SETUP-4)."""
    s = game.record
    if not s.options & MODULE_MOON:
        return False
    waiting = s.face_down if s.phase > ANIMALS_PHASE else s.shore
    return any(not baby_on(s, space) for space in spaces_in(waiting))
