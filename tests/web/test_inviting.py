"""Friends who come to a game: how many, by which link, and what they see before they sit down."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from web.playing import click_space, offered, settle
from web.stage import OpenPage, Server
from web.test_looks import assert_accessible


def invitation(page: Page) -> str:
    """The link in the dialog that is open."""
    return page.get_by_role("textbox", name="Invitation link").input_value()


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
    expect(host.locator("dialog li").nth(2)).to_contain_text("Nobody yet")

    third = open_page(link, width=390, height=844)
    come(third, "Cleo")
    expect(host.locator("dialog")).to_have_count(0)  # all are there: the game has begun
    for page in (host, second, third):
        expect(page.locator(".table")).to_be_visible()
    expect(host.locator(".prompt.mine")).to_be_visible()
    click_space(host, offered(host)[0])
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
    page.wait_for_load_state("networkidle")  # a dialog would have been fetched by now
    expect(page.locator("dialog")).to_have_count(0)


SHARING = "navigator.share = async (what) => { window.shared = what; };"


def test_where_nobody_can_come_the_page_says_so_and_which_command_lets_them(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(f"{server.address}/invite")
    page.get_by_role("button", name="Create the game and get the link").click()
    note = page.get_by_role("note")
    expect(note).to_contain_text("Friends can’t reach this server")
    expect(note.locator("code")).to_contain_text("serve")
    expect(note.locator("code")).to_contain_text("--host 0.0.0.0")
    expect(page.get_by_label("Invitation link for this computer only")).to_be_visible()
    expect(page.get_by_label("Link for spectators")).to_have_count(0)
    expect(page.get_by_role("img", name="QR code")).to_have_count(0)
    assert_accessible(page, "an invitation nobody could follow")


def test_a_page_opened_at_localhost_offers_a_link_that_works_from_other_devices(
    open_server: Server, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    page.add_init_script(SHARING)
    page.goto(f"{open_server.address}/invite")
    page.get_by_role("button", name="Create the game and get the link").click()
    note, code = page.get_by_role("note"), page.get_by_role("img", name="QR code of the invitation link")
    expect(note.or_(code).first).to_be_visible()
    if note.count():
        pytest.skip("this machine is in no network")
    link = invitation(page)
    assert urlsplit(link).hostname not in ("localhost", "127.0.0.1")
    expect(code).to_be_visible()
    assert_accessible(page, "an invitation with its code")
    page.get_by_role("button", name="Share").first.click()
    page.wait_for_function("link => window.shared?.url === link", arg=link)
    second = open_page(link, lost_connection=True)  # plain http by an address: the browser grumbles about a header
    come(second, "Ben")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_page_opened_by_a_name_offers_links_with_that_name(open_server: Server, open_page: OpenPage) -> None:
    home = f"http://home.test:{open_server.port}"
    page = open_page(f"{home}/invite", width=390, height=844, lost_connection=True)  # as above
    page.get_by_role("button", name="Create the game and get the link").click()
    assert invitation(page).startswith(f"{home}/t/")
    expect(page.get_by_role("note")).to_have_count(0)


def invited(page: Page, seats: list[dict[str, Any]], **more: Any) -> tuple[str, Any]:
    """A table made over the API: the link of its invitation, and what its maker has."""
    made = page.evaluate(
        """async (request) => (await (await fetch("/api/tables", {method: "POST",
            headers: {"content-type": "application/json"}, body: JSON.stringify(request)})).json())""",
        {"seats": seats, **more},
    )
    return f"{page.evaluate('location.origin')}/t/{made['table']}#{made['invite']}", made


def test_an_invitation_shows_who_invites_to_what_and_lets_a_seat_be_chosen(server: Server, open_page: OpenPage) -> None:
    host = open_page(server.address)
    seats = [
        {"kind": "me", "name": "Ada <b>&amp;"},
        {"kind": "open"},
        {"kind": "bot", "level": "oak"},
        {"kind": "open"},
    ]
    link, _ = invited(host, seats, rules={"edition": "it", "modules": ["stones"]}, spectators=False, assistance=False)
    for width, height in ((1280, 800), (390, 844)):
        page = open_page(link, width=width, height=height)
        expect(page.get_by_role("heading", level=1)).to_have_text("Ada <b>&amp; invites you")
        expect(page.get_by_role("img", name="The board as it stands")).to_be_visible()
        expect(page.locator(".box")).to_contain_text("Italian")
        expect(page.locator(".box")).to_contain_text("Moonstones")
        expect(page.locator(".box")).to_contain_text("No assistance")
        expect(page.get_by_text("2 seats are free")).to_be_visible()
        expect(page.get_by_role("radio")).to_have_count(2)
        expect(page.get_by_role("button", name="Watch")).to_have_count(0)  # this table has no spectators
        assert_accessible(page, f"an invitation, {width} wide")
    page.get_by_role("button", name="Rules of this game").click()
    expect(page.locator("dialog")).to_contain_text("Italian")
    page.keyboard.press("Escape")
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("radio").last.check()
    page.get_by_role("button", name="Join", exact=True).click()
    page.wait_for_selector(".table")
    expect(page.get_by_role("article", name="Ben (you)").first).to_be_visible()
    held = json.loads(page.evaluate("localStorage.getItem('sunglade.seats')"))
    view = page.evaluate(
        """async ([table, token]) => (await (await fetch(`/api/tables/${table}`,
            {headers: {authorization: `Bearer ${token}`}})).json()).view""",
        [held[0]["table"], held[0]["token"]],
    )
    assert [seat["name"] for seat in view["seats"] if seat["kind"] == "person"] == ["Ada <b>&amp;", "Ben"]
    assert view["seats"][3]["name"] == "Ben"


def test_who_comes_too_late_for_a_seat_is_told_kindly_and_takes_another(server: Server, open_page: OpenPage) -> None:
    host = open_page(server.address)
    link, made = invited(host, [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}])
    page = open_page(link, lost_connection=True)  # refusals show in the console
    page.get_by_label("Your name").fill("Cleo")
    expect(page.get_by_role("radio").first).to_be_checked()
    with Client(server.address) as client:
        client.join(made["table"], made["invite"], "Ben", 1)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Someone else has just sat down there. These seats are still free.")
    expect(page.get_by_role("radio")).to_have_count(1)
    page.get_by_role("button", name="Join", exact=True).click()
    page.wait_for_selector(".table")
    late = open_page(link)
    expect(late.get_by_role("status").last).to_have_text("Every seat is taken now.")
    expect(late.get_by_role("button", name="Join", exact=True)).to_have_count(0)
    late.get_by_role("button", name="Watch").click()
    expect(late.locator(".bottom")).to_contain_text("You are watching")


def test_an_invitation_that_has_ended_says_so(server: Server, open_page: OpenPage) -> None:
    host = open_page(server.address)
    link, _ = invited(host, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    page = open_page(link[:-1], lost_connection=True)  # refusals show in the console
    expect(page.get_by_role("heading")).to_have_text("This invitation has ended")
    expect(page.locator("main")).to_contain_text("Ask whoever sent it for the new link.")
