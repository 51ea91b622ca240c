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
from sunglade.terminal.right_to_left import of_prompt
from sunglade.terminal.screen import make_console
from sunglade.terminal.seats import seats_of
from sunglade.terminal.showing import show
from sunglade.terminal.yes_no import is_yes, yes_and_no
from sunglade.terminal_folder import games_folder
from sunglade.words import key
from sunglade.words.speech import tell

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
        return Entry(number, path.stem, "", [], tell("terminal.games.unreadable"), False, False, str(path))
    names = [seat.name for seat in seats_of(game)]
    return Entry(number, path.stem, played, names, _stands(game, names), game.over, store.is_open(path), str(path))


def _stands(game: Game, names: Sequence[str]) -> str:
    """How far a game is, in a few words."""
    if game.over:
        return answers.verdict(game, names).rstrip(".")
    if not game.round:
        return tell("terminal.games.setup")
    return tell("table.round", round=game.round, rounds=game.rules.rounds)


def list_games(*, everything: bool, as_json: bool, colour: bool | None) -> None:
    """Print the kept games, with the number that `--resume` takes."""
    found = entries(None if everything else NEWEST)
    if as_json:
        print(json.dumps({"folder": str(games_folder()), "games": [asdict(entry) for entry in found]}))
        return
    console = make_console(colour=colour)
    if not found:
        console.print(Text(tell("terminal.games.none", folder=games_folder())), soft_wrap=True)
        return
    console.print(_table(found))
    more = len(store.kept_games()) - len(found)
    if more:
        console.print(Text(tell("terminal.games.older", count=more, option="--all"), style="dim"))
    console.print(Text(tell("terminal.games.folder", folder=games_folder()), style="dim"), soft_wrap=True)
    commands = {"command": store.command("play --resume 1"), "show": "games show 1", "delete": "games delete 1"}
    console.print(Text(tell("terminal.games.how", **commands), style="dim"), soft_wrap=True)


def _table(found: Sequence[Entry]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column()
    for column in ("played", "players", "stands", "name"):
        heading = tell(key(f"terminal.games.column.{column}"))
        table.add_column(heading, overflow="fold", no_wrap=column in ("played", "name"))  # names are copied
    for entry in found:
        stands = tell("terminal.games.open", stands=entry.stands) if entry.open else entry.stands
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
    make_console(colour=colour).print(Text(tell("terminal.games.kept_in", file=path), style="dim"), soft_wrap=True)


def delete_games(words: Sequence[str], *, yes: bool) -> None:
    """Remove kept games, each once and only after a yes."""
    paths = list(dict.fromkeys(store.find(word) for word in words))
    if not yes:
        if not sys.stdin.isatty():
            raise BadRequest(tell("terminal.games.say_yes", command="games delete", option="--yes"))
        names = ", ".join(path.stem for path in paths)
        if not _agreed(f"{tell('terminal.games.delete', games=names, **yes_and_no())} "):
            print(tell("terminal.games.not_deleted"))
            return
    for path in paths:
        store.delete(path)
        print(tell("terminal.games.deleted", game=path.stem))


def _agreed(question: str) -> bool:
    try:
        return is_yes(input(of_prompt(question)).strip())
    except EOFError:  # Ctrl+D is no answer
        print()
        return False
