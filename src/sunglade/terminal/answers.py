"""Forecast, scores, log and help as tables and text for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sunglade import kernel
from sunglade.drawing.as_text import moon_sign, short_name, sun_name
from sunglade.drawing.scene import victory
from sunglade.forecast import RoundAhead
from sunglade.game import Game
from sunglade.notation import SEATS
from sunglade.terminal import menu
from sunglade.terminal.news import ended, new_round
from sunglade.terminal.store import command
from sunglade.terminal.words import told
from sunglade.words.speech import isolated, tell

if TYPE_CHECKING:
    from sunglade.words.keys import Key

ACTIONS_HELP: Final[tuple[tuple[str, str, Key], ...]] = (
    ("buy seed", "b seed", "terminal.help.buy"),
    ("plant a1 b2", "p a1 b2", "terminal.help.plant"),
    ("grow c3", "g c3", "terminal.help.grow"),
    ("collect c3", "c c3", "terminal.help.collect"),
    ("step c5", "s c5", "terminal.help.step"),
    ("end", "e", "terminal.help.end"),
    ("c3", "", "terminal.help.space"),
    ("grow a3; end", "", "terminal.help.several"),
)
COMMANDS_HELP: Final[tuple[tuple[str, str, Key], ...]] = (
    ("list", "l", "terminal.help.list"),
    ("forecast", "f", "terminal.help.forecast"),
    ("score", "", "terminal.help.score"),
    ("log", "", "terminal.help.log"),
    ("last", "", "terminal.help.last"),
    ("why grow c3", "", "terminal.help.why"),
    ("hint", "", "terminal.help.hint"),
    ("value", "", "terminal.help.value"),
    ("undo", "u", "terminal.help.undo"),
    ("redo", "r", "action.redo"),
    ("restart", "", "action.restart"),
    ("save {FILE}", "", "terminal.help.save"),
    ("load {FILE}", "", "start.file"),
    ("legend", "", "terminal.help.legend"),
    ("animals", "", "terminal.help.animals"),
    ("board", "", "terminal.help.board"),
    ("Enter", "", "terminal.help.enter"),
    ("quit", "q", "terminal.help.quit"),
)
"""What can be typed, its short form, and the message that explains it."""


def help_table() -> RenderableType:
    """All that can be typed. Its words are those of the notation, in every language."""
    return Group(Text(tell("terminal.help.intro")), _help(ACTIONS_HELP), Text(""), _help(COMMANDS_HELP))


def _help(rows: Sequence[tuple[str, str, Key]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, min_width=13)
    table.add_column(no_wrap=True, min_width=7)
    table.add_column(overflow="fold")
    for typed, short, meaning in rows:
        commands = {"resume": command("play --resume"), "games": command("games"), "over": "save!"}
        table.add_row(f"  {typed.format(FILE=tell('terminal.word.file'))}", short, tell(meaning, **commands))
    return table


def light_sum(ahead: RoundAhead, p: int) -> str:
    """A coming round for one player: "+5 → 17", or in full where the cap takes something: "18 + 5 → 20, 3 lost"."""
    if not ahead.lost[p]:
        return f"+{ahead.income[p]} → {ahead.light[p]}"
    had = ahead.light[p] + ahead.lost[p] - ahead.income[p]
    return tell("forecast.lost", have=had, income=ahead.income[p], light=ahead.light[p], count=ahead.lost[p])


def next_sun(game: Game, names: Sequence[str]) -> str:
    """The coming round in one line: every player's light, and who begins."""
    if game.phase != "turn":
        return ""
    ahead = game.forecast()[0]
    if not ahead.played:
        return tell("table.lastRound")
    sums = [f"{isolated(name)} {isolated(light_sum(ahead, p))}" for p, name in enumerate(names)]
    begins = tell("sunrise.next", player=names[kernel.next_first(game.now)])
    return " · ".join([tell("terminal.next_sun", sun=sun_name(ahead.sun)), *sums, begins])


def light_will_be_lost(game: Game) -> bool:
    """Whether the coming sun brings somebody more than may be held."""
    if game.phase != "turn":
        return False
    ahead = game.forecast()[0]
    return ahead.played and any(ahead.lost)


def forecast_table(game: Game, names: Sequence[str]) -> RenderableType:
    """The coming six suns if nobody acts: light and losses, the moon, what stands in shade or moonlight."""
    rounds = game.forecast()
    parts: list[RenderableType] = [_light_table(rounds, names)]
    if rounds[0].moon:
        parts.append(_moon_table(rounds, names))
    parts += [Text(line) for line in _shade_lines(rounds) + _moonlight_lines(rounds)]
    return Group(*parts)


def _table(*columns: str, breaking: Collection[str] = ()) -> Table:
    """With these headings; only the columns `breaking` may need several lines."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for column in columns:
        table.add_column(column, no_wrap=column not in breaking, overflow="fold")
    return table


def _light_table(rounds: list[RoundAhead], names: Sequence[str]) -> Table:
    called = [short_name(name) for name in names]
    table = _table(tell("term.round"), tell("term.sun"), *called, breaking=called)
    for ahead in rounds:
        sums = [Text(_light_cell(ahead, p, len(names)), _light_style(ahead, p)) for p, _ in enumerate(names)]
        table.add_row(_round(ahead), sun_name(ahead.sun), *sums, style="" if ahead.played else "dim")
    return table


def _light_cell(ahead: RoundAhead, p: int, players: int) -> str:
    """In full for two players; shorter where the line must hold more."""
    return light_sum(ahead, p) if players == 2 else _narrow_light(ahead, p)


def _light_style(ahead: RoundAhead, p: int) -> str:
    return "bold yellow" if ahead.lost[p] else ""


def _round(ahead: RoundAhead) -> str:
    """The number of a round, in brackets when the game will be over."""
    return str(ahead.round) if ahead.played else f"({ahead.round})"


def _moon_table(rounds: list[RoundAhead], names: Sequence[str]) -> Table:
    called = [short_name(name) for name in names]
    table = _table(tell("term.round"), tell("terminal.moon"), *called, breaking=called)
    for ahead in rounds:
        if ahead.moon:
            lunar = [f"+{more} → {then}" for more, then in zip(ahead.moon.income, ahead.moon.lunar, strict=True)]
            moon = f"{ahead.moon.at:2} {moon_sign(ahead.moon.full)}"
            table.add_row(_round(ahead), moon, *lunar, style="" if ahead.played else "dim")
    return table


def narrow_forecast(game: Game) -> Text:
    """The same beside the board, by seats: light after each sun, what is lost, lunar points."""
    rounds = game.forecast()
    seats = range(game.players)
    text = Text()
    text += _narrow_row(f"{tell('term.round'):5} {tell('term.sun')}", SEATS[: game.players], "dim")
    for ahead in rounds:
        label = f"{_round(ahead):5} {sun_name(ahead.sun)}"
        lost = any(ahead.lost)
        text += _narrow_row(label, [_narrow_light(ahead, p) for p in seats], "bold yellow" if lost else "")
    if rounds[0].moon:
        text.append("\n")
        text += _narrow_row(f"{tell('term.round'):5} {tell('terminal.moon')}", SEATS[: game.players], "dim")
    for ahead in rounds:
        if ahead.moon:
            label = f"{_round(ahead):5} {ahead.moon.at:2} {moon_sign(ahead.moon.full)}"
            text += _narrow_row(label, [f"+{ahead.moon.income[p]}→{ahead.moon.lunar[p]}" for p in seats])
    return text


def _narrow_row(label: str, cells: Sequence[str], style: str = "") -> Text:
    return Text(f"{label:13}{''.join(f'{cell:8}' for cell in cells)}".rstrip() + "\n", style=style)


def _narrow_light(ahead: RoundAhead, p: int) -> str:
    return f"+{ahead.income[p]}→{ahead.light[p]}" + (f"−{ahead.lost[p]}" if ahead.lost[p] else "")


def _shade_lines(rounds: list[RoundAhead]) -> list[str]:
    """Which trees will stand in shade, and what shades them."""
    dark = [(ahead.round, ahead.shaded) for ahead in rounds if ahead.shaded and ahead.played]
    trees = [(number, ", ".join(f"{tree} ({' '.join(by)})" for tree, by in shaded.items())) for number, shaded in dark]
    return [_of_round(number, "a11y.shaded", said) for number, said in trees]


def _of_round(number: int, what: Key, spaces: str) -> str:
    return tell("common.pair", name=f"{tell('terminal.round', round=number)}, {tell(what)}", value=spaces)


def _moonlight_lines(rounds: list[RoundAhead]) -> list[str]:
    lit = {ahead.round: ahead.moon.lit for ahead in rounds if ahead.moon and ahead.played}
    return [_of_round(number, "a11y.moonlit", " ".join(spaces)) for number, spaces in lit.items()]


def score_table(game: Game, names: Sequence[str]) -> Table:
    """What points are made of (R-END-1), the best first; more pieces on the board break a tie (R-END-2)."""
    moon = "moon" in game.rules.modules
    tokens, light, lunar = tell("player.tokens"), tell("terminal.light"), tell("terminal.lunar")
    headings = (tokens, "=", light, *([lunar] if moon else []), tell("terminal.points"), tell("terminal.pieces"))
    table = _table("", *headings, breaking=[tokens])
    players = game.state()["players"]
    scores = game.scores()
    ranking = sorted(range(game.players), key=lambda p: (-scores[p].total, -scores[p].pieces))
    for p in ranking:
        s, own = scores[p], players[p]
        won = game.winners is not None and p in game.winners
        leftover = f"{own['light']} → +{s.leftover}"
        table.add_row(
            short_name(names[p]),
            " ".join(map(str, own["tokens"])) or "–",
            str(s.tokens),
            leftover,
            *([f"+{s.moon}"] if moon else []),
            str(s.total),
            str(s.pieces),
            style="bold" if won else "",
        )
    return table


def verdict(game: Game, names: Sequence[str]) -> str:
    """Who won (R-END-2)."""
    return victory([names[p] for p in game.winners or []])


def action_list(game: Game, width: int) -> Text:
    """The legal actions in groups, a number or words before each; no entry is broken."""
    groups = menu.groups(game)
    indent = min(max(cell_len(title) for title, _ in groups) + 2, width // 4)
    text = Text()
    for title, entries in groups:
        text.append(title, style="bold")
        text.append(" " * (indent - cell_len(title)) if cell_len(title) + 1 < indent else f"\n{'':{indent}}")
        column = indent
        for typed, label in entries:
            length = cell_len(typed) + 1 + cell_len(label)
            if column > indent and column + length > width:
                text.append(f"\n{'':{indent}}")
                column = indent
            text.append(typed, style="cyan")
            text.append(f" {label}   ")
            column += length + 3
        text.append("\n")
    text.rstrip()
    return text


def log_lines(game: Game, names: Sequence[str], last: int) -> list[str]:
    """The last actions, each told, with a line for every new round."""
    return _told_lines(game, names, 0)[-last:]


def last_turns(game: Game, names: Sequence[str]) -> list[str]:
    """All that the others did since the turn before of the player to act."""
    movers = [position.player for position, _ in zip(game.replay(), game.actions, strict=False)]
    end = len(movers)
    while end and movers[end - 1] == game.player:
        end -= 1
    first = end
    while first and movers[first - 1] != game.player:
        first -= 1
    return _told_lines(game, names, first, end)


def _told_lines(game: Game, names: Sequence[str], first: int, end: int | None = None) -> list[str]:
    """Actions from one place to another, each told, with a line for every new round."""
    lines: list[str] = []
    steps = list(game.replay())
    for before, line, after in list(zip(steps, game.actions, steps[1:], strict=False))[first:end]:
        seat = before.player
        assert seat is not None, "an action was played"
        lines.append(ended(told(before, line, after, names)))
        if after.round != before.round:
            lines.append(f"— {new_round(after)} —")
    return lines
