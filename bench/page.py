"""The game in a page: how soon it is there, how quickly a table on this device answers, what holds the page up.

    make site && PYTHONPATH=tests python bench/page.py             # five first visits, each followed by a second one
    PYTHONPATH=tests python bench/page.py --visits 2 --actions 20

A real Chromium opens `build/site` from a host of files on this machine. A first visit has an empty profile; a second
one is the same profile in a new browser, once everything was kept that a page keeps. Times are milliseconds from the
navigation on; best and median are told, with the load of the machine, which they depend on.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from collections import defaultdict
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from web.chromium import FLAGS, found_chromium
from web.playing import able, click_space, is_my_turn, settle
from web.stage import ROOT, wait_until
from web.static_host import PLACE, Host

BARS = {
    "first visit: table": 4000.0, "second visit: table": 1500.0, "action answered": 30.0, "longest task": 50.0,
}  # fmt: skip
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
IMAGES = """new Promise((resolve) => {
    indexedDB.open("sunglade-image").onsuccess = ({ target }) => {
        const counting = target.result.transaction("images").objectStore("images").count();
        counting.onsuccess = () => { target.result.close(); resolve(counting.result); };
    };
})"""
WATCH = """
    window.seen = { tasks: [], answers: [], begun: false, table: undefined };
    new MutationObserver((_, observer) => {
        const button = document.querySelector("form .button.main:not([disabled])");
        if (button && !seen.begun) { seen.begun = true; button.click(); }
        if (!document.querySelector(".cell.able")) return;
        seen.table = performance.now();
        observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributes: true });
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.tasks.push([entry.startTime, entry.duration]);
    }).observe({ type: "longtask", buffered: true });
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...more) {
        const said = message?.kind === "say" ? JSON.parse(message.text) : {};
        if (said.type === "command") {
            const { id } = said, at = performance.now();
            const hear = ({ data }) => {
                if (data.kind !== "heard" || !data.text.includes(id)) return;
                seen.answers.push(performance.now() - at);
                this.removeEventListener("message", hear);
            };
            this.addEventListener("message", hear);
        }
        return post.call(this, message, ...more);
    };
"""

Figures = defaultdict[str, list[float]]


def main() -> None:
    """Measure and tell."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--visits", type=int, default=5)
    asked.add_argument("--actions", type=int, default=30, help="that are timed at each first visit")
    told = asked.parse_args()
    figures: Figures = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        shutil.copytree(ROOT / "build" / "site", Path(folder, "host", PLACE))
        host = Host(Path(folder, "host"))
        host.start()
        try:
            for number in range(told.visits):
                profile = Path(folder, f"profile-{number}")
                visit(playwright, profile, host.address, "first", told.actions, figures)
                visit(playwright, profile, host.address, "second", 0, figures)
                print(f"visit {number + 1} of {told.visits}, load {os.getloadavg()[0]:.1f}", flush=True)
        finally:
            host.stop()
    report(figures)


def visit(playwright: Playwright, profile: Path, address: str, which: str, actions: int, figures: Figures) -> None:
    """Open the page, begin a game as soon as it lets us, play."""
    context = playwright.chromium.launch_persistent_context(
        str(profile), executable_path=found_chromium(), args=FLAGS, locale="en-GB", reduced_motion="reduce"
    )
    try:
        page = opened(context, address)
        page.wait_for_selector(".cell.able")
        figures[f"{which} visit: home page"].append(page.evaluate(PAINTED))
        figures[f"{which} visit: table"].append(page.evaluate("seen.table"))
        play(page, actions)
        figures["action answered"] += page.evaluate("seen.answers")
        tasks = page.evaluate("seen.tasks")
        figures["longest task"].append(max((length for _, length in tasks), default=0.0))
        for start, length in tasks:
            print(f"  {which} visit: a task of {length:.0f} ms, {start:.0f} ms after the navigation")
        if which == "first":
            kept(page)
    finally:
        context.close()


def opened(context: BrowserContext, address: str) -> Page:
    """The home page."""
    page = context.pages[0]
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    return page


def play(page: Page, actions: int) -> None:
    """Place trees, then buy as long as there is light, and end turns."""
    for _ in range(actions):
        wait_until(lambda: is_my_turn(page), "our turn")
        spaces = able(page)
        if spaces:
            click_space(page, spaces[0])
        elif page.locator(".buy:not([disabled])").count():
            page.locator(".buy:not([disabled])").first.click()
        else:
            page.locator("button.end").click()
            if page.locator("dialog .button.main", has_text="End turn").count():
                page.locator("dialog .button.main", has_text="End turn").click()
        settle(page)


def kept(page: Page) -> None:
    """Wait until the page has kept what it will start from the next time."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(lambda: bool(page.evaluate(IMAGES)), "the memory image")


def report(figures: Figures) -> None:
    """Best, median and worst of everything, beside its bar."""
    for name, values in figures.items():
        bar = f"   bar {BARS[name]:.0f}" if name in BARS else ""
        found = f"best {min(values):7.1f}   median {statistics.median(values):7.1f}   worst {max(values):7.1f}"
        print(f"{name:26} {found}   of {len(values)}{bar}")


if __name__ == "__main__":
    main()
