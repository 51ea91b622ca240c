"""“What if?” in a real browser: lines are tried on a copy, forward and back, and the game knows nothing of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from sunglade.client import Client
from sunglade.words import catalogue, codes
from web.playing import click_space, is_my_turn, offered, open_table, settle
from web.stage import OpenPage, Server, wait_until
from web.static_host import Host
from web.test_app import first_visit
from web.test_looks import assert_accessible

HERE = Path(__file__).parent
STEP = 60


def judged(page: Page) -> None:
    """A judge who thinks better of the first player with every action that is tried."""

    def answer(route: Route) -> None:
        tried = json.loads(route.request.post_data or "{}")["actions"]
        chance = 0.5 + len(tried) / 20
        told = {"seq": 1 + len(tried), "bot": "elder", "action": "end", "value": [chance, 1 - chance], "lines": []}
        route.fulfill(json={**told, "reasons": []})

    page.route("**/whatif/hint", answer)


def stands_at(page: Page, place: str) -> None:
    expect(page.locator(".whatif .way .numbers")).to_have_text(place)
    settle(page)


def test_line_is_tried_while_another_plays_until_the_turn_calls_back(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    judged(page)
    table = open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    invite = json.loads(page.evaluate("localStorage.getItem('sunglade.seats')"))[0]["invite"]
    with Client(server.address) as client:
        ben = client.join(table, invite, "Ben")
        wait_until(lambda: is_my_turn(page), "Ada begins")
        click_space(page, offered(page)[0])
        wait_until(lambda: not is_my_turn(page), "Ben is to place a tree")
        settle(page)

        page.keyboard.press("w")
        stands_at(page, "0/0")
        expect(page.locator(".whatif .chances b").first).to_have_text("50%")
        click_space(page, offered(page)[0])
        stands_at(page, "1/1")
        expect(page.locator(".prompt")).to_contain_text("Ada")
        click_space(page, offered(page)[0])
        stands_at(page, "2/2")
        expect(page.locator(".whatif .chances li").first).to_contain_text(re.compile(r"60%.*\+10", re.DOTALL))
        expect(page.locator(".plant")).to_have_count(3)
        page.keyboard.press("z")
        stands_at(page, "1/2")
        expect(page.locator(".whatif .chances b").first).to_have_text("55%")
        page.keyboard.press("x")
        stands_at(page, "2/2")
        page.get_by_role("button", name="To the beginning").click()
        stands_at(page, "0/2")
        expect(page.locator(".plant")).to_have_count(1)
        ben.refresh()
        assert ben.my_turn and len(ben.state["spaces"]) == 1, "nothing was done in the game"

        ben.play(ben.legal[-1])
        expect(page.get_by_role("alert")).to_have_text("It’s your turn in the game.")
        expect(page).to_have_title(re.compile("^●"))
    page.keyboard.press("w")
    expect(page.locator(".whatif")).to_have_count(0)
    wait_until(lambda: is_my_turn(page), "Ada's turn")
    expect(page.locator(".plant")).to_have_count(2)
    expect(page.locator("[data-space='d4']")).to_be_focused()


@pytest.mark.parametrize("language", codes())
def test_step_of_a_replay_is_tried_otherwise_in_every_language(
    server: Server, open_page: OpenPage, language: str
) -> None:
    width, height = {"he": (390, 844), "ru": (390, 844), "fr": (844, 390)}.get(language, (1280, 800))
    words = catalogue(language).words
    page = open_page(server.address, locale=language, width=width, height=height)
    judged(page)
    page.locator("input[type=file]").set_input_files(HERE / "forest.json")
    page.wait_for_selector("input[type=range]")
    page.goto(f"{page.url.split('?')[0]}?step={STEP}")
    page.get_by_role("button", name=str(words["table.whatIf"])).click()
    stands_at(page, "0/0")
    page.locator("button.end").click()
    sure = page.locator("dialog").get_by_role("button", name=str(words["action.end"]), exact=True)
    expect(sure.or_(page.get_by_text("1/1", exact=True)).first).to_be_visible()
    if sure.count():
        sure.click()
    stands_at(page, "1/1")
    bar = page.locator(".whatif")
    assert not re.search(
        r"\{\w+\}|whatif\.|replay\.", bar.inner_text() + (bar.locator("li").first.get_attribute("title") or "")
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    expect(page.get_by_role("button", name=str(words["whatif.replay"]))).to_be_in_viewport()
    if language in ("de", "he"):
        assert_accessible(page, f"what if in {language}")
    page.get_by_role("button", name=str(words["whatif.replay"])).click()
    expect(page.get_by_role("button", name=str(words["table.whatIf"]))).to_be_focused()
    expect(page).to_have_url(re.compile(f"step={STEP}$"))


def test_line_that_cannot_be_tried_is_told_in_a_sentence(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, lost_connection=True)  # the failure shows in the console
    judged(page)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    page.keyboard.press("w")
    stands_at(page, "0/0")
    page.route("**/whatif", lambda route: route.abort())
    click_space(page, offered(page)[0])
    expect(page.locator(".message")).to_contain_text("can’t be reached")
    page.unroute("**/whatif")
    click_space(page, offered(page)[0])
    stands_at(page, "1/1")


def test_table_without_help_offers_no_copies(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    with Client(server.address) as client:
        table = client.create([{"kind": "me"}, {"kind": "me"}], assistance=False)
    page.goto(f"{server.address}/t/{table.table}")
    settle(page)
    expect(page.get_by_role("button", name="What if?")).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator(".whatif")).to_have_count(0)


def test_lines_are_tried_and_judged_on_a_device(host: Host, open_page: OpenPage) -> None:
    """By the same rooms, and by the judge itself, which has to be fetched first."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, host.address)
    before = page.locator(".plant").count()
    page.get_by_role("button", name="What if?").click()
    stands_at(page, "0/0")
    click_space(page, offered(page)[0])
    stands_at(page, "1/1")
    wait_until(lambda: "%" in page.locator(".whatif .chances").inner_text(), "the judgement")
    page.get_by_role("button", name="Back to the game").click()
    wait_until(lambda: is_my_turn(page), "the game as it was")
    expect(page.locator(".plant")).to_have_count(before)
