"""What a page keeps on a device: told with sizes, saved to a file, taken from one, deleted; and what cannot be kept.

Whatever is wrong is told in a sentence, nothing is lost, and the rest can be used.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sunglade.words import catalogue
from web.playing import Keyboard, Mouse, able, click_space, is_my_turn
from web.stage import OpenPage, wait_until
from web.static_host import PLACE, Host
from web.test_app import KEPT, first_visit, seen_before
from web.test_static_site import in_workers, placed, seen

GAMES = "dialog li"


def open_keeping(page: Page, host: Host) -> None:
    """The dialog that tells what is kept."""
    page.goto(host.address)
    page.get_by_role("button", name=re.compile("^On this device")).click()
    page.wait_for_selector("dialog h3")


def asked(page: Page, name: str) -> None:
    """Ask for something to be deleted, think better of it, ask again, and mean it; all by keys."""
    keyboard = Keyboard(page, seed=1)
    for answer in ("Cancel", name):
        keyboard.tab_to("button", name)
        page.keyboard.press("Enter")
        expect(page.locator("dialog").get_by_role("alert")).to_contain_text("?")
        expect(page.locator("dialog .button:focus")).to_have_text("Cancel")
        if answer != "Cancel":
            keyboard.tab_to("button", answer)
        page.keyboard.press("Enter")
    told = page.locator("dialog").get_by_role("status")
    expect(told).to_have_text("Deleted.")
    expect(told).to_be_in_viewport()


def test_games_go_to_a_file_are_deleted_and_come_back_to_go_on(host: Host, open_page: OpenPage, tmp_path: Path) -> None:
    """“On this device” to its end: one game is deleted, then all, then the game itself."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, host.address)
    first_visit(page, host.address)
    before = seen(page)
    open_keeping(page, host)
    expect(page.locator(GAMES)).to_have_count(2)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save all games to a file").click()
    assert re.fullmatch(r"sunglade-games-\d{4}-\d\d-\d\d\.json", saving.value.suggested_filename)
    saving.value.save_as(tmp_path / "games.json")

    page.locator(GAMES).last.get_by_role("button", name="Delete this game").click()
    page.locator("dialog .button.main").click()
    expect(page.locator(GAMES)).to_have_count(1)
    page.locator("dialog input[type=file]").set_input_files(tmp_path / "games.json")
    expect(page.locator("dialog").get_by_role("status")).to_have_text(
        "1 game was added. 1 was here already and stays as it is."
    )
    expect(page.locator(GAMES)).to_have_count(2)
    asked(page, "Delete all games")
    expect(page.locator(GAMES)).to_have_count(0)
    expect(page.locator(".mine li")).to_have_count(0)
    asked(page, "Delete the game’s files")
    assert page.evaluate("caches.keys()") == []

    page.reload()
    open_keeping(page, host)
    page.locator("dialog input[type=file]").set_input_files(tmp_path / "games.json")
    expect(page.locator("dialog").get_by_role("status")).to_have_text("2 games were added.")
    page.locator(GAMES).first.get_by_role("button").first.click()
    assert seen_before(page) == before
    Mouse(page, seed=2).step()
    wait_until(lambda: is_my_turn(page) and seen(page) != before, "the bot's answer")


FORBIDDEN = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError') } });"


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("delete self.WebAssembly;", "fehlt WebAssembly"),
        (FORBIDDEN, "in privaten Fenstern"),
        ("Object.defineProperty(self, 'indexedDB', { value: undefined });", "in privaten Fenstern"),
    ],
)  # fmt: skip
def test_a_browser_that_lacks_something_says_so_and_shows_the_rest(
    missing: str, told: str, host: Host, open_page: OpenPage
) -> None:
    page = open_page("about:blank", lost_connection=True, locale="de-DE")
    in_workers(page, missing)
    page.goto(host.address)
    expect(page.get_by_role("alert")).to_contain_text(told)
    page.get_by_role("link", name=re.compile("^So wird gespielt|Spielanleitung|lernen", re.IGNORECASE)).first.click()
    expect(page.locator("h1")).to_be_visible()


def test_a_game_of_another_version_is_told_and_stays(host: Host, open_page: OpenPage, tmp_path: Path) -> None:
    """A file, and a stored table: neither is lost, everything else works."""
    page = open_page("about:blank", lost_connection=True)
    first_visit(page, host.address)
    before = seen(page)
    page.goto(host.address)
    page.wait_for_selector(".mine li")
    (tmp_path / "game.json").write_text('{"format": "sunglade/9", "players": 2}', encoding="utf-8")
    page.locator("nav input[type=file]").set_input_files(tmp_path / "game.json")
    expect(page.get_by_role("alert")).to_contain_text("isn’t a Sunglade game")
    page.evaluate(
        """() => new Promise((resolve) => {
            indexedDB.open("sunglade").onsuccess = ({ target }) => {
                const texts = target.result.transaction("texts", "readwrite");
                texts.objectStore("texts").put('{"of": "the future"}', "1-table/future");
                texts.oncomplete = () => { target.result.close(); resolve(true); };
            };
        })"""
    )
    open_keeping(page, host)
    expect(page.locator(GAMES)).to_have_count(2)
    expect(page.locator("dialog")).to_contain_text("A game that this version can’t read")
    page.get_by_role("button", name="Close").click()
    page.locator(".mine li a").first.click()
    assert seen_before(page) == before


def test_over_plain_http_it_is_playable_not_installable_and_says_so(host: Host, open_page: OpenPage) -> None:
    page = open_page("about:blank", lost_connection=True)
    page.goto(f"http://home.test:{host.port}/{PLACE}/")  # a name of this machine (`chromium.FLAGS`)
    assert not page.evaluate("isSecureContext")
    expect(page.get_by_text("it can’t be installed")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    placed(page)
    before = seen(page)
    page.reload()
    assert seen_before(page) == before


def test_it_can_be_installed(host: Host, open_page: OpenPage) -> None:
    """Chromium finds nothing that would stand in the way."""
    page = open_page(host.address)
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].startswith(host.address)
    told = [error["errorId"] for error in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert set(told) <= {"in-incognito"}, told  # as every page of a test is
    assert page.evaluate(KEPT)


ROOM_BYTES = 60_000_000
"""Several times what a game needs, and filled within a second."""
FILL = """async () => {
    const opening = indexedDB.open("something else", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("blocks");
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const fits = (size) => new Promise((resolve) => {
        const block = new Uint8Array(size);
        for (let at = 0; at < size; at += 65536) crypto.getRandomValues(block.subarray(at, at + 65536));
        const writing = opening.result.transaction("blocks", "readwrite");
        writing.objectStore("blocks").put(block, Math.random());
        writing.oncomplete = () => resolve(true);
        writing.onabort = () => resolve(false);
    });
    for (let size = 2 ** 22; size >= 64; size /= 2) while (await fits(size));
    opening.result.close();
}"""
"""Blocks that cannot be packed, as large as fit, until nothing fits."""
FULL = catalogue("de").tell("error.storage_full")


def begin(page: Page, host: Host) -> None:
    """A game against a bot, in any language, as far as our second tree."""
    page.goto(host.address)
    page.locator(".play .big").click()
    placed(page)


def test_in_full_storage_nothing_is_lost_or_shown_in_vain_and_the_game_goes_on_when_there_is_room(
    host: Host, open_page: OpenPage
) -> None:
    """The browser's own limit is reached in the middle of a game; a bug: nobody was answered any more."""
    page = open_page("about:blank", lost_connection=True, locale="de-DE")
    devtools = page.context.new_cdp_session(page)
    limit = {"origin": host.address.removesuffix(f"/{PLACE}/")}
    devtools.send("Storage.overrideQuotaForOrigin", limit | {"quotaSize": ROOM_BYTES})
    begin(page, host)
    before = seen(page)
    page.evaluate(FILL)
    click_space(page, able(page)[-1])
    expect(page.get_by_role("alert")).to_contain_text(FULL)
    assert seen(page) == before
    page.reload()
    assert seen_before(page) == before
    page.goto(host.address)
    page.locator(".play .big").click()
    expect(page.get_by_role("alert")).to_contain_text(FULL)
    page.locator(".mine li a").click()
    assert seen_before(page) == before
    click_space(page, able(page)[-1])
    expect(page.get_by_role("alert")).to_contain_text(FULL)

    devtools.send("Storage.overrideQuotaForOrigin", limit)
    click_space(page, able(page)[-1])
    wait_until(lambda: seen(page) != before and is_my_turn(page), "a tree, when there is room")
    before = seen(page)
    page.reload()
    assert seen_before(page) == before


FULL_AFTER = """
    let writings = Infinity;
    new BroadcastChannel("room").onmessage = ({ data }) => (writings = data);
    const begun = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (stores, mode, ...more) {
        if (mode === "readwrite" && --writings < 0) throw new DOMException("full", "QuotaExceededError");
        return begun.call(this, stores, mode, ...more);
    };
"""
"""In a worker: storage is full after so many more writings."""


def leave_room_for(page: Page, writings: float) -> None:
    page.evaluate("(writings) => new BroadcastChannel('room').postMessage(writings)", writings)


def test_a_bot_that_finds_no_room_is_told_of_and_acts_when_there_is_some(host: Host, open_page: OpenPage) -> None:
    page = open_page("about:blank", lost_connection=True, locale="de-DE")
    in_workers(page, FULL_AFTER)
    begin(page, host)
    leave_room_for(page, 1)
    click_space(page, able(page)[-1])
    expect(page.get_by_role("alert")).to_contain_text(FULL)
    mine = seen(page)
    page.reload()
    wait_until(lambda: is_my_turn(page), "the bot, when there is room")
    assert seen(page) != mine
    expect(page.get_by_role("alert")).to_have_count(0)
