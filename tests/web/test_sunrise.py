"""A sunrise to watch: nothing is told before it is seen, it can be skipped and holds nobody up."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade.game import Game
from sunglade.table.view import position_view
from web.playing import click_space, continue_game, offered, open_table, settle
from web.stage import ROOT, OpenPage, Server, wait_until

HERE = Path(__file__).parent
MOVING = {"reduced_motion": "no-preference"}

WATCH = """() => {
    const seen = window.seen = [];
    const board = document.querySelector(".board");
    const note = (what, more) => seen.push({what, ...more});
    const sun = () => parseFloat(getComputedStyle(board).getPropertyValue("--sun"));
    const light = {};
    const counters = () => document.querySelectorAll("[data-light]").forEach(one => {
        const [seat, now] = [one.dataset.light, Number(one.querySelector("b").textContent)];
        if (light[seat] !== now) note("light", {seat: Number(seat), now});
        light[seat] = now;
    });
    counters();
    new MutationObserver(records => {
        for (const {type, target, addedNodes, removedNodes, attributeName} of records) {
            if (attributeName === "data-dark")
                note("ground", {space: target.dataset.ground, dark: Number(target.dataset.dark), sun: sun()});
            for (const one of addedNodes) if (one instanceof Element) {
                if (one.matches(".flight.light")) note("spark", {seat: Number(one.dataset.seat)});
                if (one.matches("li.round")) note("log");
                if (one.matches(".announced")) note("next", {text: one.textContent});
            }
            for (const one of removedNodes)
                if (one instanceof Element && one.matches(".flight.light"))
                    note("landed", {seat: Number(one.dataset.seat)});
        }
        counters();
    }).observe(document.body, {attributes: true, attributeFilter: ["data-dark"], childList: true, subtree: true,
        characterData: true});
    return sun();
}"""


def shared_table(server: Server, open_page: OpenPage, recorded: str, **options: object) -> tuple[Page, Game]:
    """A recorded game, everybody at one screen, just before the last turn of its round ends."""
    page = open_page(server.address, **options)
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false, askEnd: false}))")
    game = Game.from_dict(json.loads((HERE / f"{recorded}.json").read_text(encoding="utf-8")))
    while True:
        after = game.fork()
        after.play("end")
        if after.round > game.round:
            break
        game = after
    continue_game(page, game.to_dict(), ("Ada", "Ben", "Cy", "Di")[: game.players])
    sunrises_are_ready(page)
    return page, game


def sunrises_are_ready(page: Page) -> None:
    """What shows a sunrise is fetched when a table is opened; before it has come the sun rises unwatched."""
    (file,) = (ROOT / "src" / "sunglade" / "web" / "assets").glob("dawn*.js")
    page.evaluate("file => import(file).then(() => true)", f"/assets/{file.name}")


def watched(page: Page) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = page.evaluate("seen")
    return seen


def light_of(game: Game) -> list[int]:
    return [player["light"] for player in position_view(game, assistance=True)["state"]["players"]]


def rising(page: Page) -> None:
    """End the turn; the sun is on its way."""
    page.locator("button.end").click()
    page.wait_for_selector(".board.dawning")


def risen(page: Page) -> None:
    page.wait_for_selector(".board:not(.dawning)")


@pytest.mark.parametrize("recorded", ["forest", "moonlit"])
def test_light_changes_where_the_edge_passes_and_totals_never_run_ahead(
    server: Server, open_page: OpenPage, recorded: str
) -> None:
    page, game = shared_table(server, open_page, recorded, width=640, height=720, **MOVING)
    before, dark_before = light_of(game), position_view(game, assistance=True)["now"]["shadows"]
    start = page.evaluate(WATCH)
    page.locator("button.end").click()
    wait_until(lambda: any(one["what"] == "next" for one in watched(page)), "who is next")
    risen(page)
    seen = watched(page)
    game.play("end")
    now = position_view(game, assistance=True)["now"]

    ground = [one for one in seen if one["what"] == "ground"]
    changed = {name for name in dark_before | now["shadows"] if dark_before.get(name) != now["shadows"].get(name)}
    assert {one["space"] for one in ground} == changed, "each space that changes does, the others do not"
    assert len(ground) == len(changed), "and only once"
    assert all(one["dark"] == now["shadows"].get(one["space"], 0) for one in ground)
    ways = [abs(one["sun"] - start) for one in ground]
    assert all(0 < way <= 60 for way in ways), ways
    assert len({round(way) for way in ways}) > 1, "not all of them at the same time"

    for seat, (had, has) in enumerate(zip(before, light_of(game), strict=True)):
        counted = [one["now"] for one in seen if one["what"] == "light" and one["seat"] == seat]
        assert counted == list(range(had, has + 1)), f"seat {seat} is counted one by one"
        sparks = [one for one in seen if one["what"] == "spark" and one["seat"] == seat]
        assert len(sparks) == now["income"][seat], f"a spark for each light point of seat {seat}"
        landed = 0
        for one in seen:
            landed += one["what"] == "landed" and one["seat"] == seat
            if one["what"] == "light" and one["seat"] == seat:
                assert one["now"] - had <= landed, f"seat {seat} has no more than was seen to come"
    order = [what for what, _ in groupby(one["what"] for one in seen if one["what"] in ("light", "log", "next"))]
    assert order.index("log") > max(i for i, what in enumerate(order) if what == "light"), "the log comes after"
    name = ("Ada", "Ben", "Cy", "Di")[game.player or 0]
    assert name in next(one["text"] for one in seen if one["what"] == "next")
    expect(page.locator(".unseen[aria-live]")).to_contain_text(f"Round {game.round} of")
    expect(page.locator(".flight")).to_have_count(0)


@pytest.mark.parametrize("how", ["a click on the button", "a click where one could act", "a key"])
def test_watching_is_skipped_and_nothing_else_is_done_by_that(server: Server, open_page: OpenPage, how: str) -> None:
    page, game = shared_table(server, open_page, "forest", **MOVING)
    skip = {
        "a click on the button": "document.querySelector('.skip.small').click()",
        "a click where one could act": "document.querySelector('.bottom .end').parentElement.click()",
        "a key": "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'e', bubbles: true}))",
    }[how]
    before, after = page.evaluate(
        f"""async () => {{
            const shown = () => Number(document.querySelector(".table").dataset.seq);
            document.querySelector("button.end").click();
            while (!document.querySelector(".board.dawning")) await new Promise(requestAnimationFrame);
            const before = shown();
            {skip};
            await Promise.resolve();
            return [before, shown()];
        }}"""  # in one go: a sunrise waits for nobody
    )
    assert after > before, "the round is shown at once"
    game.play("end")
    expect(page.locator(".flight")).to_have_count(0)
    expect(page.locator(".table header")).to_contain_text(f"Round {game.round} of")
    settle(page)
    assert page.locator(".table").get_attribute("data-seq") == str(after), "and nothing was done in it"
    expect(page.locator("[data-light] b")).to_have_text([str(light) for light in light_of(game)])


@pytest.mark.parametrize("still", ["the system", "the setting"])
def test_nothing_moves_where_motion_is_not_wanted(server: Server, open_page: OpenPage, still: str) -> None:
    page, game = shared_table(server, open_page, "forest", **({} if still == "the system" else MOVING))
    if still == "the setting":
        page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({motion: 'none', askEnd: false}))")
        page.reload()
        settle(page)
        sunrises_are_ready(page)
    page.evaluate(WATCH)
    page.locator("button.end").click()
    page.wait_for_selector(".announced")
    game.play("end")
    assert not [one for one in watched(page) if one["what"] == "spark"]
    expect(page.locator("[data-light] b")).to_have_text([str(light) for light in light_of(game)])
    assert page.locator(".board.dawning").count() == 0


def test_a_page_that_nobody_sees_waits_for_nothing(server: Server, open_page: OpenPage) -> None:
    page, game = shared_table(server, open_page, "forest", **MOVING)
    rising(page)
    page.evaluate(
        """Object.defineProperty(document, "hidden", {value: true, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"))"""
    )
    assert page.locator(".board.dawning, .flight").count() == 0
    game.play("end")
    expect(page.locator(".table header")).to_contain_text(f"Round {game.round} of")


def test_a_sun_that_is_held_when_the_round_ends_lets_go(server: Server, open_page: OpenPage) -> None:
    page, game = shared_table(server, open_page, "forest", **MOVING)
    disc = page.locator(".sun .disc").bounding_box()
    assert disc is not None
    x, y = disc["x"] + disc["width"] / 2, disc["y"] + disc["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_selector(".board.held")
    page.evaluate("document.querySelector('button.end').click()")
    page.wait_for_selector(".board:not(.held)")
    page.mouse.up()
    game.play("end")
    expect(page.locator(".table header")).to_contain_text(f"Round {game.round} of")
    risen(page)
    page.mouse.move(x, y)
    page.mouse.move(x - 30, y - 30, steps=4)
    assert page.locator("input[type=range]").input_value() == "0", "nobody holds it"


def test_bots_that_act_while_the_sun_rises_are_shown_after_it_and_the_turn_comes_back(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.address, **MOVING)
    kept = {"tips": False, "askEnd": False, "motion": "fast", "bots": "instant"}
    page.evaluate("kept => localStorage.setItem('sunglade.settings', kept)", json.dumps(kept))
    open_table(page, [{"kind": "me", "name": "Ada"}, *[{"kind": "bot", "level": "random"}] * 3])
    sunrises_are_ready(page)
    for _ in range(2):
        click_space(page, offered(page)[0])
        settle(page)
    for number in range(1, 5):
        expect(page.locator(".table header")).to_contain_text(f"Round {number} of")
        page.wait_for_selector("button.end:enabled")
        assert f"Round {number} of" in page.locator(".table header").inner_text(), "a turn in every round"
        page.locator("button.end").click()


def test_what_the_others_did_is_marked_and_told_until_the_own_turn_ends(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.evaluate("localStorage.setItem('sunglade.settings', JSON.stringify({tips: false, askEnd: false}))")
    recorded = json.loads((HERE / "clearing.json").read_text(encoding="utf-8"))
    names = ("Ada", "Ben", "Cy", "Di")[: recorded["players"]]
    continue_game(page, recorded, names)
    settle(page)
    game = Game.from_dict(recorded)
    actor = names[game.player or 0]
    space = next(line for line in game.legal if line.startswith("collect")).split()[1]
    marks = page.locator("[data-news]")
    assert marks.count() == 0
    click_space(page, space)
    page.locator(".menu .entry", has_text="Collect").click()
    settle(page)
    expect(marks).to_have_count(0)  # the own doing is not news
    for turn in range(game.players):
        page.locator("button.end").click()
        settle(page)
        if turn < game.players - 1:
            mark = page.locator(f'[data-news="{space}"][data-kind="gone"]')
            expect(mark).to_have_count(1)
            cell = page.locator(f'[data-space="{space}"]')
            told = f"New since the last turn: {actor} collects"
            expect(cell).to_have_attribute("aria-label", re.compile(re.escape(told)))
            cell.hover(force=True)
            expect(page.locator(".info .hover")).to_contain_text(told)
        else:
            expect(marks).to_have_count(0)  # whose own turn it is again


def test_the_speed_of_bots_is_chosen_in_the_settings(server: Server, open_page: OpenPage) -> None:
    page, _ = shared_table(server, open_page, "forest")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Settings").click()
    chosen = page.get_by_label("Bots’ actions are shown")
    expect(chosen.locator("option")).to_have_text(["Like the animations", "At once", "Quickly", "Calmly"])
    chosen.select_option("calm")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('sunglade.settings')).bots === 'calm'")
