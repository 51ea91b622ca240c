"""The expansion on the screen: every module, every animal and every ability, led by mouse."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from web.playing import able, click_space, continue_game, over, settle
from web.stage import PATIENCE_S, OpenPage, Server, wait_until

NAMES = ("Ada", "Ben", "Cy", "Di")
ANIMALS = ("fox", "beaver", "turtle", "squirrel")
HANDS = [["fox", "owl"], ["beaver", "boar"], ["turtle", "badger"], ["squirrel", "hedgehog"]]
BABIES = ["light", "seed", "two", "leaf", "small", "points"]

ABILITIES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "abilities.json").read_text(encoding="utf-8")
)
"""Games played up to where Ada's animal can do this, by the line of the action."""
BUTTONS = {
    "boar.dig": "Dig 1",
    "boar.dig2": "Dig 2",
    "hedgehog.run": "Run",
    "hedgehog.plant": "Plant",
    "squirrel.eat": "Eat",
    "fox.scare": "Scare",
    "fox.move": "Move seed",
    "fox.steal": "Steal",
    "owl.hunt": "Night hunt 1",
    "badger.fertilise 1": "Fertilise 1",
    "badger.fertilise 2": "Fertilise 2",
    "beaver.dam": "Build dam",
    "beaver.strengthen": "Strengthen",
    "turtle.hatch": "Hatch",
    "turtle.steps light": "First steps: Light",
    "turtle.steps seed": "First steps: Seed",
}


def game() -> dict[str, Any]:
    rules = {"edition": "us", "modules": ["moon", "elder", "stones"], "rounds": 2}
    deal = {"animals": HANDS, "babies": BABIES}
    return {"format": "sunglade/1", "players": 4, "rules": rules, "deal": deal, "actions": []}


class Leader:
    """Plays all four seats at one screen, and lets the animals do what they can."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.chance = random.Random(1)
        self.done: set[str] = set()

    def step(self) -> None:
        page = self.page
        ready = page.get_by_role("button", name=re.compile("^I’m "))
        if ready.count():
            ready.click()
            return
        drafts = page.locator(".draft .animal")
        if drafts.count():
            liked = drafts.filter(has_text=re.compile("|".join(ANIMALS), re.IGNORECASE))
            (liked if liked.count() else drafts).first.click()
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
            before = self.page.get_attribute(".table", "data-seq")
            end.click()
            sure = self.page.locator("dialog .button.main", has_text="End turn")
            wait_until(
                lambda: sure.count() > 0 or self.page.get_attribute(".table", "data-seq") != before, "the turn's end"
            )
            if sure.count():
                sure.click()
            settle(self.page)


def test_all_modules_are_set_up_drawn_and_played_to_the_end(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    continue_game(page, game(), NAMES)
    leader = Leader(page)
    seen = False
    until = time.monotonic() + PATIENCE_S
    while not over(page):
        assert time.monotonic() < until, "the game did not end"
        leader.step()
        if not seen and page.locator("button.end").count():
            seen = True
            for animal in ANIMALS:
                expect(page.locator(f'.animal.board-animal use[href="#{animal}"]')).to_have_count(1)
            for thing in ("#elder", "#moonstone"):
                expect(page.locator(f'svg.board use[href="{thing}"]')).to_have_count(1)
            expect(page.locator('svg.board use[href="#baby"]')).to_have_count(6)
            expect(page.locator('svg.board use[href="#water"]')).to_have_count(6)
            expect(page.locator(".red-moon")).to_have_count(1)
            expect(page.locator(".moonlit").nth(7)).to_be_attached()
    assert seen
    assert leader.done, "no animal did anything"
    expect(page.locator("dialog")).to_contain_text("Leftover lunar points")


def test_every_ability_of_every_animal_is_done_by_mouse_and_told(server: Server, open_page: OpenPage) -> None:
    assert list(ABILITIES) == list(BUTTONS)
    page = open_page(server.address)
    for line, recorded in ABILITIES.items():
        animal = line.split(".")[0]
        page.goto(server.address)
        continue_game(page, recorded, NAMES[:2])
        settle(page)
        expect(page.locator(f'.animal.board-animal use[href="#{animal}"]')).to_have_count(1)
        page.locator(".abilities button", has_text=re.compile(rf"^{BUTTONS[line]}\b")).click()
        for _ in range(5):
            settle(page)
            if page.locator(".confirm .button.main").count():
                page.locator(".confirm .button.main").click()
            elif able(page):
                expect(page.locator(".prompt")).not_to_contain_text("Choose one of your trees")
                click_space(page, able(page)[0])
        told = page.locator("aside ol li", has_text=re.compile(r"^Ada: ")).first
        expect(told).to_be_visible()
        assert "{" not in told.inner_text(), f"{line}: {told.inner_text()}"
        print(line, "·", told.inner_text())
        if line == "beaver.dam":
            expect(page.locator('svg.board use[href="#log"]')).to_have_count(6)
