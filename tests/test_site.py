"""The game as static files: which folders are written, with what in them, and what is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from sunglade import offline, site
from sunglade.cli import main
from sunglade.content_policy import content_policy, served_policy
from sunglade.errors import BadRequest

PAGE = f"<head>\n{site.BASE_MARK}\n{site.SERVER_MARK}\n<title>Sunglade</title></head>"

SCRIPT = "self.addEventListener();"


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client and parts that were built for each other."""
    client, parts = tmp_path / "package" / "web", tmp_path / "package" / "device"
    for folder in (client / "assets", parts):
        folder.mkdir(parents=True)
    (client / site.PAGE).write_text(PAGE)
    (client / site.CLIENT_STAMP).write_text("1234\n")
    (client / site.LICENCES).write_text("of the client\n")
    (client / "assets" / "main.js").write_text("")
    (client / offline.SCRIPT).write_text(SCRIPT)
    (parts / site.LICENCES).write_text("of the parts\n")
    (parts / "worker.js").write_text("")
    (parts / site.MADE).write_text(json.dumps({"worker": "worker.js?parts.json", "sources": ["rules.py", "board.py"]}))
    monkeypatch.setattr(site, "CLIENT", client)
    monkeypatch.setattr(site, "PARTS", parts)
    site.seal()


def test_a_site_holds_the_client_its_parts_and_a_page_that_asks_no_other_host(tmp_path: Path) -> None:
    assert site.write_site(tmp_path / "deep" / "site") > 0
    folder = tmp_path / "deep" / "site"
    assert {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()} == {
        "index.html", "licenses.md", "service_worker.js", "assets/main.js", "device/worker.js",
    }  # fmt: skip
    page = (folder / "index.html").read_text()
    assert '<base href="./" />' in page and "sunglade-server" not in page
    assert '<meta name="sunglade-device" content="./device/worker.js?parts.json" />' in page
    assert f'content="{content_policy(webassembly=True)}"' in page
    assert (folder / "licenses.md").read_text() == "of the client\nof the parts\n"


def told(folder: Path) -> dict[str, Any]:
    """What the script that keeps a site knows of it."""
    first, _, rest = (folder / offline.SCRIPT).read_text().partition("\n")
    assert rest == SCRIPT
    found: dict[str, Any] = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    return found


def test_a_site_is_an_app_whose_version_changes_with_any_file(tmp_path: Path) -> None:
    (site.PARTS / "network-1.packed-br").write_text("")
    folder = tmp_path / "site"
    site.write_site(folder)
    before = told(folder)
    assert before["files"] == ["assets/main.js", "device/worker.js"] and before["later"] == [
        "device/network-1.packed-br"
    ]
    assert before["page"] == hashlib.sha256((folder / site.PAGE).read_bytes()).hexdigest() and not before["served"]
    assert offline.MARK in (folder / site.PAGE).read_text()
    site.write_site(folder)
    assert told(folder) == before
    for file in (site.CLIENT / "assets" / "main.js", site.CLIENT / site.PAGE, site.PARTS / "network-1.packed-br"):
        file.write_text(file.read_text() + " ")
        site.write_site(folder)
        now = told(folder)
        assert now["version"] != before["version"], file
        before = now


def test_the_policy_of_a_site_adds_nothing_but_webassembly() -> None:
    plain, more = content_policy(webassembly=False), content_policy(webassembly=True)
    assert more == plain.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'") != plain
    assert served_policy() == f"{plain}; frame-ancestors 'none'"


def test_an_older_site_is_replaced_and_nothing_else_ever(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    site.write_site(folder)
    (folder / "assets" / "old.js").write_text("")
    site.write_site(folder)
    assert not (folder / "assets" / "old.js").exists()
    assert not list(tmp_path.glob(".site*"))
    foreign = tmp_path / "photographs"
    foreign.mkdir()
    (foreign / "index.html").write_text("mine")
    for place in (foreign, foreign / "index.html"):
        with pytest.raises(BadRequest, match="is no site of Sunglade"):
            site.write_site(place)
    assert (foreign / "index.html").read_text() == "mine"


@pytest.mark.parametrize("change", ["client", "sources", "damaged", "gone"])
def test_parts_that_do_not_belong_to_this_package_are_not_used(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.device_worker() == "device/worker.js?parts.json"
    made = site.PARTS / site.MADE
    match change:
        case "client":
            (site.CLIENT / site.CLIENT_STAMP).write_text("5678\n")
        case "sources":
            made.write_text(json.dumps(json.loads(made.read_text()) | {"sources": ["rules.py", "no_more.py"]}))
        case "damaged":
            made.write_bytes(made.read_bytes()[:20])
        case "gone":
            made.unlink()
    assert site.device_worker() is None
    assert main(["site", str(tmp_path / "site")]) == 2
    assert "make site" in capsys.readouterr().err and not (tmp_path / "site").exists()


def test_the_command_says_where_the_site_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", str(tmp_path / "site")]) == 0
    assert f"{tmp_path / 'site'} holds the game" in capsys.readouterr().out
