"""What a link to the game shows where it is pasted, and the icons of home screens."""

from __future__ import annotations

import base64
import json
import re
import struct

import httpx
from playwright.sync_api import Browser

from sunglade.server.pages import _index
from web.link_pictures import ICONS, PREVIEW, PREVIEW_SIZE, icon
from web.stage import PATIENCE_S, ROOT, Server

PUBLIC = ROOT / "web" / "public"
MOST_BYTES = {PREVIEW: 120_000, "icon-180.png": 8_000, "icon-192.png": 8_000, "icon-512.png": 20_000}

DIFFERENCE = """async ([one, other]) => {
    const pixels = await Promise.all([one, other].map(async picture => {
        const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    if (pixels[0].length !== pixels[1].length) return 255;
    return pixels[0].reduce((sum, value, i) => sum + Math.abs(value - pixels[1][i]), 0) / pixels[0].length;
}"""


def told(text: str) -> dict[str, str]:
    """What the page says of itself to those who only look at its head."""
    tags = re.findall(r"<meta\s+(?:property|name)=\"([\w:-]+)\"\s+content=\"([^\"]*)\"", text)
    return dict(tags)


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height, as the frame header of a JPEG says."""
    at = 2
    while data[at + 1] not in (0xC0, 0xC2):
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", data[at + 5 : at + 9])
    return width, height


def test_every_page_names_a_picture_by_a_whole_address_and_it_is_there(server: Server) -> None:
    for path in ("", "t/sometable", "guide"):
        page = httpx.get(f"{server.address}/{path}", timeout=PATIENCE_S)
        tags = told(page.text)
        assert tags["og:title"] == "Sunglade"
        assert tags["og:description"] == tags["description"]
        assert tags["og:image"] == f"{server.address}/{PREVIEW}"
        assert tags["twitter:card"] == "summary_large_image"
    picture = httpx.get(tags["og:image"], timeout=PATIENCE_S)
    assert picture.headers["content-type"] == "image/jpeg"
    assert jpeg_size(picture.content) == PREVIEW_SIZE == (int(tags["og:image:width"]), int(tags["og:image:height"]))


def test_a_name_in_the_request_cannot_write_into_the_page(server: Server) -> None:
    for host in ('localhost"><script>', 'localhost:80"><script>', "evil.example\\@localhost", "user@localhost"):
        assert httpx.get(server.address, timeout=PATIENCE_S, headers={"host": host}).status_code == 421, host
    page = _index('/"><script>', 'http://localhost"><script>', None)
    assert "<script>" not in page.replace('<script type="module"', "")
    assert "&quot;&gt;&lt;script&gt;" in page


def test_pictures_are_small_and_no_part_of_the_first_load() -> None:
    for name, most in MOST_BYTES.items():
        assert (PUBLIC / name).stat().st_size <= most, name
    index = (ROOT / "web" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<(img|source)[^>]+(preview|icon-)", index)


def test_icons_are_those_of_the_drawing(browser: Browser) -> None:
    page = browser.new_page()
    for name, size in ICONS.items():
        kept = base64.b64encode((PUBLIC / name).read_bytes()).decode()
        drawn = base64.b64encode(icon(browser, size)).decode()
        assert page.evaluate(DIFFERENCE, [kept, drawn]) < 2, f"{name}: `make pictures` draws it anew"
    page.close()


def test_the_manifest_names_icons_that_are_there(server: Server) -> None:
    answer = httpx.get(f"{server.address}/sunglade.webmanifest", timeout=PATIENCE_S)
    assert answer.headers["content-type"] == "application/manifest+json"
    for entry in json.loads(answer.text)["icons"]:
        found = httpx.get(f"{server.address}/{entry['src']}", timeout=PATIENCE_S)
        assert found.headers["content-type"] == entry["type"]
