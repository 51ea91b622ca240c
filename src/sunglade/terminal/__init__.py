"""The game in the terminal: hot seat and against bots (`sunglade play`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from sunglade import bots
from sunglade.game import Game
from sunglade.terminal import store
from sunglade.terminal.reader import make_reader
from sunglade.terminal.screen import make_console
from sunglade.terminal.seats import Seat, seats, seats_of
from sunglade.terminal.session import Session
from sunglade.words.speech import tell

__all__ = ["Seat", "play", "prepare", "resume", "seats", "seats_of"]


def play(
    game: Game,
    table: list[Seat],
    *,
    colour: bool | None = None,
    file: Path | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Sit down at a game and play it. It is kept after every action: in `file` if that is a kept game already, which
    no other terminal may play then, otherwise in a new one, and `save` writes `file`."""
    kept = file if file is not None and store.is_kept(file) else None
    with closing(store.Keeper(kept)) as keeper:
        keeper.open()
        if kept is not None:
            game = Game.load(kept)  # another terminal may have played it until now
        prepare_bots(game, table)
        own = None if kept else file
        Session(game, table, make_console(colour=colour), make_reader(), keeper, file=own, notes=notes).run()


def resume(word: str = "", *, colour: bool | None = None) -> None:
    """Go on with a kept game: the one that a number or name means, or the newest that is not over."""
    path, game, damaged = store.resumable(word)
    notes = [tell("terminal.damaged", reason=f"{why}.") for why in damaged]
    play(game, seats_of(game), colour=colour, file=path, notes=notes)


def prepare_bots(game: Game, table: Sequence[Seat]) -> None:
    """Let every kind of bot get ready behind a bar that goes away: one that searches may have to be compiled, once."""
    console = Console(stderr=True)
    columns = (
        TextColumn(tell("terminal.preparing.bots")),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    kinds = sorted({seat.kind for seat in table if not seat.is_human and seat.command is None})
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        for kind in kinds:
            progress.update(task, description=kind)
            bots.check(bots.make(kind), kind, game.players, game.rules)


def prepare() -> None:
    """Compile the rules if that was not done yet, behind a bar that goes away; quick otherwise."""
    from sunglade import warm

    console = Console(stderr=True)
    columns = (TextColumn(tell("terminal.preparing.rules")), BarColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("")
        warm.compile_kernel(lambda _, done, total: progress.update(task, completed=done, total=total))
