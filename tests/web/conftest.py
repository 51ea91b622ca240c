"""A real server and a real browser for the tests of the client.

The browser is Chromium: $SUNGLADE_BROWSER, or one found on the machine, or Playwright's own, fetched if need be. Where
none can be had the tests fail and say how to get one; they are never skipped in silence.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402

ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
FLAGS = [
    "--no-sandbox",  # tests also run as root, in containers
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOW = (
    "The tests of the web client need Chromium: install it (`apt install chromium`), or run "
    "`python -m playwright install --with-deps chromium`, or name one with SUNGLADE_BROWSER=/path/to/chromium."
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of the client share a browser and a server: one worker runs them."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("web"))
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def client() -> None:
    """The client, built from these sources."""
    hatch_build.build()


class Server:
    """`sunglade serve` as a process that can be killed and started again on the same data."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sunglade", "serve", "--no-browser", "--port", str(self.port), "--limits", "0"]
            + ["--bots", "1", "--bot-pace", "0", "--database", f"sqlite+aiosqlite:///{self.database}"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        told = ""
        for line in self.process.stdout:
            told += line
            found = re.search(r"http://[^:]+:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError(f"the server did not start:\n{told}")

    def kill(self) -> None:
        """As when the power fails."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None


@pytest.fixture(scope="session")
def server(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("tables") / "tables.sqlite")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def own_server(client: None, tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to be killed."""
    running = Server(tmp_path / "tables.sqlite")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = os.environ.get("SUNGLADE_BROWSER") or next(filter(None, map(shutil.which, ON_PATH)), None)
        if path is None and not Path(playwright.chromium.executable_path).exists():
            subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        try:
            running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            pytest.fail(f"{HOW}\n{error}", pytrace=False)
        yield running
        running.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages, each in a context of its own. Whatever goes wrong in a page fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(
        address: str, *, width: int = 1280, height: int = 800, lost_connection: bool = False, **options: object
    ) -> Page:
        options = {"reduced_motion": "reduce", "locale": "en-GB", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: problems.append(f"error in the page: {error}"))
        if not lost_connection:
            page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems, problems


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Wait for something to come true."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"{what}: did not happen within {seconds} s"
        time.sleep(0.02)
