"""Lessons in a real browser: every step done by clicking, other tries answered, on large screens and on phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from sunglade.teaching.lessons import FIRST, LESSONS, MOON, Lesson
from sunglade.words import languages
from web import learning
from web.stage import OpenPage, Server

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def test_the_first_lesson_is_offered_on_the_first_visit_and_not_again(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator(".offer a").click()
    learning.expect_step(page, 1)
    page.locator(".lesson header .icon").click()
    page.wait_for_selector(".ways")
    expect(page.locator(".offer")).to_have_count(0)


def test_the_first_lesson_from_its_offer_to_a_game(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator(".offer a").click()
    learning.walk(page, FIRST)
    page.get_by_role("button", name="Play your first game").click()
    page.wait_for_selector(".cell.able")  # a table, and a first tree to place


def test_a_phone_and_a_page_from_right_to_left_have_room_for_a_lesson(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, locale="he-IL", **PHONE)
    learning.begin(page, server.address, FIRST)
    learning.walk(page, FIRST, lambda _: nothing_is_cut(page))


def test_every_animal_and_every_baby_is_tried_on_a_phone(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address, locale="de-DE", **PHONE)
    learning.begin(page, server.address, MOON)
    learning.walk(page, MOON, lambda _: nothing_is_cut(page))


@pytest.mark.proof
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
@pytest.mark.parametrize("size", [{}, PHONE, {"width": 844, "height": 390}], ids=["large", "phone", "on its side"])
@pytest.mark.parametrize("language", languages())
def test_lessons_in_every_language(
    server: Server, open_page: OpenPage, language: str, size: dict[str, object], lesson: Lesson
) -> None:
    page = open_page(server.address, locale=language, **size)
    learning.begin(page, server.address, lesson)
    learning.walk(page, lesson, lambda _: nothing_is_cut(page))


def nothing_is_cut(page: Page) -> None:
    """Nothing of a lesson sticks out to the side, and its buttons are on the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    outside = page.evaluate(
        """[...document.querySelectorAll(".lesson, .lesson .ways button")].flatMap((part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            const fits = left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= innerHeight + 1;
            return fits ? [] : [[part.className, left, right, top, bottom, innerWidth, innerHeight]];
        })"""
    )
    assert outside == []


def test_a_lesson_goes_on_where_it_was_left_and_any_step_can_be_chosen(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    learning.begin(page, server.address, FIRST)
    page.locator(".lesson .ways .quiet").first.click()  # skip
    learning.expect_step(page, 2)
    learning.do(page, FIRST.steps[1])
    page.wait_for_selector(".lesson .praise")
    page.reload()
    learning.expect_step(page, 2)
    expect(page.locator(".lesson .dot.done")).to_have_count(1)
    page.locator(".lesson .dot").nth(5).click()
    learning.expect_step(page, 6)


def test_who_asks_is_shown_where(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    learning.begin(page, server.address, FIRST)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".board g.pointed")).to_have_count(1)


def test_taking_back_begins_the_step_again(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    learning.begin(page, server.address, FIRST)
    page.locator(".lesson .dot").nth(2).click()
    learning.expect_step(page, 3)
    learning.act(page, FIRST.steps[2].goals[0], "buy small")
    expect(page.locator(".lesson .goals .reached")).to_have_count(1)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".lesson .goals .reached")).to_have_count(0)
    expect(page.locator(".dock .light b")).to_have_text("5")


def test_a_lesson_by_keyboard(server: Server, open_page: OpenPage) -> None:
    """The first step, with keys alone: to the board, along it, by the menu, and on to the next step."""
    page = open_page(server.address)
    learning.begin(page, server.address, FIRST)
    page.locator('[data-space="d4"]').focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector(".menu .entry")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lesson .praise")
    expect(page.locator(".lesson .ways .main")).to_be_focused()
    page.keyboard.press("Enter")
    learning.expect_step(page, 2)


def test_a_lesson_that_there_is_not(server: Server, open_page: OpenPage) -> None:
    page = open_page(f"{server.address}/lesson/cooking")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(0)
