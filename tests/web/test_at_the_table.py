"""Around the game: saved games, seats on other devices, spectators, a table without help."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

from playwright.sync_api import expect

from sunglade.rules import OPTIONS
from web.playing import Mouse, able, click_space, continue_game, offered, open_table, over, settle
from web.stage import PATIENCE_S, OpenPage, Server, wait_until

HERE = Path(__file__).parent


def test_a_saved_game_is_replayed_step_by_step(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator("input[type=file]").set_input_files(HERE / "forest.json")
    timeline = page.get_by_role("slider", name="Timeline")
    expect(timeline).to_be_visible()
    steps = len(json.loads((HERE / "forest.json").read_text(encoding="utf-8"))["actions"])
    expect(page.locator(".words")).to_contain_text(f"Step 0 of {steps}")
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator(".words")).to_contain_text("places a small tree")
    expect(page.locator(".plant")).to_have_count(1)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".words")).to_contain_text(f"Step {steps} of {steps}")
    wait_until(lambda: page.locator(".plant").count() > 20, "the forest at the end")
    expect(page).to_have_url(re.compile(f"step={steps}$"))
    again = open_page(page.url)  # a link to a position
    expect(again.locator(".words")).to_contain_text(f"Step {steps} of {steps}")


def test_a_file_that_is_no_game_is_told_in_a_sentence(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(server.address, lost_connection=True)  # the refusal shows as an error in the console
    (tmp_path / "no.json").write_text('{"format": "something else"}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.json")
    expect(page.get_by_role("alert")).to_contain_text("This file isn’t a Sunglade game")


def test_a_seat_moves_to_another_device_by_a_link(server: Server, open_page: OpenPage) -> None:
    first = open_page(server.address)
    open_table(first, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    first.get_by_role("button", name="Invite players").first.click()
    first.get_by_role("button", name="Continue on another device").click()
    link = first.get_by_label("Continue on another device").input_value()
    second = open_page(link)
    second.get_by_role("button", name="Take my seat back").click()
    second.wait_for_selector(".table")
    expect(second).to_have_url(re.compile("^[^#]*$"))
    expect(second.get_by_role("article", name="Ada (you)").last).to_be_visible()


def test_spectators_see_the_game_and_cannot_act(server: Server, open_page: OpenPage) -> None:
    player = open_page(server.address)
    table = open_table(player, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    watcher = open_page(f"{server.address}/t/{table}")
    expect(watcher.locator(".bottom")).to_contain_text("You are watching")
    space = offered(player)[0]
    click_space(player, space)
    expect(watcher.locator("aside ol")).to_contain_text(f"Ada places a small tree on {space}")
    assert not able(watcher)


def test_a_tree_in_shade_tells_who_takes_its_light(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    continue_game(page, json.loads((HERE / "dense.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy", "Di"))
    settle(page)
    dark = page.eval_on_selector_all(
        ".cell",
        "cells => cells.filter(one => /in shade/.test(one.getAttribute('aria-label'))).map(one => one.dataset.space)",
    )
    assert dark
    page.locator(f'[data-space="{dark[0]}"]').focus()
    expect(page.locator(".info")).to_contain_text("Shaded by the")
    expect(page.locator(".pointed").first).to_be_attached()


WATCHED = """
    window.noticed = {sounds: 0, notifications: []};
    const sound = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { noticed.sounds += 1; return sound.call(this); };
    window.Notification = class extends Notification {
        constructor(title, options) { super(title, options); noticed.notifications.push([title, options.body]); }
    };
"""


def test_a_turn_is_noticed_by_title_sound_and_notification(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, permissions=["notifications"])
    page.add_init_script(WATCHED)
    table = open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Notify me when it is my turn").check()
    page.get_by_role("checkbox", name="Sounds").check()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Invite players").first.click()
    other = open_page(page.get_by_label("Invitation link").input_value())
    page.keyboard.press("Escape")
    other.get_by_role("button", name="Join", exact=True).click()
    other.wait_for_selector(".table")
    expect(page).to_have_title(re.compile("^●"))
    click_space(page, offered(page)[0])
    settle(page)
    expect(page).not_to_have_title(re.compile("^●"))
    before = page.evaluate("noticed")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")  # looking elsewhere
    click_space(other, offered(other)[-1])
    expect(page).to_have_title(re.compile("^●"))
    wait_until(lambda: page.evaluate("noticed.sounds") > before["sounds"], "two soft tones")
    page.wait_for_function("() => noticed.notifications.at(-1)?.[0] === 'Your turn!'")
    assert table in page.url


def test_a_rematch_seats_everybody_again_one_seat_on(server: Server, open_page: OpenPage) -> None:
    first = open_page(server.address)
    open_table(first, [{"kind": "me", "name": "Ada"}, {"kind": "open"}], {"edition": "us", "rounds": 1})
    first.get_by_role("button", name="Invite players").first.click()
    second = open_page(first.get_by_label("Invitation link").input_value())
    first.keyboard.press("Escape")
    second.get_by_label("Your name").fill("Ben")
    second.get_by_role("button", name="Join", exact=True).click()
    second.wait_for_selector(".table")
    players = (Mouse(first, 8), Mouse(second, 9))
    until = time.monotonic() + PATIENCE_S
    while not all(over(player.page) for player in players):
        assert time.monotonic() < until, "the game did not end"
        for player in players:
            player.step()
    played = first.url
    for page in (first, second):
        page.locator("dialog footer .button.main").click()
        expect(page).not_to_have_url(played)
        page.wait_for_selector(".table")
        names = page.locator("aside article b bdi")
        expect(names, "the first player has changed").to_have_text(["Ben", "Ada"])
    assert first.url == second.url
    second.wait_for_selector(".cell.able")  # Ben begins


def test_play_goes_on_from_any_step_of_a_replay(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator("input[type=file]").set_input_files(HERE / "forest.json")
    page.get_by_role("slider", name="Timeline").wait_for()
    for _ in range(3):
        page.get_by_role("button", name="One step forward").click()
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector(".cell.able")
    expect(page.locator(".plant")).to_have_count(3)
    click_space(page, able(page)[0])
    expect(page.locator("aside ol")).to_contain_text("places a small tree")


def test_every_option_can_be_set_and_is_played(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    page.wait_for_selector("select option", state="attached")
    for module in ("Moon and animals", "Elder Tree", "Moonstones"):
        page.get_by_label(module).check()
    for more in ("Module options", "Advanced options"):
        page.get_by_text(more, exact=True).click()
    page.get_by_label("Edition").select_option("es")
    page.get_by_label("Length").select_option(label="Long: 4 revolutions of the sun")
    chosen = {
        "Shade rule": "No planting or growing in shade",
        "Shade and planting": "Both",
        "Using new purchases": "In the same turn",
        "Leftover light": "An incomplete set counts too",
        "Return slot": "The most expensive free slot",
        "When the Red Moon passes the sun": "The moon turns over one move later",
        "The boar digs up": "Anybody’s large trees",
        "The fox scares": "Only animals next to it",
        "The fox steals": "Light points",
    }
    for option, value in chosen.items():
        page.get_by_label(option).select_option(label=value)
    page.get_by_label("No limit").uncheck()
    numbers = {"Light limit": 12, "Rounds": 7, "Moon’s starting position": 4, "Moonstones": 5, "Random seed": 11}
    for option, number in numbers.items():
        page.get_by_role("spinbutton", name=option).or_(page.get_by_role("textbox", name=option)).fill(str(number))
    page.get_by_label("Shore spaces").fill("a1 a2 a3 b1 b2 c1")
    page.get_by_label("River spaces").fill("g1")
    page.locator('[data-pick="g2"]').last.click()  # the plan beside the names
    expect(page.get_by_label("River spaces")).to_have_value("g1 g2")
    page.get_by_label("Forecast and hints allowed").uncheck()
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".table")
    view = page.evaluate("fetch('/api/tables/' + location.pathname.split('/').pop()).then(got => got.json())")["view"]
    played = {
        "edition": "es",
        "revolutions": 4,
        "rounds": 7,
        "light_cap": 12,
        "use_bought": True,
        "leftover": "up",
        "return_slot": "highest",
        "shade_forbids": True,
        "shade_plant": "both",
        "modules": ["moon", "elder", "stones"],
        "moon_start": 4,
        "moonstones": 5,
        "shore": ["a1", "a2", "a3", "b1", "b2", "c1"],
        "river": ["g1", "g2"],
        "moon_turns": "on_arrival",
        "boar_digs": "any",
        "fox_scares": "adjacent",
        "fox_steals": "light",
    }
    assert {name: view["rules"][name] for name in [*OPTIONS, "edition"]} == played
    assert not view["settings"]["assistance"]


def test_options_of_a_module_are_asked_only_where_it_is_played(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    page.wait_for_selector("select option", state="attached")
    expect(page.get_by_text("The youngest goes first")).to_be_visible()
    expect(page.get_by_text("Module options")).to_have_count(0)
    page.get_by_label("Moonstones").check()
    page.get_by_text("Module options").click()
    expect(page.get_by_label("The fox steals")).to_have_count(0)
    page.get_by_label("Moon and animals").check()
    expect(page.get_by_label("The fox steals")).to_be_visible()
    expect(page.get_by_text("whoever looked at the moon last goes first")).to_be_visible()


def test_a_light_limit_beyond_255_is_refused_where_it_is_typed(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    page.wait_for_selector("select option", state="attached")
    experts = page.get_by_text("Advanced options", exact=True)
    experts.click()
    limit = page.get_by_role("spinbutton", name="Light limit")
    limit.fill("256")
    experts.click()  # what is wrong is hidden, and shown again
    page.get_by_role("button", name="Create game").click()
    expect(limit).to_be_visible()
    assert not limit.evaluate("field => field.checkValidity()")
    limit.fill("255")
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".table")


def test_the_guide_tells_the_rules_of_its_table(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    rules = {
        "edition": "es",
        "light_cap": 12,
        "rounds": 7,
        "modules": ["moon"],
        "moon_turns": "on_arrival",
        "boar_digs": "any",
        "fox_steals": "light",
    }
    table = open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}], rules)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Rules of this game").click()
    for told in ("12 light points at most", "7 rounds", "The cheapest free slot", "turns over one move later"):
        expect(page.locator("dialog")).to_contain_text(told)
    expect(page.locator("dialog")).to_contain_text("whoever looked at the moon last goes first")
    page.keyboard.press("Escape")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="How to play").click()
    guide = opened.value
    expect(guide).to_have_url(re.compile(f"/guide/{table}$"))
    expect(guide.locator("main")).to_contain_text("By the rules of this game: Spanish")
    for told in (
        "above 12 light points",
        "the game has 7 rounds",
        "the cheapest free slot",
        "from your next turn",
        "the moon follows when it gets there",
        "whoever looked at the moon last goes first",
        "for you, whoever owns it",
        "up to 2 light points",
    ):
        expect(guide.locator("main")).to_contain_text(told)
    expect(guide.locator("#guide-elder")).to_have_count(0)  # not played here


def test_the_guide_follows_the_edition_that_is_chosen_in_it(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/guide")
    for edition, told in (("us", "above 20 light points"), ("it", "the game has 19 rounds"), ("es", "cheapest")):
        page.get_by_label("Edition").select_option(edition)
        expect(page.locator("main")).to_contain_text(told)
    for section in ("moon", "elder", "stones", "two", "advanced"):
        expect(page.locator(f"#guide-{section}")).to_have_count(1)
    page.get_by_role("link", name="The Elder Tree").click()
    expect(page.locator("#guide-elder")).to_be_focused()


def test_a_space_where_no_first_tree_goes_says_why(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator("form .button.main").click()
    page.wait_for_selector(".cell.able")
    click_space(page, "d4")
    expect(page.locator(".message")).to_contain_text("Your first trees go on the edge of the board")
