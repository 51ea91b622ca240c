"""The game as static files for any web host: the client, and the parts by which it keeps tables on the device.

Both were built when the package was: the client lies in `web`, the parts (Python, rooms, kernel, network; `make site`
builds them in a checkout) in `device`. Parts belong to a client and to sources: others are not used.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Final

from sunglade.content_policy import content_policy
from sunglade.errors import BadRequest
from sunglade.offline import make_app
from sunglade.words import saying

PACKAGE: Final = Path(__file__).parent
CLIENT: Final = PACKAGE / "web"
PARTS: Final = PACKAGE / "device"
PAGE: Final = "index.html"
PLACE: Final = "device"
"""The folder of the parts, from that of the client."""
LICENCES: Final = "licenses.md"
MADE: Final = "made.json"
"""What the parts were made of, and which of them is to be started."""
CLIENT_STAMP: Final = "sources.txt"
NOT_FOR_HOSTS: Final = (MADE, CLIENT_STAMP)
BASE_MARK: Final = '<base href="/" />'
SERVER_MARK: Final = '<meta name="sunglade-server" content="./api/" />'
DEVICE: Final = "sunglade-device"
"""The name by which the client finds who keeps tables on the device, in the head of its page."""

TYPES: Final = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
    ".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon",
    ".html": "text/html", ".map": "application/json", ".txt": "text/plain", ".webp": "image/webp", ".jpg": "image/jpeg",
    ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav",
}  # fmt: skip
"""Types by our own list: what a machine's registry says about .js must not decide whether scripts run."""

HASHED: Final = ("assets/", f"{PLACE}/")
"""Folders of files whose names change with what is in them."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"


def kept_for(path: str) -> str:
    """How long a browser may keep a file of the client, as the header has it."""
    return FOR_GOOD if path.startswith(HASHED) else ASK_AGAIN


def sources_hash(sources: list[str]) -> str:
    """A hash of files of the package; an empty one where one is gone."""
    digest = hashlib.sha256()
    try:
        for name in sources:
            digest.update(name.encode() + b"\0" + (PACKAGE / name).read_bytes() + b"\0")
    except OSError:
        return ""
    return digest.hexdigest()


def seal() -> None:
    """Say of parts that were just made which sources and which client they belong to."""
    told = json.loads((PARTS / MADE).read_bytes())
    told |= {"hash": sources_hash(told["sources"]), "client": _client_stamp()}
    (PARTS / MADE).write_text(json.dumps(told), encoding="utf-8")


def device_worker() -> str | None:
    """The address, from the client's, of the worker that keeps tables on the device; None without fitting parts."""
    try:
        told = json.loads((PARTS / MADE).read_bytes())
        fits = told["hash"] == sources_hash(told["sources"]) and told["client"] == _client_stamp()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return f"{PLACE}/{told['worker']}" if fits else None


def device_mark(worker: str) -> str:
    """What tells the client of that worker."""
    return f'<meta name="{DEVICE}" content="./{worker}" />'


def write_site(folder: Path) -> int:
    """Write a site, in place of an older one; the number of bytes. It is there whole or not at all."""
    worker = device_worker()
    if worker is None:
        raise BadRequest(saying("terminal.page.missing", command="make site"))
    _refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as near:
        new, old = Path(near, "new"), Path(near, "old")
        _fill(new, worker)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _refuse_foreign(folder: Path) -> None:
    """What lies in the folder is deleted, so it must be a site of ours, or nothing."""
    if folder.is_dir() and (not any(folder.iterdir()) or _is_site(folder)):
        return
    if folder.exists():
        raise BadRequest(f"{folder} is there already and is no site of Sunglade; name another folder, or empty it.")


def _is_site(folder: Path) -> bool:
    page = folder / PAGE
    return page.is_file() and f'name="{DEVICE}"' in page.read_text(encoding="utf-8", errors="replace")


def _fill(folder: Path, worker: str) -> None:
    unwanted = shutil.ignore_patterns(*NOT_FOR_HOSTS)
    shutil.copytree(CLIENT, folder, ignore=unwanted)
    shutil.copytree(PARTS, folder / PLACE, ignore=unwanted)
    with (folder / LICENCES).open("ab") as licences:
        licences.write((folder / PLACE / LICENCES).read_bytes())
    (folder / PLACE / LICENCES).unlink()
    page = (CLIENT / PAGE).read_text(encoding="utf-8")
    (folder / PAGE).write_text(_page(page, worker), encoding="utf-8")
    make_app(folder)


def _page(page: str, worker: str) -> str:
    """The client's page for any folder of any host: no server, tables on this device, and nothing from elsewhere."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{content_policy(webassembly=True)}" />'
    assert BASE_MARK in page and SERVER_MARK in page, "the client's page is another than this knows"
    return page.replace(BASE_MARK, f'{policy}\n    <base href="./" />').replace(SERVER_MARK, device_mark(worker))


def _client_stamp() -> str:
    return (CLIENT / CLIENT_STAMP).read_text(encoding="utf-8").strip()
