"""The sun can be dragged round the rim: the same coming suns as the slider's, which tells what they bring in bars."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade.game import Game
from sunglade.table.view import board_after, position_view
from web.playing import offered
from web.stage import OpenPage, Server, wait_until
from web.test_previews import assert_shown, table

Point = tuple[float, float]
Hand = Callable[[str, Point], None]
COMING = 6


def sun_at(page: Page) -> Point:
    box = page.locator(".sun .disc").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def look(page: Page, ahead: int) -> None:
    page.locator("input[type=range]").fill(str(ahead))


def looked_at(page: Page) -> int:
    return int(page.locator("input[type=range]").input_value())


def way(page: Page) -> list[Point]:
    """Where the sun is drawn now and at each coming place."""
    found = []
    for ahead in range(COMING + 1):
        look(page, ahead)
        found.append(sun_at(page))
    look(page, 0)
    return found


def hand(page: Page, kind: str) -> Hand:
    """Press, move and release a mouse, a finger or a pen."""
    probe = page.context.new_cdp_session(page)

    def finger(what: str, point: Point) -> None:
        kinds = {"press": "touchStart", "move": "touchMove", "release": "touchEnd"}
        points = [] if what == "release" else [{"x": point[0], "y": point[1]}]
        probe.send("Input.dispatchTouchEvent", {"type": kinds[what], "touchPoints": points})

    def pointer(what: str, point: Point) -> None:
        kinds = {"press": "mousePressed", "move": "mouseMoved", "release": "mouseReleased"}
        held = {"x": point[0], "y": point[1], "button": "left", "buttons": 0 if what == "release" else 1}
        probe.send("Input.dispatchMouseEvent", {"type": kinds[what], **held, "pointerType": kind, "clickCount": 1})

    return finger if kind == "touch" else pointer


def grounds(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.eval_on_selector_all(
        "[data-ground]",
        "all => Object.fromEntries(all.map(one => [one.dataset.ground, Number(one.dataset.dark)])"
        ".filter(([_, dark]) => dark))",
    )
    return found


@pytest.mark.parametrize("kind", ["mouse", "touch", "pen"])
def test_the_sun_is_dragged_to_every_coming_place_and_back(server: Server, open_page: OpenPage, kind: str) -> None:
    page, game = table(server, open_page, "forest", **({"has_touch": True} if kind == "touch" else {}))
    before = page.get_attribute(".table", "data-seq")
    coming = position_view(game, assistance=True)["forecast"]
    places = way(page)
    use = hand(page, kind)
    use("press", places[0])
    for ahead in [*range(1, COMING + 1), *range(COMING - 1, 1, -1)]:
        use("move", places[ahead])
        wait_until(lambda ahead=ahead: looked_at(page) == ahead, f"{ahead} ahead")  # type: ignore[misc]
        wait_until(lambda ahead=ahead: grounds(page) == coming[ahead - 1]["shadows"], f"the shade {ahead} ahead")  # type: ignore[misc]
    beyond = (places[2][0] + 7, places[2][1] - 5)  # let go beside the place: it snaps there
    use("move", beyond)
    use("release", beyond)
    wait_until(lambda: sun_at(page) == pytest.approx(places[2], abs=0.6), "the sun is at its place")
    assert looked_at(page) == 2
    expect(page.locator(".board.held")).to_have_count(0)
    page.get_by_title("Back to now").click()
    wait_until(lambda: sun_at(page) == pytest.approx(places[0], abs=0.6), "the sun is back")
    assert page.get_attribute(".table", "data-seq") == before, "looking does nothing"


def test_a_tap_on_the_sun_changes_nothing_and_what_comes_after_goes_on(server: Server, open_page: OpenPage) -> None:
    page, _ = table(server, open_page, "forest")
    page.mouse.click(*sun_at(page))
    page.mouse.dblclick(*sun_at(page))
    assert looked_at(page) == 0
    expect(page.locator(".board.held")).to_have_count(0)
    places = way(page)
    page.mouse.move(*places[3])
    assert looked_at(page) == 0, "nothing is held"
    look(page, 1)
    expect(page.locator(".now")).to_be_enabled()


def test_the_sun_is_dragged_over_an_action_that_is_only_looked_at(server: Server, open_page: OpenPage) -> None:
    page, game = table(server, open_page, "moonlit", width=390, height=844, has_touch=True, is_mobile=True)
    places = way(page)
    page.locator(".piece.able").last.tap()
    space = offered(page)[0]
    page.locator(f'[data-space="{space}"]').tap()
    expect(page.locator(".ghost")).to_have_count(1)
    use = hand(page, "touch")
    use("press", places[0])
    for ahead in range(1, COMING + 1):
        use("move", places[ahead])
        wait_until(lambda ahead=ahead: looked_at(page) == ahead, f"{ahead} ahead")  # type: ignore[misc]
        assert_shown(page, game, f"grow {space}", ahead)
    use("release", places[COMING])
    expect(page.locator(".ghost")).to_have_count(1)
    after = board_after(game, f"grow {space}", assistance=True)
    wait_until(lambda: bars(page) == incomes(after, game), "bars that tell of the board that is looked at")


def incomes(view: dict[str, Any], game: Game) -> list[int]:
    return [coming["income"][game.player or 0] for coming in view["forecast"]]


def bars(page: Page) -> list[int]:
    found: list[int] = page.eval_on_selector_all(".bar", "bars => bars.map(bar => Number(bar.dataset.income))")
    return found


def test_bars_and_words_tell_the_own_income_of_the_coming_suns(server: Server, open_page: OpenPage) -> None:
    page, game = table(server, open_page, "forest")
    expected = incomes(position_view(game, assistance=True), game)
    wait_until(lambda: bars(page) == expected, "a bar for each coming sun")
    heights = page.eval_on_selector_all(".bar", "bars => bars.map(bar => bar.getBoundingClientRect().height)")
    by_income = sorted(zip(expected, heights, strict=True))
    assert [height for _, height in by_income] == sorted(heights), "the more light the higher"
    assert len(set(heights)) == len(set(expected))
    slider = page.get_by_role("slider", name="Drag the sun")
    name = ("Ada", "Ben", "Cy", "Di")[game.player or 0]
    description = page.locator(f"#{slider.get_attribute('aria-describedby')}")
    for ahead, income in enumerate(expected, start=1):
        look(page, ahead)
        words = f"Round {game.round + ahead}: {name} +{income} light point"
        expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(words)))
        expect(description).to_contain_text(words)
