"""Who a browser is: name and tree, games and what they come to, another device, what is kept, being forgotten."""

from __future__ import annotations

import json
import random
from pathlib import Path

from playwright.sync_api import Page, expect

from server.games import play_out
from sunglade.client import Client
from sunglade.server.qr_code import modules
from web.stage import OpenPage, Server, wait_until
from web.test_looks import assert_accessible


def key_of(page: Page) -> str:
    """The secret by which a browser is somebody."""
    return str(page.evaluate("() => JSON.parse(localStorage.getItem('sunglade.person')).key"))


def become(page: Page, address: str, name: str) -> None:
    """Open one's page from the start, and say a name."""
    page.goto(address)
    page.get_by_role("link", name="You", exact=True).click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").blur()
    page.wait_for_function(
        "name => JSON.parse(localStorage.getItem('sunglade.settings') ?? '{}').name === name", arg=name
    )


def test_a_browser_is_somebody_with_a_tree_games_and_what_they_came_to(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    become(page, server.address, "Ada")
    page.get_by_role("radio", name="Poplar").check()
    expect(page.get_by_role("radio", name="Poplar")).to_be_checked()
    expect(page.get_by_text("You have not played here yet.")).to_be_visible()
    with Client(server.address, person=key_of(page)) as client:
        for seed in (1, 2):
            me = {"kind": "me", "name": "Ada"}
            seat = client.create([me, {"kind": "bot", "level": "random"}], rules={"rounds": 1}, seed=seed)
            play_out(seat, rng=random.Random(seed))
    page.reload()
    expect(page.get_by_text("2 finished games")).to_be_visible()
    expect(page.get_by_role("img", name="Favourite spaces")).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_count(2)
    assert_accessible(page, "you")
    page.get_by_role("listitem").first.get_by_role("link").click()  # a seat that another program took
    page.wait_for_selector(".table")
    page.goto(f"{server.address}/new")
    expect(page.get_by_label("Who sits in seat 2?")).to_have_value("me")


def rows(page: Page) -> list[list[str]]:
    """What the page tells of games: against whom, how many played, how often one won."""
    lines = page.locator("table tbody tr")
    return [[cell.inner_text().strip() for cell in line.locator("th, td").all()] for line in lines.all()]


def test_wins_are_told_by_level_and_by_number_of_players(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    become(page, server.address, "Ada")
    me, resign = {"kind": "me", "name": "Ada"}, "resign"
    seedling, birch = ({"kind": "bot", "level": level} for level in ("seedling", "birch"))
    won = played = 0
    with Client(server.address, person=key_of(page)) as client, Client(server.address) as elsewhere:
        while not 0 < won < played:  # at least one game of each kind
            played += 1
            seat = client.create([me, seedling], rules={"rounds": 1}, seed=played)
            play_out(seat, rng=random.Random(played), most=8)
            won += seat.seats[0] in seat.view["result"]["winners"]
        client.create([me, seedling, birch]).command(resign)  # told as against the stronger one
        for ada_wins in (True, True, False):
            seat = client.create([me, {"kind": "open"}])
            ben = elsewhere.join(seat.table, str(seat.invite), "Ben")
            (ben if ada_wins else seat).command(resign)
    page.reload()
    expect(page.get_by_text(f"{played + 4} finished games")).to_be_visible()
    assert rows(page) == [
        ["people", "2", "2 of 3"], ["Seedling", "2", f"{won} of {played}"], ["Birch", "3", "0 of 1"],
    ]  # fmt: skip


def test_a_tree_that_is_chosen_right_after_the_first_name_stays(server: Server, open_page: OpenPage) -> None:
    """Who one is, is asked once: an answer of before would undo what was chosen meanwhile."""
    page = open_page(server.address)
    asked: list[str] = []
    page.on("request", lambda told: asked.append(told.method) if told.url.endswith("/people/me") else None)
    page.goto(f"{server.address}/you")
    name = page.get_by_label("Your name")
    expect(name).to_be_enabled()
    name.fill("Ada")
    page.get_by_role("radio", name="Poplar").check()
    page.get_by_role("radio", name="Acacia").check()
    wait_until(lambda: bool(page.evaluate("1")) and asked.count("PUT") == 3, "name and trees are told")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("radio", name="Acacia")).to_be_checked()
    assert asked.count("GET") == 1
    page.reload()
    expect(name).to_have_value("Ada")
    expect(page.get_by_role("radio", name="Acacia")).to_be_checked()


def test_seats_that_a_browser_had_before_come_along(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".table")
    page.goto(f"{server.address}/you")
    expect(page.get_by_role("listitem")).to_have_count(1)


def test_another_device_is_the_same_person_by_a_link_that_works_once(server: Server, open_page: OpenPage) -> None:
    phone, laptop = open_page(server.address), open_page(server.address)
    late = open_page(server.address, lost_connection=True)  # it is refused
    become(phone, server.address, "Ada")
    phone.get_by_role("button", name="Make a link").click()
    link = phone.get_by_role("textbox", name="Open this on the other device").input_value()
    expect(phone.get_by_text("answers only on this computer")).to_be_visible()  # so there is no code for cameras
    laptop.goto(link)
    laptop.get_by_role("button", name="Yes, that’s me").click()
    expect(laptop.get_by_label("Your name")).to_have_value("Ada")
    assert key_of(laptop) != key_of(phone) and "#" not in laptop.url
    late.goto(link)
    late.get_by_role("button", name="Yes, that’s me").press("Enter")
    expect(late.get_by_role("alert")).to_be_visible()
    laptop.get_by_label("Your name").fill("Ada Two")
    laptop.get_by_label("Your name").blur()
    laptop.wait_for_function("() => JSON.parse(localStorage.getItem('sunglade.settings')).name === 'Ada Two'")
    phone.reload()
    expect(phone.get_by_label("Your name")).to_have_value("Ada Two")


DRAWN = """(code) => {
    const rows = [];
    for (const [, x, y, run] of code.querySelector("path").getAttribute("d").matchAll(/M(\\d+) (\\d+)h(\\d+)/g)) {
        rows[y] = (rows[y] ?? "").padEnd(Number(x), "0") + "1".repeat(Number(run));
    }
    return rows;
}"""
"""The dark squares of a code, row by row, as they are drawn."""


def test_where_others_can_come_the_link_to_another_device_is_drawn_for_its_camera(
    open_server: Server, open_page: OpenPage
) -> None:
    home = f"http://home.test:{open_server.port}"
    page = open_page(home, lost_connection=True)  # plain http by a name: the browser grumbles about a header
    become(page, home, "Ada")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("textbox", name="Open this on the other device").input_value()
    assert link.startswith(f"{home}/you#")
    code = page.get_by_role("img", name="Open this on the other device")
    expect(code).to_be_visible()
    expect(page.get_by_role("note")).to_have_count(0)
    squares = modules(link)
    assert [row.ljust(len(squares), "0") for row in code.evaluate(DRAWN)] == squares
    assert_accessible(page, "a link to another device, with its code")
    telephone = open_page(link, width=390, height=844, lost_connection=True)
    telephone.get_by_role("button", name="Yes, that’s me").click()
    expect(telephone.get_by_label("Your name")).to_have_value("Ada")


def test_everything_kept_is_saved_and_who_is_forgotten_plays_on(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, width=390, height=844)
    become(page, server.address, "Adalgunde")
    page.goto(server.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".table")
    table = page.url
    page.goto(f"{server.address}/you")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all of it").click()
    kept = json.loads(Path(download.value.path()).read_text())
    assert kept["name"] == "Adalgunde" and len(kept["tables"]) == 1
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("button", name="Forget me").click()
    expect(page.get_by_role("status").filter(has_text="no longer known")).to_be_visible()
    page.goto(table)
    page.wait_for_selector(".table")
    expect(page.get_by_text("Adalgunde")).to_have_count(0)
    page.goto(server.address)
    page.get_by_role("button", name="Play now").click()  # without the key that opens nobody
    page.wait_for_selector(".table")


def test_a_browser_whose_key_was_forgotten_elsewhere_still_sits_down(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, lost_connection=True)  # the key is refused
    become(page, server.address, "Ada")
    with Client(server.address, person=key_of(page)) as elsewhere:
        elsewhere.ask("DELETE", "/people/me")
    page.goto(server.address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".table")
    assert page.evaluate("() => localStorage.getItem('sunglade.person')") is None
