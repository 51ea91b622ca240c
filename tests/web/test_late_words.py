"""Words that are fetched only when they are needed: whatever tells them waits until they have come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from sunglade.words import catalogue
from web.stage import OpenPage, Server, wait_until
from web.test_houses import device_mark, serve
from web.test_layouts import LAID_OUT


@contextmanager
def held_back(page: Page, language: str) -> Iterator[None]:
    """All words of a language that a page fetches come when this ends; some have been asked for by then."""
    held: list[Route] = []
    ended = False

    def asked(route: Route) -> None:
        if ended:
            route.continue_()
        else:
            held.append(route)

    def is_asked_for() -> bool:
        page.wait_for_timeout(20)  # lets what happens be heard
        return bool(held)

    page.route(f"**/assets/{language}-*.js", asked)
    yield
    wait_until(is_asked_for, "the words are asked for")
    ended = True
    for route in held:
        route.continue_()


def test_guide_whose_words_are_late_comes_with_them(server: Server, open_page: OpenPage) -> None:
    """A bug: a button was there without a name."""
    page = open_page("about:blank")
    button = page.locator("button.print")
    with held_back(page, "en"):
        with page.expect_response("**/assets/GuidePage-*.js"):
            page.goto(f"{server.address}/guide")
        page.evaluate(LAID_OUT)
        assert button.count() == 0
    expect(button).to_have_text(str(catalogue("en").words["rulebook.print"]))


def test_page_of_late_words_waits_for_those_of_the_readers_language(server: Server, open_page: OpenPage) -> None:
    """A bug: it waited for the English ones, and was there without any words."""
    page = open_page("about:blank", locale="de")
    with held_back(page, "de"):
        with page.expect_response("**/assets/PuzzlesPage-*.js"):
            page.goto(f"{server.address}/puzzles")
        page.evaluate(LAID_OUT)
        assert page.locator("h1").count() == 0
    expect(page.locator("h1")).to_have_text(str(catalogue("de").words["start.puzzles"]))


def test_dialog_that_is_fetched_sooner_than_its_words_waits_for_them(server: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    serve(page, device_mark())
    page.goto(server.address)
    with held_back(page, "en"):
        with page.expect_response("**/assets/KeepingDialog-*.js"):
            page.get_by_role("button", name="On this device").click()
        page.evaluate(LAID_OUT)
        assert page.locator("dialog").count() == 0
    expect(page.locator("dialog h3").last).to_have_text(str(catalogue("en").words["keeping.app"]))
