"""Several people at a table, each with a browser: seats that last, who is here, and how games stand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.playing import able, click_space, open_table, settle
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844}


def invited(page: Page, name: str, open_page: OpenPage, **options: object) -> Page:
    """Somebody who comes by the invitation of a table that a page shows."""
    page.get_by_role("button", name="Invite players").first.click()
    link = page.get_by_label("Invitation link").input_value()
    page.keyboard.press("Escape")
    other = open_page(link, **options)
    other.get_by_label("Your name").fill(name)
    other.get_by_role("button", name="Join", exact=True).click()
    other.wait_for_selector(".table")
    return other


def leave(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave the game").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the game").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def begun(open_page: OpenPage, server: Server, **options: object) -> tuple[Page, Page, str]:
    """Ada and Bea at a table, each with a tree on the board; it is Ada's turn."""
    ada = open_page(server.address)
    table = open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page, **options)
    for page in (ada, bea):
        page.wait_for_selector(".cell.able")
        click_space(page, able(page)[0])
        settle(page)
    return ada, bea, table


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_who_left_takes_the_seat_again_at_the_table(server: Server, open_page: OpenPage, size: dict[str, int]) -> None:
    ada, bea, table = begun(open_page, server, **size)
    leave(bea)
    expect(ada.locator("aside ol")).to_contain_text("Bea leaves the game")
    bea.goto(f"{server.address}/t/{table}")
    back = bea.get_by_role("button", name="Take my seat back")
    expect(bea.locator(".bottom")).to_contain_text("Your seat is still free")
    back.focus()
    bea.keyboard.press("Enter")
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()
    expect(back).to_have_count(0)
    expect(ada.get_by_role("article", name="Bea").last).to_be_visible()


def test_the_list_of_my_games_leads_back_to_a_seat_that_was_left(server: Server, open_page: OpenPage) -> None:
    _, bea, table = begun(open_page, server)
    leave(bea)
    bea.get_by_role("button", name="Take my seat back").click()
    bea.wait_for_selector(".table")
    assert table in bea.url
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_an_invitation_leads_who_left_back_to_their_own_seat(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    leave(bea)
    ada.get_by_role("button", name="Invite players").first.click()
    bea.goto(ada.get_by_label("Invitation link").input_value())
    bea.get_by_role("button", name="Take my seat back").click()
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_whose_seat_was_taken_meanwhile_may_have_another(server: Server, open_page: OpenPage) -> None:
    ada = open_page(server.address)
    table = open_table(ada, [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}])
    bea = invited(ada, "Bea", open_page)
    leave(bea)
    invited(ada, "Cy", open_page)
    bea.goto(f"{server.address}/t/{table}")
    expect(bea.locator(".bottom")).to_contain_text("Somebody else has your seat now")
    bea.get_by_role("button", name="Join", exact=True).click()
    bea.get_by_role("button", name="Join", exact=True).click()
    expect(bea.get_by_role("article", name="Bea (you)").last).to_be_visible()


def test_a_code_brings_a_left_seat_to_another_device(server: Server, open_page: OpenPage) -> None:
    _, bea, table = begun(open_page, server)
    bea.get_by_role("button", name="Invite players").first.click()
    bea.get_by_role("button", name="Continue on another device").click()
    link = bea.get_by_label("Continue on another device").input_value()
    bea.keyboard.press("Escape")
    leave(bea)
    phone = open_page(link, **PHONE)
    phone.get_by_role("button", name="Take my seat back").click()
    expect(phone.get_by_role("article", name="Bea (you)").last).to_be_visible()
    bea.goto(f"{server.address}/t/{table}")
    expect(bea.locator(".bottom")).to_contain_text("You are watching")
    expect(bea.get_by_role("button", name="Take my seat back")).to_have_count(0)
