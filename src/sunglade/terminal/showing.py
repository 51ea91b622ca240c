"""A position on paper: board, player boards, rules (`sunglade show`)."""

from __future__ import annotations

from rich.text import Text

from sunglade import drawing
from sunglade.game import Game
from sunglade.terminal.screen import has_colour, make_console
from sunglade.terminal.seats import seats_of


def show(game: Game, *, colour: bool | None = None) -> None:
    """Print the position and what was agreed."""
    console = make_console(colour=colour)
    names = [seat.name for seat in seats_of(game)]
    picture = drawing.text(game.now, colour=has_colour(console), names=names)
    for line in picture.split("\n"):
        console.print(Text.from_ansi(line), soft_wrap=True)
    console.print(Text(f"\n{rules_line(game)}\n{game.redacted().position()}", style="dim"), soft_wrap=True)


def rules_line(game: Game) -> str:
    """Edition, what differs from it, and how far the game is."""
    options = game.rules.to_dict()
    edition = options.pop("edition")
    changed = [f"{name} {_said(value)}" for name, value in options.items()]
    return f"Edition {edition}{''.join(f', {change}' for change in changed)} · {len(game.actions)} actions played"


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value).lower()
