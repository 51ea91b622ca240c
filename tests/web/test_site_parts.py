"""What a site is made of: how much of it comes when, what browsers that lack something do, and a server that has it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from web.playing import Mouse, is_my_turn, play_now
from web.stage import OpenPage, Server, hatch_build, wait_until
from web.static_host import PLACE, Host
from web.test_static_site import placed

MOST_BEFORE_THE_FIRST_GAME = 4_500_000
MOST_WITH_THE_NETWORK = 8_000_000
MOST_FOR_HOSTS_WITHOUT_COMPRESSION = 1.2
FIRST_LOAD = 150_000
"""What the client itself is held to, compressed."""
NO_BROTLI = """{
    const Native = DecompressionStream;
    self.DecompressionStream = class extends Native {
        constructor(format) {
            if (format === "brotli") throw new TypeError("unknown");
            super(format);
        }
    };
}"""
"""As many browsers are still."""
BROTLI = """
const { readFileSync } = require("fs"), { brotliCompressSync } = require("zlib");
for (const file of process.argv.slice(1)) {
    const bytes = readFileSync(file);
    console.log(Math.min(bytes.length, brotliCompressSync(bytes).length));
}
"""


def parts_of(host: Host) -> tuple[dict[str, Any], Path]:
    folder = host.folder / PLACE / "device"
    (file,) = folder.glob("parts-*.json")
    return json.loads(file.read_text(encoding="utf-8")), folder


def test_what_is_fetched_before_the_first_game_and_with_the_network_stays_small(host: Host) -> None:
    parts, folder = parts_of(host)
    packed = sum(parts[name]["size"] for name in ("interpreter", "library", "rooms", "kernel", "kernelPage"))
    scripts = [file for file in folder.glob("*.js") if not file.name.startswith("brotli-")]
    before = packed + sum(brotli_sizes([*scripts, *folder.glob("*.json")])) + FIRST_LOAD
    assert before <= MOST_BEFORE_THE_FIRST_GAME
    assert before + parts["network"]["size"] <= MOST_WITH_THE_NETWORK
    for name, part in parts.items():
        if isinstance(part, dict) and "file" in part:
            assert (folder / part["file"]).stat().st_size == part["size"], name


def test_every_file_of_the_parts_has_its_hash_in_its_name(host: Host) -> None:
    _, folder = parts_of(host)
    assert all("-" in file.stem for file in folder.iterdir()), sorted(folder.iterdir())


def watched(page: Page) -> list[str]:
    """The addresses that a page and its workers ask for, from now on; not what is kept for days without a network."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.service_worker is None:
            asked.append(request.url)

    page.context.on("request", note)
    return asked


def against(page: Page, level: str) -> None:
    """A table on this device with a bot of a level; one tree is placed and answered."""
    page.get_by_label("Strength of the bot in seat 2").select_option(level)
    page.get_by_role("button", name="Create game").click()
    placed(page)


def test_the_network_is_fetched_when_a_bot_thinks_with_it_and_not_before(host: Host, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    asked = watched(page)
    said: list[str] = []
    page.context.on("console", lambda message: said.append(message.text))
    page.goto(f"{host.address}#/new")
    against(page, "sequoia")
    assert not [address for address in asked if "/device/network-" in address]
    page.goto(f"{host.address}#/new")
    against(page, "elder")
    assert len([address for address in asked if "/device/network-" in address]) == 1
    assert not [text for text in said if "plain search" in text], said


def brotli_sizes(files: list[Path]) -> list[int]:
    """How large files are where a host compresses them; Node knows how."""
    node = hatch_build.node()
    assert node is not None
    told = subprocess.run([str(node), "-e", BROTLI, *map(str, files)], capture_output=True, text=True, check=True)
    return [int(size) for size in told.stdout.split()]


def test_a_browser_that_cannot_unpack_brotli_plays_and_no_host_need_compress(host: Host, open_page: OpenPage) -> None:
    """What is fetched before the first action is answered is at most a fifth more than with brotli everywhere."""
    page = open_page("about:blank")

    def begin(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=NO_BROTLI + answer.text())

    page.context.route("**/device/*_worker*", begin)
    asked = watched(page)
    page.goto(host.address)
    play_now(page)
    placed(page)
    names = {address.partition("#")[0].partition("?")[0] for address in asked}
    fetched = [host.folder / PLACE / (name.removeprefix(host.address) or "index.html") for name in sorted(names)]
    assert [file for file in fetched if file.suffix == ".packed-gz"]
    with_brotli = [file for file in fetched if not file.name.startswith("brotli-")]
    plain = sum(file.stat().st_size for file in fetched)
    assert plain <= MOST_FOR_HOSTS_WITHOUT_COMPRESSION * sum(brotli_sizes(with_brotli))


@pytest.fixture
def both(host: Host, tmp_path: Path) -> Iterator[Server]:
    """A server whose copy has the parts for tables on the device."""
    running = Server(tmp_path / "tables.sqlite", "--bots", "1")
    running.start()
    yield running
    running.stop()


def test_a_server_offers_tables_on_the_device_which_go_on_without_it(both: Server, open_page: OpenPage) -> None:
    page = open_page("about:blank", lost_connection=True)
    asked = watched(page)
    page.goto(f"{both.address}/new")
    expect(page.get_by_role("button", name="Create game")).to_be_enabled()
    assert not [address for address in asked if "/device/" in address]  # who plays on the server fetches none of it
    page.get_by_role("radio", name="On this device").check()
    page.get_by_role("button", name="Create game").click()
    wait_until(lambda: is_my_turn(page), "our first tree")
    assert "/#/here/t/" in page.url
    mouse = Mouse(page, seed=1)
    assert mouse.place()
    wait_until(lambda: is_my_turn(page), "the bot's first answer")
    both.stop()
    mouse.step()
    wait_until(lambda: is_my_turn(page), "the bot's answer without the server")
