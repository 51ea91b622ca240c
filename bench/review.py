"""How soon a finished game is looked back at: the first results, and all of them, with a server and on a device.

    make web site && PYTHONPATH=tests python bench/review.py [--players 2 4] [--where server device]

Games of `maple` against itself are given to a real Chromium, which asks for the chart as people do. Told are seconds
from the click on until there is something to see, and until nothing is left to do, with the load of the machine. The
bars: 20 s with a server on two cores, 60 s on a device, first results at once.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from sunglade import Game, bots
from web.chromium import launched
from web.stage import PATIENCE_S, ROOT, Server, wait_until
from web.static_host import PLACE, Host


def main() -> None:
    """Measure, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--where", nargs="+", choices=("server", "device"), default=["server", "device"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, browser = Path(name), launched(playwright)
        for where in asked.where:
            running = opened(where, folder)
            try:
                for players in asked.players:
                    print(
                        f"{where}, {players} players: {timed(browser, running, game_of(players, folder))}", flush=True
                    )
            finally:
                running.stop()
        browser.close()


def opened(where: str, folder: Path) -> Server | Host:
    """A server of ours, or a host of files."""
    if where == "device":
        shutil.copytree(ROOT / "build" / "site", folder / "host" / PLACE)
    running = Host(folder / "host") if where == "device" else Server(folder / "tables.sqlite")
    running.start()
    return running


def game_of(players: int, folder: Path) -> Path:
    """A whole game, as a file."""
    game, bot = Game(players, seed=players), bots.make("maple")
    while not game.over:
        game.play(bot.act(game.redacted(), 1000))
    file = folder / f"{players}.json"
    file.write_text(json.dumps(game.to_dict()), encoding="utf-8")
    return file


def timed(browser: Browser, running: Server | Host, file: Path) -> str:
    """From the click on: when there was something to see, and when it was all there."""
    page = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(running.address)
    page.locator("nav input[type=file]").set_input_files(file)
    button = page.get_by_role("button", name="Calculate the chart")
    button.click()
    began = time.monotonic()
    seen = [elapsed(page, began, condition) for condition in (FIRST, DONE)]
    page.context.close()
    actions = len(json.loads(file.read_text(encoding="utf-8"))["actions"])
    return (
        f"first results after {seen[0]:.1f} s, {actions} actions after {seen[1]:.1f} s, load {os.getloadavg()[0]:.1f}"
    )


FIRST = "(document.querySelector('.review polygon')?.getAttribute('points') ?? '').split(' ').length > 4"
DONE = "document.querySelector('.review tbody') && !document.querySelector('.graph [role=status]')"


def elapsed(page: Page, began: float, condition: str) -> float:
    """Seconds until something can be seen."""
    wait_until(lambda: bool(page.evaluate(condition)), condition)
    return time.monotonic() - began


if __name__ == "__main__":
    main()
