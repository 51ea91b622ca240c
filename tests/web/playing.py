"""A person at the screen: plays by what is seen and offered, by mouse or by keyboard."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page, TimeoutError

ACTIONS_A_TURN = 6
WHOLE = ":has(.board .lighting):has(aside .panel)"
"""Of a table: what comes a few paints after the rest is there too."""
SPOKEN = """() => {
    const {language = "auto"} = JSON.parse(localStorage.getItem("sunglade.settings") ?? "{}");
    return document.documentElement.lang === (language === "auto" ? navigator.language.split("-")[0] : language);
}"""


def play_now(page: Page) -> None:
    """From the start page to a table against a bot, by one click."""
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".cell.able")
    settle(page)


def sit_down(page: Page, request: dict[str, Any]) -> str:
    """A table made over the API, its seat kept as the client keeps it; the page goes there and shows all of it."""
    made = page.evaluate(
        """async (request) => (await (await fetch("/api/tables", {method: "POST",
            headers: {"content-type": "application/json"}, body: JSON.stringify(request)})).json())""",
        request,
    )
    assert "table" in made, made
    held = [{key: made[key] for key in ("table", "token", "invite") if key in made}]
    page.evaluate("held => localStorage.setItem('sunglade.seats', held)", json.dumps(held))
    page.goto(urljoin(page.url, f"/t/{made['table']}"))
    settle(page)
    return str(made["table"])


def open_table(page: Page, seats: list[dict[str, Any]], rules: dict[str, Any] | None = None) -> str:
    """A new table."""
    return sit_down(page, {"seats": seats, "rules": rules or {"edition": "us"}})


def continue_game(page: Page, game: dict[str, Any], names: Sequence[str]) -> None:
    """A table that goes on with a recorded game, all its seats at this screen."""
    sit_down(page, {"seats": [{"kind": "me", "name": name} for name in names], "game": game})


def over(page: Page) -> bool:
    return page.locator("dialog h2", has_text="Final score").count() > 0


def is_my_turn(page: Page) -> bool:
    """Whether this page can act: the prompt says so, the board is drawn, and nothing is on its way."""
    return page.locator(f".table{WHOLE}:not(:has(.end[disabled])) .prompt.mine").count() > 0


def able(page: Page) -> list[str]:
    """The spaces that glow now."""
    spaces: list[str] = page.eval_on_selector_all(".cell.able", "cells => cells.map(cell => cell.dataset.space)")
    return spaces


def offered(page: Page) -> list[str]:
    """The spaces that glow, once some do."""
    page.wait_for_selector(".cell.able")
    return able(page)


SEEN_POINT = """(space) => {
    const cell = document.querySelector(`[data-space="${space}"]`);
    if (!cell) return null;
    cell.scrollIntoView({block: "center"});
    for (const hit of cell.querySelectorAll(".hit")) {
        const box = hit.getBoundingClientRect();
        for (const down of [0.5, 0.7, 0.3, 0.85, 0.15])
            for (const over of [0.5, 0.3, 0.7, 0.15, 0.85]) {
                const [x, y] = [box.x + box.width * over, box.y + box.height * down];
                if (document.elementFromPoint(x, y)?.closest("[data-space]") === cell) return [x, y];
            }
    }
    return null;
}"""


def click_space(page: Page, space: str) -> None:
    """Click where a space, or the tree on it, can be seen: it may take a paint until nothing lies over it any more."""
    try:
        point = page.wait_for_function(SEEN_POINT, arg=space).json_value()
    except TimeoutError:
        raise AssertionError(f"nothing of {space} can be clicked") from None
    page.mouse.click(*point)


def settle(page: Page) -> None:
    """Wait until what was done has come back, and all of the table is shown in the reader's language."""
    page.wait_for_selector(f".table:not([data-busy]){WHOLE}", state="attached")
    spoken(page)


def spoken(page: Page) -> None:
    """Wait until the page speaks the language that its browser asks for, or that was chosen: its words come later."""
    page.wait_for_function(SPOKEN)


class Mouse:
    """Plays by clicking on what is offered."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.chance = random.Random(seed)

    def step(self) -> None:
        """Something, if it is this page's turn."""
        if not is_my_turn(self.page):
            return
        if not self.place():
            self.turn()

    def place(self) -> bool:
        """A click on a space that is offered for the set-up; False where there is none, as on a turn."""
        spaces = able(self.page) if is_my_turn(self.page) else []
        if spaces:
            self._point(self.chance.choice(spaces))
        return bool(spaces)

    def _point(self, space: str) -> None:
        click_space(self.page, space)
        settle(self.page)

    def turn(self) -> None:
        """Some of what trees, light and the player board offer, then the end of the turn."""
        page = self.page
        for _ in range(ACTIONS_A_TURN):
            if not (self._collect() or self._on_a_tree() or self._buy()):
                break
        end = page.locator("button.end")
        if end.count() and end.is_enabled():
            end.click()
            sure = page.locator("dialog .button.main", has_text="End turn")
            if sure.count():
                sure.click()
            settle(page)

    def _collect(self) -> bool:
        button = self.page.locator("button.collect")
        if not button.count() or not button.is_enabled():
            return False
        button.click()
        spaces = able(self.page)
        if spaces:
            self._point(spaces[0])
        settle(self.page)
        return True

    def _on_a_tree(self) -> bool:
        """Open the menu of a tree that can do something and take its first action."""
        page = self.page
        starts = page.eval_on_selector_all(".start", "marks => marks.map(mark => mark.dataset.at)")
        if not starts:
            return False
        click_space(page, self.chance.choice(starts))
        entries = page.locator(".menu .entry")
        entries.first.wait_for()
        entries.first.click()
        if page.locator(".confirm .button.main").count():
            page.locator(".confirm .button.main").click()
        spaces = able(page)
        if spaces:
            self._point(self.chance.choice(spaces))
        settle(page)
        return True

    def _buy(self) -> bool:
        buttons = self.page.locator(".buy:not([disabled])")
        if not buttons.count():
            return False
        buttons.nth(self.chance.randrange(buttons.count())).click()
        settle(self.page)
        return True


ROW_LENGTHS = {"a": 4, "b": 5, "c": 6, "d": 7, "e": 6, "f": 5, "g": 4}
KEYS = {(-1, 0): "ArrowLeft", (1, 0): "ArrowRight", (0, -1): "y", (1, -1): "u", (-1, 1): "b", (0, 1): "n"}


def _coordinates() -> dict[str, tuple[int, int]]:
    return {
        f"{row}{n + 1}": (max(-3, -3 - r) + n, r)
        for r, row in enumerate(ROW_LENGTHS, start=-3)
        for n in range(ROW_LENGTHS[row])
    }


COORDINATES = _coordinates()
SPACES = {at: name for name, at in COORDINATES.items()}


def keys_between(start: str, goal: str) -> list[str]:
    """The keys that lead from one space to another over the board."""
    ways: dict[str, list[str]] = {start: []}
    queue = [start]
    for space in queue:
        q, r = COORDINATES[space]
        for (dq, dr), key in KEYS.items():
            near = SPACES.get((q + dq, r + dr))
            if near is not None and near not in ways:
                ways[near] = [*ways[space], key]
                queue.append(near)
    return ways[goal]


class Keyboard:
    """Plays without a mouse."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.chance = random.Random(seed)

    def tab_to(self, tag: str, name: str) -> None:
        """Press Tab until something with this name has the focus."""
        for _ in range(80):
            self.page.keyboard.press("Tab")
            found = self.page.evaluate("[document.activeElement?.tagName, document.activeElement?.textContent ?? '']")
            if found[0].lower() == tag and name in found[1]:
                return
        raise AssertionError(f"Tab never came to {name}")

    def step(self) -> None:
        """Something, if it is this page's turn."""
        page = self.page
        if not is_my_turn(page):
            return
        if able(page):
            self._choose(able(page))
            return
        for key in ["c", *("gp" * 2), self.chance.choice("1234"), *"gp"]:
            page.keyboard.press(key)
            settle(page)
            self._finish()
        page.keyboard.press("e")
        if page.locator("dialog .button.main", has_text="End turn").count():
            self.tab_to("button", "End turn")
            page.keyboard.press("Enter")
        settle(page)

    def _finish(self) -> None:
        """Choose targets until nothing glows any more; confirm where asked."""
        for _ in range(4):
            if self.page.locator(".confirm .button.main:focus").count():
                self.page.keyboard.press("Enter")
                settle(self.page)
            spaces = able(self.page)
            if not spaces or self.page.locator("dialog").count():
                return
            self._choose(spaces)

    def _choose(self, spaces: list[str]) -> None:
        page = self.page
        now = page.evaluate("document.activeElement?.dataset?.space")
        if not now:
            self._to_the_board()
            now = page.evaluate("document.activeElement?.dataset?.space")
        for key in keys_between(now, self.chance.choice(spaces)):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        settle(page)

    def _to_the_board(self) -> None:
        for _ in range(80):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement?.dataset?.space"):
                return
        raise AssertionError("Tab never came to the board")
