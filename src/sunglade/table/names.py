"""Names of people, and what they say: any writing system, nothing that breaks a line or turns the writing around."""

from __future__ import annotations

import unicodedata
from typing import Final

from sunglade.table.problems import ServerProblem

MOST_NAME: Final = 24
KEPT_JOINERS: Final = ("\u200c", "\u200d")
"""Invisible signs that some scripts and emoji need inside words."""


def clean_name(name: str) -> str:
    """A name as it is kept: composed, single spaces, no control, format or unassigned signs."""
    tidy = clean_line(name)[:MOST_NAME].strip()
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in tidy):
        raise ServerProblem("bad_request", "a name needs at least one letter, number or sign.")
    return tidy


def clean_line(text: str) -> str:
    """A line of any writing system: composed, single spaces, nothing that breaks it or turns the writing around."""
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(sign if _is_visible(sign) else " " if sign.isspace() else "" for sign in composed)
    return " ".join(visible.split())


def _is_visible(sign: str) -> bool:
    return sign in KEPT_JOINERS or unicodedata.category(sign)[0] not in "C"
