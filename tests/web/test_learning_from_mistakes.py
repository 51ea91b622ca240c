"""“Learn from mistakes”: turns that cost something are played again, judged at once, and told what was best."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sunglade.words import catalogue, codes
from web.playing import click_space, settle
from web.stage import OpenPage, Server
from web.static_host import Host
from web.test_looking_back import ON_ITS_SIDE, PHONE, looked_back, thrown_away
from web.test_looks import assert_accessible


def end_turn(page: Page, language: str = "en") -> None:
    page.locator("button.end").click()
    asked = page.locator("dialog").get_by_role("button", name=str(catalogue(language).words["action.end"]), exact=True)
    expect(asked.or_(page.locator(".learning .verdict")).first).to_be_visible()
    if asked.count() > 0:
        asked.click()
    expect(page.locator(".learning .verdict")).to_be_visible()


def collect(page: Page, space: str) -> None:
    """By clicks; fingers are asked once more."""
    click_space(page, space)
    page.locator('.menu .entry[data-kind="collect"]').click()
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        page.locator(".info .confirm .main").click()
    settle(page)


def begin(page: Page, file: Path, language: str = "en") -> None:
    looked_back(page, file, language)
    page.locator(".review .learn button").first.click()
    settle(page)
    expect(page.locator(".learning")).to_be_in_viewport()


def walk_through(page: Page, file: Path, language: str) -> None:
    """The same mistake once more, what was best, and a better turn."""
    words = catalogue(language).words
    begin(page, file, language)
    bar = page.locator(".learning")
    end_turn(page, language)
    expect(bar).to_contain_text(str(words["review.verdict.turning_point"]))
    page.get_by_role("button", name=str(words["puzzle.show"])).click()
    expect(bar.locator("ol li")).not_to_have_count(0)
    expect(bar.get_by_label(str(words["reason.title"])).locator("li")).not_to_have_count(0)
    assert not re.search(r"\{\w+\}|learn\.|reason\.|review\.|puzzle\.", bar.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    page.get_by_role("button", name=str(words["puzzle.again"])).click()
    expect(bar.locator(".verdict")).to_have_count(0)
    settle(page)
    for space in ("c4", "d4"):
        collect(page, space)
    end_turn(page, language)
    expect(bar).to_contain_text(str(words["learn.good"]))
    back = page.get_by_role("button", name=str(words["learn.back"]))
    back.scroll_into_view_if_needed()
    expect(back).to_be_in_viewport()
    back.click()
    expect(page.locator(".review .learn button").first).to_be_focused()


@pytest.mark.parametrize("language", codes())
def test_mistake_is_played_again_in_every_language(
    server: Server, open_page: OpenPage, tmp_path: Path, language: str
) -> None:
    page = open_page(server.address, locale=language, **(PHONE if language in ("he", "ru") else {}))
    walk_through(page, thrown_away(tmp_path), language)


@pytest.mark.proof
@pytest.mark.parametrize("size", [{}, PHONE, ON_ITS_SIDE], ids=["large", "phone", "on its side"])
@pytest.mark.parametrize("language", codes())
def test_mistakes_are_played_again_on_every_screen(
    server: Server, open_page: OpenPage, tmp_path: Path, language: str, size: dict[str, object]
) -> None:
    page = open_page(server.address, locale=language, **size)
    walk_through(page, thrown_away(tmp_path), language)


def test_turn_that_is_tried_again_can_be_read_by_everybody(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(server.address)
    begin(page, thrown_away(tmp_path))
    end_turn(page)
    page.get_by_role("button", name="Show the best turn").click()
    assert_accessible(page, "a turn that is learned from")


def test_judge_who_is_away_is_asked_again(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(server.address, lost_connection=True)  # the failure shows in the console
    begin(page, thrown_away(tmp_path))
    page.route("**/whatif/turn", lambda route: route.abort())
    page.locator("button.end").click()
    sure = page.locator("dialog").get_by_role("button", name="End turn", exact=True)
    expect(sure.or_(page.get_by_role("alert")).first).to_be_visible()
    if sure.count() > 0:
        sure.click()
    expect(page.locator(".learning").get_by_role("alert")).to_contain_text("can’t be reached")
    page.unroute("**/whatif/turn")
    page.locator(".learning").get_by_role("button").first.click()
    expect(page.locator(".learning .verdict")).to_be_visible()


def test_mistakes_are_learned_from_on_a_device(host: Host, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(host.address, lost_connection=True, **PHONE)
    walk_through(page, thrown_away(tmp_path), "en")
