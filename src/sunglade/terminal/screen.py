"""The screen between two actions: clock, board, player boards, the coming sun, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from sunglade.drawing import as_text
from sunglade.drawing.scene import Scene
from sunglade.game import Game
from sunglade.terminal import menu
from sunglade.terminal.animal_guide import guide
from sunglade.terminal.tables import action_list, narrow_forecast, next_sun

WIDE: Final = 120
"""From this width on, the forecast stands beside the board and all actions below it."""
BOARD_WIDTH: Final = 72
PROMPT_LINES: Final = 1
LEAST_NEWS: Final = 2
"""So many lines of news are shown even where the screen is too low."""


class Paper(Console):
    """Standard output."""

    def on_broken_pipe(self) -> None:
        """Whoever read the output has gone: the command line knows what to do then."""
        raise BrokenPipeError


def make_console(*, colour: bool | None = None) -> Console:
    """Standard output; `colour=False` as NO_COLOR would."""
    return Paper(highlight=False, no_color=True if colour is False else None)


def has_colour(console: Console) -> bool:
    """Whether colours reach the eye."""
    return console.color_system is not None and not console.no_color


def _drawn(lines: list[str]) -> Group:
    return Group(*(Text.from_ansi(line, no_wrap=True) for line in lines))


def board_view(console: Console, game: Game, names: Sequence[str]) -> Group:
    """Clock, board and player boards."""
    scene = Scene(game.record, names)
    colour = has_colour(console)
    return Group(
        Text(as_text.headline(scene), style="bold"),
        _drawn(as_text.board_lines(scene, colour=colour)),
        _drawn(as_text.player_lines(scene, colour=colour)),
    )


def _wide_view(console: Console, game: Game, names: Sequence[str]) -> Group:
    """The forecast beside the board."""
    scene = Scene(game.record, names)
    colour = has_colour(console)
    piles = [f"{pile[0]}×{len(pile)}" if pile else "none" for pile in scene.state["tokens"]]
    tokens = Text(f"tokens, 1 to 4 leaves: {' '.join(piles)}\n", style="dim")
    beside = Table.grid(padding=(0, 2))
    beside.add_column(width=BOARD_WIDTH, no_wrap=True)
    beside.add_column(no_wrap=True)
    lines = as_text.board_lines(scene, colour=colour, tokens=False)
    beside.add_row(_drawn(lines), Group(tokens, narrow_forecast(game)))
    players = as_text.player_lines(scene, colour=colour, width=console.width)
    return Group(Text(as_text.headline(scene), style="bold"), beside, _drawn(players))


def legend_view(game: Game, names: Sequence[str]) -> Text:
    """What the signs mean."""
    return Text("\n".join(as_text.legend_lines(Scene(game.record, names))))


def turn_view(console: Console, game: Game, names: Sequence[str], news: list[str]) -> RenderableType:
    """All that a player wants to see before deciding, as much of it as fits."""
    wide = console.width >= WIDE and game.phase == "turn"
    view = (_wide_view if wide else board_view)(console, game, names)
    room = console.height - _height(console, view) - LEAST_NEWS - PROMPT_LINES
    for below in _below(console, game, names, wide):
        if _height(console, below) <= room or not console.is_terminal:
            break
    return Group(view, *_latest(console, news, max(room - _height(console, below), 0) + LEAST_NEWS), below)


def _below(console: Console, game: Game, names: Sequence[str], wide: bool) -> Iterator[Group]:
    """What can be done and what the next sun brings: from all there is to say to next to nothing."""
    can = Text(f"You can: {menu.summary(game)}", style="dim")
    if game.phase == "draft":
        yield Group(Text(guide(game), style="dim"), can)
    if wide:
        yield Group(Text(""), action_list(game, console.width))
        yield Group(can)
        return
    coming = next_sun(game, names)
    sun = [Text(coming, style="yellow" if " lost" in coming else "dim")] if coming else []
    yield Group(*sun, can)
    yield Group(*sun)


def _height(console: Console, view: RenderableType) -> int:
    return len(console.render_lines(view, pad=False))


def _latest(console: Console, news: list[str], room: int) -> list[Text]:
    """The latest sentences; the older ones give way where the screen is low (`log` has them all)."""
    lines = [line for sentence in news for line in Text(sentence, style="italic").wrap(console, console.width - 2)]
    if len(lines) <= room or not console.is_terminal:
        return lines
    return [Text("… ").append_text(lines[-room]), *lines[len(lines) - room + 1 :]]
