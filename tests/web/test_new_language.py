"""A ninth language is one new file: the client's build finds it, the page offers and speaks it, and so does Python."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from web.stage import ROOT, OpenPage, Server, wait_until

CODE, NAME = "qps", "Ṕśéúďó"
ACCENTED = str.maketrans("aeiouclnrsz", "áéíóúćĺńŕśź")
SYNTAX = re.compile(r"(\{\w+\}|\{count, plural,|\b(?:one|other) \{)")


def made_up(message: str) -> str:
    """The message with accents; what is syntax stays."""
    parts = SYNTAX.split(message)
    return "".join(part if SYNTAX.fullmatch(part) else part.translate(ACCENTED) for part in parts)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client and the words, with one new file, and the client built from it."""
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "web", copy / "web", ignore=shutil.ignore_patterns("node_modules"))
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    words = copy / "src" / "sunglade" / "words"
    shutil.copytree(ROOT / "src" / "sunglade" / "words", words)
    shutil.copy(ROOT / "src" / "sunglade" / "__init__.py", words.parent)
    shutil.copy(ROOT / "hatch_build.py", copy)

    english = json.loads((words / "en.arb").read_text(encoding="utf-8"))
    foreign = {name: made_up(message) for name, message in english.items()}
    about = {"@@locale": CODE, "language.name": NAME, "language.direction": "ltr"}
    (words / f"{CODE}.arb").write_text(json.dumps(foreign | about, ensure_ascii=False), encoding="utf-8")

    done = subprocess.run([sys.executable, "hatch_build.py"], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture
def its_server(checkout: Path, tmp_path: Path) -> Iterator[Server]:
    """The server, with the client of the copy."""
    running = Server(tmp_path / "tables.sqlite")
    built = checkout / "src" / "sunglade" / "web"
    script = (
        "import pathlib; from sunglade.server import pages;"
        f"pages.WEB = pathlib.Path({str(built)!r});"
        "from sunglade.cli import main; main()"
    )
    running.command = [sys.executable, "-c", script]
    running.start()
    yield running
    running.stop()


def test_the_page_offers_it_and_speaks_it(its_server: Server, open_page: OpenPage) -> None:
    page = open_page(its_server.address)
    page.locator("select", has=page.locator(f"option[value={CODE}]")).first.select_option(NAME)
    wait_until(lambda: page.evaluate("document.documentElement.lang") == CODE, "the new language")
    expect(page.get_by_role("heading", name=made_up("Welcome to the glade"))).to_be_visible()
    page.goto(f"{its_server.address}/guide")
    expect(page.get_by_role("heading", name=made_up("How to play")).first).to_be_visible()
    page.goto(its_server.address)
    page.get_by_role("button", name=made_up("Play now")).click()
    expect(page.get_by_role("tab", name=made_up("Points"))).to_be_visible()


def test_python_speaks_it(checkout: Path) -> None:
    script = (
        "import json, sys; from sunglade.words import catalogue, languages, preferred;"
        f"words = catalogue(preferred(['{CODE}_XX.UTF-8']));"
        "asked = {'count.points': {'count': 3}, 'turn.waiting': {'player': 'Ada'}, 'language.name': {}};"
        "print(json.dumps([*languages(), *(words.tell(key, **given) for key, given in asked.items())]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout / "src")},
    )
    *codes, points, waiting, name = json.loads(done.stdout)
    assert CODE in codes
    assert [points, waiting, name] == [made_up("3 points"), made_up("Waiting for ") + "Ada", NAME]
