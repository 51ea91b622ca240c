"""The documentation as a site: it builds without a warning, its links lead somewhere, and it asks no other host."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import sync_playwright

import sunglade
import sunglade.envs
from web.chromium import launched

ROOT = Path(__file__).parent.parent
DIRECTIVES = {"index.md", "reference", "project"}
"""What of docs/ is for the site alone; a code host shows all the rest."""

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


class Links(HTMLParser):
    """What a page has, names and loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attributes}
        self.ids |= {told[name] for name in ("id", "name") if name in told}
        if tag in ("a", "link") and "href" in told:
            (self.targets if tag == "a" else self.loaded).append(told["href"])
        if "src" in told:
            self.loaded.append(told["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make docs` builds it."""
    assert importlib.util.find_spec("sphinx"), "the developer tools are out of date: `make lint` installs them"
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-5000:]
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {page: Links(page) for page in site.rglob("*.html")}


def test_every_page_has_its_place(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).exists(), page
    assert (site / "search.html").exists() and (site / "searchindex.js").exists()


def test_links_lead_somewhere(site: Path, pages: dict[Path, Links]) -> None:
    broken = []
    for page, links in pages.items():
        for target in links.targets:
            address, part = urldefrag(target)
            if re.match(r"\w+:", address):
                continue
            there = (page.parent / unquote(address)).resolve() if address else page
            there = there / "index.html" if there.is_dir() else there
            if not there.exists() or (part and there in pages and unquote(part) not in pages[there].ids):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []


def test_nothing_is_loaded_from_another_host(site: Path, pages: dict[Path, Links]) -> None:
    for page, links in pages.items():
        assert [address for address in links.loaded if re.match(r"(\w+:)?//", address)] == [], page
        for address in links.loaded:
            assert (page.parent / urldefrag(address).url.split("?")[0]).exists(), f"{page}: {address}"
    for style in site.rglob("*.css"):
        for address in re.findall(r"""url\(["']?([^"')]+)|@import\s+["']([^"']+)""", style.read_text("utf-8")):
            named = "".join(address)
            assert named.startswith("data:") or (style.parent / named.split("#")[0].split("?")[0]).exists(), named
    assert "fonts/rubik-latin" in (site / "_static" / "fonts.css").read_text()


def test_no_page_is_wider_than_a_phone_or_asks_another_host(pages: dict[Path, Links]) -> None:
    asked: list[str] = []
    wide = []
    with sync_playwright() as playwright:
        browser = launched(playwright)
        phone = browser.new_page(viewport={"width": 360, "height": 780})
        phone.on("request", lambda request: asked.append(request.url))
        for page in pages:
            phone.goto(page.as_uri())
            if phone.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(page.name)
        browser.close()
    assert wide == []
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []


def test_the_public_names_are_in_the_reference(site: Path, pages: dict[Path, Links]) -> None:
    ids = {name for links in pages.values() for name in links.ids}
    for name in set(dir(sunglade)) - {"__version__"}:
        home = getattr(sunglade, name).__module__
        assert {f"sunglade.{name}", f"{home}.{name}"} & ids, name
    for name in set(sunglade.envs.__all__) - {"BASE_ACTIONS", "sunglade_v1"}:
        home = getattr(sunglade.envs, name).__module__
        assert {f"sunglade.envs.{name}", f"{home}.{name}"} & ids, name


def test_the_reference_is_made_from_the_code(site: Path) -> None:
    actions = (site / "reference" / "actions.html").read_text("utf-8")
    assert "turtle.steps" in actions and "1372–1408" in actions
    options = (site / "reference" / "options.html").read_text("utf-8")
    assert all(name in options for name in ("light_cap", "fox_steals", "Romanian"))
    assert "--random-setup" in (site / "reference" / "command-line.html").read_text("utf-8")


def test_nothing_of_a_page_is_taken_for_a_remark(site: Path) -> None:
    """MyST would leave out lines that begin with a per cent sign."""
    for page in (ROOT / "docs").glob("*.md"):
        shown = (site / f"{page.stem}.html").read_text("utf-8")
        for line in re.findall(r"^\s*%\W*([\w ]+)", page.read_text("utf-8"), re.MULTILINE):
            assert line in shown, f"{page.name}: {line}"


def test_pages_are_plain_markdown_for_code_hosts() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        if page.relative_to(ROOT / "docs").parts[0] not in DIRECTIVES:
            assert not re.search(r"^(```|:::)\{", page.read_text("utf-8"), re.MULTILINE), page
