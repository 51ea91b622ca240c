"""The bot that adapts says which level it is now, and goes on from there in the next game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from positions import turn
from sunglade.bots import LEVELS
from sunglade.words import catalogue, codes
from web.playing import sit_down
from web.stage import OpenPage, Server, wait_until


def play_last_turn(page: Page) -> None:
    """A game that ends with this turn, won or lost."""
    game = turn("c4:A1 g4:B1", light=0, round=18, player="A").to_dict()
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "seedling", "adapts": True}]
    sit_down(page, {"seats": seats, "game": game})


def said(page: Page, where: str) -> str:
    """A text without the signs that keep what runs the other way apart."""
    return re.sub("[\u2066-\u2069]", "", page.locator(where).text_content() or "")


@pytest.mark.parametrize("language", codes())
def test_bot_that_adapts_tells_its_level_in_every_language(server: Server, open_page: OpenPage, language: str) -> None:
    words = catalogue(language).tell
    page = open_page(server.address, locale=language, width=390 if language in ("he", "ru") else 1280, height=844)
    now = words("adapts.now", level=words("level.sapling"))
    page.locator("form.play select").select_option("adaptive")
    wait_until(lambda: said(page, "form.play select option:checked") == now, "its level among those to choose from")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    page.locator("form.play button.main").click()
    page.wait_for_selector("aside article" if language not in ("he", "ru") else ".strip article")
    if language not in ("he", "ru"):
        wait_until(lambda: now in said(page, "aside article:nth-child(2)"), "its level")


def test_next_level_is_told_after_the_game_and_offered_for_the_next(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    play_last_turn(page)
    page.locator("button.end").click()
    told = page.get_by_text("adapts to you and plays next as")
    expect(told).to_be_visible()
    following = next(level for level in LEVELS if f" {catalogue('en').tell(f'level.{level}')}." in told.inner_text())  # type: ignore[arg-type]
    page.goto(server.address)
    shown = catalogue("en").tell("adapts.now", level=catalogue("en").tell(f"level.{following}"))  # type: ignore[arg-type]
    expect(page.locator("form.play option[value=adaptive]")).to_have_text(shown)


def test_bot_that_adapts_stays_chosen_when_the_house_answers_late(server: Server, open_page: OpenPage) -> None:
    """A bug: whoever chose before the levels had come played the usual one."""
    page = open_page("about:blank")
    asked: list[Route] = []
    page.route("**/api/meta", lambda route: asked.append(route))
    page.goto(server.address)
    choice = page.locator("form.play select")
    choice.select_option("adaptive")
    wait_until(lambda: _heard(page, asked), "the question for the levels")
    asked.pop().continue_()
    expect(choice.locator("option")).to_have_count(len(LEVELS) + 1)
    expect(choice).to_have_value("adaptive")


def _heard(page: Page, asked: list[Route]) -> bool:
    page.wait_for_timeout(1)  # lets what happens be heard
    return bool(asked)
