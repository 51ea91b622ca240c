"""Keyboards of the world: a key is known by its place, told by its letter, and obeys the setting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.playing import continue_game, settle
from web.stage import OpenPage, Server

FOX = json.loads((Path(__file__).parent / "abilities.json").read_text(encoding="utf-8"))["fox.scare"]
NAMES = ("Ada", "Ben")
RUSSIAN = {"KeyP": "з", "KeyE": "у", "KeyM": "ь", "KeyS": "ы", "KeyA": "ф", "KeyY": "н", "KeyU": "г", "Comma": "б"}
HEBREW = {"KeyP": "פ", "KeyE": "ק", "KeyM": "צ", "KeyS": "ד", "KeyA": "ש", "KeyY": "ט", "KeyU": "ו", "Comma": "ת"}


def press(page: Page, code: str, key: str) -> None:
    """A key as a browser tells it: its place, and what the layout writes there."""
    page.evaluate(
        """([code, key]) => (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent("keydown", {code, key, bubbles: true, cancelable: true}))""",
        [code, key],
    )


def heard(page: Page) -> str:
    return page.locator("[role=status]").first.inner_text()


def at_a_turn(server: Server, open_page: OpenPage, **options: object) -> Page:
    page = open_page(server.address, **options)
    continue_game(page, FOX, NAMES)
    settle(page)
    return page


@pytest.mark.parametrize(("locale", "layout"), [("ru", RUSSIAN), ("he", HEBREW)])
def test_single_keys_work_in_a_layout_without_latin_letters(
    server: Server, open_page: OpenPage, locale: str, layout: dict[str, str]
) -> None:
    page = at_a_turn(server, open_page, locale=locale)
    press(page, "KeyS", layout["KeyS"])
    expect(page.locator("[role=status]").first).to_contain_text("Ada")
    press(page, "KeyM", layout["KeyM"])
    expect(page.locator("[role=status]").first).not_to_contain_text("Ada")
    told = heard(page)
    assert told and "buy" not in told and "plant" not in told, told  # the lines of the notation are for programs
    press(page, "KeyE", layout["KeyE"])
    expect(page.locator("dialog[open]")).to_be_visible()  # there is something left to do


def test_the_letters_of_the_layout_are_shown(server: Server, open_page: OpenPage) -> None:
    page = at_a_turn(server, open_page)
    page.evaluate(
        """letters => Object.defineProperty(navigator, "keyboard",
            {value: {getLayoutMap: async () => new Map(Object.entries(letters))}, configurable: true})""",
        RUSSIAN,
    )
    press(page, "Digit7", "?")
    keys = page.locator("dialog[open] kbd")
    expect(keys.filter(has_text="з")).to_have_count(1)
    expect(keys.filter(has_text="н г b n")).to_have_count(1)
    expect(page.locator("dialog[open] p")).to_contain_text("н г b n")


def test_the_key_of_the_animal_offers_its_step_and_its_abilities_in_turn(server: Server, open_page: OpenPage) -> None:
    page = at_a_turn(server, open_page)
    offered = page.locator("[data-animal] button")
    expect(offered.nth(1)).to_be_visible()
    several = offered.count()
    for i in range(several + 1):
        press(page, "KeyA", "ф")
        expect(offered.nth(i % several)).to_be_focused()


def test_letters_that_move_on_the_board_obey_the_setting(server: Server, open_page: OpenPage) -> None:
    page = at_a_turn(server, open_page)
    centre = page.locator("[data-space=d4]")
    centre.focus()
    press(page, "KeyY", "н")
    expect(page.locator("[data-space=c3]")).to_be_focused()
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({shortcuts: false}))")
    page.reload()
    settle(page)
    centre.focus()
    press(page, "KeyY", "y")
    expect(centre).to_be_focused()
    press(page, "ArrowRight", "ArrowRight")
    expect(page.locator("[data-space=d5]")).to_be_focused()


def test_rules_that_do_not_fit_are_told_in_the_readers_language(server: Server, open_page: OpenPage) -> None:
    page = open_page(
        f"{server.address}/new", locale="de", lost_connection=True
    )  # the refusal is an error in the console
    page.wait_for_selector("select option", state="attached")
    refusal = {"error": {"kind": "bad_rules", "message": "rules.shore must be 6 different spaces, not ['a1']."}}
    page.route("**/api/tables", lambda route: route.fulfill(status=422, json=refusal))
    page.get_by_role("button", name="Tisch eröffnen").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Dieser Tisch lässt sich nicht eröffnen: Die Option „Uferfelder“ hat einen Wert, der nicht passt."
    )
