"""The picture that a link to the game shows, and icons for home screens: `make pictures`.

Drawn from what the client draws anyway (its icon, the forest of its start page), and kept: building needs no browser.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

from web.chromium import browser_and_server
from web.stage import ROOT, Server

ICON = ROOT / "web" / "public" / "icon.svg"
ICONS = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
PREVIEW = "preview.jpg"
PREVIEW_SIZE = (1200, 630)
ALONE = """
    body *, body *::before { visibility: hidden }
    .picture svg.board, .picture svg.board *:not(.ring, .ring *) { visibility: visible }
    .picture { position: fixed !important; inset: 16px 72px 0 400px !important; max-width: none !important }
    .headline { visibility: visible; position: fixed; left: 64px; top: 196px; font-size: 84px; font-weight: 700;
        letter-spacing: -0.02em; line-height: 1; color: #23512c }
    .headline small { visibility: visible; display: block; width: 340px; margin-top: 26px; font-size: 35px;
        font-weight: 500; line-height: 1.25; letter-spacing: 0; color: #3c4534 }
"""


def icon(browser: Browser, size: int) -> bytes:
    """The icon in pixels. Corners are filled: systems cut their own."""
    page = browser.new_page(viewport={"width": size, "height": size})
    drawing = ICON.read_text(encoding="utf-8").replace('rx="15" ', "")
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{drawing}")
    pixels = page.screenshot()
    page.close()
    return pixels


def preview(browser: Browser, server: Server) -> bytes:
    """The forest of the start page with the name of the game."""
    width, height = PREVIEW_SIZE
    context = browser.new_context(
        viewport={"width": width, "height": height}, bypass_csp=True, reduced_motion="reduce", color_scheme="light"
    )
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("select option", state="attached")
    page.add_style_tag(content=ALONE)
    page.evaluate("""async () => {
        const headline = document.createElement("div");
        headline.className = "headline";
        headline.innerHTML = "Sunglade<small>Trees race for light.</small>";
        document.body.append(headline);
        await document.fonts.ready;
    }""")
    pixels = page.screenshot(type="jpeg", quality=84)
    context.close()
    return pixels


def main() -> None:
    folder = Path(sys.argv[1])
    with browser_and_server() as (browser, server):
        (folder / PREVIEW).write_bytes(preview(browser, server))
        for name, size in ICONS.items():
            (folder / name).write_bytes(icon(browser, size))


if __name__ == "__main__":
    main()
