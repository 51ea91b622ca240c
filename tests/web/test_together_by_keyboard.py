"""Being together without a mouse: whatever is wanted is reached by Tab, and done by the keys that it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from web.stage import OpenPage, Server
from web.test_ending_together import place_one, sit
from web.test_presence import begun
from web.test_talk_at_the_table import box, said, say

MOST_TABS = 150


@pytest.fixture(scope="module")
def hall(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a lobby."""
    running = Server(tmp_path_factory.mktemp("keys") / "tables.sqlite", "--no-device", "--lobby")
    running.start()
    yield running
    running.stop()


def reach(page: Page, wanted: Locator) -> None:
    """Go to something by Tab alone."""
    wanted.wait_for()
    for _ in range(MOST_TABS):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by Tab")


def press(page: Page, wanted: Locator) -> None:
    """Go to a button or link, and press it."""
    reach(page, wanted)
    page.keyboard.press("Enter")


def from_the_menu(page: Page, name: str) -> None:
    """Open a table's menu, and what stands there."""
    press(page, page.get_by_role("button", name="Menu").first)
    press(page, page.get_by_role("dialog").get_by_role("button", name=name))


def table_of(page: Page) -> Any:
    """The table this page shows, as its server tells it."""
    return page.evaluate(
        "async () => (await (await fetch(`/api/tables/${location.pathname.split('/').at(-1)}`)).json()).view"
    )


def test_strangers_are_sought_with_a_clock_and_found(hall: Server, open_page: OpenPage) -> None:
    page, other = open_page(hall.address), open_page(hall.address)
    press(page, page.get_by_role("link", name="Find players"))
    press(page, page.get_by_role("link", name="Look for players"))
    reach(page, page.get_by_role("textbox", name="Your name"))
    page.keyboard.type("Sira")
    clock = page.get_by_role("combobox", name="Clock")
    reach(page, clock)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(clock).to_have_value("days")
    for label, value in (("Days a turn", "3"), ("Days of vacation each may take", "7")):
        reach(page, page.get_by_role("spinbutton", name=label))
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(value)
    press(page, page.get_by_role("button", name="Open the table"))
    expect(page.get_by_text("This table is in the lobby")).to_be_visible()
    assert table_of(page)["settings"]["clock"] == {
        "kind": "days",
        "turn": 3,
        "reserve": 0,
        "then": "turn",
        "vacation": 7,
    }
    page.keyboard.press("Escape")
    press(other, other.get_by_role("link", name="Find players"))
    press(other, other.get_by_role("button", name="Join: Sira"))
    other.wait_for_selector(".table")
    from_the_menu(page, "Pause my clock")
    expect(page.get_by_label("For how many days?")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(other.locator("aside ol")).to_contain_text("Sira pauses the clock; days: 2")


def test_one_is_somebody_with_a_tree_and_another_device_and_is_forgotten(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    press(page, page.get_by_role("link", name="You", exact=True))
    reach(page, page.get_by_label("Your name"))
    page.keyboard.type("Ada")
    reach(page, page.get_by_role("radio").first)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()
    press(page, page.get_by_role("button", name="Make a link"))
    expect(page.get_by_role("textbox", name="Open this on the other device")).to_be_focused()
    press(page, page.get_by_role("button", name="Forget me"))
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    press(page, page.get_by_role("button", name="Forget me"))
    expect(page.get_by_role("status").filter(has_text="no longer known")).to_be_visible()


def test_one_talks_and_hears_no_more_of_somebody(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    for page in (ada, ben):
        page.locator("button.talk").wait_for()
        page.keyboard.press("k")
        expect(box(page).get_by_role("textbox")).to_be_focused()
    say(ada, "Can you hear me?")
    expect(said(ben)).to_have_count(1)
    press(ben, box(ben).get_by_role("button", name="Well played!"))
    expect(said(ada)).to_contain_text(["Can you hear me?", "Well played!"])
    press(ben, box(ben).locator("summary"))
    reach(ben, box(ben).get_by_label("Ada"))
    ben.keyboard.press("Space")
    expect(said(ben)).to_have_count(1)


def test_an_offer_is_made_and_answered(server: Server, open_page: OpenPage) -> None:
    ada, ben = sit(open_page, server, "Ada", "Ben")
    place_one(ada)
    from_the_menu(ada, "Resign, end, take back")
    press(ada, ada.get_by_role("dialog").get_by_role("button", name="Offer to end the game"))
    press(ben, ben.get_by_role("button", name="Agree", exact=True))
    for page in (ada, ben):
        expect(page.get_by_role("dialog")).to_contain_text("All agreed: nobody has won.")


def test_the_owner_lets_a_bot_play_and_opens_the_seat(server: Server, open_page: OpenPage) -> None:
    ada, bea, _ = begun(open_page, server)
    place_one(ada)
    bea.close()
    expect(ada.locator('aside article[data-seat="1"] .dot.away')).to_be_visible()
    press(ada, ada.get_by_role("button", name="The seat of Bea").last)
    press(ada, ada.get_by_role("button", name="Let a bot play now"))
    expect(ada.locator("aside ol")).to_contain_text("A bot is playing for Bea")
    press(ada, ada.get_by_role("button", name="Open the seat"))
    press(ada, ada.get_by_role("button", name="Invite somebody to this seat"))
    expect(ada.get_by_label("Invitation to this seat")).to_be_visible()
    ada.keyboard.press("Escape")
    expect(ada.locator("dialog")).to_have_count(0)
