"""A hint comes with its reasons, on every kind of screen; “Do it” asks whatever would have been asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from positions import turn
from sunglade.words import catalogue, codes
from web.playing import continue_game, settle
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
FOREST = json.loads((Path(__file__).parent / "forest.json").read_text(encoding="utf-8"))


def at_a_forest(page: Page) -> None:
    continue_game(page, FOREST, ["Ada", "Ben", "Cy", "Di"][: FOREST["players"]])
    settle(page)


def ask_for_a_hint(page: Page, language: str = "en") -> None:
    page.get_by_role("button", name=str(catalogue(language).words["hint.ask"]), exact=True).first.click()
    expect(page.locator(".why li").first).to_be_visible()


@pytest.mark.parametrize("language", codes())
def test_hint_says_why_in_every_language(server: Server, open_page: OpenPage, language: str) -> None:
    page = open_page(server.address, locale=language)
    at_a_forest(page)
    ask_for_a_hint(page, language)
    for text in page.locator(".why li").all_inner_texts():
        assert text.strip() and "{" not in text and "reason." not in text


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (820, 1180), (1280, 800)])
def test_hint_and_its_reasons_fit_on_every_screen(server: Server, open_page: OpenPage, width: int, height: int) -> None:
    page = open_page(server.address, width=width, height=height, has_touch=width < 900)
    at_a_forest(page)
    ask_for_a_hint(page)
    expect(page.get_by_role("button", name="Do it")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"


def advising(page: Page, action: str) -> None:
    """Hints that advise an action."""

    def answer(route: object) -> None:
        response = route.fetch()  # type: ignore[attr-defined]
        hint = response.json() | {"action": action, "reasons": []}
        route.fulfill(response=response, json=hint)  # type: ignore[attr-defined]

    page.route("**/hint", answer)


def test_doing_what_a_hint_says_asks_before_a_piece_is_lost(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})
    continue_game(page, game.to_dict(), ["Ada", "Ben"])
    settle(page)
    advising(page, "grow c4")
    page.get_by_role("button", name="Hint", exact=True).first.click()
    page.get_by_role("button", name="Do it").click()
    expect(page.locator(".confirm")).to_contain_text("has no free slot and would be lost")
    page.get_by_role("button", name="Confirm").click()
    settle(page)
    expect(page.locator(".confirm")).to_have_count(0)


def test_ending_the_turn_by_a_hint_asks_when_light_could_be_spent(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    at_a_forest(page)
    advising(page, "end")
    page.get_by_role("button", name="Hint", exact=True).first.click()
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("dialog")).to_be_visible()


def hinted(page: Page, action: str, reasons: list[dict[str, object]]) -> None:
    """A hint with these reasons, asked for and shown."""

    def answer(route: object) -> None:
        response = route.fetch()  # type: ignore[attr-defined]
        route.fulfill(response=response, json=response.json() | {"action": action, "reasons": reasons})  # type: ignore[attr-defined]

    page.route("**/hint", answer)
    page.get_by_role("button", name="Hint", exact=True).first.click()
    expect(page.get_by_role("button", name="Do it")).to_be_visible()


def reason(kind: str, **numbers: int) -> dict[str, object]:
    return {"kind": kind, "numbers": numbers, "spaces": [], "seat": 0, "terms": {}}


def test_hint_is_shown_on_the_board(server: Server, open_page: OpenPage) -> None:
    """An arrow from the tree to where its seed goes; what grows as a ghost, with the light and shade it changes."""
    page = open_page(server.address)
    game = turn("c4:A1 e5:B1 g4:B1", light=9, available={"A seed": 1, "A medium": 1})
    continue_game(page, game.to_dict(), ["Ada", "Ben"])
    hinted(page, "plant c4 c5", [])
    expect(page.locator('[data-arrow="c4 c5"]')).to_be_visible()
    page.keyboard.press("Escape")
    page.unroute_all()
    continue_game(page, game.to_dict(), ["Ada", "Ben"])
    hinted(page, "grow c4", [])
    expect(page.locator(".board")).to_contain_text("1→2")


def test_what_is_given_up_on_purpose_frightens_nobody(server: Server, open_page: OpenPage) -> None:
    """A bug: “no free slot” stood above all other reasons, in red, though strong players do it all the time."""
    page = open_page(server.address, **PHONE)
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}, slots={"A small": "xxxx"})
    continue_game(page, game.to_dict(), ["Ada", "Ben"])
    gives_up = [reason("lost.small"), reason("lost.buy_first", price=2)]
    hinted(page, "grow c4", [*gives_up, reason("own.more", new=9, old=6, suns=6), reason("price", price=2)])
    told = page.locator(".why li")
    expect(told).to_have_count(2)
    expect(told.nth(0)).to_contain_text("More light from your trees")
    expect(told.nth(1)).to_contain_text("A small tree leaves the game")
    page.evaluate("document.documentElement.style.setProperty('--danger', 'rgb(1, 2, 3)')")
    for line in told.all():
        expect(line).not_to_have_css("color", "rgb(1, 2, 3)")
