"""Strength over training as a picture: `python training/strength.py OUT.svg`, from `ladder.jsonl` beside this file.

Elo against the anchor, both with 32 simulations an action, with 95 % intervals; a line for each way to play. Whoever
has played a ladder adds its lines there, with the seconds of training of the network that was measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

WIDTH, HEIGHT, MARGIN = 720, 360, 56
COLOURS: Final = ("#1d6f8a", "#2f8a45", "#c9481f", "#b8860b")

Rung = dict[str, Any]


def read(path: Path) -> dict[str, list[Rung]]:
    """The rungs of the ladder, those of one way to play together."""
    ways: dict[str, list[Rung]] = {}
    for rung in map(json.loads, path.read_text().splitlines()):
        way = f"{rung['players']} players, {'modules' if rung['modules'] else 'base game'}"
        ways.setdefault(way, []).append(rung)
    return ways


def svg(ways: dict[str, list[Rung]]) -> str:
    """Elo over the seconds of training."""
    rungs = [rung for way in ways.values() for rung in way]
    first: float = min(rung["seconds"] for rung in rungs)
    last: float = max(rung["seconds"] for rung in rungs)
    top: int = -(-max(rung["high"] for rung in rungs) // 50) * 50

    def across(seconds: float) -> float:
        return MARGIN + (seconds - first) / (last - first) * (WIDTH - 2 * MARGIN)

    def up(elo: float) -> float:
        return HEIGHT - MARGIN - elo / top * (HEIGHT - 2 * MARGIN)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        "<title>Elo against the anchor over seconds of training</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf6"/>',
    ]
    for elo in range(0, top + 1, 50):
        parts.append(f'<path d="M{MARGIN} {up(elo):.1f}H{WIDTH - MARGIN}" stroke="#ddd5c0"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{up(elo) + 4:.1f}" text-anchor="end" fill="#555">{elo}</text>')
    for seconds in sorted({rung["seconds"] for rung in rungs}):
        place = f'x="{across(seconds):.1f}" y="{HEIGHT - MARGIN + 20}"'
        parts.append(f'<text {place} text-anchor="middle" fill="#555">{seconds}</text>')
    for number, (way, line) in enumerate(ways.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{across(rung['seconds']):.1f},{up(rung['elo']):.1f}" for rung in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        for rung in line:
            x = across(rung["seconds"]) + 4 * (number - 1)  # side by side where they meet
            parts.append(f'<path d="M{x:.1f} {up(rung["low"]):.1f}V{up(rung["high"]):.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="{MARGIN + 16}" y="{MARGIN + 18 * number}" fill="{colour}">{way}</text>')
    parts.append(f'<text x="{MARGIN}" y="28" fill="#333">Elo against the anchor, 32 simulations each</text>')
    below = f'x="{WIDTH / 2}" y="{HEIGHT - 14}"'
    parts.append(f'<text {below} text-anchor="middle" fill="#333">seconds of training on one H200</text></svg>')
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(svg(read(Path(__file__).parent / "ladder.jsonl")))
