"""Which sources compiled code is made of, and a fingerprint of them: old rules must never run by accident."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent.parent

WIDE_ROOMS: Final = ("neural/forward",)
"""Rooms whose functions compute with as many numbers at once as a processor can: built for each kind of processor."""
PREBUILT_ROOMS: Final = (
    *("board.py", "options.py", "rules.py", "deal.py", "kernel", "encode.py", "search", "neural/heads.py"),
    *WIDE_ROOMS,
)
"""The rooms whose compiled functions play the game, and what those take their tables from."""
LIBRARY_ROOMS: Final = (*PREBUILT_ROOMS, "prebuilding/exports.py", "prebuilt/passing.py")
"""What a library must be made of to be used: the functions, and the way in which they are called."""
COMPILED_ROOMS: Final = (*PREBUILT_ROOMS, "neural", "envs")
"""All rooms with compiled functions."""


def fingerprint(rooms: tuple[str, ...]) -> str:
    """A hash of all sources of these rooms; where there are none, as in a page, of what Python made of them."""
    digest = hashlib.sha256()
    for source in _sources(rooms, ".py") or _sources(rooms, ".pyc"):
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _sources(rooms: tuple[str, ...], suffix: str) -> list[Path]:
    """The files of rooms; of compiled ones those that stand for their sources."""
    found = {(PACKAGE / room).with_suffix(suffix) for room in rooms if room.endswith(".py")}
    found |= {file for room in rooms for file in (PACKAGE / room).rglob(f"*{suffix}")}
    return sorted(file for file in found if file.is_file() and file.parent.name != "__pycache__")


def content_hash(file: Path) -> str:
    """A hash of what stands in a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def is_prebuilt(module: str, rooms: tuple[str, ...] = PREBUILT_ROOMS) -> bool:
    """Whether the compiled functions of a module belong to what is prebuilt, or to these of its rooms."""
    package, _, inside = module.partition(".")
    path = f"{inside.replace('.', '/')}.py"
    return package == "sunglade" and any(path == room or path.startswith(f"{room}/") for room in rooms)
