"""Around the game: saved games, seats on other devices, spectators, a table without help."""

from __future__ import annotations

import json
from pathlib import Path

from playing import able, click_space, continue_game, open_table, settle
from playwright.sync_api import expect
from stage import OpenPage, Server

HERE = Path(__file__).parent


def test_a_saved_game_is_replayed_step_by_step(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    page.locator("input[type=file]").set_input_files(HERE / "forest.json")
    timeline = page.get_by_role("slider", name="Time line")
    expect(timeline).to_be_visible()
    steps = len(json.loads((HERE / "forest.json").read_text(encoding="utf-8"))["actions"])
    expect(page.locator(".words")).to_contain_text(f"Step 0 of {steps}")
    page.get_by_role("button", name="One step forward").click()
    expect(page.locator(".words")).to_contain_text("places a small tree")
    assert page.locator(".plant").count() == 1
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".words")).to_contain_text(f"Step {steps} of {steps}")
    assert page.locator(".plant").count() > 20
    address = page.url
    assert address.endswith(f"step={steps}")
    again = open_page(address)  # a link to a position
    expect(again.locator(".words")).to_contain_text(f"Step {steps} of {steps}")


def test_a_file_that_is_no_game_is_told_in_a_sentence(server: Server, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(server.address, lost_connection=True)  # the refusal shows as an error in the console
    (tmp_path / "no.json").write_text('{"format": "something else"}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.json")
    expect(page.get_by_role("alert")).to_contain_text("This file is not a Sunglade game")


def test_a_seat_moves_to_another_device_by_a_link(server: Server, open_page: OpenPage) -> None:
    first = open_page(server.address)
    open_table(first, [{"kind": "me", "name": "Ada"}, {"kind": "open"}])
    first.get_by_role("button", name="Invite players").first.click()
    first.get_by_role("button", name="Play on at another device").click()
    link = first.get_by_label("Play on at another device").input_value()
    second = open_page(link)
    second.get_by_role("button", name="Take my seat back").click()
    second.wait_for_selector(".table")
    assert "#" not in second.url
    expect(second.get_by_role("article", name="Ada (you)").last).to_be_visible()


def test_spectators_see_the_game_and_cannot_act(server: Server, open_page: OpenPage) -> None:
    player = open_page(server.address)
    table = open_table(player, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"}])
    watcher = open_page(f"{server.address}/t/{table}")
    expect(watcher.locator(".bottom")).to_contain_text("You are watching")
    space = able(player)[0]
    click_space(player, space)
    expect(watcher.locator("aside ol")).to_contain_text(f"Ada places a small tree on {space}")
    assert not able(watcher)


def test_a_tree_in_shade_tells_who_takes_its_light(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.address)
    continue_game(page, json.loads((HERE / "dense.json").read_text(encoding="utf-8")), ("Ada", "Ben", "Cy", "Di"))
    settle(page)
    dark = page.eval_on_selector_all(
        ".cell",
        "cells => cells.filter(one => /in shade/.test(one.getAttribute('aria-label'))).map(one => one.dataset.space)",
    )
    assert dark
    page.locator(f'[data-space="{dark[0]}"]').focus()
    expect(page.locator(".info")).to_contain_text("Shaded by the")
    assert page.locator(".pointed").count() >= 1
