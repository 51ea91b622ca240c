"""Phones, languages, the blind and the hurried: the client is for everyone."""

from __future__ import annotations

import gzip
import json
import re
import statistics
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from sunglade.words import ENGLISH, languages
from web.playing import Mouse, able, click_space, continue_game, open_table, play_now, settle, spoken
from web.stage import ROOT, OpenPage, Server, wait_until

LANGUAGES = [language for language in languages() if language != ENGLISH]
BUILT = ROOT / "src" / "sunglade" / "web"
FIRST_LOAD = 150_000
SCRIPT_S = 0.050
SHORT = {"edition": "us", "rounds": 1}


@cache
def axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def assert_accessible(page: Page, what: str) -> None:
    """No serious violation, by axe."""
    page.evaluate(axe())
    found = page.evaluate(
        """async () => (await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}))
            .violations.filter(one => ["serious", "critical"].includes(one.impact))
            .map(one => one.id + ": " + one.nodes.slice(0, 4).map(
                node => node.html.slice(0, 160) + " " + (node.any[0]?.message ?? "")).join(" | "))"""
    )
    assert not found, f"{what}: {found}"


def to_a_turn(page: Page, seed: int = 11) -> None:
    mouse = Mouse(page, seed)
    while page.locator("button.end").count() == 0:
        mouse.place()  # and not a step: when the turn comes just now that would play it
    wait_until(lambda: page.locator(".prompt.mine").count() > 0, "my turn")  # bots may still get ready


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(server: Server, open_page: OpenPage, scheme: str) -> None:
    page = open_page(server.address, color_scheme=scheme)
    page.wait_for_selector("nav .way")
    assert_accessible(page, "start")
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector("dialog[open] select")
    assert_accessible(page, "settings")
    page.goto(f"{server.address}/new")
    page.wait_for_selector("optgroup option", state="attached")
    assert_accessible(page, "set-up")
    for module in ("Moon and animals", "Moonstones"):
        page.get_by_label(module).check()
    for more in page.locator("summary").all():
        more.click()
    assert_accessible(page, "set-up with every option")
    page.goto(f"{server.address}/guide")
    page.wait_for_selector("section")
    assert_accessible(page, "guide")
    page.goto(f"{server.address}/nonsense")
    page.wait_for_selector("h1")
    assert_accessible(page, "unknown page")
    page.goto(server.address)
    table = open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "greedy"}], SHORT)
    to_a_turn(page)
    assert_accessible(page, "table")
    click_space(page, page.locator(".start").first.get_attribute("data-at") or "")
    page.wait_for_selector(".menu .entry")
    assert_accessible(page, "menu of a space")
    page.keyboard.press("Escape")
    for tab in ("Forecast", "Points"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        assert_accessible(page, tab)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] kbd")
    assert_accessible(page, "keys")
    page.keyboard.press("Escape")
    page.locator("button.end").click()
    page.wait_for_selector("dialog[open] .button.main")
    assert_accessible(page, "end of turn")
    page.locator("dialog .button.main").click()
    page.get_by_text("Final score").first.wait_for()
    assert_accessible(page, "result")
    page.goto(f"{server.address}/replay/{table}")
    page.get_by_role("slider").wait_for()
    assert_accessible(page, "replay")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_speaks_on_start_page_and_table(server: Server, open_page: OpenPage, language: str) -> None:
    page = open_page(server.address, locale=language)
    page.wait_for_selector(f"html[lang={language}]")
    for place, sign in (("new", "optgroup option"), ("guide", "section"), ("", "nav .way")):
        page.goto(f"{server.address}/{place}")
        page.wait_for_selector(f"html[lang={language}] {sign}", state="attached")
        assert_accessible(page, f"/{place} in {language}")
    page.locator("form .button.main").click()
    page.wait_for_selector(".cell.able")
    settle(page)
    assert_accessible(page, f"table in {language}")
    shown = page.locator("body").inner_text() + page.content()
    assert not re.search(r"\{(count|player|space|round|rounds)\}", shown), "a placeholder was left open"
    to_a_turn(page)
    text = page.locator(".table").inner_text()
    for english in ("Your turn", "End turn", "places a small tree", "Round 1"):
        assert english not in text, f"English in {language}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_serious_on_settings_result_and_replay(
    server: Server, open_page: OpenPage, language: str
) -> None:
    page = open_page(server.address, locale=language)
    spoken(page)
    page.locator("button.icon[aria-label]").last.click()
    page.wait_for_selector("dialog[open]")
    assert_accessible(page, f"settings in {language}")
    with Client(server.address) as client:
        seat = client.create([{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}], rules=SHORT)
        while not seat.over:
            seat.play("end" if "end" in seat.legal else seat.legal[0])
    page.goto(f"{server.address}/t/{seat.table}")
    page.wait_for_selector("dialog[open], .result")
    settle(page)
    assert_accessible(page, f"result in {language}")
    page.goto(f"{server.address}/replay/{seat.table}")
    page.get_by_role("slider").first.wait_for()
    spoken(page)
    assert_accessible(page, f"replay in {language}")


def test_hebrew_reads_from_right_to_left_and_the_board_is_not_mirrored(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, locale="he")
    page.locator("form .button.main").click()
    page.wait_for_selector(".cell.able")
    settle(page)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    a1, a4, g1 = (page.locator(f'[data-space="{space}"]').bounding_box() for space in ("a1", "a4", "g1"))
    assert a1 and a4 and g1 and a1["x"] < a4["x"] and a1["y"] < g1["y"]
    players, board = page.locator("aside").bounding_box(), page.locator(".canvas").bounding_box()
    assert players and board and players["x"] < board["x"], "the page is laid out from the right"
    page.locator('[data-space="a2"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-space="a3"]'), "arrow keys stay where the eye sees them").to_be_focused()
    to_a_turn(page)


def test_a_phone_shows_the_plan_and_can_be_played_with_a_thumb(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, width=390, height=844, has_touch=True, is_mobile=True)
    play_now(page)
    expect(page.locator("svg.board.plan")).to_have_count(1)
    space = able(page)[0]
    page.locator(f'[data-space="{space}"]').tap()
    page.get_by_role("button", name="Confirm").tap()
    expect(page.locator("aside ol")).to_contain_text(f"places a small tree on {space}")
    wait_until(lambda: bool(able(page)), "the second tree")
    page.locator(f'[data-space="{able(page)[-1]}"]').tap()
    page.get_by_role("button", name="Confirm").tap()
    page.wait_for_selector("button.end:not([disabled])")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    small = page.evaluate(
        """[...document.querySelectorAll("button, a, select, input:not([type=file]), .cell")]
            .filter(one => one.checkVisibility() && !one.closest("ol") && !one.classList.contains("skip"))
            .map(one => [one.getAttribute("aria-label") ?? one.textContent, one.getBoundingClientRect()])
            .filter(([_, box]) => box.width > 0 && (box.width < 40 || box.height < 40))
            .map(([name, box]) => name + " " + Math.round(box.width) + "×" + Math.round(box.height))"""
    )
    assert not small, f"too small for a thumb: {small}"
    moonlit = json.loads((Path(__file__).parent / "moonlit.json").read_text(encoding="utf-8"))
    continue_game(page, moonlit, ("Ada", "Ben", "Cy", "Di"))  # the fullest table: four players with their animals
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("dialog")).to_contain_text("How to play")


def test_zoom_to_200_percent_cuts_nothing_off(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, width=640, height=400)  # 1280 × 800 at 200 %
    play_now(page)
    to_a_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    end = page.locator("button.end")
    end.scroll_into_view_if_needed()
    expect(end).to_be_in_viewport()


def test_first_load_is_small() -> None:
    index = (BUILT / "index.html").read_text(encoding="utf-8")
    first = {BUILT / name for name in re.findall(r'(?:src|href)="\./(assets/[^"]+)"', index)}
    entry = [file for file in first if file.suffix == ".js"]
    for file in entry:  # what the entry always imports
        first |= {
            BUILT / "assets" / name for name in re.findall(r'from"\./([^"]+\.js)"', file.read_text(encoding="utf-8"))
        }
    first |= set((BUILT / "assets").glob("TablePage-*"))
    size = sum(len(gzip.compress(file.read_bytes())) for file in first)
    fonts = sum(file.stat().st_size for file in (BUILT / "assets").glob("rubik-latin-wght*"))
    assert len(first) >= 4
    assert size + fonts < FIRST_LOAD, f"{size} bytes of code and {fonts} of letters"


def full_game(page: Page) -> None:
    """A table in the middle of a long game: a piece on every space."""
    recorded = json.loads((Path(__file__).parent / "dense.json").read_text(encoding="utf-8"))
    continue_game(page, recorded, ("Ada", "Ben", "Cy", "Di"))


def test_the_sun_moves_within_50_ms_of_script_and_leaks_no_nodes(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, reduced_motion="no-preference")
    full_game(page)
    expect(page.locator(".plant").nth(24)).to_be_attached()
    probe = page.context.new_cdp_session(page)
    probe.send("Performance.enable")

    def measured(name: str) -> float:
        metrics: dict[str, float] = {
            one["name"]: one["value"] for one in probe.send("Performance.getMetrics")["metrics"]
        }
        return metrics[name]

    def nodes() -> float:
        probe.send("HeapProfiler.collectGarbage")
        return measured("Nodes")

    slider = page.locator("input[type=range]")
    slider.focus()
    spent = []

    def turn(times: int) -> None:
        for i in range(times):
            before = measured("ScriptDuration")
            page.keyboard.press("ArrowRight" if i % 12 < 6 else "ArrowLeft")
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            spent.append(measured("ScriptDuration") - before)

    turn(12)
    before = nodes()
    spent.clear()
    turn(60)
    # the clock runs on while other processes have the cores: the quicker quarter tells what the script itself takes
    print(f"script of a sun move: median {1000 * statistics.median(spent):.1f} ms")
    quick = statistics.quantiles(spent, n=4)[0]
    assert quick < SCRIPT_S, f"{1000 * quick:.1f} ms"
    assert nodes() <= before * 1.02 + 20, "nodes stay behind"
