"""Small things that people stumbled over, each by what it protects."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from sunglade.bots import LEVELS
from sunglade.bots.given_names import BOT_NAMES
from sunglade.client import Client
from sunglade.words import catalogue
from web.playing import Mouse, able, click_space, continue_game, offered, open_table, settle
from web.stage import OpenPage, Server
from web.test_layouts import resized
from web.test_looks import assert_accessible

HERE = Path(__file__).parent
SHORT = {"edition": "us", "rounds": 1}


def settings(page: Page, **given: object) -> None:
    page.evaluate("given => localStorage.setItem('sunglade.settings', given)", json.dumps(given))


def menu(page: Page, entry: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog .entry", has_text=entry).click()


@pytest.mark.parametrize("language", ["en-GB", "de", "ru", "he"])
def test_every_tool_in_the_header_has_a_name_that_is_seen(server: Server, open_page: OpenPage, language: str) -> None:
    page = open_page(server.address, locale=language)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "greedy"}])
    for size in resized(page, ((390, 844), (820, 1180), (844, 390), (1024, 768), (1280, 800), (1920, 1080))):
        names = page.locator("header nav :is(a, button):visible").all_inner_texts()  # at once: the tools make room
        assert names and all(len(name.strip()) > 2 for name in names), f"{size}: {names}"
    page.locator("header nav button").last.click()
    expect(page.locator("dialog .entry").nth(6)).to_be_visible()
    assert all(len(entry.strip()) > 2 for entry in page.locator("dialog .entry").all_inner_texts())


def test_every_dialog_begins_at_something_useful_and_not_at_its_cross(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])

    page.get_by_role("button", name="Menu").click()
    expect(page.locator("dialog[open] .entry").first).to_be_focused()
    page.keyboard.press("Escape")
    for entry, first in (
        ("Settings", "select"),
        ("Keyboard", "h2"),
        ("Rules of this game", "h2"),
        ("Invite", "button:has-text('Copy')"),
        ("Leave", "button:has-text('Cancel')"),
    ):
        menu(page, entry)
        expect(page.locator("dialog[open]:not(:has(.entry)) :focus"), entry).to_have_count(1)
        expect(page.locator(f"dialog[open]:not(:has(.entry)) {first}:focus"), entry).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("dialog"), entry).to_have_count(0)


def test_three_bots_of_one_level_have_names_and_faces_and_keep_their_level(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    bot = {"kind": "bot", "level": "sapling"}
    open_table(page, [{"kind": "me", "name": "Ada"}, bot, bot, bot])
    cards = page.locator("aside article")
    expect(cards.locator("b bdi")).to_have_count(4)
    names = cards.locator("b bdi").all_inner_texts()
    assert names[0] == "Ada" and len(set(names[1:])) == 3 and set(names[1:]) <= set(BOT_NAMES)
    page.wait_for_selector(".cell.able")  # my turn
    expect(cards.get_by_text("Sapling")).to_have_count(3)
    expect(cards.locator(".name b svg")).to_have_count(3)
    faces = cards.locator(".name b svg").evaluate_all("faces => faces.map(face => face.innerHTML)")
    assert len(set(faces)) == 3


def test_a_table_in_the_list_keeps_names_and_round_apart(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "greedy"}])
    mouse = Mouse(page, 3)
    while page.locator("button.end").count() == 0:
        mouse.place()
    page.goto(server.address)
    expect(page.locator(".mine li").first).to_have_text(re.compile(r"Ada · \w+ — Round 1"))


@pytest.mark.parametrize("language", ["en-GB", "ru"])
def test_now_and_the_first_round_of_the_slider_stand_apart(server: Server, open_page: OpenPage, language: str) -> None:
    page = open_page(server.address, locale=language)
    continue_game(page, json.loads((HERE / "forest.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy", "Di"))
    for size in resized(page, ((1280, 800), (390, 844), (360, 640), (844, 390))):
        gap = page.evaluate(
            """() => {
                const word = document.createRange();
                word.selectNodeContents(document.querySelector(".track .now"));
                const number = document.createRange();
                number.selectNodeContents(document.querySelector(".track .stops span"));
                return number.getBoundingClientRect().left - word.getBoundingClientRect().right;
            }"""
        )
        assert gap >= 4, f"{size}: {gap}"


def test_wrong_addresses_and_lost_tables_show_a_picture_and_a_way_home(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/nonsense", lost_connection=True)
    seen = []
    for place in ("nonsense", "t/AbcdefghIj", "t/AbcdefghIj#someinvitation", "replay/AbcdefghIj"):
        page.goto(f"{server.address}/{place}")
        page.locator("h1").wait_for()
        picture = page.locator("main > svg")
        expect(picture).to_be_visible()
        box = picture.bounding_box()
        assert box and box["width"] > 200 and box["height"] > 100
        seen.append(picture.inner_html())
        assert_accessible(page, place)
        expect(page.get_by_role("link", name="Home")).to_be_visible()
    assert len(set(seen)) == 2, "an address that is wrong looks unlike a table that is gone"


def test_a_server_that_cannot_be_reached_shows_a_picture_and_is_tried_again(
    own_server: Server, open_page: OpenPage
) -> None:
    page = open_page(own_server.address, lost_connection=True)
    with Client(own_server.address) as client:
        table = client.create([{"kind": "me", "name": "Ada"}, {"kind": "bot", "level": "greedy"}]).table
    page.route("**/api/live*", lambda route: route.abort())
    page.route_web_socket(re.compile("/api/live"), lambda socket: socket.close())
    page.goto(f"{own_server.address}/t/{table}")
    expect(page.locator("main > svg")).to_be_visible()
    expect(page.get_by_role("heading")).to_have_text("The server can’t be reached.")
    expect(page.get_by_role("button", name="Try now")).to_be_visible()


@pytest.mark.parametrize("content", ["no JSON at all", "[1, 2", '"words"', '{"format": "something else"}', "{}"])
def test_a_wrong_file_is_told_in_a_sentence_of_the_players_language(
    server: Server, open_page: OpenPage, tmp_path: Path, content: str
) -> None:
    page = open_page(server.address, lost_connection=True, locale="de")  # the refusal is an error in the console
    (tmp_path / "no.json").write_text(content, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.json")
    expect(page.get_by_role("alert")).to_have_text("Diese Datei ist keine Sunglade-Partie, oder sie ist beschädigt.")


def test_a_problem_is_told_anew_in_the_language_that_came_after_it(
    server: Server, open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(server.address)
    (tmp_path / "no.json").write_text("no JSON", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.json")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("This file isn’t a Sunglade game, or it is damaged.")
    page.get_by_label("Language").first.select_option("de")
    expect(alert).to_have_text("Diese Datei ist keine Sunglade-Partie, oder sie ist beschädigt.")


def test_a_menu_that_was_opened_before_the_words_came_is_told_anew_with_them(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.address, locale="de")
    continue_game(page, json.loads((HERE / "clearing.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy"))
    held: list[Route] = []
    page.route("**/assets/de-*.js", lambda route: held.append(route))
    page.reload()
    click_space(page, page.locator(".start").first.get_attribute("data-at") or "")
    impossible = page.locator(".menu .entry:not([data-kind]) .label").first
    for language in ("en", "de"):
        words = catalogue(language).words
        names = "|".join(str(words[f"action.{kind}"]) for kind in ("grow", "plant", "collect"))
        expect(impossible).to_have_text(re.compile(f"({names})$"))
        while held:
            held.pop().continue_()


def test_levels_come_first_where_a_bot_is_chosen_and_programs_stand_apart(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/new")
    choice = page.get_by_label("Strength of the bot in seat 2")
    expect(choice.locator("optgroup option").first).to_be_attached()
    expect(choice.locator("> option")).to_have_count(len(LEVELS) + 1)
    levels = choice.locator("> option").evaluate_all("all => all.map(one => one.value)")
    programs = choice.locator("optgroup option").evaluate_all("all => all.map(one => one.value)")
    assert levels == [*LEVELS, "adaptive"]
    assert "greedy" in programs and not set(programs) & set(levels)


def test_around_one_screen_asks_how_many_play_and_their_names(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.get_by_role("button", name="Pass and play").click()
    page.locator("dialog [role=radiogroup] label", has_text="3").click()
    expect(page.get_by_role("radio", name="3")).to_be_checked()
    assert_accessible(page, "around one screen")
    page.get_by_label("Name of the player in seat 1").fill("Ada")
    page.get_by_label("Name of the player in seat 3").fill("Cy")
    page.locator("dialog .button.main").click()
    page.wait_for_selector(".table")
    expect(page.locator("aside article b bdi")).to_have_text(["Ada", "Poplar", "Cy"])


def test_a_rematch_names_the_species_of_the_new_seat(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me"}, {"kind": "me", "name": "Ben"}], SHORT)
    expect(page.locator("aside article b bdi")).to_have_text(["Spruce", "Ben"])
    mouse = Mouse(page, 2)
    while page.locator("dialog h2", has_text="Final score").count() == 0:
        mouse.step()
    page.locator("dialog footer .button.main").click()
    expect(page.locator("aside article b bdi")).to_have_text(["Ben", "Poplar"])


def test_a_shared_screen_is_not_handed_over_where_nothing_is_hidden(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    expect(page).to_have_title(re.compile("Ada"))
    click_space(page, offered(page)[0])
    expect(page.locator(".prompt b")).to_have_text("Ben")
    expect(page).to_have_title(re.compile("Ben"))
    assert page.locator("dialog").count() == 0


def test_a_hand_over_waits_until_another_dialog_is_closed(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    settings(page, handover="on")
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    space = offered(page)[0]
    menu(page, "Settings")
    page.locator(f'[data-space="{space}"]').dispatch_event("click")
    expect(page.locator(".prompt b")).to_have_text("Ben")
    expect(page.locator("dialog[open]")).to_have_count(1)
    expect(page.locator("dialog[open] h2")).to_have_text("Settings")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open] h2")).to_have_text("Pass the device to Ben")


def test_the_prompt_says_what_is_wanted_next(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    settings(page, confirm="on")
    continue_game(page, json.loads((HERE / "forest.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy", "Di"))
    settle(page)
    click_space(page, page.locator(".start").first.get_attribute("data-at") or "")
    page.locator(".menu .entry:not([disabled])").first.click()
    expect(page.locator(".confirm").or_(page.locator(".cell.able")).first).to_be_visible()
    spaces = able(page)
    if spaces:
        expect(page.locator(".prompt span")).to_have_text(re.compile(r"\?|Choose"))
        click_space(page, spaces[0])
    expect(page.locator(".confirm")).to_be_visible()
    expect(page.locator(".prompt span")).to_have_text("Confirm or cancel.")


def test_forced_colours_show_who_is_on_turn_what_is_pressed_and_the_chosen_tab(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.address, forced_colors="active")
    settings(page, sound=True)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])

    def looks(which: str) -> list[str]:
        drawn = "({outline, borderBottom}) => outline + ' ' + borderBottom"
        found: list[str] = page.eval_on_selector_all(which, f"all => all.map(one => ({drawn})(getComputedStyle(one)))")
        return found

    expect(page.locator("aside article")).to_have_count(2)
    first, second = looks("aside article")
    assert first != second, "the card of whoever is on turn"
    pressed, *others = looks("header nav button[aria-pressed]") + looks("header nav button:not([aria-pressed])")
    assert pressed not in others, "a tool that is switched on"
    chosen, *rest = looks("[role=tab]")
    assert chosen not in rest, "the tab that is shown"


@pytest.mark.parametrize("size", [(1280, 800), (1180, 820), (1440, 900), (1024, 768)], ids=str)
def test_the_player_board_needs_no_more_rows_in_longer_languages(
    server: Server, open_page: OpenPage, size: tuple[int, int]
) -> None:
    tall = {}
    for language in ("en-GB", "de", "ru"):
        page = open_page(server.address, locale=language, width=size[0], height=size[1])
        continue_game(page, json.loads((HERE / "clearing.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy"))
        tall[language] = page.locator(".dock").evaluate("dock => dock.getBoundingClientRect().height")
    assert max(tall.values()) - min(tall.values()) <= 8, tall


@pytest.mark.parametrize("language", ["en-GB", "de", "ru"])
def test_the_slider_keeps_its_width_while_it_is_dragged(server: Server, open_page: OpenPage, language: str) -> None:
    page = open_page(server.address, locale=language)
    continue_game(page, json.loads((HERE / "forest.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy", "Di"))
    slider = page.locator(".track input")
    widths = set()
    for ahead in range(int(slider.get_attribute("max") or 0) + 1):
        slider.fill(str(ahead))
        widths.add(slider.evaluate("slider => Math.round(slider.getBoundingClientRect().width)"))
    assert len(widths) == 1
