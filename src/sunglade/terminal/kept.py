"""Games kept by the terminal: listed, shown, deleted (`sunglade games`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from sunglade.errors import BadRequest, SungladeError
from sunglade.game import Game
from sunglade.terminal import answers, store
from sunglade.terminal.screen import make_console
from sunglade.terminal.seats import seats_of
from sunglade.terminal.showing import show
from sunglade.terminal_folder import games_folder

NEWEST: Final = 20
"""So many are listed unless all are asked for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list."""

    number: int
    name: str
    played: str
    players: list[str]
    stands: str
    over: bool
    open: bool
    file: str


def entries(most: int | None = None) -> list[Entry]:
    """The kept games, the newest first."""
    return [_entry(number, path) for number, path in enumerate(store.kept_games()[:most], start=1)]


def _entry(number: int, path: Path) -> Entry:
    try:
        played = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
        game = Game.load(path)
    except (OSError, SungladeError):
        return Entry(number, path.stem, "", [], "cannot be read", False, False, str(path))
    names = [seat.name for seat in seats_of(game)]
    return Entry(number, path.stem, played, names, _stands(game, names), game.over, store.is_open(path), str(path))


def _stands(game: Game, names: Sequence[str]) -> str:
    """How far a game is, in a few words."""
    if game.over:
        return answers.verdict(game, names).rstrip(".")
    return f"round {game.round} of {game.rules.rounds}" if game.round else "set-up"


def list_games(*, everything: bool, as_json: bool, colour: bool | None) -> None:
    """Print the kept games, with the number that `--resume` takes."""
    found = entries(None if everything else NEWEST)
    if as_json:
        print(json.dumps({"folder": str(games_folder()), "games": [asdict(entry) for entry in found]}))
        return
    console = make_console(colour=colour)
    if not found:
        console.print(Text(f"No game is kept in {games_folder()}."), soft_wrap=True)
        return
    console.print(_table(found))
    more = len(store.kept_games()) - len(found)
    if more:
        console.print(Text(f"{more} older games are kept, too: --all lists them.", style="dim"))
    console.print(Text(f"They lie in {games_folder()}.", style="dim"), soft_wrap=True)
    said = f"`{store.command('play --resume 1')}` goes on with number 1; games show 1, games delete 1."
    console.print(Text(said, style="dim"), soft_wrap=True)


def _table(found: Sequence[Entry]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in ("", "last played", "players", "stands", "name"):
        table.add_column(column, overflow="fold", no_wrap=column == "name")  # names are copied
    for entry in found:
        stands = f"{entry.stands} (open)" if entry.open else entry.stands
        table.add_row(str(entry.number), entry.played, ", ".join(entry.players), stands, entry.name)
    return table


def show_game(word: str, *, as_json: bool, colour: bool | None) -> None:
    """The board of a kept game."""
    path = store.find(word)
    game = Game.load(path)
    if as_json:
        print(json.dumps({"file": str(path), "state": game.state(), "legal": game.legal}))
        return
    show(game, colour=colour)
    make_console(colour=colour).print(Text(f"Kept in {path}", style="dim"), soft_wrap=True)


def delete_games(words: Sequence[str], *, yes: bool) -> None:
    """Remove kept games, each once and only after a yes."""
    paths = list(dict.fromkeys(store.find(word) for word in words))
    if not yes:
        if not sys.stdin.isatty():
            raise BadRequest("games delete asks before it deletes; without a terminal say --yes.")
        names = ", ".join(path.stem for path in paths)
        if not _agreed(f"Delete {names} for good? (y/n) "):
            print("Nothing was deleted.")
            return
    for path in paths:
        store.delete(path)
        print(f"Deleted {path.stem}.")


def _agreed(question: str) -> bool:
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl+D is no answer
        print()
        return False
