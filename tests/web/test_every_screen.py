"""Every screen in every look, and species that nobody needs colours to tell apart."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from sunglade.drawing.flora import SPECIES_NAMES
from web.every_screen import LOOKS, SIZES, Tables, pictures, with_tables
from web.pixels import colours_at, luminance
from web.stage import OpenPage, Server

CELL = 60
ALIKE = 0.8
"""Share of what two outlines cover together that each of them covers: 1 for the same outline."""
PIECES = ("seed", "lit-1", "lit-2", "lit-3")

OUTLINES = """([species, pieces, cell]) => {
    const sheet = document.createElement("div");
    sheet.style = "position:fixed;inset:0;background:white;z-index:99";
    document.body.append(sheet);
    pieces.forEach((piece, row) => species.forEach((name, column) => {
        const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        drawing.innerHTML = `<use href="#${name}-${piece}"/>`;
        drawing.style = `position:absolute;left:${column * cell}px;top:${row * cell}px;filter:brightness(0)`;
        drawing.setAttribute("width", cell);
        drawing.setAttribute("height", cell);
        sheet.append(drawing);
        const box = drawing.firstChild.getBBox();
        const side = Math.max(box.width, box.height);
        const corner = `${box.x + box.width / 2 - side / 2} ${box.y + box.height - side}`;
        drawing.setAttribute("viewBox", `${corner} ${side} ${side}`);
    }));
}"""


def outlines(page: Page) -> dict[tuple[str, str], frozenset[int]]:
    """What every piece covers, all drawn black and equally large."""
    page.evaluate(OUTLINES, [SPECIES_NAMES, PIECES, CELL])
    places = [(species, piece) for piece in PIECES for species in SPECIES_NAMES]
    points = [
        (CELL * column + x, CELL * row + y)
        for row in range(len(PIECES))
        for column in range(len(SPECIES_NAMES))
        for y in range(CELL)
        for x in range(CELL)
    ]
    dark = [luminance(colour) < 0.4 for colour in colours_at(page, points)]
    area = CELL * CELL
    return {place: frozenset(i for i in range(area) if dark[n * area + i]) for n, place in enumerate(places)}


def test_species_are_told_apart_by_their_outline_alone(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    for species in SPECIES_NAMES:
        for piece in PIECES:
            page.wait_for_selector(f"#{species}-{piece}", state="attached")
    covered = outlines(page)
    for piece in PIECES:
        for one, other in combinations(SPECIES_NAMES, 2):
            a, b = covered[one, piece], covered[other, piece]
            assert len(a) > 200 and len(b) > 200, "nothing is drawn"
            assert len(a & b) / len(a | b) < ALIKE, f"{one} and {other} look alike as {piece}"


@pytest.mark.proof
@pytest.mark.parametrize("look", list(LOOKS))
def test_every_screen_can_be_pictured_and_none_looks_like_another(
    client: None, browser: Browser, tmp_path: Path, look: str
) -> None:
    def take(tables: Tables) -> None:
        for size in SIZES:
            made = pictures(browser, tables, look, size, tmp_path)
            assert len({file.read_bytes() for file in made}) == len(made) >= 30, size

    server = Server(tmp_path / "tables.sqlite", "--lobby", "--ranking")
    server.start()
    try:
        with_tables(server, take)
    finally:
        server.stop()
