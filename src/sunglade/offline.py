"""A site as an app: the script by which browsers keep it, so that it opens without a network and never half.

The client's build has the script; which files there are is written in front of it, so that it is another one as soon as
any file is: by that, browsers notice a new version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SCRIPT: Final = "service_worker.js"
PAGE: Final = "index.html"
MARK: Final = f'<meta name="sunglade-offline" content="./{SCRIPT}" />'
"""What tells the client of it, in the head of its page."""
BEFORE: Final = "<title>"
LATER: Final = ("device/network-",)
"""Beginnings of the names of what can be kept later: nobody needs it to play."""
NOT_KEPT: Final = (
    PAGE,
    SCRIPT,
    "licenses.md",
    "preview.jpg",
    "sources.txt",
    "device/sources.txt",
    "device/made.json",
    "device/licenses.md",
)
"""What no page asks for, and the page itself, which browsers ask for by the name of its folder."""


def make_app(folder: Path) -> None:
    """Make an app of a site that lies whole in a folder."""
    page = folder / PAGE
    page.write_text(with_mark(page.read_text(encoding="utf-8")), encoding="utf-8")
    script = folder / SCRIPT
    script.write_text(service_worker(script.read_text(encoding="utf-8"), hashes(folder)), encoding="utf-8")


def hashes(folder: Path) -> dict[str, str]:
    """The files of a folder, each with a hash of what is in it."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def with_mark(page: str) -> str:
    """The client's page, told that it is an app."""
    assert BEFORE in page, "the client's page has no title"
    return page.replace(BEFORE, f"{MARK}\n    {BEFORE}", 1)


def service_worker(script: str, files: Mapping[str, str], *, served: bool = False) -> str:
    """The script for a site with files of these names and hashes; `served` where a server writes the page anew."""
    kept = sorted(name for name in files if name not in NOT_KEPT)
    later = [name for name in kept if name.startswith(LATER)]
    version = hashlib.sha256(json.dumps([(name, files[name]) for name in (*kept, PAGE)]).encode()).hexdigest()
    return _told(script, version[:16], None if served else files[PAGE], [n for n in kept if n not in later], later)


def farewell(script: str) -> str:
    """The script for what is no app: browsers that kept another site at this address delete it."""
    return _told(script, "", None, [], [])


def _told(script: str, version: str, page: str | None, files: list[str], later: list[str]) -> str:
    site = {"version": version, "page": page, "served": page is None, "files": files, "later": later}
    return f"const SITE = {json.dumps(site)};\n{script}"
