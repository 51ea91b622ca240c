"""Every game is kept in the user's data folder after each action, so that nothing is lost when the lights go out."""

from __future__ import annotations

import os
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import platformdirs

from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game


def command(words: str) -> str:
    """A `sunglade` command as it can be typed here: the program may not be on the PATH."""
    started_as = Path(sys.argv[0])
    if shutil.which("sunglade") or started_as.stem not in ("sunglade", "__main__"):
        return f"sunglade {words}"
    if started_as.stem == "sunglade":
        return f"{started_as} {words}"
    return f"python -m sunglade {words}" if started_as.parent.name == "sunglade" else f"sunglade {words}"


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
    stem = datetime.now().strftime("%Y-%m-%d_%H.%M.%S.%f")
    return folder() / f"{stem}_{os.getpid()}.json"


def kept_games() -> list[Path]:
    """All kept games, the newest first. None is ever removed."""
    try:
        return sorted(folder().glob("*.json"), key=_changed, reverse=True)
    except OSError:
        return []


def _changed(path: Path) -> float:
    """When a file was last written; what cannot be looked at, such as a dangling link, counts as the oldest."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


class Kept(NamedTuple):
    """A kept game, and newer files that could not be read."""

    path: Path
    game: Game
    damaged: list[str]


def unfinished() -> Kept:
    """The newest kept game that is not over."""
    damaged: list[str] = []
    for path in kept_games():
        try:
            game = Game.load(path)
        except SungladeError as error:
            damaged.append(error.message.rstrip("."))
            continue
        if not game.over:
            return Kept(path, game, damaged)
    unread = f" ({'; '.join(damaged)})" if damaged else ""
    raise BadRequest(f"there is no unfinished game to resume{unread}; `{command('play')}` starts a new one.")
