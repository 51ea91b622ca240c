"""Sun and moon on the rim, their light on the board."""

from __future__ import annotations

import math
from typing import Final

from sunglade import board
from sunglade.drawing.geometry import APART, RIM, SIDE, direction, middle
from sunglade.drawing.markup import Point, at, circle, element, group, number, path, polygon, title, way
from sunglade.words.speech import tell

SUN_DISTANCE: Final = 4.28 * APART
DAY_TO_NIGHT: Final = ("#ffd987", "#d9a066", "#8d7468", "#454e6e", "#2b3252")


def sun_place(sun: int) -> Point:
    """Where the sun stands: outside its corner, against the way of the light."""
    dx, dy = direction(sun)
    return -SUN_DISTANCE * dx, -SUN_DISTANCE * dy


def gradients(sun: int) -> str:
    """Colours that depend on where the sun is: the rim glows on its side, dusk falls on the other."""
    dx, dy = direction(sun)
    near, far, half_way = (-RIM * dx, -RIM * dy), (RIM * dx, RIM * dy), (RIM * dx / 2, RIM * dy / 2)
    disc = _stop(0, "#fffbe6") + _stop(0.55, "#ffd75e") + _stop(1, "#f5a623")
    return "".join(
        (
            _gradient("sg-rim", near, far, *((colour, 1.0) for colour in DAY_TO_NIGHT)),
            _gradient("sg-ray", near, half_way, ("#fff2ae", 0.5), ("#fff2ae", 0)),
            element("radialGradient", disc, id="sg-sun", cx=0.42, cy=0.4, r=0.62),
            element("radialGradient", _stop(0, "#ffe9a3", 0.85), _stop(1, "#ffd25e", 0), id="sg-glow"),
            element("radialGradient", _stop(0, "#e6f0ff", 0.75), _stop(1, "#bcd2ff", 0), id="sg-moonglow"),
        )
    )


def _gradient(name: str, start: Point, end: Point, *stops: tuple[str, float]) -> str:
    steps = [_stop(place / (len(stops) - 1), colour, opacity) for place, (colour, opacity) in enumerate(stops)]
    return element(
        "linearGradient",
        *steps,
        id=name,
        gradientUnits="userSpaceOnUse",
        x1=start[0],
        y1=start[1],
        x2=end[0],
        y2=end[1],
    )


def _stop(offset: float, colour: str, opacity: float = 1.0) -> str:
    return element("stop", offset=offset, stop_color=colour, stop_opacity=None if opacity == 1 else opacity)


def rays(sun: int) -> str:
    """Bands of light across the board, one for each line of spaces, so that the eye sees where it comes from."""
    dx, dy = direction(sun)
    bands = []
    for lane in range(-board.RADIUS, board.RADIUS + 1):
        x, y = -dy * lane * 1.5 * SIDE, dx * lane * 1.5 * SIDE
        bands.append(((x - RIM * dx, y - RIM * dy), (x + RIM * dx, y + RIM * dy)))
    # A tiny bend: renderers drop a gradient on a line without height.
    ways = [way("M", *start, "L", end[0], end[1] + 0.1) for start, end in bands]
    return group(*(path(d, stroke="url(#sg-ray)", stroke_width=26) for d in ways))


def sun_disc(sun: int) -> str:
    """The sun with its rays, and an arrow the way the light goes."""
    dx, dy = direction(sun)
    return at(
        *sun_place(sun),
        title(tell("a11y.sun", corner=board.NAMES[board.SUN_CORNERS[sun]])),
        *(_spike(k * math.pi / 8, 47 if k % 2 == 0 else 40) for k in range(16)),
        circle(0, 0, 28, "url(#sg-sun)", stroke="#fff6d0", stroke_width=1.5),
        group(_arrow(), transform=f"rotate({number(math.degrees(math.atan2(dy, dx)))})", opacity=0.9),
    )


def _spike(angle: float, length: float) -> str:
    return polygon([_polar(31, angle - 0.1), _polar(length, angle), _polar(31, angle + 0.1)], "#f7b733")


def _arrow() -> str:
    return path(
        "M52,-8 L60,0 L52,8 M62,-8 L70,0 L62,8",
        stroke="#fff3c2",
        stroke_width=4,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def sun_glow(sun: int) -> str:
    """The warm air around the sun, behind all that stands on the board."""
    return circle(*sun_place(sun), 125, "url(#sg-glow)")


def _polar(r: float, a: float) -> Point:
    return r * math.cos(a), r * math.sin(a)


def moon_places(place: int, tracker: int, full: bool) -> str:
    """The eighteen places on the rim, the moon at one and the tracker at another (M-MOON)."""
    dots = [circle(*middle(hexagon), 3, "#fdf6e6", opacity=0.45) for hexagon in board.MOON_HEXES]
    x, y = middle(board.MOON_HEXES[tracker])
    ring = group(
        title(tell("board.legend.tracker")),
        circle(x, y, 13, "none", stroke="#e6edff", stroke_width=2.2, stroke_dasharray="3.5 3.2"),
    )
    return group(*dots, ring, at(*middle(board.MOON_HEXES[place]), moon(full)))


def moon(full: bool, r: float = 20) -> str:
    """Full or crescent."""
    name = title(tell("term.moonFull" if full else "term.moonCrescent"))
    glow = circle(0, 0, 2.3 * r, "url(#sg-moonglow)")
    if full:
        craters = ((-0.35, -0.2, 0.2), (0.3, 0.25, 0.26), (0.25, -0.45, 0.13))
        disc = circle(0, 0, r, "#f4f6ff", stroke="#cfd9f2", stroke_width=1)
        return group(name, glow, disc, *(circle(x * r, y * r, s * r, "#d5ddf0") for x, y, s in craters))
    night = circle(0, 0, r, "#39436a", stroke="#8b9bc9", stroke_width=1)
    x, y, inner = -0.3 * r, 0.95 * r, 0.82 * r
    sickle = way("M", x, -y, "A", r, r, 0, 1, 1, x, y, "A", inner, inner, 0, 1, 0, x, -y, "Z")
    return group(name, glow, night, path(sickle, "#f4f6ff"))


def moonlight_mark(x: float, y: float) -> str:
    """A small crescent for a lit space."""
    return at(
        x, y, path("M-2,-6.5 A7,7 0 1 1 -2,6.5 A5.6,5.6 0 1 0 -2,-6.5Z", "#f4f7ff", stroke="#5a6ea8", stroke_width=0.8)
    )
