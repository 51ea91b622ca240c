"""The screen between two actions: clock, board, player boards, the coming sun, and what can be done."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich import _wrap
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from sunglade.drawing import as_text
from sunglade.drawing.scene import Scene
from sunglade.game import Game
from sunglade.terminal import menu
from sunglade.terminal.animal_guide import guide
from sunglade.terminal.answers import action_list, light_will_be_lost, narrow_forecast, next_sun
from sunglade.words.speech import tell

_wrap.re_word = re.compile(r"[^\S\xa0\u202f]*[\S\xa0\u202f]+[^\S\xa0\u202f]*")
"""Rich would break lines at no-break spaces, too, and French has one before a colon."""

if TYPE_CHECKING:
    from sunglade.words.keys import Key

WIDE: Final = 120
"""From this width on, the forecast stands beside the board and all actions below it."""
BOARD_WIDTH: Final = 72
PROMPT_LINES: Final = 1
MORE: Final = "terminal.more.board"
"""Said where token piles or the like have no room: the command draws everything, however long."""
LEAST_NEWS: Final = 2
"""So many lines of news are shown before the rest has to become less for them."""


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
    scene = Scene(game.now, names)
    if console.is_terminal and console.width < as_text.WIDTH:
        return _narrow_view(console, scene, range(game.players))
    colour = has_colour(console)
    return Group(
        _headline(console, scene),
        _drawn(as_text.board_lines(scene, colour=colour)),
        _drawn(as_text.player_lines(scene, colour=colour)),
    )


def _narrow_view(console: Console, scene: Scene, seats: Collection[int]) -> Group:
    """The same in 60 columns: no rim, no token piles, no prices. A window narrower than the board is told so."""
    colour = has_colour(console)
    if console.width < as_text.NARROW:
        return Group(_headline(console, scene), Text(tell("terminal.narrow", columns=as_text.NARROW), style="red"))
    lines = [line for line in as_text.board_lines(scene, colour=colour, tokens=False, rim=False) if line.strip()]
    moon = [Text(as_text.moon_line(scene), style="dim")] if scene.has_moon else []
    players = as_text.narrow_player_lines(scene, colour=colour, seats=seats)
    return Group(_headline(console, scene), *moon, _drawn(lines), _drawn(players))


def _headline(console: Console, scene: Scene) -> Text:
    """Clock and who acts, on a terminal in one line whatever the names are."""
    line = as_text.headline(scene, console.width if console.is_terminal else None)
    return Text(line, style="bold", no_wrap=console.is_terminal, overflow="ellipsis")


def _low_view(
    console: Console, game: Game, names: Sequence[str], *, heading: bool = True, detailed: Collection[int] = ()
) -> Group:
    """The same without token piles and empty lines, and with less about the players."""
    scene = Scene(game.now, names)
    colour = has_colour(console)
    board = [line for line in as_text.board_lines(scene, colour=colour, tokens=False) if line.strip()]
    players = as_text.player_lines(scene, colour=colour, heading=heading, detailed=detailed)
    return Group(_headline(console, scene), _drawn(board), _drawn(players))


def _wide_view(console: Console, game: Game, names: Sequence[str]) -> Group:
    """The forecast beside the board."""
    scene = Scene(game.now, names)
    colour = has_colour(console)
    piles = [
        f"{leaves} {pile[0]}×{len(pile)}" if pile else f"{leaves} –"
        for leaves, pile in zip(as_text.LEAF_DOTS[1:], scene.state["tokens"], strict=True)
    ]
    tokens = Text(tell("common.pair", name=tell("player.tokens"), value=", ".join(piles)) + "\n", style="dim")
    beside = Table.grid(padding=(0, 2))
    beside.add_column(width=BOARD_WIDTH, no_wrap=True)
    beside.add_column(no_wrap=True)
    lines = as_text.board_lines(scene, colour=colour, tokens=False)
    beside.add_row(_drawn(lines), Group(tokens, narrow_forecast(game)))
    players = as_text.player_lines(scene, colour=colour, width=console.width)
    return Group(_headline(console, scene), beside, _drawn(players))


def legend_view(console: Console, game: Game, names: Sequence[str]) -> Text:
    """What the signs mean."""
    return Text("\n".join(as_text.legend_lines(Scene(game.now, names), min(console.width, as_text.WIDTH))))


def turn_view(
    console: Console, game: Game, names: Sequence[str], news: list[str], below: Sequence[Text] = ()
) -> RenderableType:
    """All that a player wants to see before deciding, as much of it as fits: clock, choices and `below` always."""
    wanted = len(_news_lines(console, news))
    for layout in _layouts(console, game, names):
        room = console.height - PROMPT_LINES - _height(console, Group(layout.above, layout.below, *below))
        if room >= min(layout.news, wanted) or not console.is_terminal:
            break
    return Group(layout.above, *_latest(console, news, max(room, 0)), layout.below, *below)


class Layout(NamedTuple):
    """What stands above and below the news, and how many lines of news it must leave room for."""

    above: Group
    below: Group
    news: int = LEAST_NEWS


def _layouts(console: Console, game: Game, names: Sequence[str]) -> Iterator[Layout]:
    """From all there is to say down to clock, board, light and choices. What is left out is told with the choices."""
    can = _choices(menu.summary(game))
    if console.is_terminal and console.width < as_text.WIDTH:
        yield from _narrow_layouts(console, game, names)
        return
    if console.width >= WIDE and game.phase == "turn":
        wide = _wide_view(console, game, names)
        yield Layout(wide, Group(Text(""), action_list(game, console.width)))
        yield Layout(wide, Group(can))
    full = board_view(console, game, names)
    if game.phase == "draft":
        yield Layout(full, Group(Text(guide(game), style="dim"), can))
    coming = next_sun(game, names)
    sun = [Text(coming, style="yellow" if light_will_be_lost(game) else "dim")] if coming else []
    yield Layout(full, Group(*sun, can))
    yield Layout(full, Group(*sun, can), news=1)
    yield from _low_layouts(console, game, names, Group(*sun, _choices(menu.summary(game), MORE)))


def _narrow_layouts(console: Console, game: Game, names: Sequence[str]) -> Iterator[Layout]:
    """For windows that have no room for prices and token piles."""
    scene = Scene(game.now, names)
    narrow = _narrow_view(console, scene, range(game.players))
    can = Group(_choices(menu.summary(game), "terminal.more.prices"))
    brief = Group(_choices(menu.brief(game), "terminal.more.columns"))
    yield Layout(narrow, can)
    yield Layout(narrow, can, news=1)
    yield Layout(narrow, brief, news=1)
    yield Layout(narrow, brief, news=0)
    alone = _narrow_view(console, scene, [] if game.player is None else [game.player])
    yield Layout(alone, Group(_choices(menu.brief(game), "terminal.more.others")), news=0)


def _low_layouts(console: Console, game: Game, names: Sequence[str], below: Group) -> Iterator[Layout]:
    """For screens of few lines: token piles go first, then what players have beside light and pieces."""
    on_turn = [] if game.player is None else [game.player]
    for detailed in (range(game.players), on_turn):
        yield Layout(_low_view(console, game, names, detailed=detailed), below, news=1)
    lean = _low_view(console, game, names)
    yield Layout(lean, below, news=1)
    can = Group(_choices(menu.summary(game), MORE))
    yield Layout(lean, can, news=1)
    yield Layout(lean, can, news=0)
    brief = Group(_choices(menu.brief(game), MORE))
    yield Layout(lean, brief, news=0)
    yield Layout(_low_view(console, game, names, heading=False), brief, news=0)


def _choices(what: str, left_out: Key | None = None) -> Text:
    said = tell("terminal.you_can", what=what)
    return Text(f"{said} ({tell(left_out, columns=as_text.WIDTH)})" if left_out else said, style="dim")


def _height(console: Console, view: RenderableType) -> int:
    return len(console.render_lines(view, pad=False))


def _news_lines(console: Console, news: list[str]) -> list[Text]:
    return [line for sentence in news for line in Text(sentence, style="italic").wrap(console, console.width - 2)]


def _latest(console: Console, news: list[str], room: int) -> list[Text]:
    """The latest sentences; the older ones give way where the screen is low (`log` has them all)."""
    lines = _news_lines(console, news)
    if len(lines) <= room or not console.is_terminal:
        return lines
    latest = lines[len(lines) - room :]
    return [Text("… ").append_text(latest[0]), *latest[1:]] if latest else []
