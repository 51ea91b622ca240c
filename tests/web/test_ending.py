"""The end of a game: last light, the count, the winners' grove, the rounds once more, a picture; then the table."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sunglade.client import Client
from web.playing import continue_game, settle
from web.stage import ROOT, OpenPage, Server, wait_until
from web.test_layouts import MISSED, resized
from web.test_looks import assert_accessible

NAMES = ("Ada", "Ben", "Cy", "Di")
STAGES = ["light", "count", "grove", "lapse", "picture"]
RESULT = "dialog h2:has-text('Final score')"
SIZES = ((360, 640), (390, 844), (844, 390), (820, 1180), (1440, 900))

WATCH = """() => {
    window.seen = {stages: [], sums: {}, turned: []};
    const look = () => {
        const stage = document.querySelector("dialog[data-stage]")?.dataset.stage;
        if (stage && seen.stages.at(-1) !== stage) seen.stages.push(stage);
        if (stage !== "count") return;
        const turned = document.querySelectorAll("[data-token]").length;
        if (seen.turned.at(-1) !== turned) seen.turned.push(turned);
        for (const one of document.querySelectorAll("dialog [data-seat]")) {
            const sums = seen.sums[one.dataset.seat] ??= [];
            const sum = Number(one.querySelector("[data-sum]").textContent);
            if (sums.at(-1) !== sum) sums.push(sum);
        }
    };
    const all = {subtree: true, childList: true, attributes: true, characterData: true};
    new MutationObserver(look).observe(document, all);
}"""


def golden(name: str) -> dict[str, Any]:
    found = json.loads((ROOT / "tests" / "golden" / f"{name}.json").read_text(encoding="utf-8"))
    game: dict[str, Any] = found["game"]
    return game


def before_the_end(
    server: Server, open_page: OpenPage, name: str, *, motion: str = "fast", **options: Any
) -> tuple[Page, Callable[[], None]]:
    """A page at a table where one action is missing, and what does it."""
    page = open_page(server.address, reduced_motion="reduce" if motion == "none" else "no-preference", **options)
    kept = {"motion": "auto" if motion == "none" else motion, "tips": False, "askEnd": False, "soundOffered": True}
    page.evaluate("kept => localStorage.setItem('sunglade.settings', kept)", json.dumps(kept))
    game = golden(name)
    *actions, last = game["actions"]
    assert last == "end"
    continue_game(page, {**game, "actions": actions}, NAMES[: game["players"]])
    settle(page)
    return page, lambda: page.locator("button.end").click()


def result_of(page: Page) -> dict[str, Any]:
    told: dict[str, Any] = page.evaluate(
        "async () => (await (await fetch('/api/tables/' + location.pathname.split('/').at(-1))).json()).view"
    )
    return told


@pytest.mark.parametrize("name", ["us-2", "es-4-all-long", "de-4-shade"])
def test_tokens_are_counted_one_by_one_up_to_the_servers_totals(server: Server, open_page: OpenPage, name: str) -> None:
    page, end = before_the_end(server, open_page, name)
    page.evaluate(WATCH)
    end()
    page.wait_for_selector("dialog[data-stage=grove]")
    view, seen = result_of(page), page.evaluate("seen")
    for seat, score in enumerate(view["result"]["scores"]):
        tokens = view["state"]["players"][seat]["tokens"]
        sums = [0]
        for points in [*tokens, score["leftover"], score["moon"]]:
            sums.append(sums[-1] + points)
        assert seen["sums"][str(seat)] == sorted({*sums}), f"seat {seat} is counted token by token, then what is left"
        assert sums[-1] == score["total"]
    everything = sum(len(player["tokens"]) for player in view["state"]["players"])
    assert seen["turned"] == list(range(everything + 1)), "one token after the other"


def test_the_ending_goes_by_itself_from_last_light_to_a_picture_and_then_to_the_table(
    server: Server, open_page: OpenPage
) -> None:
    page, end = before_the_end(server, open_page, "us-2-all")
    page.evaluate(WATCH)
    end()
    page.wait_for_selector("dialog[data-stage=picture]")
    assert page.evaluate("seen.stages") == STAGES
    page.get_by_role("button", name="To the result").click()
    expect(page.locator(RESULT)).to_be_visible()
    expect(page.locator("dialog[data-stage]")).to_have_count(0)


def test_escape_skips_everything_and_a_reload_does_not_bring_it_back(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="full")
    end()
    page.wait_for_selector("dialog[data-stage=light]")
    page.keyboard.press("Escape")
    expect(page.locator(RESULT)).to_be_visible()
    page.reload()
    expect(page.locator(RESULT)).to_be_visible()
    assert page.locator("dialog[data-stage]").count() == 0
    page.get_by_role("button", name="Watch the ending").click()
    page.wait_for_selector("dialog[data-stage=light]")
    page.get_by_role("button", name="To the result").click()
    expect(page.locator(RESULT)).to_be_visible()


def test_an_ending_that_nobody_sees_waits_to_be_asked_for(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="full")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    end()
    page.wait_for_selector(RESULT)
    assert page.locator("dialog[data-stage]").count() == 0
    page.get_by_role("button", name="Watch the ending").click()
    page.wait_for_selector("dialog[data-stage=light]")


def test_without_motion_the_table_comes_at_once_and_whoever_asks_walks_through_by_keys(
    server: Server, open_page: OpenPage
) -> None:
    page, end = before_the_end(server, open_page, "de-3-all-shade", motion="none")
    page.evaluate(WATCH)
    end()
    expect(page.locator(RESULT)).to_be_visible()
    assert page.evaluate("seen.stages") == []
    expect(page.get_by_role("button", name="Save picture")).to_be_visible()
    page.get_by_role("button", name="Watch the ending").click()
    status = page.locator("dialog [role=status]")
    for stage in STAGES[:-1]:
        page.wait_for_selector(f"dialog[data-stage={stage}]")
        heading = page.locator("dialog h2").inner_text()
        expect(status).to_have_text(heading)
        expect(page.locator("dialog :focus"), "the keyboard stays inside").to_have_count(1)
        if stage == "count":
            scores = result_of(page)["result"]["scores"]
            for seat, score in enumerate(scores):
                expect(page.locator(f"dialog [data-seat='{seat}'] [data-sum]")).to_have_text(str(score["total"]))
        if stage == "lapse":
            page.get_by_role("slider").wait_for()
            expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        page.get_by_role("button", name="Next").focus()
        page.keyboard.press("Enter")
    page.wait_for_selector("dialog[data-stage=picture]")
    page.keyboard.press("Escape")
    expect(page.locator(RESULT)).to_be_visible()


def test_spectators_see_the_ending_too(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="none")
    watcher = open_page(page.url, reduced_motion="no-preference")
    expect(watcher.locator(".bottom")).to_contain_text("You are watching")
    end()
    watcher.wait_for_selector("dialog[data-stage=light]")
    watcher.get_by_role("button", name="To the result").click()
    expect(watcher.locator(RESULT)).to_be_visible()
    expect(watcher.get_by_role("button", name="Save picture")).to_be_visible()


def watched(page: Page, stage: str) -> None:
    """The ending of a finished table, asked for, up to a part of it; nothing moves by itself."""
    page.get_by_role("button", name="Watch the ending").click()
    for passed in STAGES[: STAGES.index(stage)]:
        page.wait_for_selector(f"dialog[data-stage={passed}]")
        page.locator("dialog [data-first]").click()
    page.wait_for_selector(f"dialog[data-stage={stage}]")


def test_the_rounds_can_be_halted_and_walked_through(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="none")
    end()
    watched(page, "lapse")
    slider = page.get_by_role("slider")
    slider.wait_for()
    rounds = result_of(page)["state"]["rounds"]
    expect(slider, "the set-up and every round").to_have_attribute("max", str(rounds))
    expect(slider).to_have_attribute("aria-valuetext", "Set-up")
    early = page.locator("dialog .plant").count()
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", f"Round {rounds} of {rounds}")
    pieces = len(result_of(page)["state"]["spaces"])
    expect(page.locator("dialog .plant")).to_have_count(pieces)
    assert early < pieces
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).not_to_have_attribute("aria-valuetext", "Set-up")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.locator("dialog[data-stage=lapse]").count() == 1


COLOURS = """async picture => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const {data} = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    let [blue, green, red] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.slice(i, i + 3);
        if (b > 140 && b > r + 60 && g > r + 30) blue += 1;
        if (g > 130 && g > r + 60 && g > b + 60) green += 1;
        if (r > 190 && g < 110 && b < 80) red += 1;
    }
    return {width: bitmap.width, height: bitmap.height, blue, green, red};
}"""


def test_a_picture_of_the_winners_trees_can_be_saved(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="none")  # the poplars win
    end()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save picture").click()
    assert saving.value.suggested_filename.startswith("sunglade-")
    file = tmp_path / "saved.png"
    saving.value.save_as(file)
    reader = page.context.new_page()
    told = reader.evaluate(COLOURS, base64.b64encode(file.read_bytes()).decode())
    reader.close()
    assert (told["width"], told["height"]) == (1800, 945)
    assert told["green"] > 5_000, "poplars, drawn"
    assert told["blue"] < told["green"] / 20, "and no spruce"


def test_a_picture_is_shared_as_a_file_where_the_browser_can(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", motion="none")
    page.add_init_script("""
        navigator.canShare = ({files}) => files?.every(file => file.type === "image/png") ?? false;
        navigator.share = async ({files, text}) => { window.shared = [files[0].name, files[0].size, text]; };
    """)
    end()
    expect(page.get_by_role("button", name="Save picture")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Share picture").click()
    wait_until(lambda: page.evaluate("window.shared !== undefined"), "shared")
    name, size, text = page.evaluate("shared")
    assert name.endswith(".png") and size > 20_000 and text == "Ben wins"


def test_winners_who_share_the_win_share_the_grove(server: Server, open_page: OpenPage) -> None:
    with Client(server.address) as client:
        seat = client.create(
            [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}], rules={"edition": "us", "rounds": 1}
        )
        for space in ("a2", "g2", "a3", "g3"):
            seat.play(next(line for line in seat.legal if line.endswith(f" {space}")))
        while not seat.over:
            seat.play("end")
    page = open_page(f"{server.address}/t/{seat.table}")
    assert result_of(page)["result"]["winners"] == [0, 1]
    watched(page, "grove")
    expect(page.locator("dialog h2")).to_contain_text("Ada, Ben")
    trees = page.locator("dialog svg[role=img] use")
    expect(trees.first).to_be_attached()
    drawn = trees.evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert {name.split("-")[0] for name in drawn} == {"#spruce", "#poplar"}


def test_a_game_whose_rounds_cannot_be_had_ends_without_them(server: Server, open_page: OpenPage) -> None:
    page, end = before_the_end(server, open_page, "us-2", lost_connection=True)
    page.route("**/replay?*", lambda route: route.abort())
    page.evaluate(WATCH)
    end()
    page.wait_for_selector("dialog[data-stage=picture]")
    assert page.evaluate("seen.stages")[0] == "light"


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("he", "dark"), ("ru", "light")])
def test_every_part_is_accessible_and_nothing_is_covered_on_any_screen(
    server: Server, open_page: OpenPage, language: str, scheme: str
) -> None:
    page, end = before_the_end(server, open_page, "it-4-long", motion="none", locale=language, color_scheme=scheme)
    end()
    page.wait_for_selector("dialog .again .button >> nth=1")
    assert_accessible(page, f"result in {language}")
    page.locator("dialog .again .button").first.click()
    for stage in STAGES:
        page.wait_for_selector(f"dialog[data-stage={stage}]")
        if stage == "lapse":
            page.locator("dialog input[type=range]").wait_for()
        assert_accessible(page, f"{stage} in {language}, {scheme}")
        for size in resized(page, SIZES):
            assert not (missed := page.evaluate(MISSED)), f"{stage}, {size}: {missed}"
        if stage != "picture":
            page.locator("dialog [data-first]").click()
