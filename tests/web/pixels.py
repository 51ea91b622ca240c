"""What can be seen: pixels of a page, their lightness (CIE L*) and contrast (WCAG)."""

from __future__ import annotations

import base64
import statistics
from collections.abc import Sequence

from playwright.sync_api import Page

Colour = tuple[int, int, int]
Point = tuple[float, float]

_READ = """async ([picture, points]) => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    return points.map(([x, y]) => [...canvas.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3));
}"""


def colours_at(page: Page, points: Sequence[Point]) -> list[Colour]:
    """The colours of a page as it is seen now. The picture is read in a blank page: a table's allows no such thing."""
    picture = base64.b64encode(page.screenshot()).decode()
    reader = page.context.new_page()
    try:
        return [(r, g, b) for r, g, b in reader.evaluate(_READ, [picture, [list(point) for point in points]])]
    finally:
        reader.close()


def luminance(colour: Colour) -> float:
    """Relative luminance of an sRGB colour, 0 … 1."""
    parts = [part / 255 for part in colour]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def lightness(colour: Colour) -> float:
    """CIE L*, 0 … 100."""
    y = luminance(colour)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def contrast(one: Colour, other: Colour) -> float:
    """1 … 21, as WCAG has it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def median_lightness(colours: Sequence[Colour]) -> float:
    return statistics.median(map(lightness, colours))
