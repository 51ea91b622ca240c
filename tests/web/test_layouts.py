"""Every screen: what can be pressed is never covered, nothing sticks out, and the board keeps its size.

One page is resized over all sizes; every button is hit at its middle, scrolled into view if need be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from web.playing import click_space, continue_game, settle, spoken
from web.stage import OpenPage, Server

HERE = Path(__file__).parent
PORTRAIT = (
    *((320, 640), (344, 882), (360, 640), (360, 800), (375, 667), (390, 844), (412, 915), (430, 932)),
    *((540, 720), (600, 1024), (744, 1133), (768, 1024), (820, 1180), (834, 1194), (1024, 1366)),
)
LANDSCAPE = (
    *((568, 320), (640, 360), (667, 375), (740, 360), (844, 390), (932, 430), (1024, 600), (1024, 768)),
    *((1133, 744), (1180, 820), (1280, 720), (1280, 800), (1366, 768), (1440, 900)),
    *((1600, 900), (1920, 1080), (2560, 1080), (2560, 1440)),
)
SIZES = (*PORTRAIT, *LANDSCAPE)
SOME = ((320, 640), (360, 640), (768, 1024), (844, 390), (1024, 768), (1180, 820), (1280, 800), (2560, 1440))
"""Those that were wrong before, for every change; all of them before a release."""
GAMES = {"clearing": ("Ada", "Ben", "Cy"), "moonlit": ("Ada", "Ben", "Cy", "Di")}

MISSED = """async (within) => {
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const missed = [];
    const shown = within ?? (document.querySelectorAll("dialog[open]").length ? "dialog[open] " : "");
    for (const one of document.querySelectorAll(["button", "a[href]", "select", "summary", "input:not([type=file])"]
            .map(kind => shown + kind).join())) {
        if (!one.checkVisibility({visibilityProperty: true}) || one.closest("[inert]") || one.matches(".skip"))
            continue;
        one.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
        const box = one.getClientRects()[0];
        if (!box) continue;
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        const name = (one.getAttribute("aria-label") ?? one.textContent.trim().replace(/\\s+/g, " ")).slice(0, 40);
        const asked = one.closest("label") ?? one;
        if (!hit || !(one.contains(hit) || asked.contains(hit)))
            missed.push(`${one.className} “${name}” is covered by ${hit?.outerHTML.slice(0, 80)}`);
        if (box.x < -0.5 || box.right > innerWidth + 0.5) missed.push(`“${name}” sticks out to the side`);
    }
    if (document.documentElement.scrollWidth > innerWidth) missed.push("the page is wider than the screen");
    scrollTo(0, 0);
    return missed;
}"""
BOARD = """async () => {
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const box = document.querySelector(".canvas").getBoundingClientRect();
    return [box.x, box.y + scrollY, box.width, box.height].map(Math.round);
}"""


LAID_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
"""A page hears of its new size when it is painted, and lays itself out for the next time."""


def resized(page: Page, sizes: tuple[tuple[int, int], ...]) -> Iterator[str]:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height]
        )
        page.evaluate(LAID_OUT)
        yield f"{width}×{height}"


def table(server: Server, open_page: OpenPage, game: str, language: str) -> Page:
    page = open_page(server.address, locale=language)
    recorded: dict[str, Any] = json.loads((HERE / f"{game}.json").read_text(encoding="utf-8"))
    continue_game(page, recorded, GAMES[game])
    settle(page)
    return page


def a_start(page: Page) -> str:
    return page.locator(".start").first.get_attribute("data-at") or ""


def check_a_table(page: Page, sizes: tuple[tuple[int, int], ...]) -> None:
    boards: dict[str, list[int]] = {}
    for size in resized(page, sizes):
        assert not (missed := page.evaluate(MISSED)), f"{size}: {missed}"
        boards[size] = page.evaluate(BOARD)
    slider = page.locator("input[type=range]")
    slider.fill("2")
    for size in resized(page, sizes):
        assert not (missed := page.evaluate(MISSED)), f"{size}, two rounds ahead: {missed}"
        assert page.evaluate(BOARD) == boards[size], f"{size}: the board jumps when the slider moves"
    slider.fill("0")
    click_space(page, a_start(page))
    page.wait_for_selector(".menu .entry")
    for size in resized(page, sizes):
        assert page.evaluate(BOARD) == boards[size], f"{size}: the board jumps when a menu opens"
    page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("game", "language"), [("moonlit", "de"), ("clearing", "he"), ("clearing", "ru")], ids=lambda value: str(value)
)
def test_every_button_of_a_table_can_be_hit_on_screens_that_were_wrong(
    server: Server, open_page: OpenPage, game: str, language: str
) -> None:
    check_a_table(table(server, open_page, game, language), SOME)


@pytest.mark.proof
@pytest.mark.parametrize("language", ["de", "ru", "he"])
@pytest.mark.parametrize("game", list(GAMES))
def test_every_button_of_a_table_can_be_hit_on_every_screen(
    server: Server, open_page: OpenPage, game: str, language: str
) -> None:
    check_a_table(table(server, open_page, game, language), SIZES)


PAGES = {
    "": ".page:has(nav .way):has(.board .lighting)",
    "new": "optgroup option",
    "guide": "section",
    "nonsense": "h1",
}
"""And what shows that they are whole."""


def check_pages(server: Server, page: Page, sizes: tuple[tuple[int, int], ...]) -> None:
    for place, ready in PAGES.items():
        page.goto(f"{server.address}/{place}")
        page.wait_for_selector(ready, state="attached")
        spoken(page)
        for size in resized(page, sizes):
            assert not (missed := page.evaluate(MISSED)), f"/{place} at {size}: {missed}"


def test_every_button_of_the_other_pages_can_be_hit(server: Server, open_page: OpenPage) -> None:
    check_pages(server, open_page(server.address, locale="de"), SOME)


@pytest.mark.proof
@pytest.mark.parametrize("language", ["de", "ru", "he"])
def test_every_button_of_the_other_pages_can_be_hit_on_every_screen(
    server: Server, open_page: OpenPage, language: str
) -> None:
    check_pages(server, open_page(server.address, locale=language), SIZES)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_small_phone_buys_and_ends_a_turn_and_looks_ahead_without_scrolling(
    server: Server, open_page: OpenPage, game: str
) -> None:
    page = table(server, open_page, game, "de")
    for size in resized(page, ((360, 640), (640, 360), (844, 390), (390, 844), (768, 1024))):
        page.evaluate("scrollTo(0, 0)")
        hidden = page.evaluate(
            """[...document.querySelectorAll(".buy, .end, .track input")].filter(one => {
                const box = one.getBoundingClientRect();
                return box.top < 0 || box.bottom > innerHeight + 1 || box.left < 0 || box.right > innerWidth;
            }).map(one => one.className)"""
        )
        assert not hidden, f"{size}: {hidden}"


def test_no_icon_is_cut_off(server: Server, open_page: OpenPage) -> None:
    page = table(server, open_page, "clearing", "en-GB")
    cut = page.evaluate(
        """[...document.querySelectorAll(".table :is(button, a) svg[viewBox='0 0 24 24']")].filter(icon => {
            const box = icon.getBBox({stroke: true});
            return box.x < 0 || box.y < 0 || box.x + box.width > 24 || box.y + box.height > 24;
        }).map(icon => icon.closest("button, a").title)"""
    )
    assert not cut


PARTS = ("header", ".strip", ".players", ".prompt", ".canvas", ".track", ".dock", ".panel")
NEAR_PX = 12
"""Letters are not drawn alike everywhere."""


def test_named_parts_are_where_they_were(server: Server, open_page: OpenPage) -> None:
    """Golden text: a line a size; `write_places(places(page))` writes it anew when a layout is meant to change."""
    page = table(server, open_page, "moonlit", "en-GB")
    kept = json.loads((HERE / "layouts.json").read_text(encoding="utf-8"))
    found = places(page)
    assert found.keys() == kept.keys()
    moved = [
        f"{size} {part}: {box}, was {kept[size].get(part)}"
        for size, parts in found.items()
        for part, box in parts.items()
        if any(abs(now - then) > NEAR_PX for now, then in zip(box, kept[size].get(part, [-99] * 4), strict=True))
    ]
    assert not moved


def places(page: Page) -> dict[str, dict[str, list[int]]]:
    """Left, top, width and height of the named parts on every screen."""
    return {
        size: page.evaluate(
            """async parts => {
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                const found = parts.map(part => [part, document.querySelector(`.table ${part}`)]);
                return Object.fromEntries(found.filter(([_, one]) => one).map(([part, one]) => {
                    const box = one.getBoundingClientRect();
                    return [part, [box.x, box.y + scrollY, box.width, box.height].map(Math.round)];
                }));
            }""",
            list(PARTS),
        )
        for size in resized(page, SIZES)
    }


def write_places(found: dict[str, dict[str, list[int]]]) -> None:
    lines = [f"  {json.dumps(size, ensure_ascii=False)}: {json.dumps(parts)}" for size, parts in found.items()]
    (HERE / "layouts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
