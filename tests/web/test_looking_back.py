"""A game that is over is looked back at in a real browser: by the judge itself, on large screens and on phones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from positions import turn
from sunglade.words import catalogue, codes
from web.playing import settle
from web.stage import OpenPage, Server
from web.static_host import Host
from web.test_looks import assert_accessible

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"width": 844, "height": 390, "has_touch": True, "is_mobile": True}


def thrown_away(folder: Path) -> Path:
    """A game that whoever was far ahead loses with its last turn: two large trees are left standing."""
    game = turn("c4:A3 d4:A3 e4:A2 b2:B3 f5:B2", light={"A": 9, "B": 6}, round=17)
    for line in ("end", "collect b2", "end", "end", "end"):
        game.play(line)
    assert game.over and game.winners == [1]
    file = folder / "game.json"
    file.write_text(json.dumps(game.to_dict()), encoding="utf-8")
    return file


def looked_back(page: Page, file: Path, language: str = "en") -> Locator:
    """Upload a game and let it be judged to its end."""
    words = catalogue(language).words
    page.locator("nav input[type=file]").set_input_files(file)
    page.get_by_role("button", name=str(words["replay.value.make"])).click()
    review = page.locator(".review")
    expect(review.locator(".turning_point")).to_have_count(1)
    return review


def how_it_ends(review: Locator, language: str) -> None:
    """Points that were expected over the game, and at the end who stands where: as it came about."""
    words = catalogue(language).words
    expect(review.get_by_role("img", name=str(words["review.points"])).locator(".line")).to_have_count(2)
    board = review.get_by_role("img", name=str(words["review.standing"]))
    expect(board.locator("path")).to_have_count(37)
    expect(board.locator("use")).not_to_have_count(0)


def walk_through(page: Page, file: Path, language: str) -> None:
    """The verdict with its numbers, the turn on the board, what was better and why, and trying it again."""
    words = catalogue(language).words
    review = looked_back(page, file, language)
    worst = review.locator(".turning_point")
    expect(worst.locator("b").first).to_have_text(str(words["review.verdict.turning_point"]))
    expect(review.locator("tbody tr")).to_have_count(2)
    how_it_ends(review, language)
    worst.get_by_role("button", name=str(words["review.look"])).click()
    expect(page).to_have_url(re.compile(r"step=4$"))
    worst.get_by_role("button", name=str(words["review.better"])).click()
    expect(worst.locator("ol li")).not_to_have_count(0)
    expect(worst.get_by_label(str(words["reason.title"])).locator("li")).not_to_have_count(0)
    assert not re.search(r"\{\w+\}|review\.|reason\.|replay\.", page.locator(".side").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    again = worst.get_by_role("button", name=str(words["review.try"]))
    again.scroll_into_view_if_needed()
    expect(again).to_be_in_viewport()
    again.click()
    expect(page.locator(".whatif .way .numbers")).to_have_text("0/0")
    settle(page)


@pytest.mark.parametrize("language", codes())
def test_review_in_every_language(server: Server, open_page: OpenPage, tmp_path: Path, language: str) -> None:
    size = PHONE if language in ("he", "ru") else {}
    page = open_page(server.address, locale=language, **size)
    walk_through(page, thrown_away(tmp_path), language)


@pytest.mark.proof
@pytest.mark.parametrize("size", [{}, PHONE, ON_ITS_SIDE], ids=["large", "phone", "on its side"])
@pytest.mark.parametrize("language", codes())
def test_review_in_every_language_on_every_screen(
    server: Server, open_page: OpenPage, tmp_path: Path, language: str, size: dict[str, object]
) -> None:
    page = open_page(server.address, locale=language, **size)
    walk_through(page, thrown_away(tmp_path), language)


def test_review_can_be_read_by_everybody(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(server.address)
    review = looked_back(page, thrown_away(tmp_path))
    review.get_by_role("button", name="What was better?").click()
    expect(review.locator(".turning_point ol li")).not_to_have_count(0)
    assert_accessible(page, "a review")


def test_review_goes_on_after_a_reload(server: Server, open_page: OpenPage) -> None:
    """A bug: a page that was opened while a game was being looked at showed for good how far it had come then."""
    page = open_page(server.address)
    page.locator("nav input[type=file]").set_input_files(Path(__file__).parent / "forest.json")
    page.get_by_role("button", name="Calculate the chart").click()
    expect(page.locator(".graph").get_by_role("status")).to_be_visible()
    page.reload()
    expect(page.locator(".review tbody tr")).to_have_count(4)
    expect(page.locator(".graph").get_by_role("status")).to_have_count(0)


def test_review_on_a_device(host: Host, open_page: OpenPage, tmp_path: Path) -> None:
    """Without a server, by the same judge, which has to be fetched first."""
    page = open_page(host.address, lost_connection=True, **PHONE)
    walk_through(page, thrown_away(tmp_path), "en")
