"""The pictures of the guide: boards whose spaces have a colour and a number, and lines with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from training.strategy.figures import Figure

from sunglade import board
from sunglade.drawing.geometry import hexagon, middle

PAPER, INK, FAINT, GRID = "#fffdf6", "#333", "#777", "#ddd5c0"
COLOURS: Final = ("#1d6f8a", "#c9481f", "#2f8a45", "#b8860b")
GOOD, BAD = (47, 138, 69), (201, 72, 31)
SOILS: Final = ("", "#f3efdf", "#e9e3cb", "#ddd6b6", "#d1c8a0")


class Space(NamedTuple):
    """What a map shows of a space: a number, and how strong its colour is, from −1 (bad) to 1 (good)."""

    label: str
    strength: float


def _page(width: float, height: float, title: str, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="sans-serif" font-size="13">\n<title>{title}</title>\n'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _text(x: float, y: float, words: str, anchor: str = "middle", colour: str = INK, size: int = 13) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{words}</text>'


def _mixed(strength: float) -> str:
    """From paper towards good or bad."""
    goal = GOOD if strength > 0 else BAD
    part = min(1.0, abs(strength)) * 0.85
    return "#" + "".join(f"{round(255 + (to - 255) * part):02x}" for to in goal)


SCALE: Final = 0.46
WIDE: Final = 300.0


def maps(title: str, boards: Sequence[tuple[str, dict[int, Space]]]) -> str:
    """Boards side by side; the sun of the first round stands at the upper left corner."""
    parts = [_text(16, 24, title, "start")]
    for place, (name, spaces) in enumerate(boards):
        x0, y0 = WIDE * (place + 0.5), 190.0
        parts.append(_text(x0, 350, name))
        sun_x, sun_y = (SCALE * part * 1.3 for part in middle(board.COORDINATES[board.SUN_CORNERS[0]]))
        parts.append(f'<circle cx="{x0 + sun_x:.1f}" cy="{y0 + sun_y:.1f}" r="9" fill="#e8a417"/>')
        for space in board.SPACES:
            x, y = (SCALE * part for part in middle(board.COORDINATES[space]))
            corners = " ".join(f"{x0 + x + SCALE * a:.1f},{y0 + y + SCALE * b:.1f}" for a, b in hexagon(0, 0))
            shown = spaces.get(space)
            fill = _mixed(shown.strength) if shown else SOILS[board.LEAVES[space]]
            parts.append(f'<polygon points="{corners}" fill="{fill}" stroke="{GRID}"/>')
            if shown:
                colour = "#fff" if abs(shown.strength) > 0.75 else INK
                parts.append(_text(x0 + x, y0 + y + 4, shown.label, colour=colour, size=11))
    return _page(WIDE * len(boards), 366, title, parts)


class Line(NamedTuple):
    """Figures over something, with the name of the line."""

    name: str
    points: list[tuple[float, Figure]]


WIDTH, HEIGHT, MARGIN = 720, 340, 56


def lines(title: str, below: str, drawn: Sequence[Line], percent: bool = False) -> str:
    """Lines over 0 with the 95 % intervals of their points."""
    known = [(x, figure) for line in drawn for x, figure in line.points if figure.known]
    most = max(figure.high for _, figure in known)
    step = _step(most)
    top = step * -(-most // step)
    left, right = min(x for x, _ in known), max(x for x, _ in known)

    def across(x: float) -> float:
        return MARGIN + (x - left) / max(right - left, 1) * (WIDTH - 2 * MARGIN)

    def up(y: float) -> float:
        return HEIGHT - MARGIN - max(0.0, y) / top * (HEIGHT - 2 * MARGIN)

    parts = [_text(MARGIN, 24, title, "start")]
    for mark in range(round(top / step) + 1):
        y = mark * step
        told = f"{100 * y:.0f} %" if percent else f"{y:g}"
        parts.append(f'<path d="M{MARGIN} {up(y):.1f}H{WIDTH - MARGIN}" stroke="{GRID}"/>')
        parts.append(_text(MARGIN - 8, up(y) + 4, told, "end", FAINT))
    for x in sorted({x for x, _ in known}):
        parts.append(_text(across(x), HEIGHT - MARGIN + 20, f"{x:g}".replace("-", "−"), colour=FAINT))
    for number, line in enumerate(drawn):
        colour = COLOURS[number]
        points = [(across(x), figure) for x, figure in line.points if figure.known]
        path = " ".join(f"{x:.1f},{up(figure.mean):.1f}" for x, figure in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<path d="M{x:.1f} {up(figure.low):.1f}V{up(figure.high):.1f}" stroke="{colour}"/>' for x, figure in points
        ]
        parts.append(_text(MARGIN + 16, MARGIN - 8 + 18 * number, line.name, "start", colour))
    parts.append(_text(WIDTH / 2, HEIGHT - 12, below))
    return _page(WIDTH, HEIGHT, title, parts)


def _step(span: float) -> float:
    """A round distance between four to eight lines of a grid."""
    for size in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20):
        if span / size <= 7:
            return size
    return 50.0
