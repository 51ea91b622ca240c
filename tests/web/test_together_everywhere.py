"""Being together in eight languages on a phone: nothing is cut off, covered, unnamed or left in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from sunglade.words import ENGLISH, catalogue, codes
from sunglade.words.keys import Key
from web.every_screen import Tables, together
from web.stage import OpenPage, Server
from web.test_layouts import MISSED
from web.test_looks import assert_accessible

PHONE = {"width": 390, "height": 844, "has_touch": True}
TOLD: dict[str, Key] = {
    "lobby": "lobby.note",
    "seeking": "clock.vacation.days",
    "resigning": "ending_offer.resign",
    "an offer": "ending_offer.agree",
    "pausing a clock": "clock.vacation.for",
    "since the last turn": "since.present",
    "the seat of somebody who is away": "presence.reopen",
    "you": "you.tree",
    "you on another device": "you.claim.do",
    "privacy": "privacy.device",
}
"""Something that stands there in the reader's language."""
WITHIN = {"talk": "section.talk "}
"""What lies over the rest on a phone, until it is closed."""
A_KEY = re.compile(r"\w+(?:\.\w+)+")
SEEN = "() => (document.querySelector('dialog[open]') ?? document.body).innerText"


@pytest.fixture(scope="module")
def tables(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """Where strangers meet, too."""
    running = Server(tmp_path_factory.mktemp("together") / "tables.sqlite", "--no-device", "--lobby", "--webhooks")
    running.start()
    with Client(running.address) as api:
        yield Tables.made(running.address, api)
    running.stop()


def check(page: Page, name: str, language: str) -> None:
    """What every screen has to keep."""
    words = page.evaluate(SEEN)
    keys = [found for found in A_KEY.findall(words) if found in catalogue(ENGLISH).words]
    assert not keys, f"{name}: {keys} are told instead of words"
    if name in TOLD:
        expect(page.locator("body")).to_contain_text(catalogue(language).tell(TOLD[name]))
    assert not (missed := page.evaluate(MISSED, WITHIN.get(name))), f"{name}: {missed}"
    assert_accessible(page, f"{name}, {language}")


@pytest.mark.parametrize("language", codes())
def test_every_screen_of_being_together_on_a_phone(tables: Tables, open_page: OpenPage, language: str) -> None:
    page = open_page(tables.address, locale=language, lost_connection=True, **PHONE)  # a code that is none is refused
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false, soundOffered: true}))")
    walked = []
    for name in together(page, tables):
        check(page, name, language)
        walked.append(name)
    assert set(TOLD) <= set(walked)
