"""The player boards as cards beside the picture: light, what is available, what can be bought, points, animal."""

from __future__ import annotations

from typing import Any, Final

from sunglade.drawing.fauna import animal
from sunglade.drawing.flora import SPECIES, piece
from sunglade.drawing.markup import at, circle, group, path, rect, words
from sunglade.drawing.scene import Scene
from sunglade.drawing.sky import moon
from sunglade.kernel.printed import SIZES, SLOT_PRICES
from sunglade.notation import SEATS
from sunglade.words import key
from sunglade.words.speech import tell

WIDTH: Final = 318.0
HEIGHT: Final = 180.0
GAP: Final = 12.0
INK: Final = "#3a3226"
PALE: Final = "#8b7f6a"


def cards(scene: Scene) -> str:
    """All players, one under the other."""
    return group(*(at(0, p * (HEIGHT + GAP), card(scene, p, own)) for p, own in enumerate(scene.boards())))


def card(scene: Scene, p: int, own: dict[str, Any]) -> str:
    """One player's card."""
    colours = SPECIES[p]
    on_turn = scene.state["player"] == p
    winner = p in (scene.state["winners"] or ())
    frame = rect(0, 0, WIDTH, HEIGHT, "#fffaf0", rx=14, stroke=colours.ink if on_turn or winner else "#e3d8c0",
                 stroke_width=3 if on_turn or winner else 1.5)  # fmt: skip
    first = scene.state["first"] == p and scene.state["round"] > 0
    told = ((scene.who(), winner), (tell("player.onTurn"), on_turn), (tell("player.first"), first))
    notes = [note for note, true in told if true]
    return group(
        frame,
        path(f"M0,14 Q0,0 14,0 L14,{HEIGHT} Q0,{HEIGHT} 0,{HEIGHT - 14}Z", colours.ink),
        words(34, 27, SEATS[p], 20, colours.ink, font_weight="700"),
        words(50, 26, f"{scene.names[p]:.18}", 16, INK, font_weight="600", text_anchor="start"),
        words(50, 42, " · ".join(notes), 11, colours.ink, text_anchor="start"),
        _points(own["points"]),
        at(34, 62, _purse(own)),
        *(at(64 + 72 * size, 92, _column(p, size, own)) for size in range(4)),
        at(30, HEIGHT - 12, _footer(own)),
    )  # fmt: skip


def _points(points: int) -> str:
    return group(
        words(WIDTH - 16, 30, str(points), 26, INK, font_weight="700", text_anchor="end"),
        words(WIDTH - 16, 43, tell("terminal.points"), 10, PALE, text_anchor="end"),
    )


def _purse(own: dict[str, Any]) -> str:
    """Light points, lunar points and the animal."""
    shapes = [
        circle(0, 0, 8, "#f7b733", stroke="#fff0c0", stroke_width=2),
        words(14, 5.5, str(own["light"]), 16, INK, font_weight="700", text_anchor="start"),
        words(40 if own["light"] > 9 else 29, 5, tell("terminal.light"), 11, PALE, text_anchor="start"),
    ]
    if "lunar" in own:
        shapes.append(at(80, 0, moon(False, 8)))
        shapes.append(words(94, 5.5, str(own["lunar"]), 16, INK, font_weight="700", text_anchor="start"))
        shapes.append(words(120 if own["lunar"] > 9 else 109, 5, tell("terminal.lunar"), 11, PALE, text_anchor="start"))
    if own.get("animal"):
        name = tell(key(f"animal.{own['animal']}"))
        words_for = tell("common.pair", name=name, value=own["at"]) if own["at"] else name
        shapes.append(at(172, 0, animal(own["animal"], "#cdbf9f"), scale=0.62))
        shapes.append(words(187, 5, words_for, 11, PALE, text_anchor="start"))
    return group(*shapes)


def _column(p: int, size: int, own: dict[str, Any]) -> str:
    """A size: how many are available, and the prices still on the board above it (R-SETUP-2)."""
    available = own["available"][size]
    scale = (1.0, 0.8, 0.62, 0.48)[size]
    ink = INK if available else "#c2b79f"
    return group(
        at(-14, 20, piece(p, size), scale=scale, opacity=1 if available else 0.4),
        words(6, 20, f"×{available}", 15, ink, font_weight="700", text_anchor="start"),
        *_slots(size, own["slots"][size]),
        words(0, 56, tell(key(f"terminal.size.{SIZES[size]}")), 10, PALE),
    )


def _slots(size: int, occupied: list[int]) -> list[str]:
    """Discs with a price for the pieces that can be bought, empty rings for free slots."""
    left = list(occupied)
    shapes = []
    prices = SLOT_PRICES[size]
    for place, price in enumerate(prices):
        x = (place - (len(prices) - 1) / 2) * 16
        if price in left:
            left.remove(price)
            shapes += [
                circle(x, 36, 7, "#efe3c6", stroke="#cdb98b", stroke_width=1),
                words(x, 39.6, str(price), 10, INK),
            ]
        else:
            shapes.append(circle(x, 36, 6.5, "none", stroke="#ddd0b3", stroke_width=1, stroke_dasharray="2 2"))
    return shapes


def _footer(own: dict[str, Any]) -> str:
    """Tokens taken and babies hatched."""
    said = []
    if own["tokens"]:
        said.append(tell("common.pair", name=tell("player.tokens"), value=" ".join(map(str, own["tokens"]))))
    if own.get("babies"):
        said.append(", ".join(tell(key(f"baby.{baby}")) for baby in own["babies"]))
    return words(0, 0, " · ".join(said), 11, PALE, text_anchor="start")
