"""A real server and a real browser for the tests of the client.

The browser is Chromium: $SUNGLADE_BROWSER, or one found on the machine, or Playwright's own, fetched if need be. Where
none can be had the tests fail and say how to get one; they are never skipped in silence.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from web.chromium import launched
from web.stage import PATIENCE_S, OpenPage, Server, hatch_build
from web.static_host import PLACE, Host

HOW = (
    "The tests of the web client need Chromium: install it (`apt install chromium`), or run "
    "`python -m playwright install --with-deps chromium`, or name one with SUNGLADE_BROWSER=/path/to/chromium."
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the client start a browser and a server. Every worker has its own, so that none waits for the rest.

    They come last, in whatever order they are asked for: beside a browser nothing else in the process can run a loop.
    None is in a group of xdist, because groups come first.
    """
    for item in filter(needs_browser, items):
        item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("xdist_group") is not None:
            raise pytest.UsageError(f"{item.nodeid} needs a browser, so it cannot be in a group of xdist.")
    items.sort(key=needs_browser)


def needs_browser(item: pytest.Item) -> bool:
    return Path(__file__).parent in item.path.parents


@pytest.fixture(scope="session")
def client() -> None:
    """The client, built from these sources."""
    hatch_build.build()


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


@pytest.fixture
def open_server(client: None, tmp_path: Path) -> Iterator[Server]:
    """A server that other devices can reach, where this machine is in a network."""
    running = Server(tmp_path / "tables.sqlite", "--no-device", "--host", "0.0.0.0", "--allow-host", "home.test")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A site on a host of its own."""
    folder = tmp_path_factory.mktemp("host")
    (hatch_build.ROOT / "build").mkdir(exist_ok=True)
    with FileLock(hatch_build.ROOT / "build" / "site.lock"):  # another process of the tests may pack it, too
        hatch_build.build_site()
        shutil.copytree(hatch_build.SITE, folder / PLACE)
    running = Host(folder)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def own_host(host: Host, tmp_path: Path) -> Iterator[Host]:
    """A site that the test may change, on a host of its own."""
    shutil.copytree(host.folder, tmp_path / "host")
    running = Host(tmp_path / "host")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as playwright:
        try:
            running = launched(playwright)
        except Error as error:
            pytest.fail(f"{HOW}\n{error}", pytrace=False)
        yield running
        running.close()


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
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: problems.append(f"error in the page: {error}"))
        if not lost_connection:
            page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems, problems
