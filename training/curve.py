"""The learning curve as a picture: `python training/curve.py OUT.svg NAME=progress.jsonl …`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

WIDTH, HEIGHT, MARGIN = 720, 360, 56
COLOURS: Final = ("#1d6f8a", "#c9481f", "#2f8a45", "#b8860b")

Curve = list[tuple[float, float]]


def read(path: Path, key: str = "mean_points") -> Curve:
    """Minutes of training and a figure of each report."""
    lines = [json.loads(line) for line in path.read_text().splitlines() if line]
    return [(line["seconds"] / 60, line[key]) for line in lines if line.get(key) is not None]


def svg(curves: dict[str, Curve], label: str) -> str:
    """Lines over the minutes of training."""
    right = max(x for curve in curves.values() for x, _ in curve)
    top = max(y for curve in curves.values() for _, y in curve) * 1.05

    def place(x: float, y: float) -> str:
        across = MARGIN + x / right * (WIDTH - 2 * MARGIN)
        return f"{across:.1f},{HEIGHT - MARGIN - y / top * (HEIGHT - 2 * MARGIN):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{label} over minutes of training</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf6"/>',
    ]
    for step in range(6):
        y = top * step / 5
        x1, y1 = place(0, y).split(",")
        parts.append(f'<path d="M{x1} {y1}H{WIDTH - MARGIN}" stroke="#ddd5c0"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{float(y1) + 4}" text-anchor="end" fill="#555">{y:.0f}</text>')
        x2, y2 = place(right * step / 5, 0).split(",")
        parts.append(
            f'<text x="{x2}" y="{float(y2) + 20}" text-anchor="middle" fill="#555">{right * step / 5:.1f}</text>'
        )
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(place(x, y) for x, y in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(f'<text x="{WIDTH - MARGIN - 220}" y="{HEIGHT - 90 + 18 * number}" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{MARGIN}" y="28" fill="#333">{label}</text>')
    parts.append(
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle" fill="#333">minutes on one H200</text></svg>'
    )
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> None:
    """Draw the curves named on the command line."""
    target, *named = arguments
    curves = {name: read(Path(path)) for name, _, path in (word.partition("=") for word in named)}
    Path(target).write_text(svg(curves, "points of all players together, self-play games"))


if __name__ == "__main__":
    main(sys.argv[1:])
