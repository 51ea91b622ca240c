"""In a teaching game the bot speaks up before a turn ends: it can be taken back, or left so; silence stops nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from positions import turn
from sunglade.words import catalogue, codes
from web.playing import click_space, settle, sit_down
from web.stage import OpenPage, Server

SLIP = {
    "seq": 1, "verdict": "mistake", "before": 0.62, "after": 0.41, "best": ["buy small"],
    "events": [{"seq": 0, "at": 0.0, "kind": "buy", "seat": 0, "line": "buy small", "size": "small"}],
    "reasons": [{"kind": "points.fewer", "numbers": {"new": 3, "old": 5}, "spaces": [], "seat": 0, "terms": {}}],
}  # fmt: skip


def at_a_table(page: Page, teaching: str, seats: Sequence[dict[str, Any]]) -> None:
    game = turn("c4:A1 g4:B1", light=9, available={"A medium": 1}).to_dict()
    sit_down(page, {"seats": list(seats), "game": game, "teaching": teaching})


def end_turn(page: Page, language: str = "en") -> None:
    """End the turn, also where light is left."""
    page.locator("button.end").click()
    page.locator("dialog").get_by_role("button", name=str(catalogue(language).words["action.end"]), exact=True).click()


BOTH = ({"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "seedling"})


@pytest.mark.parametrize("language", codes())
def test_slip_is_told_and_taken_back_in_every_language(server: Server, open_page: OpenPage, language: str) -> None:
    words = catalogue(language).words
    page = open_page(server.address, locale=language, width=390 if language in ("he", "de") else 1280, height=844)
    page.route("**/turn", lambda route: route.fulfill(json=SLIP))
    at_a_table(page, "strict", BOTH)
    page.locator(".columns .buy").first.click()
    settle(page)
    before = page.locator(".table").get_attribute("data-seq")
    end_turn(page, language)
    said = page.locator("dialog")
    expect(said).to_contain_text(str(words["review.verdict.mistake"]))
    expect(said.locator("ol li")).to_have_count(1)
    assert not re.search(r"\{\w+\}|slip\.|reason\.|review\.", said.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    assert page.locator(".table").get_attribute("data-seq") == before, "the turn has not ended"
    page.keyboard.press("Enter")  # taking it back is what one comes to first
    expect(said).to_have_count(0)
    settle(page)
    expect(page.locator("button.end")).to_be_enabled()
    expect(page.locator(".light, .bottom").first).to_contain_text("9")


def test_slip_that_is_left_so_ends_the_turn(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.route("**/turn", lambda route: route.fulfill(json=SLIP))
    at_a_table(page, "gentle", BOTH)
    end_turn(page)
    page.get_by_role("button", name="Leave it so").click()
    expect(page.locator("aside ol")).to_contain_text("Ada ends the turn")


def test_teacher_who_does_not_answer_stops_nobody(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, lost_connection=True)  # the failure shows in the console
    page.route("**/turn", lambda route: route.abort())
    at_a_table(page, "gentle", BOTH)
    end_turn(page)
    expect(page.locator("aside ol")).to_contain_text("Ada ends the turn")


def test_table_that_does_not_teach_asks_nobody(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/turn") else None)
    at_a_table(page, "off", ({"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}))
    click_space(page, "c4")
    page.keyboard.press("Escape")
    end_turn(page)
    expect(page.locator("aside ol")).to_contain_text("Ada ends the turn")
    assert not asked


def test_strictness_is_chosen_when_a_table_is_set_up(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    page.get_by_label("Teaching game").select_option("strict")
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/tables")) as made:
        page.get_by_role("button", name="Create game").click()
    assert '"teaching":"strict"' in (made.value.post_data or "")
