"""The expansion on the screen: every module and every animal, led by mouse."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest
from playing import able, click_space, continue_game, over, settle
from playwright.sync_api import Page, expect
from stage import OpenPage, Server

NAMES = ("Ada", "Ben", "Cy", "Di")
HANDS = {
    "fox, beaver, turtle, squirrel": [
        ["fox", "owl"],
        ["beaver", "boar"],
        ["turtle", "badger"],
        ["squirrel", "hedgehog"],
    ],
    "owl, boar, badger, hedgehog": [["owl", "fox"], ["boar", "beaver"], ["badger", "turtle"], ["hedgehog", "squirrel"]],
}
BABIES = ["light", "seed", "two", "leaf", "small", "points"]


def game(hands: list[list[str]]) -> dict[str, Any]:
    turtle = any("turtle" in hand for hand in hands)
    deal = {"animals": hands, **({"babies": BABIES} if turtle else {})}
    rules = {"edition": "us", "modules": ["moon", "elder", "stones"], "rounds": 2}
    return {"format": "sunglade/1", "players": 4, "rules": rules, "deal": deal, "actions": []}


class Leader:
    """Plays all four seats at one screen, and lets the animals do what they can."""

    def __init__(self, page: Page, animals: list[str]) -> None:
        self.page = page
        self.animals = animals
        self.chance = random.Random(1)
        self.done: set[str] = set()

    def step(self) -> None:
        page = self.page
        ready = page.get_by_role("button", name=re.compile("^I am "))
        if ready.count():
            ready.click()
            return
        drafts = page.locator(".draft .animal")
        if drafts.count():
            drafts.filter(has_text=re.compile("|".join(self.animals), re.IGNORECASE)).first.click()
            settle(page)
        elif able(page):
            self._point()
        else:
            self._animal()
            self._end()

    def _point(self) -> None:
        click_space(self.page, self.chance.choice(able(self.page)))
        settle(self.page)

    def _animal(self) -> None:
        for _ in range(3):
            buttons = self.page.locator(".abilities button")
            fresh = [name for name in buttons.all_inner_texts() if name.split("\n")[0] not in self.done]
            names = fresh or buttons.all_inner_texts()
            if not names:
                return
            name = self.chance.choice(names)
            self.done.add(name.split("\n")[0])
            buttons.nth(buttons.all_inner_texts().index(name)).click()
            settle(self.page)
            for _ in range(5):
                if not able(self.page):
                    break
                self._point()

    def _end(self) -> None:
        end = self.page.locator("button.end")
        if end.count() and end.is_enabled():
            end.click()
            sure = self.page.locator("dialog .button.main", has_text="End turn")
            if sure.count():
                sure.click()
            settle(self.page)


@pytest.mark.parametrize("animals", HANDS)
def test_every_animal_and_module_is_drawn_and_played(server: Server, open_page: OpenPage, animals: str) -> None:
    page = open_page(server.address)
    continue_game(page, game(HANDS[animals]), NAMES)
    leader = Leader(page, animals.split(", "))
    seen = False
    until = time.monotonic() + 120
    while not over(page):
        assert time.monotonic() < until, "the game did not end"
        leader.step()
        if not seen and page.locator("button.end").count():
            seen = True
            for animal in animals.split(", "):
                assert page.locator(f'.animal.board-animal use[href="#{animal}"]').count() == 1, animal
            for thing in ("#elder", "#moonstone"):
                assert page.locator(f'svg.board use[href="{thing}"]').count() == 1, thing
            if "turtle" in animals:
                assert page.locator('svg.board use[href="#baby"]').count() == 6
            assert page.locator(".moonlit").count() >= 8
    assert seen
    assert leader.done, "no animal did anything"
    expect(page.locator("dialog")).to_contain_text("Leftover lunar points")
