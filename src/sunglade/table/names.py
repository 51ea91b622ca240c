"""Names of people: any writing system, nothing that breaks a line or turns the writing around."""

from __future__ import annotations

import unicodedata
from typing import Final

from sunglade.table.problems import ServerProblem

MOST_NAME: Final = 24
KEPT_JOINERS: Final = ("\u200c", "\u200d")
"""Invisible signs that some scripts and emoji need inside words."""


def clean_name(name: str) -> str:
    """A name as it is kept: composed, single spaces, no control, format or unassigned signs."""
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(sign if _is_visible(sign) else " " if sign.isspace() else "" for sign in composed)
    tidy = " ".join(visible.split())[:MOST_NAME].strip()
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in tidy):
        raise ServerProblem("bad_request", "a name needs at least one letter, number or sign.")
    return tidy


def _is_visible(sign: str) -> bool:
    return sign in KEPT_JOINERS or unicodedata.category(sign)[0] not in "C"
