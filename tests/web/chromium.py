"""The browser of the tests and of the pictures: $SUNGLADE_BROWSER, one found on the machine, or Playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

from web.stage import Server, hatch_build

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
FLAGS = [
    "--no-sandbox",  # tests also run as root, in containers
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP home.test 127.0.0.1",  # a machine of a home network, by plain http
]


def found_chromium() -> str | None:
    """A Chromium that somebody named, or that is on the machine."""
    return os.environ.get("SUNGLADE_BROWSER") or next(filter(None, map(shutil.which, ON_PATH)), None)


def launched(playwright: Playwright) -> Browser:
    """Chromium, fetched if need be."""
    path = found_chromium()
    if path is None and not Path(playwright.chromium.executable_path).exists():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


@contextmanager
def browser_and_server() -> Iterator[tuple[Browser, Server]]:
    """For pictures that are taken by a command: the client as it is now, on a server of its own."""
    hatch_build.build()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data) / "tables.sqlite", "--lobby", "--ranking")
        server.start()
        browser = launched(playwright)
        try:
            yield browser, server
        finally:
            browser.close()
            server.stop()
