"""The folder of an arena: the plan, a line for each result as it comes, the games, and a summary.

Lines are only ever appended, each flushed to the disk after its game was saved. So whatever is killed when, what was
written stays true: a last line that was cut off is dropped, and its game is played again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from sunglade.arena.plan import Plan
from sunglade.errors import BadRequest, SungladeError
from sunglade.exclusive import held
from sunglade.gamefile import game_text, parse_json, read_game, save_text

if TYPE_CHECKING:
    from filelock import BaseFileLock

Result = dict[str, Any]


class Store:
    """An arena's folder, held while the arena runs."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self._plan = plan
        self._lock: BaseFileLock | None = None
        self._lines: IO[bytes] | None = None

    def __enter__(self) -> Store:
        """Open the folder, new or with the results of the same plan in it."""
        try:
            self._open()
            self._agree()
            self.results()
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the folder."""
        self._let_go()

    def _open(self) -> None:
        taken = f"another arena is playing into {str(self.folder)!r}; choose another --out."
        try:
            (self.folder / "games").mkdir(parents=True, exist_ok=True)
            self._lock = held(self.folder / "arena.lock", taken)
            self._lines = (self.folder / "results.jsonl").open("ab+")
        except OSError as error:
            raise BadRequest(f"cannot write {str(self.folder)!r}: {error.strerror or error}.") from None

    def _let_go(self) -> None:
        if self._lines is not None:
            self._lines.close()
        if self._lock is not None:
            self._lock.release()

    def results(self) -> list[Result]:
        """The results so far: what the file holds. What was cut off at its end is removed from it."""
        assert self._lines is not None
        self._lines.seek(0)
        text = self._lines.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            self._lines.truncate(whole)
        results = [self._result(number, line) for number, line in enumerate(text[:whole].splitlines(), start=1)]
        return list({result["game"]: result for result in results}.values())

    def add(self, result: Result, game: dict[str, Any]) -> None:
        """Save a game, then its result."""
        assert self._lines is not None
        told = {key: result[key] for key in ("game", "shares", "places", "failed") if result[key] != {}}
        extra = {"names": result["bots"], "arena": told}
        save_text(self.game_file(result["game"]), game_text(read_game(game | extra)))
        self._lines.write(json.dumps(result, ensure_ascii=False).encode() + b"\n")
        self._lines.flush()
        os.fsync(self._lines.fileno())

    def game_file(self, number: int) -> Path:
        """Where a game is saved."""
        return self.folder / "games" / f"{number:06}.json"

    def _agree(self) -> None:
        """Write the plan, or refuse a folder with the results of another one."""
        file = self.folder / "plan.json"
        results = (self.folder / "results.jsonl").stat().st_size
        if not file.exists() or not results:
            if results:
                raise BadRequest(f"{str(self.folder)!r} has results but no plan.json, so it cannot be gone on with.")
            save_text(file, json.dumps(self._plan.to_dict(), indent=2, ensure_ascii=False) + "\n")
            return
        before = load_plan(self.folder).to_dict()
        for key, value in self._plan.to_dict().items():
            if before[key] != value:
                raise BadRequest(
                    f"{str(self.folder)!r} holds another arena: {key} is {json.dumps(before[key])} there, "
                    f"not {json.dumps(value)}; choose another --out."
                )

    def _result(self, number: int, line: bytes) -> Result:
        """A line of the results, as far as the summary relies on it."""
        try:
            result = parse_json(line)
            expected = [self._plan.names[place] for place in self._plan.fixture(result["game"]).seats]
            by_seat = [result[key] for key in ("shares", "places", "points", "longest_ms", "late_turns")]
            whole = all(len(values) == len(expected) for values in by_seat) and isinstance(result["failed"], dict)
            if result["bots"] != expected or not whole:
                raise KeyError
        except (SungladeError, TypeError, KeyError, AttributeError):
            raise BadRequest(f"{self.folder / 'results.jsonl'}: line {number} is not a result of this arena.") from None
        assert isinstance(result, dict)
        return result


def load_plan(folder: Path) -> Plan:
    """The plan of an arena that was begun."""
    file = folder / "plan.json"
    try:
        return Plan.from_dict(parse_json(file.read_bytes()))
    except OSError as error:
        raise BadRequest(f"cannot read {str(file)!r}: {error.strerror or error}.") from None
    except SungladeError as error:
        raise type(error)(f"{file}: {error.message}") from None
