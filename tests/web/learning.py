"""A learner at the screen: does what the steps of a lesson ask for, by what is seen and offered."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from sunglade.rules import ANIMALS, BABIES
from sunglade.teaching.lessons import Goal, Lesson, Step
from web.playing import click_space, settle


def begin(page: Page, address: str, lesson: Lesson) -> None:
    """Open a lesson at its first step."""
    page.goto(f"{address}/lesson/{lesson.name}")
    page.wait_for_selector(".lesson")


def walk(page: Page, lesson: Lesson, seen: Callable[[str], object] = lambda _: None) -> None:
    """Every step of a lesson, from the first to the end; `seen` is called when a step is asked and when it is done."""
    for number, step in enumerate(lesson.steps, 1):
        page.wait_for_selector(f'.lesson .dot[aria-current="step"]:nth-child({number})')
        settle(page)
        seen(f"{lesson.name}-{number:02d}-asked")
        try_something_else(page, step)
        do(page, step)
        page.wait_for_selector(".lesson .praise")
        seen(f"{lesson.name}-{number:02d}-done")
        page.locator(".lesson .ways .main").click()
    page.wait_for_selector("main.over h1")


def try_something_else(page: Page, step: Step) -> None:
    """A try that is not meant is answered, and nothing has happened."""
    end = page.locator("button.end")
    if step.goals[0].lines == ("end",) or not end.count() or not end.is_enabled() or step.goals[0].point:
        return
    before = page.locator(".table").get_attribute("data-seq")
    end.click()
    page.wait_for_selector(".lesson .answer")
    assert page.locator(".table").get_attribute("data-seq") == before


def do(page: Page, step: Step) -> None:
    """Reach every goal, one after the other."""
    played: list[str] = []
    for goal in step.goals:
        line = next((line for line in goal.lines if line not in played), "")
        act(page, goal, line)
        played.append(line)
        settle(page)


def act(page: Page, goal: Goal, line: str) -> None:
    """One goal."""
    verb, *words = line.split() or [""]
    if goal.point:
        click_space(page, goal.point)
    elif verb == "end":
        page.locator("button.end").click()
    elif verb == "buy":
        page.locator(".columns .buy").nth(["seed", "small", "medium", "large"].index(words[0])).click()
    elif verb == "step":
        page.locator("[data-animal] button").first.click()
        click_space(page, words[0])
    elif "." in verb:
        use_ability(page, goal, verb, words)
    else:
        choose_from_menu(page, verb, words)
    confirm(page)


def choose_from_menu(page: Page, verb: str, words: list[str]) -> None:
    """Grow, collect or plant by the menu of the space."""
    click_space(page, words[0])
    page.locator(f'.menu .entry[data-kind="{verb}"]').first.click()
    if verb == "plant":
        click_space(page, words[1])


def use_ability(page: Page, goal: Goal, verb: str, words: list[str]) -> None:
    """By its button beside the player board."""
    met = [word for word in words if word in ANIMALS or word in BABIES]
    group = ".".join([verb, *([str(goal.level)] if goal.level else []), *met])
    page.locator(f'[data-animal] button[data-group="{group}"]').click()
    for space in words:
        if page.locator(f'.cell.able[data-space="{space}"]').count():
            click_space(page, space)


def confirm(page: Page) -> None:
    """On a screen that is touched, an action is confirmed."""
    button = page.locator(".confirm .answers .button.main")
    if button.count():
        button.click()


def expect_step(page: Page, number: int) -> None:
    """Which step is shown."""
    expect(page.locator('.lesson .dot[aria-current="step"]')).to_have_count(1)
    page.wait_for_selector(f'.lesson .dot[aria-current="step"]:nth-child({number})')
