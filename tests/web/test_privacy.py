"""What is kept of people: told at the start page, by this server's settings, in every language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from sunglade.words import catalogue, codes
from web.stage import OpenPage, Server


@pytest.mark.parametrize("language", codes())
def test_the_start_page_leads_to_what_is_kept_here_and_on_the_server(
    server: Server, open_page: OpenPage, language: str
) -> None:
    words = catalogue(language)
    page = open_page(server.address, locale=language)
    way = page.get_by_role("link", name=words.tell("app.privacy"))
    way.focus()
    page.keyboard.press("Enter")
    main = page.locator("main")
    expect(page.locator("h1")).to_have_text(words.tell("app.privacy"))
    expect(main).to_contain_text(words.tell("privacy.device"))
    expect(main).to_contain_text(words.tell("privacy.ever"))  # this server deletes no tables
    uploads = re.escape(words.tell("privacy.uploads", count=30))
    expect(main).to_contain_text(re.compile(uploads.replace("30", "\u2068?30\u2069?")))  # kept together in Hebrew
    expect(main).to_contain_text(words.tell("privacy.addresses"))
    assert page.url.endswith("/privacy")
