"""The guide serves a real table: what is printed is what the kernel plays by, and paper shows no buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from sunglade.rules import ANIMALS
from sunglade.table.game_facts import abilities_of
from sunglade.teaching.printed_facts import printed_facts
from sunglade.words import catalogue, codes
from web.stage import OpenPage, Server

PRINTED = printed_facts()


def at_the_guide(page: Page) -> Page:
    page.wait_for_selector("#guide-table")
    return page


@pytest.mark.parametrize("language", codes())
def test_pieces_prices_and_piles_are_the_kernels(server: Server, open_page: OpenPage, language: str) -> None:
    page = at_the_guide(open_page(f"{server.address}/guide", locale=language))
    table = page.locator("#guide-table")
    for size, prices in enumerate(PRINTED["prices"]):
        row = table.locator("table").first.locator("tbody tr").nth(size).locator("td")
        expect(row.nth(0)).to_have_text(str(PRINTED["available"][size]))
        expect(row.nth(1)).to_have_text(str(PRINTED["owned"][size]))
        expect(row.nth(2)).to_have_text(" · ".join(map(str, prices)))
    for leaves, pile in enumerate(PRINTED["piles"]):
        expect(table.locator(".pile").nth(leaves).locator("span")).to_have_text([str(value) for value in pile])
    said = re.sub("[\u2066-\u2069]", "", table.inner_text())
    assert catalogue(language).tell("rulebook.setup", corner=PRINTED["sun"]) in said
    assert not re.search(r"\{\w+\}|rulebook\.|ability\.", page.locator("main").inner_text())


def test_every_ability_stands_there_with_its_price(server: Server, open_page: OpenPage) -> None:
    page = at_the_guide(open_page(f"{server.address}/guide"))
    words = catalogue("en").words
    animals = page.locator("#guide-animals")
    for animal in ANIMALS:
        for ability in abilities_of(animal):
            name = str(words["ability." + ability["ability"]])
            title = page.locator("b", has_text=re.compile(f"^{name}( 1)?$"))
            line = animals.locator("li:not(:has(li))").filter(has=title).first
            told = line.locator(".price").inner_text()
            assert str(ability["prices"][0]) in told, (ability, told)


def test_paper_shows_the_rules_without_buttons(server: Server, open_page: OpenPage) -> None:
    page = at_the_guide(open_page(f"{server.address}/guide"))
    page.emulate_media(media="print")
    expect(page.locator("button.print")).to_be_hidden()
    expect(page.locator("#guide-table")).to_be_visible()
    expect(page.locator("#guide-animals")).to_be_visible()
