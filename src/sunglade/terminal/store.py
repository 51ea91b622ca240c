"""Every game is kept in the user's data folder after each action, so that nothing is lost when the lights go out."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from filelock import BaseFileLock

from sunglade import system_errors
from sunglade.errors import BadRequest, SungladeError
from sunglade.exclusive import held
from sunglade.game import Game
from sunglade.terminal_folder import games_folder
from sunglade.words.speech import tell


def command(words: str) -> str:
    """A `sunglade` command as it can be typed here: the program may not be on the PATH."""
    started_as = Path(sys.argv[0])
    if shutil.which("sunglade") or started_as.stem not in ("sunglade", "__main__"):
        return f"sunglade {words}"
    if started_as.stem == "sunglade":
        return f"{started_as} {words}"
    return f"python -m sunglade {words}" if started_as.parent.name == "sunglade" else f"sunglade {words}"


def history_file() -> Path:
    """Where typed lines are remembered."""
    return games_folder().parent / "history"


class Keeper:
    """Keeps one game in a file of its own, which no other terminal uses meanwhile."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or _new_path()
        self.trouble: str | None = None
        self._lock: BaseFileLock | None = None

    def open(self) -> None:
        """Take the game for this terminal; BadRequest where another has it. What cannot be kept is known at once."""
        self._lock = _held(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.path.parent).close()
        except OSError as error:
            refused = {"folder": self.path.parent, "reason": system_errors.reason(error, tell)}
            self.trouble = tell("terminal.file.unwritten.folder", **refused)

    def close(self) -> None:
        """Leave the game to others."""
        _let_go(self.path, self._lock)
        self._lock = None

    def keep(self, game: Game) -> None:
        """Write the game; if that fails, remember why and let the game go on."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            game.save(self.path)
            self.trouble = None
        except SungladeError as error:
            self.trouble = error.told_by(tell)
        except OSError as error:
            self.trouble = f"{system_errors.reason(error, tell)}."


def _new_path() -> Path:
    """A name by the clock and the process, so that no two games share it."""
    stem = datetime.now().strftime("%Y-%m-%d_%H.%M.%S.%f")
    return games_folder() / f"{stem}_{os.getpid()}.json"


def _lock_file(path: Path) -> Path:
    return games_folder().parent / "open" / f"{path.stem}.lock"


def _held(path: Path) -> BaseFileLock | None:
    """The lock of a kept game; None where nothing can be locked, which must not keep anybody from playing."""
    lock = _lock_file(path)
    taken = tell("terminal.kept.open", game=path.stem, command=command("games"))
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        return held(lock, taken)
    except (OSError, NotImplementedError):
        return None


def _let_go(path: Path, lock: BaseFileLock | None) -> None:
    """Release a lock. Its file goes while the lock is held, so that nobody else's is removed."""
    if lock is not None:
        with suppress(OSError):  # Windows removes no file in use; there, releasing does
            _lock_file(path).unlink()
        lock.release()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Nobody else has a kept game meanwhile; BadRequest where another terminal has it."""
    lock = _held(path)
    try:
        yield
    finally:
        _let_go(path, lock)


def is_open(path: Path) -> bool:
    """Whether a terminal plays a kept game now."""
    if not _lock_file(path).exists():
        return False
    try:
        with _alone(path):
            return False
    except BadRequest:
        return True


def is_kept(path: Path) -> bool:
    """Whether a file is one of the kept games."""
    return path.suffix == ".json" and path.absolute().parent.resolve() == games_folder().resolve()


def kept_games() -> list[Path]:
    """All kept games, the newest first. None is removed unless a person says so."""
    try:
        return sorted(games_folder().glob("*.json"), key=_changed, reverse=True)
    except OSError:
        return []


def _changed(path: Path) -> float:
    """When a file was last written; what cannot be looked at, such as a dangling link, counts as the oldest."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def find(word: str) -> Path:
    """A kept game by its number in the list, its name, or the beginning of its name."""
    games = kept_games()
    if not games:
        raise BadRequest(tell("terminal.games.none", folder=games_folder()))
    if word.isascii() and word.isdigit() and len(word) < 4:  # a longer number is the year that names begin with
        if not 1 <= int(word) <= len(games):
            raise BadRequest(tell("terminal.games.numbers", last=len(games), word=word, command=command("games")))
        return games[int(word) - 1]
    named = [path for path in games if path.stem == word or path.name == word]
    found = named or [path for path in games if path.stem.startswith(word)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadRequest(tell("terminal.games.no_name", word=f"{word!r:.60}", command=command("games")))
    raise BadRequest(tell("terminal.games.several", count=len(found), word=f"{word!r:.60}"))


def delete(path: Path) -> None:
    """Remove a kept game for good, unless somebody plays it."""
    with _alone(path):
        path.unlink()


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
            damaged.append(error.told_by(tell).rstrip("."))
            continue
        if not game.over:
            return Kept(path, game, damaged)
    if damaged:
        unread = {"unread": "; ".join(damaged), "command": command("play")}
        raise BadRequest(tell("terminal.games.no_unfinished.unread", **unread))
    raise BadRequest(tell("terminal.games.no_unfinished", command=command("play")))


def resumable(word: str) -> Kept:
    """The kept game that a number or name means, or the newest that is not over where nothing is said."""
    if not word:
        return unfinished()
    path = find(word)
    game = Game.load(path)
    if game.over:
        looking_back = command(f"replay {shlex.quote(str(path))}")
        raise BadRequest(tell("terminal.games.over", game=path.stem, command=looking_back))
    return Kept(path, game, [])
