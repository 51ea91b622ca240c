"""Puzzles are walked through in a real browser: the list, a turn, the verdict, the best turn, the record."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from sunglade.teaching.puzzles import puzzles
from sunglade.words import catalogue, codes
from web.playing import click_space, settle
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"width": 844, "height": 390, "has_touch": True, "is_mobile": True}
LAST_TURN = next(
    task
    for task in puzzles()
    if task.kind == "last_turn" and all(line.startswith("collect ") for line in task.best) and task.number < 500
)


def open_puzzle(page: Page, number: int) -> None:
    page.locator(".one").nth(number - 1).click()
    page.wait_for_selector(".bar .task")
    settle(page)


def end_turn(page: Page, language: str = "en") -> None:
    page.locator("button.end").click()
    asked = page.locator("dialog").get_by_role("button", name=str(catalogue(language).words["action.end"]), exact=True)
    expect(asked.or_(page.locator(".verdict")).first).to_be_visible()
    if asked.count() > 0:
        asked.click()
    page.wait_for_selector(".verdict")


@pytest.mark.parametrize("language", codes())
def test_missed_puzzle_shows_the_best_turn_in_every_language(
    server: Server, open_page: OpenPage, language: str
) -> None:
    miss(
        open_page(f"{server.address}/puzzles", locale=language, **(PHONE if language in ("he", "ru") else {})), language
    )


@pytest.mark.proof
@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["phone", "on its side"])
@pytest.mark.parametrize("language", codes())
def test_missed_puzzle_on_every_phone(
    server: Server, open_page: OpenPage, language: str, size: dict[str, object]
) -> None:
    miss(open_page(f"{server.address}/puzzles", locale=language, **size), language)


def miss(page: Page, language: str) -> None:
    """End the turn of a puzzle at once, and look at what would have been best."""
    page.wait_for_selector(".one")
    open_puzzle(page, LAST_TURN.number)
    end_turn(page, language)
    words = catalogue(language)
    expect(page.locator(".verdict")).to_contain_text(str(words.words["puzzle.missed"]))
    page.get_by_role("button", name=str(words.words["puzzle.show"])).click()
    expect(page.locator(".best ol li")).to_have_count(len(LAST_TURN.best))
    assert not re.search(r"\{\w+\}|puzzle\.|reason\.", page.locator(".bar").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"


def test_solved_puzzle_is_kept_in_the_record(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/puzzles")
    page.wait_for_selector(".one")
    open_puzzle(page, LAST_TURN.number)
    for line in LAST_TURN.best:
        click_space(page, line.removeprefix("collect "))
        page.locator(".menu .entry", has_text="Collect").first.click()
        settle(page)
    end_turn(page)
    expect(page.locator(".verdict")).to_contain_text("Solved!")
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator(".one.solved")).to_have_count(1)
    expect(page.get_by_text("Solved on this device: 1 of")).to_be_visible()
    page.goto(server.address)
    page.wait_for_load_state("networkidle")  # games to go on with would have been asked for by now
    page.wait_for_selector("form .button.main:enabled")
    assert page.locator(".mine li").count() == 0, "a puzzle is no game to go on with"
