"""Resigning, ending by agreement and taking back, in real browsers: two or three people, a phone, the keyboard."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from web.playing import able, click_space, open_table, settle
from web.stage import OpenPage, Server

RULES = {"edition": "us", "rounds": 3}


def sit(open_page: OpenPage, server: Server, *names: str, **size: int) -> list[Page]:
    """People at one table, each with a browser of their own."""
    first = open_page(server.address, **size)
    table = open_table(first, [{"kind": "me", "name": names[0]}, *[{"kind": "open"}] * (len(names) - 1)], RULES)
    invite = json.loads(first.evaluate("localStorage.getItem('sunglade.seats')"))[0]["invite"]
    pages = [first]
    for name in names[1:]:
        page = open_page(server.address, **size)
        joined: dict[str, Any] = page.evaluate(
            """async ([table, invite, name]) => (await (await fetch(`/api/tables/${table}/join`, {method: "POST",
                headers: {"content-type": "application/json"}, body: JSON.stringify({invite, name})})).json())""",
            [table, invite, name],
        )
        held = [{"table": table, "token": joined["token"]}]
        page.evaluate("held => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
        page.goto(f"{server.address}/t/{table}")
        page.wait_for_selector(".table")
        pages.append(page)
    for page in pages:
        expect(page.locator(".prompt")).not_to_contain_text("every seat")
    return pages


def open_ending(page: Page) -> None:
    page.get_by_role("button", name="Menu").first.click()
    page.get_by_role("button", name="Resign, end, take back").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Resign")).to_be_visible()


def place_one(page: Page) -> str:
    page.wait_for_selector(".cell.able")
    space = able(page)[0]
    click_space(page, space)
    settle(page)
    return space


def test_who_resigns_is_asked_first_and_both_see_how_it_ended(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    open_ending(ada)
    dialog = ada.get_by_role("dialog")
    dialog.get_by_role("button", name="Resign").click()
    expect(dialog).to_contain_text("The game ends at once, and you lose.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(ada.locator("dialog")).to_have_count(0)
    open_ending(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(ada.get_by_role("dialog")).to_contain_text("Ada has resigned. These are the points at that moment.")
    expect(ben.get_by_role("dialog")).to_contain_text("You win!")
    expect(ben.get_by_role("dialog")).to_contain_text("(resigned)")
    ben.get_by_role("link", name="Watch the replay").last.click()
    ben.get_by_role("button", name="To the end").click()
    expect(ben.locator(".words")).to_contain_text("Ada has resigned")
    ada.goto(server.address)
    expect(ada.locator(".mine")).to_contain_text("Ended by resignation")


def test_an_offer_to_end_is_answered_in_a_bar_that_leaves_the_board_free(server: Server, open_page: OpenPage) -> None:
    ada, ben, cleo = sit(open_page, server, "Ada", "Ben", "Cleo", width=390, height=844)
    open_ending(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Offer to end the game").click()
    expect(ada.get_by_text("Waiting for Ben, Cleo")).to_be_visible()
    bar = ben.get_by_role("group", name="Resign, end, take back")
    expect(bar).to_contain_text("Ada offers to end the game as it stands. Do you agree?")
    board = ben.get_by_role("grid").bounding_box()
    lies = bar.bounding_box()
    assert board is not None and lies is not None
    assert lies["y"] + lies["height"] <= board["y"] + 1 or lies["y"] >= board["y"] + board["height"] - 1
    bar.get_by_role("button", name="Agree").click()
    expect(ben.get_by_text("Waiting for Cleo")).to_be_visible()
    cleo.get_by_role("group", name="Resign, end, take back").get_by_role("button", name="Decline").click()
    expect(ada.get_by_text("Waiting for")).to_have_count(0)
    open_ending(ada)
    ada.get_by_role("dialog").get_by_role("button", name="Offer to end the game").click()
    expect(ada.get_by_role("alert")).to_contain_text("You have offered this in this turn already")
    ada.keyboard.press("Escape")
    place_one(ada)
    open_ending(ben)
    ben.get_by_role("dialog").get_by_role("button", name="Offer to end the game").click()
    for page in (ada, cleo):
        page.get_by_role("button", name="Agree", exact=True).click()
    for page in (ada, ben, cleo):
        expect(page.get_by_role("dialog")).to_contain_text("All agreed: nobody has won.")


def test_a_turn_is_taken_back_by_keyboard_when_the_other_agrees(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    place_one(ada)
    open_ending(ada)
    take_back = ada.get_by_role("dialog").get_by_role("button", name="Take back my last turn")
    take_back.focus()
    ada.keyboard.press("Enter")
    agree = ben.get_by_role("button", name="Agree", exact=True)
    expect(agree).to_be_visible()
    agree.focus()
    ben.keyboard.press("Enter")
    expect(ada.locator(".plant")).to_have_count(0)
    expect(ada.locator(".prompt.mine")).to_be_visible()
    expect(ben.locator("aside ol")).to_contain_text("Ada takes a turn back")


def test_against_bots_a_turn_is_taken_back_at_once(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "random"}], RULES)
    place_one(page)
    page.wait_for_selector(".cell.able")
    open_ending(page)
    expect(page.get_by_role("button", name="Offer to end the game")).to_have_count(0)
    page.get_by_role("dialog").get_by_role("button", name="Take back my last turn").click()
    expect(page.locator(".plant")).to_have_count(0)
