"""Whole games in a real browser."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from web.playing import Keyboard, Mouse, is_my_turn, offered, open_table, over, play_now, settle
from web.stage import PATIENCE_S, OpenPage, Server, wait_until


def play_to_the_end(*players: Mouse | Keyboard) -> None:
    until = time.monotonic() + PATIENCE_S
    while not all(over(player.page) for player in players):
        assert time.monotonic() < until, "the game did not end"
        for player in players:
            player.step()


def final_points(page: Page) -> list[list[str]]:
    return [
        row.all_inner_texts() for row in (row.locator("th, td") for row in page.locator("dialog tbody tr").all()[:2])
    ]


def test_two_people_play_a_whole_game_by_mouse_between_two_browsers(server: Server, open_page: OpenPage) -> None:
    first = open_page(server.address)
    first.get_by_label("Your name").fill("Ada")
    first.get_by_role("link", name="Invite friends").click()
    first.get_by_role("button", name="Create the game and get the link").click()
    link = first.get_by_label("Invitation link").input_value()
    assert "#" in link, "the secret of an invitation belongs into the fragment"
    first.keyboard.press("Escape")

    second = open_page(link)
    second.get_by_label("Your name").fill("Ben")
    second.get_by_role("button", name="Join", exact=True).click()
    second.wait_for_selector(".table")
    expect(second, "the secret must not stay in the address").to_have_url(re.compile("^[^#]*$"))

    play_to_the_end(Mouse(first, 1), Mouse(second, 2))
    assert final_points(first) == final_points(second)
    expect(first.locator("dialog")).to_contain_text("Ada")
    expect(first.locator("dialog svg[role=img]")).to_be_visible()


def test_a_person_plays_a_whole_game_against_a_bot_after_one_click(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    play_now(page)
    play_to_the_end(Mouse(page, 3))


def test_a_person_plays_a_whole_game_by_keyboard_alone(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    keyboard = Keyboard(page, 6)
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    keyboard.tab_to("button", "Play now")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    play_to_the_end(keyboard)
    keyboard.tab_to("a", "Watch the replay")
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="Timeline")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"step=\d+"))


def test_four_players_three_of_them_bots_play_to_the_end(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    bots = [{"kind": "bot", "level": "greedy"}] * 3
    open_table(page, [{"kind": "me", "name": "Ada"}, *bots])
    play_to_the_end(Mouse(page, 7))
    expect(page.locator("dialog tbody tr").nth(3)).to_be_visible()


def test_reload_in_the_middle_of_a_turn_loses_nothing(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    mouse = Mouse(page, 4)
    while page.locator("button.end").count() == 0:
        dismiss_handover(page)
        mouse.place()
    dismiss_handover(page)
    page.locator(".buy:not([disabled])").first.click()
    settle(page)
    expect(page.locator("aside ol")).to_contain_text("buys a seed")
    log = page.locator("aside ol").inner_text()
    page.reload()
    wait_until(lambda: page.locator("aside ol").inner_text() == log, "the log comes back")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("aside ol")).to_contain_text("undoes an action")


def dismiss_handover(page: Page) -> None:
    ready = page.get_by_role("button", name=re.compile("^I’m "))
    if ready.count():
        ready.click()


def test_a_hot_seat_hands_over_clearly(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({handover: 'on'}))")
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    page.locator(f'[data-space="{offered(page)[0]}"]').dispatch_event("click")
    expect(page.locator("dialog")).to_contain_text("Pass the device to Ben")
    page.get_by_role("button", name="I’m Ben").click()
    expect(page.locator(".prompt")).to_contain_text("Ben")


def test_a_killed_server_is_noticed_and_the_turn_goes_on_after_it(own_server: Server, open_page: OpenPage) -> None:
    page = open_page(own_server.address, lost_connection=True)
    play_now(page)
    mouse = Mouse(page, 5)
    while page.locator("button.end").count() == 0:
        mouse.place()
    wait_until(lambda: is_my_turn(page), "my turn")
    page.locator(".buy:not([disabled])").first.click()
    settle(page)
    expect(page.locator("aside ol")).to_contain_text("buys a seed")
    own_server.kill()
    expect(page.locator(".lost")).to_be_visible()
    log = page.locator("aside ol").inner_text()
    own_server.start()
    expect(page.locator(".lost")).to_be_hidden()
    wait_until(lambda: page.locator("aside ol").inner_text() == log, "the same log")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("aside ol")).to_contain_text("undoes an action")
