"""Coming back to a table: step by step through what others did since one's last turn, and on to the present."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from web.playing import able, click_space, open_table, settle
from web.stage import OpenPage, Server
from web.static_host import Host
from web.test_app import first_visit
from web.test_ending_together import place_one, sit

PHONE = {"width": 390, "height": 844}
SHOW = "Show me"


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Since your last turn")


def ben_away(open_page: OpenPage, server: Server, **size: int) -> tuple[Page, Page]:
    """Ben has placed a tree and is away; Ada has placed two since, so that it is Ben's turn."""
    ada, ben = sit(open_page, server, "Ada", "Ben", **size)
    place_one(ada)
    place_one(ben)
    ben.goto(server.address)
    for _ in range(3):
        page = ada
        page.wait_for_selector(".table")
        if page.locator(".prompt.mine").count() == 0:
            break
        place_one(page)
    return ada, ben


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_who_comes_back_is_led_through_what_was_missed(
    server: Server, open_page: OpenPage, size: dict[str, int]
) -> None:
    ada, ben = ben_away(open_page, server, **size)
    there = ada.url
    ben.goto(there)
    ben.get_by_role("button", name=SHOW).click()
    expect(bar(ben)).to_be_visible()
    expect(bar(ben).get_by_role("button", name="One step forward")).to_be_focused()
    steps = ben.locator("section.since .numbers")
    expect(steps).to_have_text("0/1")
    expect(bar(ben).get_by_role("button", name="One step back")).to_be_disabled()
    ben.keyboard.press("Enter")
    expect(steps).to_have_text("1/1")
    expect(bar(ben)).to_contain_text("Ada")
    expect(ben.locator("[aria-live=polite]").filter(has_text="Ada")).to_have_count(1)
    assert ben.locator(".cell.able").count() == 0, "nothing can be done in the past"
    ben.keyboard.press("ArrowLeft")
    expect(steps).to_have_text("0/1")
    ben.keyboard.press("ArrowRight")
    expect(steps).to_have_text("1/1")
    lies = bar(ben).bounding_box()
    assert lies is not None and lies["x"] >= 0
    assert lies["x"] + lies["width"] <= (size or {"width": 1280})["width"] + 1
    bar(ben).get_by_role("button", name="To the present").click()
    expect(bar(ben)).to_have_count(0)
    place_one(ben)
    expect(ben.get_by_role("button", name=SHOW)).to_have_count(0)


def test_it_plays_by_itself_at_the_chosen_speed_and_ends(server: Server, open_page: OpenPage) -> None:
    ada, ben = ben_away(open_page, server)
    ben.goto(ada.url)
    ben.get_by_role("button", name=SHOW).click()
    bar(ben).get_by_label("Speed").select_option("4×")
    bar(ben).get_by_role("button", name="Play").click()
    expect(ben.locator("section.since .numbers")).to_have_text("1/1")
    expect(bar(ben).get_by_role("button", name="Play")).to_be_visible()
    ben.keyboard.press("Escape")
    expect(bar(ben)).to_have_count(0)


def test_a_key_leads_through_it_and_says_where_there_is_nothing(server: Server, open_page: OpenPage) -> None:
    ada, ben = ben_away(open_page, server)
    ada.keyboard.press("j")
    expect(ada.locator("[aria-live=polite]")).to_contain_text("Nobody has done anything since your last turn.")
    ben.goto(ada.url)
    ben.wait_for_selector(".cell.able")
    ben.keyboard.press("j")
    expect(bar(ben)).to_be_visible()
    ben.keyboard.press("j")
    expect(bar(ben)).to_have_count(0)


def test_bots_rounds_are_walked_through_against_bots_too(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    table = open_table(
        page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}, {"kind": "bot", "level": "random"}]
    )
    for _ in range(2):
        page.wait_for_selector(".cell.able")
        click_space(page, able(page)[0])
        settle(page)
    expect(page.locator(".prompt.mine")).to_be_visible()
    token = json.loads(page.evaluate("localStorage.getItem('sunglade.seats')"))[0]["token"]
    while True:  # until the sun has moved since one's turn
        view = page.evaluate(
            """async ([table, token]) => (await (await fetch(`/api/tables/${table}`,
                {headers: {authorization: `Bearer ${token}`}})).json()).view""",
            [table, token],
        )
        if view["state"]["round"] >= 2 and view["turn"]["seat"] == 0:
            break
        if view["turn"]["seat"] == 0:
            page.evaluate(
                """async ([table, token, seq]) => await fetch(`/api/tables/${table}/commands`, {method: "POST",
                    headers: {authorization: `Bearer ${token}`, "content-type": "application/json"},
                    body: JSON.stringify({id: `e${seq}`, do: "play", action: "end", expected: seq})})""",
                [table, token, view["seq"]],
            )
    page.reload()
    page.get_by_role("button", name=SHOW).click()
    steps = page.locator("section.since .numbers")
    total = int((steps.text_content() or "0/0").split("/")[1])
    assert total >= 2
    for step in range(total):
        expect(steps).to_have_text(f"{step}/{total}")
        bar(page).get_by_role("button", name="One step forward").click()
    expect(steps).to_have_text(f"{total}/{total}")
    expect(page.locator("h1").first).to_contain_text(f"Round {view['state']['round']}")


def test_on_a_device_too(host: Host, open_page: OpenPage) -> None:
    """The replay's frames come from the page's own tables; nobody talks there."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, host.address)
    page.wait_for_selector(".cell.able")
    click_space(page, able(page)[0])  # the second tree, after that of the first visit
    settle(page)
    expect(page.locator("h1").first).to_contain_text("Round 1")
    expect(page.locator(".prompt.mine")).to_be_visible()
    page.get_by_role("button", name="End turn").click()
    ending = page.get_by_role("dialog").get_by_role("button", name="End turn")
    expect(ending.or_(page.locator(".prompt:not(.mine)"))).to_be_visible()
    if ending.count():
        ending.click()
    expect(page.locator("h1").first).to_contain_text("Round 2")
    expect(page.locator(".prompt.mine")).to_be_visible()
    page.reload()
    page.get_by_role("button", name=SHOW).click()
    bar(page).get_by_role("button", name="One step forward").click()
    expect(page.locator("section.since .numbers")).to_have_text(re.compile("^1/"))
    page.keyboard.press("Escape")
    expect(page.locator(".prompt.mine")).to_be_visible()
    assert page.locator("button.talk").count() == 0
