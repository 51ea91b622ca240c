"""Forecast, scores, log and help as tables and text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sunglade import kernel
from sunglade.drawing.as_text import short_name, sun_name
from sunglade.forecast import RoundAhead
from sunglade.game import Game
from sunglade.notation import SEATS
from sunglade.terminal import menu
from sunglade.terminal.words import joined, told

HELP: Final = """\
Type an action as words, as a short form, or as its number in the list:
  buy seed       b seed     buy a piece: seed, small, medium, large
  plant a1 b2    p a1 b2    from the tree on a1 a seed to b2
  grow c3        g c3       the next size on c3; buys it first if you say so
  collect c3     c c3       take the scoring token for a large tree
  step c5        s c5       move your animal; abilities: hunt 1, scare owl c4 …
  end            e          end your turn
  c3                        all about a space, and what you can do there
Several at once: grow a3; buy seed; end. In the set-up an animal's name will do.

  list      l    every legal action with its number      (Tab completes words)
  forecast  f    the coming six suns: light, losses, shade, moon
  score          what everybody's points are made of
  log            what was done so far (log 20: the last twenty)
  last           all that the others did since your last turn
  why grow c3    why an action is not possible
  hint           what the strongest bot would do, and what that brings
  value          everybody's chance of winning (value on, value off: always)
  undo u, redo r, restart     back in your turn; against bots before it, too
  save FILE, load FILE        games are kept by themselves; save! overwrites
  legend, animals             what the signs mean, what the animals can do
  board          everything, where the window has no room for all of it
  Enter          draw the screen again, as Ctrl+L does; Ctrl+Z suspends
  quit      q    leave; `sunglade play --resume` goes on, `sunglade games` lists\
"""


def light_sum(ahead: RoundAhead, p: int) -> str:
    """A coming round for one player: "+5 → 17", or in full where the cap takes something: "18 + 5 → 20, 3 lost"."""
    if not ahead.lost[p]:
        return f"+{ahead.income[p]} → {ahead.light[p]}"
    had = ahead.light[p] + ahead.lost[p] - ahead.income[p]
    return f"{had} + {ahead.income[p]} → {ahead.light[p]}, {ahead.lost[p]} lost"


def next_sun(game: Game, names: Sequence[str]) -> str:
    """The coming round in one line: every player's light, and who begins."""
    if game.phase != "turn":
        return ""
    ahead = game.forecast()[0]
    if not ahead.played:
        return "This is the last round: collect what you can."
    sums = " · ".join(f"{name} {light_sum(ahead, p)}" for p, name in enumerate(names))
    return f"Next sun {sun_name(ahead.sun)}: {sums} · {names[kernel.next_first(game.now)]} begins"


def forecast_table(game: Game, names: Sequence[str]) -> RenderableType:
    """The coming six suns if nobody acts: light and losses, the moon, what stands in shade or moonlight."""
    rounds = game.forecast()
    parts: list[RenderableType] = [_light_table(rounds, names)]
    if rounds[0].moon:
        parts.append(_moon_table(rounds, names))
    parts += [Text(line) for line in _shade_lines(rounds) + _moonlight_lines(rounds)]
    return Group(*parts)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in columns:
        table.add_column(column, no_wrap=column != "tokens")  # of those there may be many
    return table


def _light_table(rounds: list[RoundAhead], names: Sequence[str]) -> Table:
    table = _table("round", "sun", *map(short_name, names))
    for ahead in rounds:
        sums = [Text(_light_cell(ahead, p, len(names)), _light_style(ahead, p)) for p, _ in enumerate(names)]
        table.add_row(_round(ahead), sun_name(ahead.sun), *sums, style="" if ahead.played else "dim")
    return table


def _light_cell(ahead: RoundAhead, p: int, players: int) -> str:
    """In full for two players; shorter where the line must hold more."""
    if players == 2 or not ahead.lost[p]:
        return light_sum(ahead, p)
    lost = f", {ahead.lost[p]} lost" if players == 3 else f" −{ahead.lost[p]}"
    return f"+{ahead.income[p]} → {ahead.light[p]}{lost}"


def _light_style(ahead: RoundAhead, p: int) -> str:
    return "bold yellow" if ahead.lost[p] else ""


def _round(ahead: RoundAhead) -> str:
    """The number of a round, in brackets when the game will be over."""
    return str(ahead.round) if ahead.played else f"({ahead.round})"


def _moon_table(rounds: list[RoundAhead], names: Sequence[str]) -> Table:
    table = _table("round", "moon", *map(short_name, names))
    for ahead in rounds:
        if ahead.moon:
            lunar = [f"+{more} → {then}" for more, then in zip(ahead.moon.income, ahead.moon.lunar, strict=True)]
            phase = "full" if ahead.moon.full else "crescent"
            table.add_row(_round(ahead), f"{ahead.moon.at:2} {phase}", *lunar, style="" if ahead.played else "dim")
    return table


def narrow_forecast(game: Game) -> Text:
    """The same beside the board, by seats: light after each sun, what is lost, lunar points."""
    rounds = game.forecast()
    seats = range(game.players)
    text = Text()
    text += _narrow_row("round sun", SEATS[: game.players], "dim")
    for ahead in rounds:
        label = f"{_round(ahead):5} {sun_name(ahead.sun)}"
        lost = any(ahead.lost)
        text += _narrow_row(label, [_narrow_light(ahead, p) for p in seats], "bold yellow" if lost else "")
    if rounds[0].moon:
        text.append("\n")
        text += _narrow_row("round moon", SEATS[: game.players], "dim")
    for ahead in rounds:
        if ahead.moon:
            label = f"{_round(ahead):5} {ahead.moon.at:2} {'O' if ahead.moon.full else ')'}"
            text += _narrow_row(label, [f"+{ahead.moon.income[p]}→{ahead.moon.lunar[p]}" for p in seats])
    return text


def _narrow_row(label: str, cells: Sequence[str], style: str = "") -> Text:
    return Text(f"{label:13}{''.join(f'{cell:8}' for cell in cells)}".rstrip() + "\n", style=style)


def _narrow_light(ahead: RoundAhead, p: int) -> str:
    return f"+{ahead.income[p]}→{ahead.light[p]}" + (f"−{ahead.lost[p]}" if ahead.lost[p] else "")


def _shade_lines(rounds: list[RoundAhead]) -> list[str]:
    """Which trees will stand in shade, and what shades them."""
    dark = [(ahead.round, ahead.shaded) for ahead in rounds if ahead.shaded and ahead.played]
    trees = [
        (number, ", ".join(f"{tree} (by {' '.join(by)})" for tree, by in shaded.items())) for number, shaded in dark
    ]
    return [f"round {number} in shade: {said}" for number, said in trees]


def _moonlight_lines(rounds: list[RoundAhead]) -> list[str]:
    return [
        f"round {ahead.round} moonlight: {' '.join(ahead.moon.lit)}" for ahead in rounds if ahead.moon and ahead.played
    ]


def score_table(game: Game, names: Sequence[str]) -> Table:
    """What points are made of (R-END-1), the best first; more pieces on the board break a tie (R-END-2)."""
    moon = "moon" in game.rules.modules
    table = _table("", "tokens", "sum", "light", *(["moon"] if moon else []), "points", "pieces")
    players = game.state()["players"]
    scores = game.scores()
    ranking = sorted(range(game.players), key=lambda p: (-scores[p].total, -scores[p].pieces))
    for p in ranking:
        s, own = scores[p], players[p]
        lunar = [f"+{s.moon}"] if moon else []
        tokens = " ".join(map(str, own["tokens"])) or "none"
        won = game.winners is not None and p in game.winners
        leftover = f"{own['light']} → +{s.leftover}"
        table.add_row(
            short_name(names[p]),
            tokens,
            str(s.tokens),
            leftover,
            *lunar,
            str(s.total),
            str(s.pieces),
            style="bold" if won else "",
        )
    return table


def verdict(game: Game, names: Sequence[str]) -> str:
    """Who won (R-END-2)."""
    winners = [names[p] for p in game.winners or []]
    return f"{joined(winners)} {'wins' if len(winners) == 1 else 'share the win'}."


def action_list(game: Game, width: int) -> Text:
    """The legal actions in groups, a number or words before each; no entry is broken."""
    groups = menu.groups(game)
    indent = max(len(title) for title, _ in groups) + 2
    text = Text()
    for title, entries in groups:
        text.append(f"{title:{indent}}", style="bold")
        column = indent
        for typed, label in entries:
            length = len(typed) + 1 + len(label)
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
        lines.append(f"{names[seat]} {told(before, line, after)}.")
        if after.round != before.round:
            lines.append(f"— round {after.round}, sun at {sun_name(after.now.sun)} —")
    return lines
