"""Pictures of the main screens, for looking at them and for the README.

`PYTHONPATH=tests python tests/web/screens.py docs/images`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page

from web.chromium import browser_and_server
from web.playing import continue_game, play_now, settle
from web.stage import ROOT, Server

NAMES = ("Ada", "Ben", "Cleo", "Dan")
MOONLIT = ROOT / "tests" / "web" / "moonlit.json"
DENSE = ROOT / "tests" / "web" / "forest.json"
LARGE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def opened(browser: Browser, server: Server, size: dict[str, int], **options: object) -> Page:
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("select option", state="attached")
    return page


def pictured(page: Page, file: Path) -> None:
    page.mouse.move(2, 2)
    page.wait_for_timeout(900)
    page.screenshot(path=file)
    print(file)


def recorded(page: Page, file: Path) -> None:
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false, soundOffered: true}))")
    continue_game(page, json.loads(file.read_text(encoding="utf-8")), NAMES)
    settle(page)


def take(browser: Browser, server: Server, folder: Path) -> None:
    pictured(opened(browser, server, LARGE), folder / "client-start.png")

    page = opened(browser, server, LARGE)
    recorded(page, DENSE)
    page.get_by_role("tab", name="Forecast").click()
    pictured(page, folder / "client-forest.png")
    page.locator("input[type=range]").fill("2")
    pictured(page, folder / "client-forecast.png")

    page = opened(browser, server, LARGE, color_scheme="dark")
    recorded(page, MOONLIT)
    page.get_by_role("tab", name="Points").click()
    pictured(page, folder / "client-moonlight.png")

    page = opened(browser, server, PHONE, has_touch=True, is_mobile=True)
    recorded(page, DENSE)
    pictured(page, folder / "client-phone.png")

    page = opened(browser, server, LARGE, color_scheme="light")
    play_now(page)
    pictured(page, folder / "client-placing.png")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with browser_and_server() as (browser, server):
        take(browser, server, folder)


if __name__ == "__main__":
    main()
