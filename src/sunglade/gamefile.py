"""Games as JSON: what was agreed and what was done (docs/protocol.md, Game). Reading is strict, saving is atomic."""

from __future__ import annotations

import json
import math
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sunglade.deal import Deal
from sunglade.errors import BadJson, BadRequest, SungladeError
from sunglade.rules import Rules, check_players
from sunglade.system_errors import reason
from sunglade.words import Tell, Telling, key, saying

if TYPE_CHECKING:
    from sunglade.words.keys import Key

FORMAT: Final = "sunglade/1"
OWN_KEYS: Final = ("format", "players", "rules", "seed", "deal", "position", "actions")


class NoSuchFile(BadRequest, FileNotFoundError):
    """There is no such game file: input that cannot be used, and what Python's own `open` would raise."""


@dataclass(frozen=True, slots=True)
class GameData:
    """A game as stored: agreed, dealt and done.

    `seed` is None in a redacted game, and in one that begins at a position.
    """

    players: int
    rules: Rules
    seed: int | None
    deal: Deal
    actions: list[str]
    extra: dict[str, Any] = field(default_factory=dict)
    position: str | None = None
    """Where it begins, as one line, if not at its start."""

    def to_dict(self) -> dict[str, Any]:
        """The object of docs/protocol.md; the deal is told wherever there was one."""
        game: dict[str, Any] = {"format": FORMAT, "players": self.players, "rules": self.rules.to_dict()}
        if self.seed is not None:
            game["seed"] = self.seed
        if "moon" in self.rules.modules:
            game["deal"] = self.deal.to_dict()
        if self.position is not None:
            game["position"] = self.position
        return game | {"actions": list(self.actions)} | self.extra


def read_game(game: object) -> GameData:
    """Check a game object. The actions are checked for shape only; playing them tells whether they are legal."""
    if not isinstance(game, dict):
        raise BadRequest(lambda tell: tell("terminal.file.game", kind=_kind(game, tell)))
    if game.get("format", FORMAT) != FORMAT:
        raise BadRequest(saying("terminal.file.format", format=FORMAT, value=f"{game['format']!r:.60}"))
    if "players" not in game:
        raise BadRequest(saying("terminal.file.no_players"))
    players = check_players(game["players"])
    rules = Rules.from_dict(game.get("rules", {}))
    seed = game.get("seed")
    if "seed" in game and type(seed) is not int:
        raise BadRequest(saying("terminal.file.whole", name="seed", value=f"{seed!r:.60}"))
    start = game.get("position")
    if "position" in game and not isinstance(start, str):
        raise BadRequest(saying("terminal.file.action", name="position", value=f"{start!r:.60}"))
    told = game.get("deal", {}) if start is None else {}  # a position tells its own
    deal = Deal.from_dict(told, seed or 0, players)
    actions = game.get("actions", [])
    if not isinstance(actions, list):
        raise BadRequest(lambda tell: tell("terminal.file.actions", kind=_kind(actions, tell)))
    for index, action in enumerate(actions):
        if not isinstance(action, str):
            wrong = saying("terminal.file.action", name=f"actions[{index}]", value=f"{action!r:.60}")
            raise BadRequest(wrong, at=index)
    extra = {key: value for key, value in game.items() if key not in OWN_KEYS}
    return GameData(players, rules, seed, deal, list(actions), extra, start)


def _kind(value: object, tell: Tell) -> str:
    """What JSON calls a value."""
    names = {dict: "object", list: "list", str: "text", bool: "bool"}
    return "null" if value is None else tell(key(f"terminal.file.kind.{names.get(type(value), 'number')}"))


def parse_json(text: str | bytes, *, most_digits: int = 4000) -> Any:
    """JSON as the standard has it: no NaN, no infinity; anything else is one clear error."""

    def refuse(constant: str) -> NoReturn:
        raise BadJson(saying("terminal.file.constant", constant=f"{constant:.40}"))

    def whole(number: str) -> int:
        if len(number) > most_digits:
            raise BadJson(saying("terminal.file.digits", most=most_digits, digits=len(number)))
        return int(number)

    def finite(number: str) -> float:
        value = float(number)
        return value if math.isfinite(value) else refuse(number)

    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite, parse_int=whole)
    except BadJson:
        raise
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise BadJson(saying("terminal.file.json", detail=error.msg, **place)) from None
    except UnicodeDecodeError as error:
        raise BadJson(saying("terminal.file.utf8", byte=error.start)) from None
    except RecursionError:
        raise BadJson(saying("terminal.file.deep")) from None
    except ValueError as error:
        raise BadJson(f"not JSON that can be read: {error}.") from None


def load_game(path: str | os.PathLike[str]) -> GameData:
    """Read a game file."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        kind = NoSuchFile if isinstance(error, FileNotFoundError) else BadRequest
        raise kind(refused_by_system("terminal.file.unread", path, error)) from None
    try:
        return read_game(parse_json(text))
    except SungladeError as error:
        raise error.within(os.fspath(path)) from None


def refused_by_system(what: Key, path: str | os.PathLike[str], error: OSError | ValueError) -> Telling:
    """A file that could not be read or written, and why."""
    return lambda tell: tell(what, file=repr(os.fspath(path)), reason=reason(error, tell))


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a whole text file or leave the old one as it was. A lone surrogate becomes the escape that JSON has."""
    save_bytes(path, text.encode("utf-8", errors="backslashreplace"))


def save_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file or leave the old one as it was, even if the power fails in between. Links are followed."""
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # a pipe or a terminal
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o644)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise BadRequest(refused_by_system("terminal.file.unwritten", path, error)) from None


def game_text(game: GameData) -> str:
    """The JSON text of a game: one key a line, the actions together, so that people can read and compare files."""
    try:
        told = {key: json.dumps(value, ensure_ascii=False, allow_nan=False) for key, value in game.to_dict().items()}
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRequest(f"the game cannot be written as JSON: {error}.") from None
    lines = [f"  {json.dumps(key)}: {value}" for key, value in told.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
