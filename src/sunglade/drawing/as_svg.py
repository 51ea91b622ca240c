"""The position as a picture: a flat plan of the board with trees, shadows, sun and moon, and the player boards.

One self-contained SVG without scripts, fonts or outside references, for notebooks and files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sunglade import board
from sunglade.drawing import cards, fauna, flora, sky
from sunglade.drawing.geometry import APART, GAP, GROUND, RIM, SIDE, big_hexagon, direction, hexagon, middle
from sunglade.drawing.legend import legend, light_badge
from sunglade.drawing.markup import (
    at,
    circle,
    description,
    element,
    ellipse,
    group,
    line,
    path,
    polygon,
    rect,
    title,
    way,
    words,
)
from sunglade.drawing.scene import Scene, Space
from sunglade.kernel import Record
from sunglade.words.speech import tell

if TYPE_CHECKING:
    import numpy as np

WIDTH: Final = 1160.0
HEIGHT: Final = 800.0
CENTRE: Final = (408.0, 412.0)
FOOT: Final = 24.0
"""How far below the middle of a space its tree stands."""

SOIL: Final = ("", "#e3d2a0", "#bfcb80", "#8db263", "#558f50")
SOIL_EDGE: Final = ("", "#cdb981", "#a5b466", "#75994d", "#437a40")
FONT: Final = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def svg(record: Record | np.record, *, names: Sequence[str] = ()) -> str:
    """The position as SVG text."""
    scene = Scene(record, names)
    drawing = (
        title(f"Sunglade: {scene.clock()}"),
        description(_description(scene)),
        element("defs", sky.gradients(scene.sun), _clip()),
        rect(0, 0, WIDTH, HEIGHT, "#f4ecda", rx=22),
        at(*CENTRE, _rim(scene), _ground(scene), _standing(scene)),
        _clock(scene),
        _tokens(scene),
        at(WIDTH - cards.WIDTH - 22, 22, cards.cards(scene), legend(scene) if scene.players < 4 else ""),
    )
    return element(
        "svg", *drawing, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}", width=WIDTH * 0.8,
        height=HEIGHT * 0.8, role="img", font_family=FONT, style="max-width:100%;height:auto",
    )  # fmt: skip


def _description(scene: Scene) -> str:
    """For those who hear the picture: clock, who acts, every player and every piece."""
    sun = tell("a11y.sun", corner=board.NAMES[board.SUN_CORNERS[scene.sun]])
    said = [f"{scene.clock()}; {scene.who()}; {sun}."]
    said += [f"{_holdings(name, own)}." for name, own in zip(scene.names, scene.boards(), strict=True)]
    said += [scene.describe(space) + "." for space in scene.spaces if space.owner is not None]
    return " ".join(said)


def _holdings(name: str, own: dict[str, Any]) -> str:
    """What a player has, in a few words."""
    has = [tell("terminal.light.count", count=own["light"]), tell("count.points", count=own["points"])]
    return tell("common.pair", name=name, value=", ".join(has))


def _clip() -> str:
    """Light and shadow end where the board ends."""
    return element("clipPath", *(polygon(hexagon(*middle(c)), "#000") for c in board.COORDINATES), id="sg-board")


# The board from below to above: rim, ground, shadows, pieces


def _rim(scene: Scene) -> str:
    shapes = [
        at(0, 9, _rounded(RIM, "#1d1a12", 22), opacity=0.22),
        _rounded(RIM, "url(#sg-rim)", 22),
        _rounded(GROUND, "#4a4030", 16),
    ]
    shapes += [circle(*sky.sun_place(sun), 5, "#fff3cf", opacity=0.5) for sun in range(6)]
    if scene.has_moon:
        moon = scene.state["moon"]
        shapes.append(sky.moon_places(moon["at"], moon["tracker"], moon["full"]))
    return group(*shapes)


def _rounded(size: float, fill: str, corners: float) -> str:
    """The outline of the whole board with round corners."""
    return polygon(big_hexagon(size), fill, stroke=fill, stroke_width=corners, stroke_linejoin="round")


def _ground(scene: Scene) -> str:
    """Spaces with their soil; then rays and shadows over them."""
    hexes = [_space(scene, index, space) for index, space in enumerate(scene.spaces)]
    light = group(sky.rays(scene.sun), _shadows(scene), clip_path="url(#sg-board)")
    return group(
        *hexes,
        light,
        sky.sun_glow(scene.sun),
        _dam(scene),
        *(_marks(index, space) for index, space in enumerate(scene.spaces)),
    )


def _space(scene: Scene, index: int, space: Space) -> str:
    x, y = middle(board.COORDINATES[index])
    return group(
        title(scene.describe(space)),
        polygon(hexagon(x, y), SOIL[space.leaves], stroke=SOIL_EDGE[space.leaves], stroke_width=1.5),
        polygon(hexagon(x, y, SIDE - GAP - 3.4), "none", stroke="#ffffff", stroke_width=1.3, opacity=0.22),
        _leaves(x, y + 34.5, space.leaves),
    )


def _leaves(x: float, y: float, count: int) -> str:
    """As many small leaves as the soil has."""
    leaf = "M0,-4.6 C4,-2.6 4,2.4 0,4.6 C-4,2.4 -4,-2.6 0,-4.6Z"
    starts = [x + (place - (count - 1) / 2) * 9 for place in range(count)]
    return group(*(at(start, y, path(leaf, "#3c3a1c", opacity=0.5)) for start in starts))


def _shadows(scene: Scene) -> str:
    """The spaces in shade, and the shadow that each tree throws over as many of them as it is tall (R-LIGHT-1)."""
    tints = [
        polygon(hexagon(*middle(board.COORDINATES[index]), SIDE), "#232a4d", opacity=0.1 + 0.05 * space.darkness)
        for index, space in enumerate(scene.spaces)
        if space.darkness
    ]
    thrown = []
    for index, space in enumerate(scene.spaces):
        reach = 8 if space.elder else 1 if space.stone else space.size if space.owner is not None else 0
        if reach:
            thrown.append(
                _shadow(scene.sun, index, reach, wide=space.size if space.is_tree else 3 if space.elder else 1)
            )
    return group(*tints) + group(*thrown, opacity=0.34)


def _shadow(sun: int, index: int, reach: int, wide: int) -> str:
    """A long soft shape from the foot of the tree to the last space it darkens."""
    x, y = middle(board.COORDINATES[index])
    dx, dy = direction(sun)
    far, half = reach * APART + 4, 9 + 4.5 * wide

    def point(along: float, aside: float) -> str:
        return way(x + dx * along - dy * aside, y + FOOT * 0.45 + dy * along + dx * aside)

    end = far - half
    one_side = (point(-2, 4), point(far * 0.35, 5), point(far * 0.55, half), point(end, half))
    round_tip = (point(far + half * 0.9, half), point(far + half * 0.9, -half), point(end, -half))
    other_side = (point(far * 0.55, -half), point(far * 0.35, -5), point(-2, -4))
    start, *rest = one_side
    return path(way("M", start, "C", *rest, "C", *round_tip, "C", *other_side, "Z"), "#171c3a")


def _dam(scene: Scene) -> str:
    """Logs laid over the three spaces of the beaver's dam (M-ANIMAL)."""
    spots = [middle(board.COORDINATES[index]) for index, space in enumerate(scene.spaces) if space.dam]
    if not spots:
        return ""
    cx, cy = (sum(values) / 3 for values in zip(*spots, strict=True))
    logs = []
    for (ax, ay), (bx, by) in ((spots[0], spots[1]), (spots[1], spots[2]), (spots[0], spots[2])):
        for shift in (0.62, 0.8):
            start = (cx + (ax - cx) * shift, cy + (ay - cy) * shift)
            end = (cx + (bx - cx) * shift, cy + (by - cy) * shift)
            logs.append(line(start, end, "#5b3d22", 8.5))
            logs.append(line(start, end, "#94683d", 5))
    return group(title(tell("term.dam")), *logs)


def _marks(index: int, space: Space) -> str:
    """What lies flat on a space: moonlight, use in this turn, its name."""
    x, y = middle(board.COORDINATES[index])
    shapes = []
    if space.lit:
        shapes.append(polygon(hexagon(x, y, SIDE - GAP - 1), "#d6e6ff", opacity=0.34))
        shapes.append(polygon(hexagon(x, y, SIDE - GAP - 3), "none", stroke="#eef5ff", stroke_width=2.4, opacity=0.85))
        shapes.append(sky.moonlight_mark(x - 28, y - 19))
    if space.activated:
        shapes.append(
            polygon(hexagon(x, y, SIDE - GAP - 4), "none", stroke="#fffdf2", stroke_width=3, stroke_dasharray="7 4")
        )
    pale = (space.leaves == 4 or space.darkness > 1) and not space.lit
    ink = "#fffbe9" if pale else "#3c3720"
    shapes.append(words(x - 27, y + 25, space.name, 11.5, ink, opacity=0.82, font_weight="600"))
    return group(*shapes)


def _standing(scene: Scene) -> str:
    """Pieces, stones, animals, row by row so that what is nearer covers what is behind; then badges and the sun."""
    shapes = [_piece(scene, index, space) for index, space in enumerate(scene.spaces)]
    badges = [_badge(index, space) for index, space in enumerate(scene.spaces) if space.is_tree]
    return group(*shapes, *badges, sky.sun_disc(scene.sun))


def _piece(scene: Scene, index: int, space: Space) -> str:
    x, y = middle(board.COORDINATES[index])
    shapes = []
    if space.baby:
        shapes.append(at(x - 27, y + 3, fauna.baby(), scale=0.95))
    if space.elder:
        shapes.append(at(x, y + FOOT + 5, flora.elder_tree()))
    elif space.stone:
        shapes.append(at(x, y + FOOT - 4, flora.moonstone(lit=space.lit)))
    elif space.owner is not None:
        shapes.append(
            at(x, y + FOOT - (8 if space.size == 0 else 0), flora.piece(space.owner, space.size, shaded=space.shaded))
        )
    if space.animal is not None:
        name = scene.boards()[space.animal]["animal"]
        shapes.append(at(x + 22, y - 16, fauna.animal(name, flora.SPECIES[space.animal].ink)))
    return group(*shapes) if shapes else ""


def _badge(index: int, space: Space) -> str:
    x, y = middle(board.COORDINATES[index])
    return at(x + 26, y + 21, light_badge(space.light))


# Beside the board


def _clock(scene: Scene) -> str:
    """Round and revolution as words and as a track: a row of six suns for each revolution (R-ROUND)."""
    now, last = scene.state["round"], scene.state["rounds"]
    track = []
    for number in range(1, min(last, 36) + 1):
        row, place = divmod(number - 1, 6)
        fill = "#f0a51e" if number == now else "#c9bda2" if number < now else "none"
        track.append(circle(30 + place * 16, 66 + row * 16, 5.4, fill, stroke="#b8a985", stroke_width=1.2))
    first, _, second = scene.clock().partition(" · ")
    return group(
        words(22, 36, second or first, 19, "#3a3226", text_anchor="start", font_weight="700"),
        words(22, 53, first if second else "", 12, "#8b7f6a", text_anchor="start"),
        *track,
    )


def _tokens(scene: Scene) -> str:
    """The piles of scoring tokens, richest first: top token and how many (R-SETUP-4)."""
    shapes = []
    for row, leaves in enumerate((4, 3, 2, 1)):
        pile = scene.state["tokens"][leaves - 1]
        y = HEIGHT - 122 + row * 30
        for depth in range(min(len(pile), 4) - 1, -1, -1):
            fill = (SOIL_EDGE if depth else SOIL)[leaves]
            shapes.append(ellipse(40 + depth * 3.2, y - depth * 1.2, 15, 12, fill, stroke="#5c5233", stroke_width=0.8))
        if pile:
            shapes.append(
                words(40, y + 4.5, str(pile[0]), 13, "#ffffff" if leaves == 4 else "#3a3226", font_weight="700")
            )
        shapes.append(_leaves(86, y, leaves))
        shapes.append(words(112, y + 4, f"×{len(pile)}" if pile else "–", 12, "#8b7f6a", text_anchor="start"))
    return group(title(tell("term.tokens")), *shapes)
