"""The teaching game and the bot that adapts without any server: the page has the teacher, the judge and the levels."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from sunglade.teaching.lessons import FIRST
from sunglade.teaching.puzzles import puzzles
from sunglade.words import catalogue
from web import learning
from web.playing import Mouse, is_my_turn, settle
from web.stage import OpenPage, wait_until
from web.static_host import Host

ROUNDS = 18
PHONE = {"width": 390, "height": 844}


def place_trees(page: Page) -> None:
    """Both trees of the set-up."""
    mouse = Mouse(page, seed=1)
    for _ in range(2):
        wait_until(lambda: is_my_turn(page), "a tree to place")
        assert mouse.place()
    wait_until(lambda: is_my_turn(page) and page.locator("button.end").count() > 0, "the first turn")


def turn_of(page: Page) -> str:
    """How far the table has come."""
    return page.locator(".table").get_attribute("data-seq") or ""


def waste_a_turn(page: Page, said: Locator) -> None:
    """End the turn without having done anything, also where light is left, until something is said or the next turn."""
    before = turn_of(page)
    sure = page.locator("dialog").get_by_role("button", name="End turn", exact=True)

    def has_ended() -> bool:
        return said.count() > 0 or (is_my_turn(page) and turn_of(page) != before)

    page.locator("button.end").click()
    wait_until(lambda: sure.count() > 0 or has_ended(), "the end of the turn, or a question")
    if sure.count() > 0:
        sure.click()
    wait_until(has_ended, "something that is said, or the next turn")


def test_teacher_of_a_device_speaks_up_and_the_turn_goes_on(host: Host, open_page: OpenPage) -> None:
    """Nobody can do nothing for a whole game without being told so; the judge is the page's own."""
    page = open_page(host.address, lost_connection=True, **PHONE)
    page.get_by_role("link", name="Set up a game").click()
    page.get_by_label("Teaching game").select_option("strict")
    page.get_by_role("button", name="Create game").click()
    place_trees(page)
    verdict = page.locator("dialog .verdict")
    before = turn_of(page)
    for _ in range(ROUNDS):
        before = turn_of(page)
        waste_a_turn(page, verdict)
        if verdict.count() > 0:
            break
    expect(verdict).to_be_visible()
    assert turn_of(page) == before, "the turn has not ended"
    expect(page.locator("dialog ol li")).not_to_have_count(0)
    page.keyboard.press("Enter")  # going on with the turn is what one comes to first
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("button.end")).to_be_enabled()
    assert turn_of(page) == before


def test_bot_of_a_device_adapts_after_a_game_and_for_the_next_visit(host: Host, open_page: OpenPage) -> None:
    """A whole game without a server, lost on purpose: the next one is against a lower level."""
    words = catalogue("en").tell
    page = open_page(host.address, lost_connection=True)
    page.wait_for_selector("select option", state="attached")
    page.locator("form.play select").select_option("adaptive")
    page.locator("form.play button.main").click()
    place_trees(page)
    told = page.get_by_text("adapts to you and plays next as")
    for _ in range(ROUNDS):
        waste_a_turn(page, told)
    expect(told).to_contain_text(words("level.seedling"))
    page.goto(host.address)
    page.wait_for_selector("select option", state="attached")
    now = words("adapts.now", level=words("level.seedling"))
    expect(page.locator("form.play option[value=adaptive]")).to_have_text(now)


def test_lesson_of_a_device_is_played_to_its_end(host: Host, open_page: OpenPage) -> None:
    page = open_page(host.address, lost_connection=True, **PHONE)
    page.locator(".offer a").click()
    learning.walk(page, FIRST)


def test_puzzle_of_a_device_is_judged_and_its_best_turn_told(host: Host, open_page: OpenPage) -> None:
    page = open_page(host.address, lost_connection=True)
    page.get_by_role("link", name="Puzzles").click()
    page.wait_for_selector(".one")
    task = next(each for each in puzzles() if each.kind == "collect" and "sequoia" not in each.levels)
    page.locator(".one").nth(task.number - 1).click()
    page.wait_for_selector(".bar .task")
    settle(page)
    page.locator("button.end").click()
    sure = page.locator("dialog").get_by_role("button", name="End turn", exact=True)
    expect(sure.or_(page.locator(".verdict")).first).to_be_visible()
    if sure.count() > 0:
        sure.click()
    expect(page.locator(".verdict")).to_contain_text("That is not the best turn")
    page.get_by_role("button", name="Show the best turn").click()
    expect(page.locator(".best ol li")).to_have_count(len([line for line in task.best if line != "end"]))
