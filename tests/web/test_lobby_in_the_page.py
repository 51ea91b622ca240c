"""The lobby in browsers: strangers find each other, are told, play by correspondence, and find their game again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from web.stage import OpenPage, Server
from web.test_looks import assert_accessible

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True}
ME = {"kind": "me", "name": "Ada"}
OPEN = {"kind": "open"}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a lobby."""
    running = Server(tmp_path_factory.mktemp("hall") / "tables.sqlite", "--no-device", "--lobby")
    running.start()
    yield running
    running.stop()


def seek(server: Server, *more: dict[str, Any], name: str = "Ada", **options: Any) -> str:
    """A table of somebody elsewhere, that anybody may join."""
    with Client(server.address) as client:
        return client.create([{**ME, "name": name}, *(more or (OPEN,))], listed=True, **options).table


def entry(page: Page, name: str) -> Any:
    return page.locator("li.card").filter(has_text=name)


def test_strangers_find_each_other_play_by_correspondence_and_find_the_game_again(
    hall: Server, open_page: OpenPage
) -> None:
    seeker, comer = open_page(hall.address, **PHONE), open_page(hall.address, **PHONE)
    seeker.get_by_role("link", name="Find players").click()
    seeker.get_by_role("link", name="Look for players").click()
    seeker.get_by_role("textbox", name="Your name").fill("Sira")
    seeker.get_by_role("combobox", name="Clock").select_option("days")
    expect(seeker.get_by_role("switch", name="Anyone may join")).to_be_checked()
    seeker.get_by_role("button", name="Open the table").click()
    expect(seeker.get_by_text("This table is in the lobby")).to_be_visible()
    seeker.keyboard.press("Escape")
    seeker.goto(f"{hall.address}/lobby")  # meanwhile they look around
    expect(entry(seeker, "Sira").get_by_role("link", name="To your table")).to_be_visible()

    comer.get_by_role("link", name="Find players").click()
    comer.get_by_role("textbox", name="Your name").fill("Tomas")
    comer.get_by_role("textbox", name="Your name").press("Tab")
    expect(entry(comer, "Sira")).to_contain_text("2 days a turn")
    comer.get_by_role("button", name="Join: Sira").click()
    comer.wait_for_selector(".table")

    expect(seeker.locator("aside")).to_contain_text("Everyone is there: your game begins")
    expect(seeker).to_have_title(re.compile("your game begins"))
    expect(entry(seeker, "Tomas").get_by_role("link", name="To your table")).to_be_visible()
    seeker.locator("aside").get_by_role("link", name="To your table").click()
    seeker.wait_for_selector(".table")
    for page in (seeker, comer):
        expect(page.locator(".table")).to_contain_text("Tomas")
    table = seeker.url.rsplit("/", 1)[-1]

    # the game ends: one of them resigns, and both find it among their tables
    with Client(hall.address) as client:
        token = comer.evaluate("JSON.parse(localStorage['sunglade.seats'])[0].token")
        client.ask("POST", f"/tables/{table}/commands", {"id": "r", "do": "resign"}, token=token)
    for page in (seeker, comer):
        page.goto(hall.address)
        mine = page.locator(f"a[href$='t/{table}']")
        expect(mine).to_contain_text("Sira")
    expect(seeker.locator(f"a[href$='t/{table}']")).to_contain_text("Tomas")


def test_the_lobby_updates_by_itself_and_a_full_table_is_gone(hall: Server, open_page: OpenPage) -> None:
    page = open_page(f"{hall.address}/lobby")
    table = seek(hall, name="Vera")
    expect(entry(page, "Vera")).to_be_visible()
    with Client(hall.address) as client:
        client.ask("POST", f"/tables/{table}/join", {"name": "Wim", "id": "w" * 30})
    expect(page.get_by_role("button", name="Join: Vera")).to_have_count(0)
    watched = page.get_by_role("link", name="Watch: Vera, Wim")
    expect(watched).to_be_visible()
    watched.click()
    page.wait_for_selector(".table")
    expect(page.get_by_text("You are watching").first).to_be_visible()


def test_who_comes_too_late_is_told_so_and_stays(hall: Server, open_page: OpenPage) -> None:
    table = seek(hall, name="Yaro")
    page = open_page(f"{hall.address}/lobby", lost_connection=True)  # a browser writes down what was refused
    button = page.get_by_role("button", name="Join: Yaro")
    expect(button).to_be_visible()

    def late(route: Any) -> None:
        with Client(hall.address) as client:
            client.ask("POST", f"/tables/{table}/join", {"name": "Zoe", "id": "z" * 30})
        route.continue_()

    page.route(re.compile("/join$"), late)
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("Someone else was quicker")
    assert page.url.endswith("/lobby")


def test_filters_show_what_is_wanted_by_keyboard_alone(hall: Server, open_page: OpenPage) -> None:
    seek(hall, OPEN, OPEN, name="Dreibaum", rules={"edition": "us", "modules": ["moon"]})
    seek(hall, name="Zweibaum", clock={"kind": "live", "turn": 30, "reserve": 60})
    page = open_page(f"{hall.address}/lobby")
    expect(entry(page, "Dreibaum")).to_be_visible()
    expect(entry(page, "Zweibaum")).to_contain_text("30 seconds a turn")
    players = page.get_by_role("combobox", name="Players")
    players.focus()
    page.keyboard.press("3")
    expect(players).to_have_value("3")
    expect(entry(page, "Dreibaum")).to_be_visible()
    expect(entry(page, "Zweibaum")).to_have_count(0)
    page.get_by_role("combobox", name="Clock").select_option("live")
    expect(page.get_by_text("No open table is like that")).to_be_visible()
    page.get_by_role("button", name="Show all tables").press("Enter")
    expect(entry(page, "Zweibaum")).to_be_visible()
    button = page.get_by_role("button", name="Join: Zweibaum")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")


def test_a_seek_is_withdrawn_with_one_click(hall: Server, open_page: OpenPage) -> None:
    page = open_page(f"{hall.address}/seek")
    page.get_by_role("textbox", name="Your name").fill("Xenia")
    page.get_by_role("button", name="Open the table").click()
    watcher = open_page(f"{hall.address}/lobby")
    expect(entry(watcher, "Xenia")).to_be_visible()
    page.get_by_role("button", name="Take it out of the lobby").click()
    expect(page.get_by_text("This table is in the lobby")).to_have_count(0)
    expect(entry(watcher, "Xenia")).to_have_count(0)


def test_invitations_among_friends_stay_private(hall: Server, open_page: OpenPage) -> None:
    page = open_page(f"{hall.address}/invite")
    page.get_by_role("textbox", name="Your name").fill("Quentin")
    expect(page.get_by_role("switch", name="Anyone may join")).not_to_be_checked()
    page.get_by_role("button", name="Create the game and get the link").click()
    expect(page.get_by_role("textbox", name="Invitation link")).to_be_visible()
    watcher = open_page(f"{hall.address}/lobby")
    seek(hall, name="Public")
    expect(entry(watcher, "Public")).to_be_visible()
    expect(entry(watcher, "Quentin")).to_have_count(0)


def test_where_there_is_no_lobby_nothing_offers_one(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    expect(page.get_by_role("link", name="Invite friends")).to_be_visible()
    expect(page.get_by_role("link", name="Find players")).to_have_count(0)
    page.goto(f"{server.address}/invite")
    expect(page.get_by_role("combobox", name="Clock")).to_be_visible()
    expect(page.get_by_role("switch", name="Anyone may join")).to_have_count(0)
    page.goto(f"{server.address}/lobby")
    expect(page.get_by_role("heading", name="This server has no lobby")).to_be_visible()


def test_an_empty_lobby_says_what_to_do(tmp_path: Path, open_page: OpenPage) -> None:
    running = Server(tmp_path / "tables.sqlite", "--no-device", "--lobby")
    running.start()
    try:
        page = open_page(f"{running.address}/lobby")
        expect(page.get_by_text("Nobody is looking for players right now.")).to_be_visible()
        assert_accessible(page, "an empty lobby")
        page.get_by_role("link", name="Look for players").click()
        expect(page.get_by_role("switch", name="Anyone may join")).to_be_checked()
        assert_accessible(page, "seeking")
    finally:
        running.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "he"])
def test_the_lobby_is_accessible_and_fits_a_phone(
    hall: Server, open_page: OpenPage, language: str, scheme: str
) -> None:
    seek(hall, OPEN, name="W" * 24, rules={"edition": "de", "modules": ["moon", "elder", "stones"]})
    page = open_page(f"{hall.address}/lobby", **PHONE, color_scheme=scheme, locale=language)
    expect(entry(page, "W" * 24).first).to_be_visible()
    assert_accessible(page, f"the lobby in {language}, {scheme}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
