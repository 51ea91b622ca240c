"""The web client: its page for every address people open, its files, and a plain page where it is not built."""

from __future__ import annotations

import html
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from sunglade import offline, site
from sunglade.content_policy import served_policy
from sunglade.table.problems import ServerProblem

WEB: Final = site.CLIENT
DEVICE: Final = f"{site.PLACE}/"
"""Where the parts for tables on the player's device lie, for those who ask for them."""
BASE_MARK: Final = '<base href="/"'
PREVIEW_MARK: Final = 'property="og:image" content="./'
"""What a link to the page shows must have a whole address, and only the server knows it."""

NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sunglade</title>
<h1>Sunglade</h1>
<p>The server runs, but this copy has no web client.</p>
<p>In a checkout of the sources, <code>make web</code> builds it; an installed package has it already.</p>
<p>Programs can play, too: see <a href="{root}/api/openapi.json">the API</a>.</p>
<p>In the terminal: <code>sunglade play</code>.</p>
</html>
"""

router = APIRouter(include_in_schema=False)


@router.get("/{path:path}")
async def page(path: str, request: Request) -> Response:
    """A file of the client, or its one page, which finds out by itself what to show."""
    root = request.scope.get("root_path", "").rstrip("/")
    if path.startswith("api/") or path == "api":
        raise ServerProblem("unknown_page", "there is no such page.")
    worker: str | None = request.app.state.service.device_worker
    allowed = {} if worker is None else {"content-security-policy": served_policy(webassembly=True)}
    if path == offline.SCRIPT:
        return Response(_offline(worker), media_type=site.TYPES[".js"], headers={"cache-control": site.ASK_AGAIN})
    file = _file(path, worker is not None)
    if file is not None:
        kind = site.TYPES.get(file.suffix, "application/octet-stream")
        return FileResponse(file, media_type=kind, headers={"cache-control": site.kept_for(path), **allowed})
    if "." in path.rsplit("/", 1)[-1]:
        raise ServerProblem("unknown_page", "there is no such page.")
    text = _index(root, f"{request.url.scheme}://{request.url.netloc}", worker)
    return Response(text, media_type="text/html", headers={"cache-control": site.ASK_AGAIN, **allowed})


@cache
def _offline(worker: str | None) -> str:
    """What keeps the client for tables on the device; without those, what rids browsers of what they kept before."""
    try:
        script = (WEB / offline.SCRIPT).read_text(encoding="utf-8")
    except OSError:
        raise ServerProblem("unknown_page", "there is no such page.") from None
    if worker is None:
        return offline.farewell(script)
    files = offline.hashes(WEB) | {f"{DEVICE}{name}": told for name, told in offline.hashes(site.PARTS).items()}
    return offline.service_worker(script, files, served=True)


def _file(path: str, has_parts: bool) -> Path | None:
    """A file of the built client, or of the parts for its device; the page itself only with its base."""
    if not path or path == site.PAGE or "\0" in path:
        return None
    if path.startswith(DEVICE):
        return _inside(site.PARTS, path.removeprefix(DEVICE)) if has_parts else None
    return _inside(WEB, path)


def _inside(folder: Path, path: str) -> Path | None:
    """A file of a folder, and nothing outside it."""
    home = folder.resolve()
    try:
        found = (home / path).resolve()
        return found if found.is_relative_to(home) and found.is_file() else None
    except (OSError, ValueError):
        return None


def _index(root: str, server: str, worker: str | None) -> str:
    """The client's page, told under which path it lies, by which name it was asked for, and who else keeps tables."""
    safe = html.escape(root, quote=True)
    index = WEB / site.PAGE
    if not index.is_file():
        return NOT_BUILT.format(root=safe)
    text = index.read_text(encoding="utf-8").replace(BASE_MARK, f'<base href="{safe}/"', 1)
    if worker is not None:
        text = text.replace(site.SERVER_MARK, site.SERVER_MARK + site.device_mark(worker), 1)
        text = offline.with_mark(text)
    whole = f"{html.escape(server, quote=True)}{safe}/"
    return text.replace(PREVIEW_MARK, PREVIEW_MARK.removesuffix("./") + whole, 1)
