"""Text for terminals that lack signs: each is written with those they have, not as a question mark."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final

NAME: Final = "sunglade.plain"
SIGNS: Final = {
    "↘": "\\", "↙": "/", "←": "<", "↖": "\\", "↗": "/", "→": "->", "▒": "#", "×": "x", "·": "-", "…": "...",
    "−": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " ",
}  # fmt: skip


def plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for the signs that cannot be written; a letter loses its accents."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = [_plain(error.object, place) for place in range(error.start, error.end)]
    return "".join(written), error.end


def _plain(text: str, place: int) -> str:
    sign = text[place]
    if sign == "→" and _beside_a_label(text[:place], text[place + 1 :]):
        return ">"  # on the board, where a sign more would push the row aside
    if sign == "…" and re.fullmatch(r"\S… ", text[max(0, place - 1) : place + 2]):
        return "~"  # of a name, which may stand in a column
    return SIGNS.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def _beside_a_label(before: str, after: str) -> bool:
    """Whether an arrow belongs to the sun on the rim, a word in capitals or in Hebrew, or to its corner."""
    if re.search(r"[a-g][1-7] $", before[-3:]):
        return True
    return before.rstrip(" ")[-1:].isupper() or re.match(r" [א-ת]", after[:2]) is not None


def register() -> None:
    """Make it known, by its name, to everything that encodes."""
    codecs.register_error(NAME, plain)
