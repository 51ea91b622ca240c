"""Clocks in real browsers: agreed at the set-up, counted down by the server's time, said aloud when short, paused."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from web.playing import able, click_space, offered, settle
from web.stage import OpenPage, Server

SHORT = re.compile(r"Your time is running out: .?0:\d\d")


def table_of_two(open_page: OpenPage, server: Server, clock: dict[str, Any], **size: Any) -> list[Page]:
    """Ada and Ben at a table with a clock, each with a browser of their own."""
    first, second = (open_page(server.address, **size) for _ in range(2))
    made = first.evaluate(
        """async (request) => (await (await fetch("/api/tables", {method: "POST",
            headers: {"content-type": "application/json"}, body: JSON.stringify(request)})).json())""",
        {"seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}], "clock": clock, "takeover_level": "random"},
    )
    joined = second.evaluate(
        """async ([table, invite]) => (await (await fetch(`/api/tables/${table}/join`, {method: "POST",
            headers: {"content-type": "application/json"}, body: JSON.stringify({invite, name: "Ben"})})).json())""",
        [made["table"], made["invite"]],
    )
    for page, token in ((first, made["token"]), (second, joined["token"])):
        held = [{"table": made["table"], "token": token}]
        page.evaluate("held => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
        page.goto(f"{server.address}/t/{made['table']}")
        page.wait_for_selector(".table")
    return [first, second]


def test_a_clock_is_chosen_when_a_table_is_made_and_told_among_its_rules(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    page.get_by_role("combobox", name="Clock").select_option(label="Live, by seconds a turn")
    page.get_by_role("spinbutton", name="Seconds a turn").fill("45")
    page.get_by_role("spinbutton", name="Minutes in reserve").fill("2")
    page.get_by_label("When time is up").select_option(label="a bot takes the seat until its person comes back")
    page.get_by_role("button", name="Create").click()
    page.wait_for_selector(".table")
    page.get_by_role("button", name="Menu").first.click()
    page.get_by_role("button", name="Rules of this game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Seconds a turn: 45; minutes in reserve: 2")
    expect(dialog).to_contain_text("a bot takes the seat until its person comes back")


def test_time_is_counted_down_for_all_and_said_when_it_is_short_and_then_a_bot_plays(
    server: Server, open_page: OpenPage
) -> None:
    ada, ben = table_of_two(open_page, server, {"kind": "live", "turn": 40}, width=390, height=844)
    expect(ada.locator(".prompt").get_by_role("timer")).to_contain_text("Your time")
    expect(ben.locator('[data-seat="0"]').get_by_role("timer").first).to_contain_text("left")
    expect(ada.locator(".prompt").get_by_role("timer")).to_have_text(SHORT)
    expect(ada.locator("[aria-live=polite]").first).to_contain_text("Your time is running out")
    expect(ben.locator("aside ol")).to_contain_text("Time is up for Ada: a bot plays")
    expect(ben.locator(".prompt.mine")).to_be_visible()
    expect(ada.locator('[data-seat="1"]').get_by_role("timer").first).to_contain_text("left")


def test_a_seat_that_a_bot_took_when_time_was_up_is_taken_back(server: Server, open_page: OpenPage) -> None:
    """The bot stays, and the page says so, until whose seat it is comes back."""
    ada, ben = table_of_two(open_page, server, {"kind": "live", "turn": 40, "then": "seat"})
    expect(ben.locator("aside ol")).to_contain_text("Time is up for Ada: a bot plays")
    note = ada.locator(".bottom").filter(has_text="a bot is playing")
    expect(note).to_be_visible()
    expect(ben.locator('[data-seat="0"]').first).to_contain_text("a bot is playing")
    note.get_by_role("button", name="Take my seat back").click()
    expect(note).to_have_count(0)
    expect(ben.locator("aside ol")).to_contain_text("Ada takes over from the bot")
    expect(ben.locator('[data-seat="0"]').first).not_to_contain_text("a bot is playing")
    click_space(ben, offered(ben)[0])
    settle(ben)
    expect(ada.locator(".prompt.mine")).to_be_visible()
    click_space(ada, offered(ada)[0])
    expect(ben.locator(".prompt.mine")).to_be_visible()


def test_clocks_do_not_trust_the_browsers_own(server: Server, open_page: OpenPage) -> None:
    """Whose device is a year ahead sees the same time as everybody."""
    ada, ben = table_of_two(open_page, server, {"kind": "live", "turn": 3600})
    ben.clock.set_fixed_time("2031-01-01T00:00:00")
    ben.reload()
    for page in (ada, ben):
        expect(page.locator('[data-seat="0"]').get_by_role("timer").first).to_have_text(
            re.compile(r"5\d:\d\d.? left|1 hr")
        )


def test_a_vacation_is_taken_by_keyboard_and_seen_by_the_other(server: Server, open_page: OpenPage) -> None:
    ada, ben = table_of_two(open_page, server, {"kind": "days", "turn": 2, "vacation": 14})
    expect(ada.locator(".prompt").get_by_role("timer")).to_contain_text(
        re.compile("Your time: (1 day 23 hr|2 days 0 hr)")
    )
    ada.get_by_role("button", name="Menu").first.click()
    ada.get_by_role("button", name="Pause my clock").click()
    dialog = ada.get_by_role("dialog")
    expect(dialog).to_contain_text("Days left to you in this game: 14.")
    dialog.get_by_label("For how many days?").fill("5")
    dialog.get_by_role("button", name="Pause my clock").press("Enter")
    expect(ben.locator('[data-seat="0"]').first).to_contain_text("On vacation, 4 days 23 hr left")
    expect(ben.locator("aside ol")).to_contain_text("Ada pauses the clock; days: 5")
    ada.wait_for_selector(".cell.able")
    click_space(ada, able(ada)[0])  # nobody is kept from playing
    settle(ada)
    ada.get_by_role("button", name="Menu").first.click()
    ada.get_by_role("button", name="Pause my clock").click()
    ada.get_by_role("dialog").get_by_role("button", name="End my vacation").click()
    expect(ben.locator("aside ol")).to_contain_text("Ada lets the clock run again")
