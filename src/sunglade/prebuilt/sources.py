"""Which sources compiled code is made of, and a fingerprint of them: old rules must never run by accident."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent.parent

PREBUILT_ROOMS: Final = ("board.py", "options.py", "rules.py", "deal.py", "kernel", "encode.py", "search")
"""The rooms whose compiled functions play the game, and what those take their tables from."""
LIBRARY_ROOMS: Final = (*PREBUILT_ROOMS, "prebuilding/exports.py", "prebuilt/passing.py")
"""What a library must be made of to be used: the functions, and the way in which they are called."""
COMPILED_ROOMS: Final = (*PREBUILT_ROOMS, "neural", "envs")
"""All rooms with compiled functions."""


def fingerprint(rooms: tuple[str, ...]) -> str:
    """A hash of all sources of these rooms."""
    digest = hashlib.sha256()
    folders = [PACKAGE / room for room in rooms]
    for source in sorted({file for room in folders for file in (room, *room.rglob("*.py")) if file.is_file()}):
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def content_hash(file: Path) -> str:
    """A hash of what stands in a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def is_prebuilt(module: str) -> bool:
    """Whether the compiled functions of a module belong to what is prebuilt."""
    package, _, inside = module.partition(".")
    room = inside.partition(".")[0]
    return package == "sunglade" and (room in PREBUILT_ROOMS or f"{room}.py" in PREBUILT_ROOMS)
