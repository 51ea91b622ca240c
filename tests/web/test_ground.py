"""Light and shade of the ground, the heart of the game: seen, heard, and looked ahead to."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade import board
from sunglade.game import Game
from sunglade.table.view import position_view
from web.pixels import Point, colours_at, median_lightness
from web.playing import continue_game, settle
from web.stage import OpenPage, Server, wait_until

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "clearing.json").read_text(encoding="utf-8"))
"""Three players in the middle of a game, with as many lit as shaded empty spaces, shaded for every size."""
NAMES = ("Ada", "Ben", "Cy")

GROUND_POINTS = """space => {
    const soil = document.querySelector(`[data-ground="${space}"] .soil`).getBoundingClientRect();
    const points = [];
    for (let over = 0.15; over < 0.9; over += 0.05)
        for (let down = 0.3; down < 0.75; down += 0.05) {
            const [x, y] = [soil.x + soil.width * over, soil.y + soil.height * down];
            if (document.elementFromPoint(x, y)?.closest("[data-space]")?.dataset.space === space) points.push([x, y]);
        }
    return points;
}"""


def clearing(server: Server, open_page: OpenPage, **options: Any) -> tuple[Page, dict[str, Any]]:
    """A page with that game, and what the server tells about it."""
    page = open_page(server.address, **options)
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false}))")
    continue_game(page, RECORDED, NAMES)
    settle(page)
    page.mouse.move(2, 2)
    return page, position_view(Game.from_dict(RECORDED), assistance=True)


def bare_spaces(view: dict[str, Any]) -> list[str]:
    return [name for name in board.NAMES if name not in view["state"]["spaces"]]


def seen_lightness(page: Page, spaces: list[str]) -> dict[str, float]:
    """CIE L* of the ground of spaces, where nothing stands before it."""
    points: dict[str, list[Point]] = {space: page.evaluate(GROUND_POINTS, space) for space in spaces}
    colours = iter(colours_at(page, [point for some in points.values() for point in some]))
    return {space: median_lightness([next(colours) for _ in some]) for space, some in points.items() if len(some) > 20}


@pytest.mark.parametrize("view", ["forest", "plan"])
def test_lit_and_shaded_ground_differ_twice_as_much_as_any_two_soils(
    server: Server, open_page: OpenPage, view: str
) -> None:
    page, told = clearing(server, open_page)
    page.evaluate("view => localStorage.setItem('sunglade.settings', JSON.stringify({tips: false, view}))", view)
    page.reload()
    page.wait_for_selector(f".board.{view}")
    settle(page)
    for ahead, light in enumerate([told["now"], *told["forecast"]]):
        page.locator("input[type=range]").fill(str(ahead))
        page.mouse.move(2, 2)
        dark = {space: light["shadows"].get(space, 0) for space in bare_spaces(told)}
        page.wait_for_function(
            """dark => Object.entries(dark).every(
                ([space, size]) => document.querySelector(`[data-ground="${space}"]`).dataset.dark === String(size))""",
            arg=dark,
        )
        seen: dict[int, list[float]] = defaultdict(list)
        for space, lightness in seen_lightness(page, bare_spaces(told)).items():
            seen[dark[space]].append(lightness)
        soils = max(max(some) - min(some) for some in seen.values())
        difference = min(seen[0]) - max(value for size, some in seen.items() if size > 0 for value in some)
        print(f"{view}, {ahead} ahead: {difference:.1f} L* between lit and shaded, {soils:.1f} within one light")
        assert difference >= 2 * soils, (
            f"{ahead} ahead, {view}: {difference:.1f} between lit and shaded, {soils:.1f} else"
        )


def test_a_pip_for_each_size_that_would_be_shaded(server: Server, open_page: OpenPage) -> None:
    page, told = clearing(server, open_page)
    shadows = told["now"]["shadows"]
    shaded = {space: shadows[space] for space in bare_spaces(told) if space in shadows}
    assert set(shaded.values()) == {1, 2, 3}
    drawn = """Object.fromEntries([...document.querySelectorAll("[data-pips]")].map(
        one => [one.dataset.pips, one.querySelectorAll("path").length]))"""
    wait_until(lambda: page.evaluate(drawn) == shaded, "a pip for each size")


SPOKEN = ("in the sun", "shade for small trees", "shade for small and medium trees", "shade for all trees")


def test_spoken_name_and_hover_tell_the_light_of_the_ground(server: Server, open_page: OpenPage) -> None:
    page, told = clearing(server, open_page)
    for ahead, light in enumerate([told["now"], *told["forecast"]]):
        page.locator("input[type=range]").fill(str(ahead))
        for space in bare_spaces(told):
            heard = re.compile(f"empty, {SPOKEN[light['shadows'].get(space, 0)]}$|used")
            expect(page.locator(f'[data-space="{space}"]')).to_have_attribute("aria-label", heard)
    lit, shaded = "g1", "d7"
    page.locator("input[type=range]").fill("0")
    for space in (lit, shaded):
        page.locator(f'[data-space="{space}"]').hover()
        text = f"empty · 1 leaf · {SPOKEN[told['now']['shadows'].get(space, 0)]}"
        expect(page.locator(".hover")).to_contain_text(text)
