"""The documentation as a site: built without a warning, found by words, readable in the dark and on a phone."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.stage import OpenPage, hatch_build
from web.static_host import PLACE, Host

DOCS = hatch_build.ROOT / "docs"
DARK = "() => getComputedStyle(document.body).getPropertyValue('--color-background-primary')"
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def documentation(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The site that `make docs` builds, on a host."""
    folder = tmp_path_factory.mktemp("documentation")
    command = [sys.executable, "-m", "sphinx", "-q", "-E", "-W", "--keep-going", "-d", str(folder / "cache")]
    done = subprocess.run(
        [*command, "-b", "html", str(DOCS), str(folder / PLACE)], cwd=DOCS.parent, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    running = Host(folder)
    running.start()
    yield running
    running.stop()


def built(host: Host) -> dict[str, str]:
    """All pages of the site, by their paths."""
    site = host.folder / PLACE
    return {file.relative_to(site).as_posix(): file.read_text("utf-8") for file in site.rglob("*.html")}


def test_every_page_of_the_folder_is_on_the_site_and_every_link_leads_somewhere(documentation: Host) -> None:
    pages = built(documentation)
    for page in DOCS.rglob("*.md"):
        assert page.relative_to(DOCS).with_suffix(".html").as_posix() in pages
    for name, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"#?:]+)["#?]', text):
            assert (documentation.folder / PLACE / Path(name).parent / link).exists(), f"{name} links to {link}"


def test_the_makefile_builds_it_the_same_way() -> None:
    (line,) = re.findall(r"-m sphinx .*", (DOCS.parent / "Makefile").read_text("utf-8"))
    assert {"-W", "-E", "--keep-going"} <= set(line.split())


def test_words_are_found(open_page: OpenPage, documentation: Host) -> None:
    page = open_page(documentation.address)
    page.get_by_role("textbox", name="Search").first.fill("moonstones")
    page.keyboard.press("Enter")
    results = page.locator("#search-results .search li a")
    expect(results.get_by_text("The rules", exact=True)).to_be_visible()
    results.get_by_text("The rules > Moonstones").click()
    expect(page.get_by_role("heading", name="Moonstones")).to_be_in_viewport()


@pytest.mark.parametrize("system", ["light", "dark"])
def test_it_is_dark_for_whoever_likes_it_dark(system: str, open_page: OpenPage, documentation: Host) -> None:
    page = open_page(documentation.address + "environments.html", color_scheme=system)
    colours = {page.evaluate(DARK)}
    for _ in range(3):  # by the system, light, dark
        page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).first.click()
        colours.add(page.evaluate(DARK))
    assert len(colours) == 2, colours


@pytest.mark.parametrize("name", ["index", "environments", "evaluation", "reference/envs", "tutorials/train", "data"])
def test_pages_fit_a_phone(name: str, open_page: OpenPage, documentation: Host) -> None:
    page: Page = open_page(f"{documentation.address}{name}.html", width=360, height=740)
    expect(page.locator("article h1")).to_be_visible()
    assert not page.evaluate(TOO_WIDE)
