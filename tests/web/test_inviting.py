"""Friends who come to a game: how many, by which link, and what they see before they sit down."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from web.playing import able, click_space, settle
from web.stage import OpenPage, Server


def invitation(page: Page) -> str:
    """The link in the dialog that is open."""
    return page.get_by_label("Invitation link").input_value()


def table_of(page: Page) -> Any:
    """The table this page shows, as its server tells it."""
    return page.evaluate(
        "async () => (await (await fetch(`/api/tables/${location.pathname.split('/').at(-1)}`)).json()).view"
    )


def come(page: Page, name: str) -> None:
    """Take the seat that is offered."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()
    page.wait_for_selector(".table")


def seats_in_the_dialog(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator("dialog li").all_inner_texts()]


def test_three_browsers_and_a_bot_meet_at_a_table_with_modules_and_options(server: Server, open_page: OpenPage) -> None:
    host = open_page(server.address)
    host.get_by_role("link", name="Invite friends").click()
    host.get_by_label("Your name").fill("Ada")
    host.get_by_role("radiogroup", name="How many friends").get_by_text("2", exact=True).click()
    host.get_by_role("radiogroup", name="How many bots").get_by_text("1", exact=True).click()
    host.get_by_label("Strength of the bots").select_option("seedling")
    host.get_by_role("checkbox", name="Elder").check()
    host.get_by_role("combobox", name="Edition").select_option("eu")
    host.get_by_role("button", name="Create the game and get the link").click()

    expect(host.locator("dialog [role=status]")).to_have_text("Waiting for 2 players")
    link = invitation(host)
    view = table_of(host)
    assert (view["rules"]["edition"], view["rules"]["modules"]) == ("eu", ["elder"])
    assert [(seat["kind"], seat["level"]) for seat in view["seats"]] == [
        ("person", None), ("open", None), ("open", None), ("bot", "seedling"),
    ]  # fmt: skip
    assert view["settings"]["takeover_level"] == "seedling", (
        "a friend who leaves is followed by a bot as strong as the other"
    )

    second = open_page(link)
    come(second, "Ben")
    expect(host.locator("dialog [role=status]")).to_have_text("Waiting for 1 player")
    expect(host.locator("dialog li").nth(1)).to_contain_text("Ben is here")
    assert "Nobody yet" in seats_in_the_dialog(host)[2]

    third = open_page(link, width=390, height=844)
    come(third, "Cleo")
    expect(host.locator("dialog")).to_have_count(0)  # all are there: the game has begun
    for page in (host, second, third):
        expect(page.locator(".table")).to_be_visible()
    expect(host.locator(".prompt.mine")).to_be_visible()
    click_space(host, able(host)[0])
    settle(host)
    expect(second.locator(".prompt.mine")).to_be_visible()


def test_seats_of_friends_who_do_not_come_are_filled_with_bots_by_keyboard(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/invite")
    page.get_by_role("radiogroup", name="How many friends").get_by_role("radio").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radiogroup", name="How many bots")).to_have_count(0)  # three friends leave no room
    create = page.get_by_role("button", name="Create the game and get the link")
    expect(create).to_be_enabled()
    create.press("Enter")
    expect(page.locator("dialog [role=status]")).to_have_text("Waiting for 3 players")
    page.get_by_role("button", name="Fill the 3 open seats with bots").press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".prompt.mine")).to_be_visible()
    assert [seat["kind"] for seat in table_of(page)["seats"]] == ["person", "bot", "bot", "bot"]


def test_fewer_bots_have_room_when_more_friends_come(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/invite")
    bots = page.get_by_role("radiogroup", name="How many bots")
    bots.get_by_text("2", exact=True).click()
    page.get_by_role("radiogroup", name="How many friends").get_by_text("2", exact=True).click()
    expect(bots.get_by_role("radio")).to_have_count(2)
    expect(bots.get_by_role("radio", name="1")).to_be_checked()
    expect(page.locator("fieldset ul li")).to_have_text(["You", "A friend", "A friend", "Bot"])


def test_the_invitation_is_shown_once_and_not_at_every_look_at_the_table(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/invite")
    page.get_by_role("button", name="Create the game and get the link").click()
    expect(page.locator("dialog")).to_be_visible()
    held = json.loads(page.evaluate("localStorage.getItem('sunglade.seats')"))
    assert invitation(page).endswith(held[0]["invite"])
    page.reload()
    expect(page.get_by_text("Waiting for 1 player")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
