"""An animal that is clicked on says what it can do now, what later, and why not the rest; whosever it is."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from positions import turn
from sunglade.rules import ANIMALS
from sunglade.table.game_facts import abilities_of
from sunglade.words import catalogue, codes
from web.playing import click_space, open_table, settle, sit_down
from web.stage import OpenPage, Server
from web.static_host import Host
from web.test_looks import assert_accessible

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
FOX_AND_OWL = turn("c4:A0 g4:B1", animals="fox@b3 owl@e4", light=3, lunar={"A": 4, "B": 6})
"""The fox is a step away from its seed; the owl can pay for its first level."""


def at_the_table(page: Page) -> None:
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}]
    sit_down(page, {"seats": seats, "game": FOX_AND_OWL.to_dict()})


def of_the_animal(page: Page, space: str) -> list[str]:
    """What is told of each ability."""
    click_space(page, space)
    expect(page.locator(".menu .state").first).to_be_visible()
    return page.locator(".menu .state").all_inner_texts()


@pytest.mark.parametrize("language", codes())
def test_animals_say_what_they_can_do_in_every_language(server: Server, open_page: OpenPage, language: str) -> None:
    words = catalogue(language)
    page = open_page(server.address, locale=language, **(PHONE if language in ("he", "ru") else {}))
    at_the_table(page)
    own = of_the_animal(page, "b3")
    assert any("c4" in text or "b4" in text or "c3" in text for text in own), own
    assert len(own) == 3 and all(text.strip() and "{" not in text for text in own)
    page.keyboard.press("Escape")
    (other,) = of_the_animal(page, "e4")
    assert re.sub("[\u2066-\u2069]", "", other) == words.tell("abilities.next.level", level=1)
    expect(page.locator(".menu")).to_contain_text(str(words.words["abilities.when"]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"
    if language in ("en", "he"):
        assert_accessible(page, f"an animal's menu in {language}")


def test_animals_can_be_asked_while_another_plays(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    seats = [{"kind": "open"}, {"kind": "me", "name": "Ben"}]
    sit_down(page, {"seats": seats, "game": FOX_AND_OWL.to_dict()})
    assert of_the_animal(page, "e4") == ["Possible then, up to level 1"]
    expect(page.locator(".menu [role=menuitem]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".menu")).to_have_count(0)
    click_space(page, "a1")
    expect(page.locator(".menu")).to_have_count(0)


def test_cards_that_are_drafted_tell_every_ability_with_its_price(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    open_table(page, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}], {"modules": ["moon"]})
    cards = page.locator(".draft .choice")
    expect(cards).to_have_count(2)
    for card in cards.all():
        animal = next(each for each in ANIMALS if card.locator(f'use[href="#{each}"]').count())
        told(card, animal)


def test_rules_of_this_table_list_the_abilities_of_its_animals(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    at_the_table(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Rules of this game").click()
    for animal in ("fox", "owl"):
        told(page.locator("dialog"), animal)


def told(where: Locator, animal: str) -> None:
    """Everything an animal can do is told there, with what it costs."""
    for ability in abilities_of(animal):
        line = where.locator("li", has_text=str(catalogue("en").words[f"ability.{ability['ability']}"])).first
        expect(line.locator(".price")).to_contain_text(str(ability["prices"][0]))


def test_animals_are_asked_by_keyboard(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    at_the_table(page)
    page.locator('[data-space="e4"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".menu .state")).to_have_text("Possible then, up to level 1")
    page.keyboard.press("Escape")
    expect(page.locator('[data-space="e4"]')).to_be_focused()


def test_animals_of_a_device_say_the_same(host: Host, open_page: OpenPage) -> None:
    page = open_page(host.address, lost_connection=True)
    page.locator("nav input[type=file]").wait_for(state="attached")
    page.locator("nav input[type=file]").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": json.dumps(FOX_AND_OWL.to_dict()).encode()}
    )
    page.get_by_role("button", name="What if?").click()
    settle(page)
    assert of_the_animal(page, "e4") == ["Possible then, up to level 1"]
