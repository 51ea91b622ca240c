"""The board and the player boards as text. Letters and signs carry everything; colour only makes it nicer."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sunglade import board
from sunglade.drawing.canvas import BOLD, FAINT, PLAIN, Canvas, Style
from sunglade.drawing.scene import Scene, Space
from sunglade.kernel import Record
from sunglade.kernel.printed import SEED, SIZES
from sunglade.names import shortened
from sunglade.notation import SEATS
from sunglade.words import key
from sunglade.words.speech import isolated, tell

if TYPE_CHECKING:
    import numpy as np

    from sunglade.words.keys import Key

WIDTH: Final = 80
CELL: Final = 8
"""Columns of a space: seven to write on and one between two spaces. A row is half of it beside the next one."""
LINES: Final = 2
LEFT: Final = 9
"""Column where the longest row begins; the rim has the room before it."""
RIM: Final = 2
"""Column where the rim begins, after the letter of the row."""
NARROW_LEFT: Final = 2
NARROW: Final = NARROW_LEFT + CELL * 7
"""Columns that the board takes without its rim."""
TOP: Final = 1
COLUMNS: Final = (11, 11, 9, 7)
"""How wide the columns of a player board are."""
NAME: Final = 11
"""How wide the column of names is: an Italian player has so many letters."""

LEAF_DOTS: Final = ("", ".", ":", ":.", "::")
"""As many dots as the soil has leaves."""
ARROWS: Final = ("↘", "↙", "←", "↖", "↗", "→")
"""Which way light runs from each sun position (R-BOARD-3)."""
SHADE: Final = "▒"

SOIL: Final = (None, 187, 150, 107, 64)
SOIL_IN_SHADE: Final = (None, 144, 108, 65, 22)
DARK_INK, LIGHT_INK = 235, 255
SEAT_STYLES: Final = (
    Style(255, 25, bold=True),
    Style(255, 28, bold=True),
    Style(255, 166, bold=True),
    Style(16, 220, bold=True),
)
SUN_STYLE: Final = Style(220, bold=True)
MOON_STYLE: Final = Style(117, bold=True)
FENCE: Final = Style(faint=True, unseen_in_colour=True)
MOONLIGHT: Final = Style(18, 153, bold=True)


def text(
    record: Record | np.record,
    *,
    colour: bool = False,
    width: int = WIDTH,
    names: Sequence[str] = (),
    legend: bool = True,
) -> str:
    """The position as text: clock, board, player boards, legend. `colour` adds escape sequences for terminals."""
    scene = Scene(record, names)
    lines = [headline(scene), *board_lines(scene, colour=colour), "", *player_lines(scene, colour=colour, width=width)]
    if legend:
        lines += ["", *legend_lines(scene, width)]
    return "\n".join(lines)


def headline(scene: Scene, width: int | None = None) -> str:
    """Clock, sun and who acts, in one line; where that has no room, the same in fewer words."""
    sun = sun_name(scene.sun)
    full = f"{scene.clock()} · {tell('common.pair', name=tell('term.sun'), value=sun)} · {scene.who()}"
    if width is None or len(full) <= width:
        return full
    now, last = scene.state["round"], scene.state["rounds"]
    acting = scene.who() if scene.phase == "over" else scene.names[scene.state["player"]]
    clock = tell("terminal.round", round=f"{now}/{last}") if now else tell("table.beforeStart")
    return f"{clock} · {tell('term.sun')} {isolated(sun)} · {isolated(acting)}"


def sun_name(sun: int) -> str:
    """Corner and direction of a sun position."""
    return f"{board.NAMES[board.SUN_CORNERS[sun]]} {ARROWS[sun]}"


# The board


def board_lines(scene: Scene, *, colour: bool = False, tokens: bool = True, rim: bool = True) -> list[str]:
    """The 37 spaces in their rows, with sun and moon on the rim and, if wanted, the token piles beside.

    Without the rim they take NARROW columns; what stands on it is told by `headline` and `moon_line`.
    """
    canvas = Canvas()
    for row, letter in enumerate(board.ROWS):
        canvas.put(0, TOP + LINES * row, letter, FAINT)
    if rim:
        _draw_rim(canvas, scene)
    left = LEFT if rim else NARROW_LEFT
    for index, space in enumerate(scene.spaces):
        _draw_space(canvas, *_corner(board.COORDINATES[index], left), space, scene)
    if tokens:
        _draw_tokens(canvas, scene)
    return canvas.lines(colour=colour)


def moon_line(scene: Scene) -> str:
    """Where the moon is, for a board without a rim; empty where there is none."""
    if not scene.has_moon:
        return ""
    moon = scene.state["moon"]
    now = tell("a11y.moon.full" if moon["full"] else "a11y.moon.crescent", position=moon["at"])
    return f"{now} · {tell('common.pair', name=tell('term.redMoon'), value=moon['tracker'])}"


def _corner(at: board.Coordinates, left: int = LEFT) -> tuple[int, int]:
    """Column and line where a hex begins, on the board or on the rim."""
    q, r = at
    return left + CELL * (q + board.RADIUS) + CELL * r // 2, TOP + LINES * (r + board.RADIUS)


def _draw_rim(canvas: Canvas, scene: Scene) -> None:
    """The sun at its corner, the moon and its tracker at their places."""
    q, r = board.COORDINATES[board.SUN_CORNERS[scene.sun]]
    towards = board.SUN_DIRECTIONS[scene.sun]
    _write_on_rim(canvas, (q - towards[0], r - towards[1]), "term.sun", SUN_STYLE, ARROWS[scene.sun])
    if scene.has_moon:
        moon = scene.state["moon"]
        _write_on_rim(canvas, board.MOON_HEXES[moon["at"]], "terminal.moon", MOON_STYLE, moon_sign(moon["full"]))
        _write_on_rim(canvas, board.MOON_HEXES[moon["tracker"]], "terminal.board.next", FAINT)


def moon_sign(full: bool) -> str:
    """A full moon or a crescent."""
    return "O" if full else ")"


def _write_on_rim(canvas: Canvas, at: board.Coordinates, word: Key, style: Style, sign: str = "") -> None:
    """A label beside the board: against its row at the sides, in the middle above and below.

    A word stands in capitals before its sign; where it is long, there is no blank between them.
    """
    x, y = _corner(at)
    q, r = at
    at_the_left = abs(r) <= board.RADIUS and q + r / 2 < 0
    room = min(x + CELL - 1 - RIM, CELL - 1) if at_the_left else CELL - 1
    label = f"{tell(word).upper()} {sign}" if sign else tell(word)
    if len(label) > room:
        label = label.replace(f" {sign}", sign)
    if r < -board.RADIUS:
        y = TOP - 1
    if abs(r) > board.RADIUS:
        x += (CELL - len(label)) // 2
    elif at_the_left:
        x += CELL - 1 - len(label)
    else:
        x += 1
    canvas.put(max(x, 1), y, label, style)


def _draw_space(canvas: Canvas, x: int, y: int, space: Space, scene: Scene) -> None:
    """Two lines of seven: name, soil, dam and animal; then piece, light and marks."""
    paper = (SOIL_IN_SHADE if space.darkness else SOIL)[space.leaves]
    ink = LIGHT_INK if space.leaves + bool(space.darkness) >= 4 else DARK_INK
    ground = Style(ink, paper)
    for line in range(LINES):
        canvas.put(x - 1, y + line, f"|{'':{CELL - 1}}|", FENCE)
        canvas.put(x, y + line, " " * (CELL - 1), ground)
    canvas.put(x, y, space.name + LEAF_DOTS[space.leaves], ground)
    if space.dam:
        canvas.put(x + 3, y, "=", ground._replace(bold=True))
    if space.animal is not None:
        animal = scene.boards()[space.animal]["animal"]
        canvas.put(x + 4, y, animal[:3], SEAT_STYLES[space.animal])
    _draw_standing(canvas, x, y + 1, space, ground)
    marks = [(space.activated, "*", ground), (space.baby, "?", ground), (space.lit, ")", MOONLIGHT)]
    for place, (there, mark, style) in enumerate(marks):
        if there:
            canvas.put(x + 4 + place, y + 1, mark, style._replace(bold=True))


def _draw_standing(canvas: Canvas, x: int, y: int, space: Space, ground: Style) -> None:
    """The piece with its light, or the shade on an empty space."""
    strong = ground._replace(bold=True)
    if space.elder:
        canvas.put(x, y, tell("terminal.board.elder"), Style(255, 52, bold=True))
    elif space.stone:
        canvas.put(x, y, tell("terminal.board.stone"), Style(255, 60, bold=True))
    elif space.owner is None:
        canvas.put(x + 2, y, f"{SHADE}{space.darkness}" if space.darkness else "", ground)
    else:
        canvas.put(
            x, y, SEATS[space.owner] + ("." if space.size == SEED else str(space.size)), SEAT_STYLES[space.owner]
        )
        if space.is_tree:
            canvas.put(x + 2, y, f"{SHADE}0" if space.shaded else f"+{space.light}", strong)


def _draw_tokens(canvas: Canvas, scene: Scene) -> None:
    x = WIDTH - 16
    canvas.put(x, 0, tell("player.tokens"), FAINT)
    for y, line in enumerate(token_lines(scene), start=1):
        canvas.put(x, y, line)


def token_lines(scene: Scene) -> list[str]:
    """The token piles: the top token and how many lie there (R-SETUP-4)."""
    piles = enumerate(scene.state["tokens"], start=1)
    return [
        f"{tell('count.leaves', count=leaves):10} " + (f"{pile[0]:2} ×{len(pile)}" if pile else "  –")
        for leaves, pile in piles
    ]


# The player boards


def player_lines(
    scene: Scene,
    *,
    colour: bool = False,
    width: int = WIDTH,
    heading: bool = True,
    detailed: Collection[int] = range(len(SEATS)),
) -> list[str]:
    """A line a player: light, then for each size what is available | the prices of what can be bought, then points.

    The seats in `detailed` have lines below for tokens, animal and the like.
    """
    canvas = Canvas()
    if heading:
        sizes = "   ".join(f"{size_name(size):{COLUMNS[size]}}" for size in range(4))
        canvas.put(0, 0, f"{'':16}{tell('terminal.light'):7} {sizes}  {tell('terminal.points'):>6}", FAINT)
    for p, own in enumerate(scene.boards()):
        y = canvas.height
        on_turn = p == scene.state["player"]
        canvas.put(0, y, ">" if on_turn else " ", BOLD)
        x = canvas.put(2, y, f" {SEATS[p]} ", SEAT_STYLES[p])
        canvas.put(x + 1, y, short_name(scene.names[p]), BOLD if on_turn else PLAIN)
        columns = [_column(own, size).ljust(COLUMNS[size]) for size in range(4)]
        canvas.put(17, y, f"{own['light']:4}   {'   '.join(columns)}  {own['points']:6}")
        for line in _details(scene, p, own, width - 6) if p in detailed else ():
            canvas.put(6, canvas.height, line, FAINT)
    return canvas.lines(colour=colour)


def narrow_player_lines(scene: Scene, *, colour: bool = False, seats: Collection[int]) -> list[str]:
    """A short line for each of these players: light, what is available of each size, points; prices have no room."""
    canvas = Canvas()
    for p, own in enumerate(scene.boards()):
        if p not in seats:
            continue
        y, on_turn = canvas.height, p == scene.state["player"]
        canvas.put(0, y, ">" if on_turn else " ", BOLD)
        x = canvas.put(2, y, f" {SEATS[p]} ", SEAT_STYLES[p])
        x = canvas.put(x + 1, y, f"{short_name(scene.names[p]):{NAME}}", BOLD if on_turn else PLAIN)
        canvas.put(x + 1, y, " ".join(_purse(own)))
    return canvas.lines(colour=colour)


def _purse(own: dict[str, Any]) -> list[str]:
    """What a player has, in few words."""
    said = [tell("terminal.light.count", count=own["light"])]
    if "lunar" in own:
        said.append(tell("terminal.lunar.count", count=own["lunar"]))
    pieces = "/".join(map(str, own["available"]))
    return [*said, tell("terminal.has", pieces=pieces), f"{tell('terminal.points')} {own['points']}"]


def size_name(size: int) -> str:
    """A size in one short word."""
    return tell(key(f"terminal.size.{SIZES[size]}"))


def short_name(name: str) -> str:
    """A name for a column; an ellipsis says that there is more of it."""
    return shortened(name, NAME)


def _column(own: dict[str, Any], size: int) -> str:
    """How many are available | prices of the occupied slots (R-SETUP-2)."""
    return f"{own['available'][size]} | {' '.join(map(str, own['slots'][size])) or '-'}"


def _details(scene: Scene, p: int, own: dict[str, Any], width: int) -> list[str]:
    """Tokens, animal and what else a player has, wrapped."""
    said = []
    if own["tokens"]:
        said.append(_pair(tell("player.tokens"), map(str, own["tokens"])))
    if any(own.get("fresh", ())):
        bought = [f"{count}×{size_name(size)}" for size, count in enumerate(own["fresh"]) if count]
        said.append(f"{tell('player.fresh')} ({', '.join(bought)})")
    if scene.has_moon:
        said.append(tell("terminal.lunar.count", count=own["lunar"]))
        if own["animal"]:
            said.append(_pair(tell(key(f"animal.{own['animal']}")), [own["at"] or "–"]))
        if own["babies"]:
            said.append(_pair(tell("baby.hatched"), map(_baby, own["babies"])))
        if own["used"]:
            said.append(_pair(tell("a11y.activated"), (tell(key(f"ability.{used}")) for used in own["used"])))
    if p == scene.state["player"] and scene.state.get("effects"):
        said.append(_pair(tell("terminal.waiting"), map(_baby, scene.state["effects"])))
    return _wrapped(said, width)


def _pair(name: str, values: Iterable[str]) -> str:
    return tell("common.pair", name=name, value=", ".join(values))


def _baby(baby: str) -> str:
    return tell(key(f"baby.{baby}"))


def _wrapped(phrases: list[str], width: int) -> list[str]:
    """Phrases in lines, none broken unless it is longer than a line."""
    lines: list[str] = []
    for phrase in phrases:
        if lines and len(lines[-1]) + 3 + len(phrase) <= width:
            lines[-1] += f" · {phrase}"
        else:
            lines += textwrap.wrap(phrase, width)
    return lines


# The legend


def legend_lines(scene: Scene, width: int = WIDTH) -> list[str]:
    """What the signs mean; those of the modules only where they are in play."""
    signs: dict[str, Key] = {
        "A.": "piece.seed",
        "A1": "piece.small",
        "A2": "piece.medium",
        "A3": "piece.large",
        ". : :. ::": "board.legend.leaves",
        "+2": "board.legend.light",
        f"{SHADE}0": "board.legend.shaded",
        f"{SHADE}2": "ground.medium",
        "*": "board.legend.activated",
        "2 | 1 1": "terminal.legend.slots",
    }
    if scene.has_moon:
        signs |= {")": "board.legend.lit", "?": "baby.hidden", "=": "term.dam"}
        signs |= {own["animal"][:3]: key(f"animal.{own['animal']}") for own in scene.boards() if own["animal"]}
        signs |= {tell("terminal.board.next"): "board.legend.tracker"}
    return _wrapped([f"{isolated(sign)} {tell(meaning)}" for sign, meaning in signs.items()], width)
