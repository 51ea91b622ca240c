"""What the signs of the picture mean, and the badges it shares with the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sunglade.drawing.cards import GAP, HEIGHT, INK, PALE, WIDTH
from sunglade.drawing.fauna import baby
from sunglade.drawing.geometry import hexagon
from sunglade.drawing.markup import at, circle, group, line, polygon, rect, words
from sunglade.drawing.scene import Scene
from sunglade.drawing.sky import moonlight_mark
from sunglade.words.speech import tell

if TYPE_CHECKING:
    from sunglade.words.keys import Key

ROW: Final = 23
"""A line for each sign: some languages need nearly all of it."""


def light_badge(light: int) -> str:
    """The light a tree gets, or a crossed-out nought in shade (R-LIGHT-3)."""
    if light:
        return group(
            circle(0, 0, 10.5, "#fff5cf", stroke="#c8890b", stroke_width=1.5),
            words(0, 4, f"+{light}", 11.5, "#6b4300", font_weight="700"),
        )
    return group(
        circle(0, 0, 10.5, "#2f3763", stroke="#aeb8e6", stroke_width=1.3),
        words(0, 4, "0", 11.5, "#dfe5ff", font_weight="700"),
        line((-6.5, 6.5), (6.5, -6.5), "#aeb8e6", 1.6),
    )


def legend(scene: Scene) -> str:
    """A card below those of the players."""
    space = polygon(hexagon(0, 0, 11), "#bfcb80")
    used = polygon(hexagon(0, 0, 8.5), "none", stroke="#fffdf2", stroke_width=2, stroke_dasharray="4 2.5")
    shade = polygon(hexagon(0, 0, 11), "#232a4d", opacity=0.35)
    price = circle(0, 0, 7.5, "#efe3c6", stroke="#cdb98b") + words(0, 3.7, "2", 10.5, INK)
    signs: list[tuple[str, Key]] = [
        (light_badge(2), "board.legend.light"),
        (light_badge(0), "board.legend.shaded"),
        (space + used, "board.legend.activated"),
        (space + shade, "a11y.shaded"),
        (price, "terminal.legend.price"),
        (words(0, 5, "×1", 14, INK, font_weight="700"), "player.available"),
    ]
    if scene.has_moon:
        signs += [(space + moonlight_mark(1, 0), "board.legend.lit"), (baby(), "baby.hidden")]
    rows = [
        at(
            26,
            18 + ROW * k,
            at(0, 0, sign, scale=0.85),
            words(20, 4, _begun(tell(text)), 11, PALE, text_anchor="start"),
        )
        for k, (sign, text) in enumerate(signs)
    ]
    top = scene.players * (HEIGHT + GAP)
    height = ROW * len(signs) + 12
    return at(0, top, rect(0, 0, WIDTH, height, "none", rx=14, stroke="#e3d8c0", stroke_width=1.5), *rows)


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
