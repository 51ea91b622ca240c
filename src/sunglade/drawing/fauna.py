"""The eight animals as small faces, and the turtle's babies that nobody has seen yet."""

from __future__ import annotations

from typing import Final

from sunglade.drawing.markup import circle, ellipse, group, line, path, polygon, title, words

INK: Final = "#2d2320"


def _eyes(x: float, y: float, r: float = 1.7) -> str:
    return group(circle(-x, y, r, INK), circle(x, y, r, INK))


def _both(shape: str) -> str:
    """A shape and its mirror image."""
    return group(shape, group(shape, transform="scale(-1 1)"))


def _boar() -> str:
    return group(
        _both(path("M5,-7 Q12,-14 11,-4Z", "#5b4636")),
        path("M-10,-3 Q-8,-11 0,-11 Q8,-11 10,-3 Q9,9 0,11 Q-9,9 -10,-3Z", "#7a5f49"),
        path("M-3,-11 Q0,-15 3,-11 L1,-5 L-1,-5Z", "#4b382b"),
        ellipse(0, 5, 5.4, 4, "#c79a86"),
        circle(-1.9, 5, 1, INK),
        circle(1.9, 5, 1, INK),
        _both(path("M5,5 Q9,5 8.4,0.5 Q6.6,3 5,3Z", "#fffaf0")),
        _eyes(5, -2.5, 1.5),
    )


def _hedgehog() -> str:
    spikes = "L-9,-7 -7,-5 -4,-11 -1,-8 3,-11.5 4,-8 9,-8 8,-4 12,-2 9,1 12,6 8,7"
    return group(
        path(f"M-11,-2 {spikes} Q0,10 -6,8Z", "#6a513f"),
        path("M-12,5 Q-8,-5 0,-1 Q2,9 -4,8.5 Q-9,9 -12,5Z", "#e6c9a4"),
        circle(-12, 5, 1.8, INK),
        circle(-5.5, 1.6, 1.6, INK),
        ellipse(-1, -1.5, 2, 2.6, "#caa27c"),
        path("M-3,9.5 L3,9.5 M4,9.3 L8,9.3", stroke="#caa27c", stroke_width=2.4, stroke_linecap="round"),
    )


def _squirrel() -> str:
    return group(
        path("M3,10 C14,12 15,-2 9,-4 C13,-13 1,-15 1,-6 C1,-1 5,1 3,10Z", "#a8481f"),
        path("M4,7 C11,8 11,0 7,-2 C10,-9 4,-10 4,-5", stroke="#d97a45", stroke_width=2, stroke_linecap="round"),
        path("M-7,11 Q-10,2 -3,0 Q5,1 4,11Z", "#c55f2c"),
        ellipse(-3, 7.5, 3, 3.6, "#f2d3b0"),
        path("M-9,-7 L-7.6,-12 L-4.6,-9 L-2,-12 L-0.6,-6 Q0,2 -6,2 Q-12,1 -9,-7Z", "#c55f2c"),
        circle(-6.4, -4, 1.5, INK),
        circle(-10.4, -1.6, 1.2, INK),
    )


def _fox() -> str:
    return group(
        _both(polygon(((2, -6), (10.5, -13), (10.5, -1)), "#c4501a")),
        _both(polygon(((6, -6.5), (9, -10), (9, -4)), "#3a2620")),
        path("M-11,-3 Q0,-10 11,-3 Q8,5 0,11 Q-8,5 -11,-3Z", "#e06a26"),
        _both(path("M11,-3 Q8,5 0,11 Q1,3 5,1 Q9,0 11,-3Z", "#fff4e4")),
        circle(0, 9.4, 2, INK),
        _eyes(4.6, -1),
    )


def _owl() -> str:
    return group(
        path("M-10,-12 Q-4,-9 0,-9 Q4,-9 10,-12 Q12,-4 10,3 Q8,12 0,12 Q-8,12 -10,3 Q-12,-4 -10,-12Z", "#7d5f46"),
        ellipse(0, 6.5, 6, 5, "#d9be97"),
        path(
            "M-3,4.5 L-1.5,6.5 L0,4.5 L1.5,6.5 L3,4.5 M-2,8 L-0.7,9.6 L0.7,8 L2,9.6", stroke="#a3815c", stroke_width=1
        ),
        _both(circle(4.5, -3, 4.6, "#fff6e0")),
        _eyes(4.2, -3, 2.3),
        polygon(((-1.8, -1), (1.8, -1), (0, 3.4)), "#e8a020"),
    )


def _badger() -> str:
    return group(
        _both(circle(8, -8, 3.2, "#2e2b2d")),
        path("M-9,-5 Q-6,-12 0,-12 Q6,-12 9,-5 Q9,4 3.5,10 Q0,13 -3.5,10 Q-9,4 -9,-5Z", "#f6f2ea"),
        _both(path("M3,-11.4 Q8,-10 9,-4 Q9,2 5,7.4 Q2.4,3 2.6,-3Z", "#2e2b2d")),
        _both(circle(5.4, -2.4, 1.4, "#ffffff")),
        ellipse(0, 9.4, 2.6, 2, "#2e2b2d"),
    )


def _beaver() -> str:
    return group(
        _both(circle(8, -8.5, 3, "#5f402a")),
        path("M-10.5,-1 Q-9,-12 0,-12 Q9,-12 10.5,-1 Q10,8 0,9 Q-10,8 -10.5,-1Z", "#8a603f"),
        _both(ellipse(3.4, 3, 4.2, 3.4, "#c59a73")),
        path("M-2.6,5 L-2.6,11.4 L2.6,11.4 L2.6,5Z", "#fffaf0", stroke="#a3815c", stroke_width=0.7),
        line((0, 5.4), (0, 11), "#a3815c", 0.8),
        ellipse(0, -0.6, 2.8, 2, INK),
        _eyes(5, -4.4),
    )


def _turtle() -> str:
    shell = "M-9,5 Q-9,-10 2,-10 Q11,-9 11,5Z"
    return group(
        path("M-7,5 L-8,10 L-3.6,10 L-3,5Z M5,5 L5,10 L9.4,10 L9,5Z", "#8db35a"),
        path("M-8,4 Q-15,6 -13.6,-0.6 Q-12,-4 -8,-1Z", "#8db35a"),
        circle(-11, 0.2, 1.2, INK),
        path(shell, "#3f7d4a"),
        path(
            "M-4,-7 L0,-2 L6,-2 L9,-6 M0,-2 L-3,5 M6,-2 L8,5",
            stroke="#9cc97a",
            stroke_width=1.5,
            stroke_linejoin="round",
        ),
        path("M-10,5 L12,5", stroke="#2c5c37", stroke_width=2.2, stroke_linecap="round"),
    )


_FACES: Final = {
    "boar": _boar,
    "hedgehog": _hedgehog,
    "squirrel": _squirrel,
    "fox": _fox,
    "owl": _owl,
    "badger": _badger,
    "beaver": _beaver,
    "turtle": _turtle,
}


def animal(name: str, ring: str) -> str:
    """An animal on a round token with its player's ring."""
    return group(
        title(name),
        circle(0, 1.5, 18, "#1d1a12", opacity=0.3),
        circle(0, 0, 17, "#fdf6e6", stroke=ring, stroke_width=3.2),
        _FACES[name](),
    )


def baby() -> str:
    """A baby face down: an egg with a question mark (M-SETUP-4)."""
    egg = "M0,-12 C7,-12 9.5,-1 9.5,3 C9.5,8.5 5,11 0,11 C-5,11 -9.5,8.5 -9.5,3 C-9.5,-1 -7,-12 0,-12Z"
    return group(
        ellipse(0, 10.5, 8, 2.4, "#1d1a12", opacity=0.28),
        path(egg, "#f3ead3", stroke="#6b8f55", stroke_width=1.4),
        words(0, 6.5, "?", 13, "#567a42", font_weight="700"),
    )
