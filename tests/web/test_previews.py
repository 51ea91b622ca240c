"""Looking before doing: the board shows what an action would lead to, and the menu stays out of the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from sunglade.game import Game
from sunglade.table.view import board_after, position_view
from web.playing import able, click_space, continue_game, offered, settle
from web.stage import OpenPage, Server, wait_until
from web.test_layouts import resized

HERE = Path(__file__).parent

DOUBLE_TAP_MS = 1_000


def table(server: Server, open_page: OpenPage, recorded: str, **options: Any) -> tuple[Page, Game]:
    page = open_page(server.address, **options)
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false}))")
    game: dict[str, Any] = json.loads((HERE / f"{recorded}.json").read_text(encoding="utf-8"))
    continue_game(page, game, ("Ada", "Ben", "Cy", "Di")[: game["players"]])
    settle(page)
    return page, Game.from_dict(game)


def light_of(view: dict[str, Any], ahead: int) -> dict[str, Any]:
    found: dict[str, Any] = view["now"] if ahead == 0 else view["forecast"][ahead - 1]
    return found


def changed_light(game: Game, line: str, ahead: int) -> tuple[list[str], list[str]]:
    """Badges that flip and what it costs or brings, as the kernel tells: `2→0`, and `−2` for every seat it concerns."""
    before = light_of(position_view(game, assistance=True), ahead)
    after = light_of(board_after(game, line, assistance=True), ahead)
    flips = [
        f"{light}→{after['trees'][space]}"
        for space, light in before["trees"].items()
        if after["trees"].get(space, light) != light
    ]
    changes = [new - old for new, old in zip(after["income"], before["income"], strict=True) if new != old]
    return sorted(flips), [f"{'+' if change > 0 else '−'}{abs(change)}" for change in changes]


def assert_shown(page: Page, game: Game, line: str, ahead: int) -> None:
    flips, changes = changed_light(game, line, ahead)

    def shown(selector: str) -> list[str]:
        return ["".join(text.split()) for text in page.locator(selector).all_text_contents()]

    def income() -> list[str]:
        return [text.replace("-", "−").strip("\u2066\u2069\u200e") for text in shown("article em.change")]

    wait_until(lambda: sorted(shown(".badge:has(rect) text")) == flips, f"{line}, {ahead} ahead: {flips}")
    wait_until(lambda: income() == changes, f"{line}, {ahead} ahead: {changes}")


def test_pointing_at_an_action_shows_a_ghost_its_shadow_and_who_loses_light(
    server: Server, open_page: OpenPage
) -> None:
    page, game = table(server, open_page, "moonlit")
    large = [line for line in game.legal if line.startswith("grow ")]
    page.locator(".piece.able").last.click()
    page.wait_for_selector(".cell.able")
    looked_at = 0
    for line in large:
        space = line.split()[1]
        if space not in able(page):
            continue
        page.locator(f'[data-space="{space}"]').hover(force=True)
        expect(page.locator(".ghost")).to_have_count(1)
        assert_shown(page, game, line, 0)
        looked_at += 1
        page.mouse.move(2, 2)
        expect(page.locator(".ghost")).to_have_count(0)
    assert looked_at > 1


def test_on_touch_the_first_tap_previews_under_every_sun_and_the_second_does_it(
    server: Server, open_page: OpenPage
) -> None:
    page, game = table(server, open_page, "moonlit", width=390, height=844, has_touch=True, is_mobile=True)
    page.locator(".piece.able").last.tap()
    space = offered(page)[0]
    before = page.get_attribute(".table", "data-seq")
    page.locator(f'[data-space="{space}"]').tap()
    expect(page.locator(".ghost")).to_have_count(1)
    for ahead in range(7):
        page.locator("input[type=range]").fill(str(ahead))
        assert_shown(page, game, f"grow {space}", ahead)
    assert page.get_attribute(".table", "data-seq") == before, "nothing has been done"
    page.wait_for_timeout(DOUBLE_TAP_MS)  # sooner it would be a double tap, which does nothing twice
    page.locator(f'[data-space="{space}"]').tap()
    expect(page.locator("aside ol")).to_contain_text(space)


def test_a_piece_with_a_single_place_to_go_asks_as_it_does_with_several(server: Server, open_page: OpenPage) -> None:
    page, game = table(server, open_page, "clearing")
    assert len([line for line in game.legal if line.startswith("collect")]) == 1
    before = page.get_attribute(".table", "data-seq")
    page.locator("button.collect").click()
    expect(page.locator(".cell.able")).to_have_count(1)
    assert page.get_attribute(".table", "data-seq") == before
    click_space(page, able(page)[0])
    wait_until(lambda: page.get_attribute(".table", "data-seq") != before, "the collecting")


def test_a_double_click_collects_and_takes_nothing_back(server: Server, open_page: OpenPage) -> None:
    page, game = table(server, open_page, "clearing")
    space = next(line for line in game.legal if line.startswith("collect")).split()[1]
    click_space(page, space)
    page.locator(".menu .entry", has_text="Collect").dblclick()
    settle(page)
    expect(page.locator("aside ol")).to_contain_text("collects")
    done = page.get_attribute(".table", "data-seq")
    second_half = (
        "button => button.dispatchEvent(new MouseEvent('click', {detail: 2, bubbles: true, cancelable: true}))"
    )
    for name in ("Restart turn", "End turn"):  # whatever came to lie under the pointer
        page.get_by_role("button", name=name).evaluate(second_half)
    page.locator("input[type=range]").fill("1")  # and what comes after goes on
    expect(page.locator(".now")).to_be_enabled()
    assert page.get_attribute(".table", "data-seq") == done
    page.get_by_role("button", name="Undo", exact=True).evaluate(second_half)  # taking back may be quick
    wait_until(lambda: page.get_attribute(".table", "data-seq") != done, "the undo")


def test_the_menu_lies_beside_its_tree_and_covers_no_slider_on_any_screen(server: Server, open_page: OpenPage) -> None:
    page, game = table(server, open_page, "clearing")
    space = next(line for line in game.legal if line.startswith("collect")).split()[1]
    click_space(page, space)
    page.wait_for_selector(".menu .entry")
    sizes = ((360, 640), (390, 844), (768, 1024), (844, 390), (1024, 768), (1280, 800), (2560, 1440))
    for size in resized(page, sizes):
        overlap = page.evaluate(
            """space => {
                const menu = document.querySelector(".menu").getBoundingClientRect();
                const covers = box => menu.left < box.right && box.left < menu.right && menu.top < box.bottom
                    && box.top < menu.bottom;
                const middle = document.querySelector(`[data-ground="${space}"] .soil`).getBoundingClientRect();
                const tree = {left: middle.left + middle.width * 0.4, right: middle.right - middle.width * 0.4,
                    top: middle.top, bottom: middle.bottom};
                return {tree: covers(tree), slider: covers(document.querySelector(".track").getBoundingClientRect()),
                    out: menu.left < 0 || menu.right > innerWidth};
            }""",
            space,
        )
        assert overlap == {"tree": False, "slider": False, "out": False}, size


def test_the_menu_is_one_for_keys_and_ears_with_its_reasons_behind_a_question(
    server: Server, open_page: OpenPage
) -> None:
    page, game = table(server, open_page, "clearing")
    space = next(line for line in game.legal if line.startswith("collect")).split()[1]
    click_space(page, space)
    items = page.get_by_role("menu", name=f"Actions on {space}").get_by_role("menuitem")
    expect(items.first).to_be_focused()
    wait_until(lambda: items.count() > 1, "what cannot be done")
    page.keyboard.press("ArrowUp")
    expect(items.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(items.first).to_be_focused()
    assert page.locator(".prose").count() == 0
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".prose")).to_contain_text("In the sun: 3 light points")
    page.keyboard.press("Escape")
    expect(page.locator(".menu")).to_have_count(0)
    expect(page.locator(f'[data-space="{space}"]')).to_be_focused()
