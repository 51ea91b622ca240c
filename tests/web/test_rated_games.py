"""Rated games in browsers: agreed on, played, counted; who is how strong, told to oneself, at tables, to everybody."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client, Seat
from web.stage import OpenPage, Server
from web.static_host import Host
from web.test_looks import assert_accessible
from web.test_you import become, key_of

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True}
RATED: dict[str, Any] = {"rated": True, "assistance": False, "rules": {"edition": "us"}}
OPEN = {"kind": "open"}
MAPLE = {"kind": "bot", "level": "maple"}


def me(name: str) -> dict[str, str]:
    return {"kind": "me", "name": name}


@pytest.fixture(scope="module")
def club(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where strangers meet, and everybody is told who is how strong."""
    running = Server(tmp_path_factory.mktemp("club") / "tables.sqlite", "--no-device", "--lobby", "--ranking")
    running.start()
    yield running
    running.stop()


def somebody(server: Server, name: str, **more: str) -> Client:
    """A person elsewhere."""
    with Client(server.address) as nobody:
        key = nobody.ask("POST", "/people", {"id": secrets.token_urlsafe(24), "name": name, **more})["key"]
    return Client(server.address, person=str(key))


def play_rated(one: Client, other: Client | None = None) -> Seat:
    """A rated game that `one` gives up, against somebody or a bot."""
    seat = one.create([me("One"), MAPLE if other is None else OPEN], **RATED)
    if other is not None:
        other.join(seat.table, str(seat.invite), "Other")
        seat.refresh()
    seat.command("resign")
    while one.ask("GET", f"/tables/{seat.table}/ratings", token=seat.token)["state"] == "pending":
        pass
    return seat


def hold(page: Page, seat: Seat) -> None:
    """The seat is this browser's."""
    held = json.dumps([{"table": seat.table, "token": seat.token}])
    page.evaluate("held => localStorage.setItem('sunglade.seats', held)", held)


def be(page: Page, who: Client) -> None:
    """This browser is somebody who is known from elsewhere."""
    kept = json.dumps({"id": "x" * 32, "key": who.person})
    page.evaluate("kept => localStorage.setItem('sunglade.person', kept)", kept)


def say_yes(page: Page) -> None:
    """Be recognised from now on."""
    page.get_by_role("dialog").get_by_role("button", name="Yes, recognise me").click()


def resign(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign, end, take back").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()


def test_friends_agree_on_a_rated_game_and_see_what_its_result_was_worth(club: Server, open_page: OpenPage) -> None:
    """Nobody was anybody before; one of them is on a phone."""
    host, guest = open_page(club.address), open_page(club.address, **PHONE)
    host.get_by_role("link", name="Invite friends").click()
    host.get_by_role("textbox", name="Your name").fill("Hera")
    host.get_by_role("switch", name="Rated game").check()
    host.get_by_role("button", name="Create the game").click()
    expect(host.get_by_role("dialog")).to_contain_text("May we recognise you?")
    assert_accessible(host, "the question")
    say_yes(host)
    waiting = host.get_by_role("dialog")
    expect(waiting).to_contain_text("Rated game")
    expect(waiting.get_by_role("listitem").filter(has_text="Hera")).to_contain_text("1200")
    link = host.get_by_role("textbox", name=re.compile("Invitation link")).input_value()

    guest.goto(link)
    expect(guest.get_by_role("main")).to_contain_text("Whoever leaves comes last")
    expect(guest.locator("label.seat").filter(has_text="Hera")).to_contain_text("1200")
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.get_by_role("textbox", name="Your name").fill("Gero")
    guest.get_by_role("button", name="Join").click()
    say_yes(guest)
    guest.wait_for_selector(".table")
    expect(host.get_by_role("article", name="Gero")).to_contain_text("1200")
    expect(host.get_by_role("banner")).to_contain_text("Rated")
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.get_by_role("button", name="Menu").click()
    guest.get_by_role("button", name="Rules of this game").click()
    expect(guest.get_by_role("dialog")).to_contain_text("How strong everyone is")
    guest.keyboard.press("Escape")

    resign(guest)
    for page, name in ((host, "Hera"), (guest, "Gero")):
        worth = page.get_by_role("region", name="What the result was worth")
        expect(worth.get_by_role("row").filter(has_text="Hera")).to_contain_text("+")
        expect(worth.get_by_role("row").filter(has_text="Gero")).to_contain_text("−")
        assert_accessible(page, "what it was worth")
        page.goto(f"{club.address}/you")
        mine = page.get_by_role("region", name="Your ratings")
        expect(mine).to_contain_text("1 rated game")
        expect(mine.get_by_role("listitem").filter(has_text="4 players")).to_contain_text("no rated game yet")
        expect(mine.get_by_role("row")).to_have_count(2)
        assert_accessible(page, f"the ratings of {name}")


def test_a_switch_takes_away_what_a_rated_game_cannot_have(club: Server, open_page: OpenPage) -> None:
    page = open_page(f"{club.address}/new")
    rated = page.get_by_role("switch", name="Rated game")
    who, strength = page.get_by_label("Who sits in seat 2?"), page.get_by_label("Strength of the bot in seat 2")
    strength.select_option("elder")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Who sits in seat 3?").select_option("here")
    page.get_by_text("Advanced options").click()
    page.get_by_label("Random seed").fill("7")
    page.get_by_label("Teaching game").select_option("strict")
    rated.check()
    expect(page.get_by_label("Random seed")).to_have_count(0)
    expect(page.get_by_label("Teaching game")).to_have_count(0)
    expect(page.get_by_text("Forecast and hints allowed")).to_have_count(0)
    expect(page.get_by_text("nobody gets forecasts or hints")).to_be_visible()
    expect(page.get_by_label("Who sits in seat 3?")).to_have_value("open")
    expect(strength).to_have_value("maple")  # the strongest of three players whose strength is known
    assert strength.locator("option").all_inner_texts() == ["Seedling", "Sapling", "Birch", "Maple"]
    assert who.locator("option").all_inner_texts() == ["Open (invite by link)", "Bot"]
    page.get_by_role("button", name="Remove seat 3").click()
    strength.select_option("sequoia")
    rated.uncheck()
    expect(page.get_by_label("Random seed")).to_have_value("7")
    expect(page.get_by_label("Teaching game")).to_have_value("strict")
    rated.check()
    page.get_by_role("button", name="Create game").click()
    with page.expect_request(re.compile("/api/tables$")) as asked:
        say_yes(page)
    page.wait_for_selector(".table")
    sent: dict[str, Any] = json.loads(asked.value.post_data or "")
    assert (sent["rated"], sent["assistance"], sent["teaching"], "seed" in sent) == (True, False, "off", False)
    assert [seat["kind"] for seat in sent["seats"]] == ["me", "bot"] and sent["seats"][1]["level"] == "sequoia"
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave the game").click()
    expect(page.get_by_role("dialog")).to_contain_text("you come last")


def test_who_says_no_is_nobody_and_has_lost_nothing(club: Server, open_page: OpenPage) -> None:
    page = open_page(f"{club.address}/new")
    page.get_by_label("Name of the player in seat 1").fill("Nora")
    page.get_by_role("switch", name="Rated game").check()
    page.get_by_role("button", name="Create game").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("() => localStorage.getItem('sunglade.person')") is None
    expect(page.get_by_label("Name of the player in seat 1")).to_have_value("Nora")


def test_whoever_was_forgotten_elsewhere_is_asked_and_not_sent_away(club: Server, open_page: OpenPage) -> None:
    page = open_page(club.address, lost_connection=True)  # a browser writes down what was refused
    become(page, club.address, "Fenja")
    with Client(club.address, person=key_of(page)) as elsewhere:
        elsewhere.ask("DELETE", "/people/me")
    page.goto(f"{club.address}/new")
    page.get_by_role("switch", name="Rated game").check()
    page.get_by_role("button", name="Create game").click()
    say_yes(page)
    page.wait_for_selector(".table")


def test_the_lobby_tells_what_is_rated_and_how_strong_who_waits_is_by_keyboard(
    club: Server, open_page: OpenPage
) -> None:
    with somebody(club, "Lena") as lena:
        table = lena.create([me("Lena"), OPEN], **(RATED | {"listed": True})).table
        lena.create([me("Lars"), OPEN], listed=True)
    page = open_page(f"{club.address}/lobby")
    lena_waits = page.locator("li.card").filter(has_text="Lena")
    expect(lena_waits).to_contain_text("Rated game")
    expect(lena_waits).to_contain_text("1200")
    expect(page.locator("li.card").filter(has_text="Lars")).not_to_contain_text("Rated")
    page.get_by_role("combobox", name="Rating").focus()
    page.keyboard.type("rated")
    expect(page.get_by_role("button", name="Join: Lars")).to_have_count(0)
    page.get_by_role("button", name="Join: Lena").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Yes, recognise me")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    assert page.url.endswith(table)


def test_what_counts_for_nobody_is_told_so(club: Server, open_page: OpenPage) -> None:
    ada, ben = somebody(club, "Ada"), somebody(club, "Ben")
    seat = ada.create([me("Ada"), OPEN], **RATED)
    other = ben.join(seat.table, str(seat.invite), "Ben")
    seat.refresh()
    page = open_page(club.address)
    hold(page, seat)
    page.goto(f"{club.address}/t/{seat.table}")
    expect(page.get_by_role("article", name="Ben")).to_contain_text("1200")
    seat.command("offer", offer="end", expected=seat.seq)
    other.refresh()
    other.command("agree", expected=other.seq)
    expect(page.get_by_role("region", name="What the result was worth")).to_contain_text("counts for nobody")


def test_the_ranking_shows_people_between_bots_and_marks_me(club: Server, open_page: OpenPage) -> None:
    page = open_page(f"{club.address}/ranking", **PHONE)
    expect(page.get_by_role("row").filter(has_text="Sequoia")).to_be_visible()
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    expect(page.get_by_text("Nobody has ten rated games")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Sequoia")).to_have_count(0)  # nobody has measured it there
    with somebody(club, "Rike", species="maple") as rike:
        for _ in range(10):
            play_rated(rike)
        be(page, rike)
    page.goto(club.address)
    page.get_by_role("link", name="Ranking").click()
    mine = page.get_by_role("row").filter(has_text="Rike (you)")
    expect(mine).to_contain_text("10 rated games")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page, "the ranking")
    page.get_by_role("link", name="Your ratings").click()
    told = page.get_by_role("region", name="Your ratings")
    expect(told.get_by_role("img", name=re.compile("^Rating, game after game: "))).to_be_visible()
    expect(told.get_by_role("row")).to_have_count(6)
    told.get_by_role("button", name="Show older games").click()
    expect(told.get_by_role("row")).to_have_count(11)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    told.get_by_role("link", name="Ranking").click()
    expect(mine).to_be_visible()


def test_where_nothing_is_ranked_the_page_says_so_and_nothing_leads_there(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/ranking")
    expect(page.get_by_role("heading", name="This server has no ranking")).to_be_visible()
    page.goto(server.address)
    expect(page.get_by_role("link", name="Set up a game")).to_be_visible()
    expect(page.get_by_role("link", name="Ranking")).to_have_count(0)
    become(page, server.address, "Uli")
    expect(page.get_by_role("region", name="Your ratings")).to_contain_text("You have no rating yet")
    expect(page.get_by_role("link", name="Ranking")).to_have_count(0)


def test_a_server_without_ratings_offers_none(
    client: None, tmp_path_factory: pytest.TempPathFactory, open_page: OpenPage
) -> None:
    plain = Server(tmp_path_factory.mktemp("plain") / "tables.sqlite", "--no-device", "--no-ratings", "--ranking")
    plain.start()
    try:
        page = open_page(f"{plain.address}/new")
        expect(page.get_by_label("Strength of the bot in seat 2")).to_have_value("sapling")
        expect(page.get_by_role("switch")).to_have_count(0)
        become(page, plain.address, "Olga")
        expect(page.get_by_text("You have not played here yet.")).to_be_visible()
        expect(page.get_by_text("Your ratings")).to_have_count(0)
        page.goto(f"{plain.address}/privacy")
        expect(page.get_by_text("Keys to seats")).to_be_visible()
        expect(page.get_by_text("rated games")).to_have_count(0)
    finally:
        plain.stop()


def test_what_is_kept_of_rated_games_is_told(club: Server, open_page: OpenPage) -> None:
    page = open_page(f"{club.address}/privacy")
    expect(page.get_by_text("Of rated games: everyone’s place")).to_be_visible()
    expect(page.get_by_text("This server shows everyone a ranking")).to_be_visible()


def test_games_of_a_device_are_not_rated(host: Host, open_page: OpenPage) -> None:
    page = open_page(f"{host.address}#/new")
    expect(page.get_by_label("Strength of the bot in seat 2")).to_have_value("sapling")
    expect(page.get_by_role("switch")).to_have_count(0)
    page.goto(f"{host.address}#/ranking")
    expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
