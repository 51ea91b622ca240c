"""Every game is kept in the user's data folder after each action, so that nothing is lost when the lights go out."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs

from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game

KEPT_GAMES: Final = 100


def folder() -> Path:
    """Where kept games lie; the variable SUNGLADE_DATA chooses another place."""
    home = os.environ.get("SUNGLADE_DATA") or platformdirs.user_data_dir("sunglade", appauthor=False)
    return Path(home) / "games"


def history_file() -> Path:
    """Where typed lines are remembered."""
    return folder().parent / "history"


class Keeper:
    """Keeps one game in a file of its own."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or _new_path()
        self.trouble: str | None = None

    def keep(self, game: Game) -> None:
        """Write the game; if that fails, remember why and let the game go on."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            game.save(self.path)
            self.trouble = None
        except (OSError, SungladeError) as error:
            self.trouble = str(error)


def _new_path() -> Path:
    """A name by the clock and the process, so that no two games share it."""
    stem = datetime.now().strftime("%Y-%m-%d %H.%M.%S.%f")
    return folder() / f"{stem} {os.getpid()}.json"


def kept_games() -> list[Path]:
    """All kept games, the newest first; the oldest beyond a hundred are removed."""
    try:
        files = sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
    for old in files[KEPT_GAMES:]:
        old.unlink(missing_ok=True)
    return files[:KEPT_GAMES]


def unfinished() -> tuple[Path, Game]:
    """The newest kept game that is not over."""
    for path in kept_games():
        try:
            game = Game.load(path)
        except SungladeError:
            continue
        if not game.over:
            return path, game
    raise BadRequest("there is no unfinished game to resume; `sunglade play` starts a new one.")
