"""Where some file of a site is missing: at a first visit, in what a browser kept, and because another version came.

Each is told in a sentence, nothing is lost, the rest can be used, and all is well again once the file is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sunglade.words import catalogue
from web.playing import click_space, offered
from web.stage import OpenPage
from web.static_host import PLACE, Host
from web.test_app import KEPT, seen_before
from web.test_static_site import placed, seen

tell = catalogue("fr").tell
HALF = tell("error.half_cached")
RETRY = tell("connection.retryNow")
RELOAD = tell("common.reload")
HAS = """(part) => caches.keys().then(async ([name]) =>
    (await (await caches.open(name)).keys()).some(({ url }) => url.includes(part)))"""
"""Whether the browser has kept a file."""
LOSE = """async (part) => {
    const found = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const { url } of await cache.keys()) if (url.includes(part) && (await cache.delete(url))) found.push(url);
    }
    await new Promise((resolve) => (indexedDB.deleteDatabase("sunglade-image").onsuccess = resolve));
    return found.length;
}"""
"""Delete a kept file, and the memory image that would do without it; how many there were."""


@contextmanager
def away(host: Host, pattern: str) -> Iterator[None]:
    """Some file is not on the host for a while."""
    (file,) = (host.folder / PLACE).glob(pattern)
    elsewhere = file.rename(host.folder / file.name)
    yield
    elsewhere.rename(file)


def french(open_page: OpenPage) -> Page:
    return open_page("about:blank", lost_connection=True, locale="fr-FR")


def begin(page: Page) -> None:
    """From the start page to a table with a tree of ours and one of the bot's."""
    page.locator(".play .big").click()
    placed(page)


def lose(page: Page, part: str) -> None:
    """Have the browser delete a file from all its places."""
    assert page.evaluate(LOSE, part) >= 1
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def the_guide_opens(page: Page) -> None:
    page.locator("nav a[href*=guide]").click()
    expect(page.locator("h1")).to_have_text(tell("guide.title"))


@pytest.mark.parametrize(
    "file",
    [
        "table_worker-*.js",
        "rooms-*.packed-br",
        *(
            pytest.param(file, marks=pytest.mark.proof)
            for file in ("parts-*.json", "pyodide.asm-*.js", "python-*.packed-br")
        ),
    ],
)
def test_a_first_visit_to_half_a_site_is_told_and_a_retry_mends_it(
    file: str, own_host: Host, open_page: OpenPage
) -> None:
    page = french(open_page)
    with away(own_host, f"device/{file}"):
        page.goto(own_host.address)
        expect(page.get_by_role("alert")).to_contain_text(HALF)
        the_guide_opens(page)
        page.go_back()
        expect(page.get_by_role("alert")).to_contain_text(HALF)
    page.get_by_role("button", name=RETRY).click()
    begin(page)
    assert page.evaluate(KEPT)


def test_a_first_visit_without_the_file_of_the_bots_is_told_at_the_table(own_host: Host, open_page: OpenPage) -> None:
    """A bug: bots were thinking for ever."""
    page = french(open_page)
    with away(own_host, "device/bots_worker-*.js"):
        page.goto(own_host.address)
        page.locator(".play .big").click()
        click_space(page, offered(page)[0])
        expect(page.get_by_role("alert")).to_contain_text(HALF)
        before = seen(page)
    page.reload()
    assert seen_before(page) != before, "the bot has answered"


def without(part: str, host: Host, open_page: OpenPage) -> tuple[Page, str]:
    """A page in the middle of a game, opened again without a network and without a file; the forest as it was."""
    page = french(open_page)
    page.goto(host.address)
    begin(page)
    assert page.evaluate(KEPT)
    before = seen(page)
    host.stop()
    lose(page, part)
    page.reload()
    return page, before


@pytest.mark.parametrize("part", ["device/rooms-", "assets/TablePage-"])
def test_a_file_that_a_browser_lost_is_told_of_without_a_network_and_comes_again_with_it(
    part: str, own_host: Host, open_page: OpenPage
) -> None:
    page, before = without(part, own_host, open_page)
    page.get_by_text(HALF).wait_for()
    own_host.start()
    page.reload()
    assert seen_before(page) == before
    page.wait_for_function(HAS, arg=part)
    own_host.stop()
    page.reload()
    assert seen_before(page) == before


@pytest.mark.parametrize("part", ["assets/index-client-", pytest.param(".css", marks=pytest.mark.proof)])
def test_a_page_that_cannot_begin_says_so_without_a_network_and_finds_its_games_with_it(
    part: str, own_host: Host, open_page: OpenPage
) -> None:
    """A bug: it was blank."""
    page, before = without(part, own_host, open_page)
    expect(page.get_by_role("alert")).to_have_text(HALF)
    own_host.start()
    page.get_by_role("button", name=RELOAD).click()
    assert seen_before(page) == before


def rename_all(site: Path) -> None:
    """Another version in the place of this one: every file whose name tells what is in it has another name."""
    files = [file for folder in ("assets", "device") for file in (site / folder).iterdir() if "-" in file.name]
    for file in files:
        file.rename(file.with_stem(f"{file.stem}2"))
    for page in (site / "index.html", *site.glob("*/*.js"), *site.glob("*/*.css"), *site.glob("*/*.json")):
        text = page.read_text(encoding="utf-8")
        for file in files:
            text = text.replace(file.name, f"{file.stem}2{file.suffix}")
        page.write_text(text, encoding="utf-8")


def test_a_page_of_a_version_that_is_gone_says_so_and_finds_its_games_after_a_reload(
    own_host: Host, open_page: OpenPage
) -> None:
    """Over plain http, where no browser keeps a version whole."""
    page = french(open_page)
    address = f"http://home.test:{own_host.port}/{PLACE}/"
    page.goto(address)
    begin(page)
    before = seen(page)
    page.goto(address)
    page.wait_for_selector(".mine li")
    rename_all(own_host.folder / PLACE)
    page.locator("nav a[href*=new]").click()
    page.get_by_text(HALF).wait_for()
    page.get_by_role("button", name=RELOAD).click()
    expect(page.locator("h1")).to_have_text(tell("setup.title"))
    page.goto(address)
    page.locator(".mine li a").click()
    assert seen_before(page) == before
