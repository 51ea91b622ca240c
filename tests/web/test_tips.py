"""Tips tell a newcomer what counts just now: from the first game on, and with every module."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from positions import turn
from sunglade.words import catalogue, codes
from web.playing import open_table, play_now, settle, sit_down
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def told(page: Page, key: str, language: str = "en") -> None:
    """What a section of the guide says stands in the tip."""
    expect(page.get_by_role("note").first).to_contain_text(str(catalogue(language).words[key]))


@pytest.mark.parametrize("language", codes())
def test_first_game_begins_with_its_goal_in_every_language(server: Server, open_page: OpenPage, language: str) -> None:
    """A bug: the guide's words never came to a game against a bot, and the tip stayed empty."""
    page = open_page(server.address, locale=language, **(PHONE if language in ("he", "ru") else {}))
    page.locator("form.play button.main").click()
    page.wait_for_selector(".cell.able")
    told(page, "guide.aim.1", language)


@pytest.mark.parametrize(
    ("round", "key"),
    [(1, "guide.turn.1"), (2, "guide.moon.2"), (3, "guide.animals.2"), (4, "guide.elder.1"), (5, "guide.stones.1")],
)
def test_modules_have_tips_of_their_own(server: Server, open_page: OpenPage, round: int, key: str) -> None:
    """Moon with its tracker, animals, Elder Tree, stones: one a round, after the first."""
    page = open_page(server.address)
    position = turn("c4:A1 g4:B1", animals="fox@c3 owl@e4", elder="d4", stones="b2", lunar=3, round=round)
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}]
    sit_down(page, {"seats": seats, "game": position.to_dict()})
    told(page, key)


def test_who_closes_tips_is_left_in_peace(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    play_now(page)
    page.get_by_role("note").get_by_role("button").click()
    expect(page.get_by_role("note")).to_have_count(0)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    settle(page)
    expect(page.get_by_role("note")).to_have_count(0)
    assert json.loads(page.evaluate("localStorage.getItem('sunglade.settings')"))["tips"] is False
