"""What bots are called at a table, so that several of one level are told apart. Their level stays what it is."""

from __future__ import annotations

from typing import Final
from zlib import crc32

BOT_NAMES: Final = (
    "Pim", "Tavi", "Nuri", "Runa", "Kip", "Lumi", "Fenn", "Oda",
    "Miro", "Elva", "Juno", "Bram", "Tilo", "Yuna", "Ivo", "Nell",
)  # fmt: skip
"""Short, of no language in particular, and none of a species, animal or level."""


def given_name(table: str, seat: int) -> str:
    """The name of the bot in a seat: the same whoever asks, and no two alike at a table."""
    return BOT_NAMES[(crc32(table.encode()) + seat) % len(BOT_NAMES)]
