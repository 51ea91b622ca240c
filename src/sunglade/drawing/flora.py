"""What grows: four species told apart by shape as well as colour, their seeds, the Elder Tree; and the moonstones.

Every shape stands on the point (0, 0) and reaches up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sunglade.drawing.markup import at, circle, ellipse, group, line, mixed, path, polygon, way
from sunglade.kernel.printed import SEED

HEIGHTS: Final = (0, 30, 47, 66)
"""Of small, medium and large trees."""
DUSK: Final = "#2b3350"
"""What shade mixes into every colour."""
GROUND_SHADE: Final = "#1d1a12"


@dataclass(frozen=True, slots=True)
class Colours:
    """Of one species; `ink` is what its player's things are marked with."""

    dark: str
    middle: str
    light: str
    bark: str
    ink: str

    def in_shade(self) -> Colours:
        """The same species where no light falls."""
        dark, middle, light, bark = (mixed(c, DUSK, 0.42) for c in (self.dark, self.middle, self.light, self.bark))
        return Colours(dark, middle, light, bark, self.ink)


SPECIES_NAMES: Final = ("spruce", "poplar", "maple", "acacia")
"""What grows for each seat."""
SPECIES: Final = (
    Colours("#1b5673", "#2b7d9f", "#63b4d0", "#5a4030", "#1f6a8c"),
    Colours("#1f5f31", "#318a45", "#7ec873", "#6a4d33", "#237538"),
    Colours("#a23319", "#d8562a", "#f58f58", "#54352a", "#c24a20"),
    Colours("#96640b", "#d99a12", "#f7cb4d", "#6d4a28", "#b37d0c"),
)


def piece(seat: int, size: int, *, shaded: bool = False) -> str:
    """A player's seed or tree."""
    colours = SPECIES[seat].in_shade() if shaded else SPECIES[seat]
    if size == SEED:
        return _SEEDS[seat](colours)
    ground = ellipse(0, -0.7, 24, 7, GROUND_SHADE, opacity=0.28)
    return at(0, 0, ground, _TREES[seat](colours, size), scale=HEIGHTS[size] / 100)


# Trees are drawn 100 high and then made as tall as their size.


def _trunk(colours: Colours, height: float) -> str:
    return path(f"M-8,0 Q-4,{-height / 2} -4,{-height} L4,{-height} Q4,{-height / 2} 8,0Z", colours.bark)


def _spruce(colours: Colours, size: int) -> str:
    """Tiers of needles, one more for each size."""
    tiers = size + 1
    rise = 85 / (tiers + 0.75)
    shapes = [_trunk(colours, 25)]
    for tier in range(tiers):
        low, wide = -15 - tier * rise, 36 - 20 * tier / tiers
        tip = max(low - 1.75 * rise, -100)
        shapes += [
            path(way("M", -wide, low, "Q", 0, low + 10, wide, low, "L", 0, tip, "Z"), colours.dark),
            path(way("M", -wide, low, "Q", -wide / 2, low + 5, wide / 8, low + 5, "L", 0, tip, "Z"), colours.middle),
            path(
                way("M", -wide, low, "Q", -wide * 0.7, low + 3, -wide * 0.4, low + 4, "L", 0, tip, "Z"), colours.light
            ),
        ]
    return group(*shapes)


def _poplar(colours: Colours, size: int) -> str:
    """One tall flame of leaves."""
    wide = 31 - 2 * size

    def flame(right: float, low: float) -> str:
        return way(
            "M", 0, -100, "C", right, -80, right * 1.25, -30, 0, low, "C", -wide * 1.25, -30, -wide, -80, 0, -100, "Z"
        )

    veins = [
        path(
            way("M", 0, -y, "Q", side * 9, -y - 4, side * 14, -y - 14),
            stroke=colours.dark,
            stroke_width=2,
            stroke_linecap="round",
            opacity=0.55,
        )
        for y in (30, 45, 60)[: size + 1]
        for side in (-1, 1)
    ]
    return group(
        _trunk(colours, 30),
        path(flame(wide, -12), colours.dark),
        path(flame(wide * 0.45, -13), colours.middle),
        path(flame(-wide * 0.35, -16), colours.light),
        line((0, -20), (0, -74), colours.dark, 2.2, opacity=0.6),
        *veins,
    )


def _maple(colours: Colours, size: int) -> str:
    """A broad cloud of leaves on a forked trunk."""
    lobes = ((0, -68, 30), (-26, -50, 23), (26, -50, 23), (0, -44, 24))
    crown = [circle(x, y, r, colours.dark) for x, y, r in lobes]
    crown += [circle(x - 3, y - 3, r * 0.86, colours.middle) for x, y, r in lobes]
    crown += [circle(x - 8, y - 9, r * 0.45, colours.light) for x, y, r in lobes[:3]]
    fork = path("M0,-20 L-17,-45 M0,-20 L17,-45", stroke=colours.bark, stroke_width=6, stroke_linecap="round")
    return group(_trunk(colours, 45), *crown, fork if size > 1 else "")


def _acacia(colours: Colours, size: int) -> str:
    """Flat pads of leaves one above the other, one for each size."""
    pads = (
        ((0, -70, 40),),
        ((4, -76, 36), (-12, -48, 24)),
        ((2, -80, 36), (-17, -55, 23), (17, -42, 22)),
    )[size - 1]
    boughs = [
        path(
            way("M", 0, -18, "Q", x / 5, y * 0.7, x, y + 4),
            stroke=colours.bark,
            stroke_width=5.5,
            stroke_linecap="round",
        )
        for x, y, _ in pads
    ]
    leaves = [at(x, y, _pad(colours, wide)) for x, y, wide in reversed(pads)]
    return group(_trunk(colours, 30), *boughs, *leaves)


def _pad(colours: Colours, w: float) -> str:
    """A flat dome of leaves, `w` to each side."""
    dome: tuple[str | float, ...] = ("M", -w, 10, "C", -w * 1.05, -24, w * 1.05, -24, w, 10)
    shine = way(
        "M", -w * 0.86, 3, "C", -w * 0.8, -20, w * 0.4, -22, w * 0.62, -6, "Q", -w * 0.2, -10, -w * 0.86, 3, "Z"
    )
    return group(
        path(way(*dome, "Q", 0, 20, -w, 10, "Z"), colours.dark),
        path(way(*dome, "Q", 0, 7, -w, 10, "Z"), colours.middle),
        path(shine, colours.light),
    )


def _cone(colours: Colours) -> str:
    """Seed of the spruce."""
    scales = [path(f"M-5,{y} Q0,{y + 3.5} 5,{y}", stroke=colours.dark, stroke_width=1.2) for y in (-11.5, -8, -4.5)]
    return group(ellipse(0, 0, 7, 2.2, GROUND_SHADE, opacity=0.28), ellipse(0, -7.5, 6, 8, colours.middle), *scales)


def _nut(colours: Colours) -> str:
    """Seed of the poplar: a leaf-shaped pip."""
    return group(
        ellipse(0, 0, 7, 2.2, GROUND_SHADE, opacity=0.28),
        path("M0,-17 C9,-10 7,-1 0,0 C-7,-1 -9,-10 0,-17Z", colours.dark),
        path("M0,-17 C3,-10 2,-2 0,0 C-7,-1 -9,-10 0,-17Z", colours.light),
    )


def _wings(colours: Colours) -> str:
    """Seed of the maple, with its two wings."""
    wing = "M0,-5 C5,-15 15,-15 15,-8 C13,-4 6,-3 0,-5Z"
    return group(
        ellipse(0, 0, 9, 2.2, GROUND_SHADE, opacity=0.28),
        path(wing, colours.middle),
        group(path(wing, colours.light), transform="scale(-1 1)"),
        circle(-2.3, -4, 3.4, colours.dark),
        circle(2.3, -4, 3.4, colours.dark),
    )


def _pod(colours: Colours) -> str:
    """Seed of the acacia: a pod with three beans."""
    return group(
        ellipse(0, 0, 10, 2.2, GROUND_SHADE, opacity=0.28),
        path("M-13,-7 Q0,6 13,-9 Q14,-13 9,-12 Q0,-5 -9,-11 Q-14,-11 -13,-7Z", colours.dark),
        *(circle(x, y, 2.6, colours.light) for x, y in ((-8, -6.7), (0, -4), (8, -7.6))),
    )


_TREES: Final[tuple[Callable[[Colours, int], str], ...]] = (_spruce, _poplar, _maple, _acacia)
_SEEDS: Final[tuple[Callable[[Colours], str], ...]] = (_cone, _nut, _wings, _pod)


def elder_tree() -> str:
    """Nobody's tree, the oldest of all (M-ELDER)."""
    crown = ((-22, -46, 17), (22, -46, 17), (0, -58, 22), (-11, -40, 16), (12, -41, 16))
    lights = ((-20, -50), (-4, -66), (14, -57), (24, -42), (2, -44), (-12, -38))
    roots = "M-9,-30 Q-9,-12 -20,-3 Q-12,-6 -8,-1 Q-3,-6 0,0 Q4,-6 9,-1 Q12,-6 21,-3 Q9,-12 9,-30Z"
    return group(
        ellipse(0, -1, 26, 6, GROUND_SHADE, opacity=0.3),
        path(roots, "#4b3a44"),
        path("M-2,-30 Q-4,-14 -12,-4 M3,-30 Q4,-14 8,-4", stroke="#2f2430", stroke_width=1.6, stroke_linecap="round"),
        *(circle(x, y, r, "#33404f") for x, y, r in crown),
        *(circle(x - 2, y - 2, r * 0.84, "#4a6070") for x, y, r in crown),
        *(circle(x - 5, y - 6, r * 0.45, "#7f9aa3") for x, y, r in crown[:3]),
        *(circle(x, y, 2.1, "#ffeeb0") for x, y in lights),
    )


def moonstone(*, lit: bool) -> str:
    """A standing stone; it shines when moonlight reaches it (M-STONE-3)."""
    glow = [circle(0, -15, 30, "#dff0ff", opacity=0.45), circle(0, -15, 22, "#f2f9ff", opacity=0.55)] if lit else []
    tones = ("#6f7f9e", "#93a6c6", "#c9d8ee") if not lit else ("#7f97c4", "#b4cbee", "#f3f9ff")
    return group(
        *glow,
        ellipse(0, 0, 22, 5, GROUND_SHADE, opacity=0.28),
        polygon(((-20, 0), (-16, -22), (-3, -36), (11, -27), (20, -8), (17, 1), (0, 4)), tones[0]),
        polygon(((-20, 0), (-16, -22), (-3, -36), (2, -16), (-4, 3.5)), tones[1]),
        polygon(((-16, -22), (-3, -36), (2, -16)), tones[2]),
    )
