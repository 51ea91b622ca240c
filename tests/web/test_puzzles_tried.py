"""Puzzles are walked through in a real browser: the list, a turn, the verdict, the best turn, the record."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from sunglade.teaching.puzzles import puzzles
from sunglade.words import catalogue, codes
from web.playing import click_space, settle
from web.stage import OpenPage, Server
from web.test_looks import assert_accessible

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"width": 844, "height": 390, "has_touch": True, "is_mobile": True}
LAST_TURN = next(
    task
    for task in puzzles()
    if task.kind == "last_turn" and all(line.startswith("collect ") for line in task.best) and task.number < 500
)


def open_puzzle(page: Page, number: int) -> None:
    page.locator(".one").nth(number - 1).click()
    page.wait_for_selector(".bar .task")
    settle(page)


def end_turn(page: Page, language: str = "en") -> None:
    page.locator("button.end").click()
    asked = page.locator("dialog").get_by_role("button", name=str(catalogue(language).words["action.end"]), exact=True)
    expect(asked.or_(page.locator(".verdict")).first).to_be_visible()
    if asked.count() > 0:
        asked.click()
    page.wait_for_selector(".verdict")


@pytest.mark.parametrize("language", codes())
def test_missed_puzzle_shows_the_best_turn_in_every_language(
    server: Server, open_page: OpenPage, language: str
) -> None:
    miss(
        open_page(f"{server.address}/puzzles", locale=language, **(PHONE if language in ("he", "ru") else {})), language
    )


@pytest.mark.proof
@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["phone", "on its side"])
@pytest.mark.parametrize("language", codes())
def test_missed_puzzle_on_every_phone(
    server: Server, open_page: OpenPage, language: str, size: dict[str, object]
) -> None:
    miss(open_page(f"{server.address}/puzzles", locale=language, **size), language)


def miss(page: Page, language: str) -> None:
    """End the turn of a puzzle at once, and look at what would have been best."""
    page.wait_for_selector(".one")
    open_puzzle(page, LAST_TURN.number)
    end_turn(page, language)
    words = catalogue(language)
    expect(page.locator(".verdict")).to_contain_text(str(words.words["puzzle.missed"]))
    page.get_by_role("button", name=str(words.words["puzzle.show"])).click()
    expect(page.locator(".best ol li")).to_have_count(len(LAST_TURN.best))
    assert not re.search(r"\{\w+\}|puzzle\.|reason\.", page.locator(".bar").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"


def test_solved_puzzle_is_kept_in_the_record(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/puzzles")
    page.wait_for_selector(".one")
    open_puzzle(page, LAST_TURN.number)
    for line in LAST_TURN.best:
        click_space(page, line.removeprefix("collect "))
        page.locator(".menu .entry", has_text="Collect").first.click()
        settle(page)
    end_turn(page)
    expect(page.locator(".verdict")).to_contain_text("Solved!")
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator(".one.solved")).to_have_count(1)
    expect(page.get_by_text("Solved on this device: 1 of")).to_be_visible()
    page.goto(server.address)
    page.wait_for_load_state("networkidle")  # games to go on with would have been asked for by now
    page.wait_for_selector("form .button.main:enabled")
    assert page.locator(".mine li").count() == 0, "a puzzle is no game to go on with"


def test_puzzle_is_solved_by_touch(server: Server, open_page: OpenPage) -> None:
    """A bug: what was to be confirmed lay beneath the bar of the puzzle, out of a finger's reach."""
    page = open_page(f"{server.address}/puzzles", **PHONE)
    page.wait_for_selector(".one")
    open_puzzle(page, LAST_TURN.number)
    for line in LAST_TURN.best:
        click_space(page, line.removeprefix("collect "))
        page.locator(".menu .entry", has_text="Collect").first.click()
        page.locator(".info .confirm .main").click()
        settle(page)
    end_turn(page)
    expect(page.locator(".verdict")).to_contain_text("Solved!")


def test_puzzles_can_be_read_and_opened_by_everybody(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/puzzles")
    page.wait_for_selector(".one")
    assert_accessible(page, "all puzzles")
    page.locator(".one").nth(LAST_TURN.number - 1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".bar .task")
    settle(page)
    end_turn(page)
    page.get_by_role("button", name="Show the best turn").click()
    assert_accessible(page, "a puzzle and its answer")


def remember(page: Page, **record: object) -> None:
    page.evaluate("kept => localStorage.setItem('sunglade.puzzles', kept)", json.dumps(record))
    page.reload()
    page.wait_for_selector(".one")


def test_run_goes_on_after_a_puzzle_that_was_missed(server: Server, open_page: OpenPage) -> None:
    """A bug: who could not solve one puzzle was offered it for ever."""
    page = open_page(f"{server.address}/puzzles")
    run = page.locator(".way").nth(1)
    expect(run).to_contain_text("Puzzle 1")
    remember(page, solved=[1, 3], missed=[2], row=1, longest=1)
    expect(run).to_contain_text("Puzzle 4")
    everything = list(range(3, len(puzzles()) + 1))
    remember(page, solved=[1, *everything], missed=[2], row=1, longest=1)
    expect(run).to_contain_text("Puzzle 2")


def test_puzzle_of_the_day_tells_when_it_is_solved(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/puzzles")
    daily = page.locator(".way").first
    expect(daily).to_contain_text("Puzzle of the day")
    number = int(re.findall(r"\d+", daily.inner_text())[0])
    remember(page, solved=[number], missed=[], row=1, longest=1)
    expect(daily).to_contain_text("Solved!")


def test_last_puzzle_leads_back_to_all_of_them(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/puzzles")
    page.wait_for_selector(".one")
    open_puzzle(page, len(puzzles()))
    end_turn(page)
    expect(page.get_by_role("link", name="All puzzles")).to_be_visible()
    expect(page.get_by_role("button", name="Next puzzle")).to_have_count(0)
