"""A position on paper: board, player boards, rules (`sunglade show`)."""

from __future__ import annotations

from rich.text import Text

from sunglade import drawing
from sunglade.game import Game
from sunglade.terminal.edition_table import edition_name, option_name, option_value
from sunglade.terminal.screen import has_colour, make_console
from sunglade.terminal.seats import seats_of
from sunglade.words.speech import tell


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
    pairs = {tell("setup.edition"): edition_name(edition)}
    pairs |= {option_name(name): option_value(name, value) for name, value in options.items()}
    said = [tell("common.pair", name=name, value=value) for name, value in pairs.items()]
    return " · ".join([*said, tell("terminal.played", count=len(game.actions))])
