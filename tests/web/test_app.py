"""A site as an app: without a network after the first visit, over reloads, killed tabs and new versions; what it keeps.

Here the web server is stopped for most of the time.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sunglade import offline
from web.playing import Mouse, is_my_turn, over, play_now
from web.stage import OpenPage, wait_until
from web.static_host import PLACE, Host
from web.test_modules import Leader
from web.test_static_site import placed, seen

KEPT = "navigator.serviceWorker.ready.then(() => true)"
VERSION = "caches.keys().then((names) => names.sort().join())"
NEW = '<meta name="new" />'
WAITS = "navigator.serviceWorker.getRegistration().then((kept) => kept.waiting !== null)"
NEWS = "A new version is ready"
HALF_A_GAME = 100
"""So many events, about, with three players and all modules."""


def new_version(host: Host) -> None:
    """Another site in the place of the one there was: a file and its page differ."""
    site = host.folder / PLACE
    page = (site / "index.html").read_text(encoding="utf-8")
    (site / "index.html").write_text(
        page.replace(offline.MARK, "").replace("<title>", f"{NEW}<title>"), encoding="utf-8"
    )
    (site / "icon.svg").write_text((site / "icon.svg").read_text(encoding="utf-8") + "\n", encoding="utf-8")
    script = site / offline.SCRIPT
    script.write_text(script.read_text(encoding="utf-8").partition("\n")[2], encoding="utf-8")
    offline.make_app(site)


def publish(host: Host, page: Page) -> None:
    """A new version comes to a host that was stopped, and the page fetches it; then the host is stopped again."""
    new_version(host)
    host.start()
    page.evaluate("navigator.serviceWorker.ready.then((kept) => kept.update()).then(() => true)")
    wait_until(lambda: bool(page.evaluate(WAITS)), "the new version")
    host.stop()


def use_new_version(page: Page) -> None:
    """Say yes to the one that waits, at the start page."""
    expect(page.get_by_text(NEWS)).to_be_visible()
    page.get_by_role("button", name="Use it now").click()
    page.wait_for_selector("meta[name=new]", state="attached")


def first_visit(page: Page, address: str) -> None:
    """Play now and place a tree; wait until the site is kept."""
    page.goto(address)
    play_now(page)
    placed(page)
    assert page.evaluate(KEPT)


def go_on(page: Page, before: str, what: str) -> str:
    """The table is as it was, and another tree can be placed; how it is then."""
    wait_until(lambda: is_my_turn(page), what)
    assert seen(page) == before, what
    Mouse(page, seed=2).step()
    wait_until(lambda: is_my_turn(page), f"the bot's answer after {what}")
    assert seen(page) != before, what
    return seen(page)


def test_reload_killed_tab_and_new_version_in_the_middle_of_a_game(own_host: Host, open_page: OpenPage) -> None:
    """The web server is stopped; a new version waits, unseen at the table, until it is asked for at the start page."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, own_host.address)
    address, version = page.url, page.evaluate(VERSION)
    own_host.stop()
    page.reload()
    now = go_on(page, seen_before(page), "a reload without a network")
    page = killed(page)
    page.goto(address)
    now = go_on(page, now, "a killed tab")

    publish(own_host, page)
    expect(page.get_by_text(NEWS)).to_have_count(0)
    now = go_on(page, now, "a new version that waits")
    page.reload()
    now = go_on(page, now, "a reload while a new version waits")
    page.goto(own_host.address)
    expect(page.locator("meta[name=new]")).to_have_count(0)
    use_new_version(page)
    wait_until(lambda: page.evaluate(VERSION) not in ("", version) and "," not in page.evaluate(VERSION), "tidying up")
    page.goto(address)
    go_on(page, now, "the table in the new version")


def seen_before(page: Page) -> str:
    """The forest after the page has shown it."""
    wait_until(lambda: is_my_turn(page), "the table")
    return seen(page)


def killed(page: Page) -> Page:
    """Another tab, after the process of this one ended, as when a system has no memory: the one that worked most."""
    assert page.context.browser is not None
    devtools = page.context.browser.new_browser_cdp_session()
    processes = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [process for process in processes if process["type"] == "renderer"]
    crashed: list[bool] = []
    page.on("crash", lambda _: crashed.append(True))
    os.kill(max(pages, key=lambda process: float(process["cpuTime"]))["id"], signal.SIGKILL)
    other = page.context.new_page()

    def is_told() -> bool:
        other.wait_for_timeout(20)  # lets what happens be heard
        return bool(crashed)

    wait_until(is_told, "the end of the tab")
    page.close()
    return other


class AnimalsAndTrees(Leader):
    """Plays one seat with all that it has: the animal first, then trees and the player board."""

    def _end(self) -> None:
        Mouse(self.page, seed=self.chance.randrange(1000)).turn()


def set_up_with_all_modules(page: Page) -> None:
    """A table of three modules and three players, two of them bots, by what the set-up page offers."""
    page.get_by_role("link", name=re.compile("Set up a game")).click()
    page.get_by_role("button", name="Add a seat").click()
    for number, level in ((2, "seedling"), (3, "sapling")):
        page.get_by_label(f"Who sits in seat {number}?").select_option("bot")
        page.get_by_label(f"Strength of the bot in seat {number}").select_option(level)
    for module in ("moon", "elder", "stones"):
        page.locator(f"input[value={module}]").check()
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".table")


def happened(page: Page) -> int:
    """How much has happened at the table."""
    return int(page.locator(".table").get_attribute("data-seq") or 0)


def play_on(page: Page, player: Leader, until: Callable[[], bool]) -> None:
    """Play until something is so. However long a game is, it goes on: every step changes it, and every bot answers."""
    while not until():
        wait_until(lambda: over(page) or is_my_turn(page), "our turn")
        if not over(page):
            step_on(page, player)


def step_on(page: Page, player: Leader) -> None:
    """One step, which changes something."""
    before = happened(page)
    player.step()
    wait_until(lambda: happened(page) > before, "what we did")


@pytest.mark.proof
def test_a_whole_game_with_all_modules_against_two_bots_without_a_web_server(
    own_host: Host, open_page: OpenPage
) -> None:
    """In its middle: a reload, a killed tab, a new version."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, own_host.address)
    page.goto(own_host.address)
    own_host.stop()
    set_up_with_all_modules(page)
    address, player = page.url, AnimalsAndTrees(page)
    play_on(page, player, lambda: happened(page) > HALF_A_GAME)
    before = seen_before(page)
    page.reload()
    assert seen_before(page) == before

    player.page = page = killed(page)
    page.goto(address)
    assert seen_before(page) == before
    step_on(page, player)
    before = seen_before(page)

    publish(own_host, page)
    page.goto(own_host.address)
    use_new_version(page)
    page.goto(address)
    assert seen_before(page) == before
    play_on(page, player, lambda: over(page))
    assert player.done, "no animal did anything"
    expect(page.locator("dialog")).to_contain_text("Leftover lunar points")
