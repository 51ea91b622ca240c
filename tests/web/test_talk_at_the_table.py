"""Talk at a table, in two real browsers: live, again after a lost connection, muted, on a phone, in every language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from web.playing import open_table, settle
from web.stage import OpenPage, Server
from web.test_ending_together import sit

PHONE = {"width": 390, "height": 844}
TALK = "button.talk"


def box(page: Page) -> Locator:
    return page.locator("section.talk")


def said(page: Page) -> Locator:
    return box(page).locator("li:not(.muted)")


def open_talk(page: Page) -> None:
    page.locator(TALK).click()
    expect(box(page)).to_be_visible()


def say(page: Page, text: str) -> None:
    box(page).get_by_role("textbox").fill(text)
    page.keyboard.press("Enter")
    expect(said(page).filter(has_text=text)).to_have_count(1)


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_what_one_says_the_other_reads_and_is_told_of(
    server: Server, open_page: OpenPage, size: dict[str, int]
) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben", **size)
    expect(ben.locator(TALK)).to_have_attribute("aria-label", "Talk")
    ada.locator(TALK).wait_for()
    ada.keyboard.press("k")
    expect(box(ada).get_by_role("textbox")).to_be_focused()
    say(ada, "A fine sun today")
    expect(ben.locator(TALK)).to_have_attribute("aria-label", "Talk: one new message")
    expect(ben.locator("[aria-live=polite]").filter(has_text="Ada: A fine sun today")).to_have_count(1)
    open_talk(ben)
    expect(said(ben)).to_contain_text(["A fine sun today"])
    expect(ben.locator(TALK)).to_have_attribute("aria-label", "Talk")
    box(ben).get_by_role("button", name="Well played!").click()
    expect(said(ada)).to_contain_text(["A fine sun today", "Well played!"])
    within = box(ben).bounding_box()
    assert within is not None and within["x"] >= 0
    assert within["x"] + within["width"] <= (size or {"width": 1280})["width"] + 1
    box(ben).get_by_role("textbox").press("Escape")
    expect(box(ben)).to_have_count(0)
    expect(ben.locator(TALK)).to_be_focused()


def test_markup_is_only_text(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    open_talk(ada)
    open_talk(ben)
    text = '<img src=x onerror="document.title=1"><b>bold</b> & \u202eturned'
    box(ada).get_by_role("textbox").fill(text)
    ada.keyboard.press("Enter")
    expect(said(ben).locator(".text")).to_have_text(text.replace("\u202e", ""))
    assert said(ben).locator("img").count() == 0


def test_what_was_said_while_nobody_was_there_is_read_later_once(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben", lost_connection=True)
    open_talk(ada)
    open_talk(ben)
    say(ada, "first")
    expect(said(ben)).to_have_count(1)
    ben.context.set_offline(True)
    ben.evaluate("dispatchEvent(new Event('offline'))")
    say(ada, "second")
    ben.context.set_offline(False)
    ben.reload()
    ben.wait_for_selector(TALK)
    open_talk(ben)
    expect(said(ben)).to_contain_text(["first", "second"])


def test_who_is_muted_is_not_heard_here_and_again_later(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    open_talk(ben)
    box(ben).get_by_text("Whom I do not want to hear").click()
    box(ben).get_by_label("Ada").check()
    box(ben).get_by_role("button", name="Close").click()
    open_talk(ada)
    say(ada, "Can you hear me?")
    open_talk(ben)
    say(ben, "Nothing to be heard")
    expect(said(ben)).to_have_count(1)
    ben.reload()
    ben.wait_for_selector(TALK)
    open_talk(ben)
    expect(said(ben)).to_have_count(1)
    box(ben).get_by_text("Whom I do not want to hear").click()
    box(ben).get_by_label("Ada").uncheck()
    expect(said(ben)).to_have_count(2)


def test_spectators_read_and_do_not_write(server: Server, open_page: OpenPage) -> None:
    ada, _ = sit(open_page, server, "Ada", "Ben")
    open_talk(ada)
    say(ada, "For everybody")
    watching = open_page(ada.url)
    watching.wait_for_selector(TALK)
    open_talk(watching)
    expect(said(watching)).to_contain_text(["For everybody"])
    expect(box(watching).get_by_role("textbox")).to_have_count(0)


def test_where_there_is_nobody_to_talk_to_nothing_of_it_is_fetched(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}])
    page.wait_for_selector(".cell.able")
    assert page.locator(TALK).count() == 0
    quiet = open_page(server.address)
    made: dict[str, Any] = quiet.evaluate(
        """async () => (await (await fetch("/api/tables", {method: "POST",
            headers: {"content-type": "application/json"},
            body: JSON.stringify({seats: [{kind: "me"}, {kind: "me"}], talk: false})})).json())"""
    )
    held = [{"table": made["table"], "token": made["token"]}]
    quiet.evaluate("held => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
    quiet.on("request", lambda request: asked.append(request.url))
    quiet.goto(f"{server.address}/t/{made['table']}")
    quiet.wait_for_selector(".cell.able")
    assert quiet.locator(TALK).count() == 0
    assert not [url for url in asked if "TalkBox" in url or "talking" in url]
    quiet.get_by_role("button", name="Menu").click()
    quiet.get_by_role("dialog").get_by_role("button", name="Rules of this game").click()
    expect(quiet.get_by_role("dialog")).to_contain_text("Nobody talks at this table")


@pytest.fixture
def silent(client: None, tmp_path: Path) -> Iterator[Server]:
    """A server where nobody says anything to others."""
    running = Server(tmp_path / "tables.sqlite", "--no-device", "--no-talk")
    running.start()
    yield running
    running.stop()


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_a_server_without_talk_offers_it_nowhere(silent: Server, open_page: OpenPage, size: dict[str, int]) -> None:
    asked: list[str] = []
    for page in sit(open_page, silent, "Ada", "Ben", **size):
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        settle(page)
        page.keyboard.press("k")
        page.wait_for_load_state("networkidle")  # a box would have been fetched by now
        expect(page.locator(TALK)).to_have_count(0)
        expect(box(page)).to_have_count(0)
        page.get_by_role("button", name="Menu").click()
        menu = page.get_by_role("dialog")
        expect(menu.get_by_role("button", name="Rules of this game")).to_be_visible()
        expect(menu.get_by_role("button", name="Talk", exact=True)).to_have_count(0)
        menu.get_by_role("button", name="Rules of this game").click()
        expect(page.get_by_role("dialog")).to_contain_text("Nobody talks at this table")
        page.goto(f"{silent.address}/new")
        expect(page.get_by_role("combobox", name="Clock")).to_be_visible()
        expect(page.get_by_role("checkbox", name="Players can talk to each other")).to_have_count(0)
    assert not [url for url in asked if "TalkBox" in url or "talking" in url]
