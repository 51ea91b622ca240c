"""The web client: its page for every address people open, its files, and a plain page where it is not built."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

import sunglade
from sunglade.table.problems import ServerProblem

WEB: Final = Path(sunglade.__file__).parent / "web"
BASE_MARK: Final = '<base href="/"'
PREVIEW_MARK: Final = 'property="og:image" content="./'
"""What a link to the page shows must have a whole address, and only the server knows it."""
YEAR: Final = "public, max-age=31536000, immutable"

TYPES: Final = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json",
    ".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon",
    ".html": "text/html", ".map": "application/json", ".txt": "text/plain", ".webp": "image/webp", ".jpg": "image/jpeg",
    ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav",
}  # fmt: skip
"""Types by our own list: what a machine's registry says about .js must not decide whether scripts run."""

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
    file = _file(path)
    if file is not None:
        kept = YEAR if path.startswith("assets/") else "no-cache"
        kind = TYPES.get(file.suffix, "application/octet-stream")
        return FileResponse(file, media_type=kind, headers={"cache-control": kept})
    if "." in path.rsplit("/", 1)[-1]:
        raise ServerProblem("unknown_page", "there is no such page.")
    text = _index(root, f"{request.url.scheme}://{request.url.netloc}")
    return Response(text, media_type="text/html", headers={"cache-control": "no-cache"})


def _file(path: str) -> Path | None:
    """A file of the built client; nothing outside its folder, and the page itself only with its base."""
    if not path or path == "index.html" or "\0" in path:
        return None
    home = WEB.resolve()
    try:
        found = (home / path).resolve()
        return found if found.is_relative_to(home) and found.is_file() else None
    except (OSError, ValueError):
        return None


def _index(root: str, server: str) -> str:
    """The client's page, told under which path it lies and by which name it was asked for."""
    safe = html.escape(root, quote=True)
    index = WEB / "index.html"
    if not index.is_file():
        return NOT_BUILT.format(root=safe)
    text = index.read_text(encoding="utf-8").replace(BASE_MARK, f'<base href="{safe}/"', 1)
    whole = f"{html.escape(server, quote=True)}{safe}/"
    return text.replace(PREVIEW_MARK, PREVIEW_MARK.removesuffix("./") + whole, 1)
