"""Marks that must be seen; those on the board are measured in web/src/board/marks.test.ts, where their colours are."""

from __future__ import annotations

import re

import pytest

from web.pixels import Colour, contrast
from web.stage import ROOT

CSS = (ROOT / "web" / "src" / "app.css").read_text(encoding="utf-8")
BLOCKS = {
    "light": CSS[CSS.index(":root {") : CSS.index(":root[data-theme")],
    "dark": CSS[CSS.index(":root[data-theme") : CSS.index("@media")],
}


def colour(block: str, name: str) -> Colour:
    found = re.search(rf"--{name}: #([0-9a-f]{{6}});", block)
    assert found, name
    r, g, b = bytes.fromhex(found[1])
    return r, g, b


@pytest.mark.parametrize("theme", list(BLOCKS))
@pytest.mark.parametrize(("ink", "needed"), [("faint", 3.0), ("muted", 4.5), ("ink", 4.5), ("danger", 4.5)])
def test_words_can_be_read_on_every_card_and_what_cannot_be_pressed_too(theme: str, ink: str, needed: float) -> None:
    for under in ("card", "card-2"):
        assert contrast(colour(BLOCKS[theme], ink), colour(BLOCKS[theme], under)) >= needed
