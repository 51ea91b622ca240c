"""Whether what was built is still what would be built: asked without waiting for a compiler."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Final

from sunglade.prebuilt.library import ABILITIES, SUFFIX, SUFFIXES, machine
from sunglade.prebuilt.sources import LIBRARY_ROOMS, content_hash, fingerprint

KINDS: Final = ("native", "wasm")
WASM: Final = "emscripten-wasm32"
"""What a Python that runs in a browser calls its machine."""


def libraries(kind: str) -> list[str]:
    """What there is to build: `native`, for the kinds of processor that such machines have, or `wasm`."""
    if kind == "wasm":
        return [WASM]
    processors = list(ABILITIES) if platform.machine() in ("x86_64", "AMD64") else [platform.machine()]
    return [machine(processor) for processor in processors]


def stamp() -> dict[str, str]:
    """What a library is made of: the kernel's sources, and those of the builder."""
    return {"sources": fingerprint(LIBRARY_ROOMS), "builder": fingerprint(("prebuilding",))}


def is_current(kind: str, folder: Path) -> bool:
    """Whether all its libraries were made from exactly these sources by exactly this builder."""
    return not missing(kind, folder)


def missing(kind: str, folder: Path) -> list[str]:
    """The libraries of a kind that have to be built."""
    now = stamp()
    return [page.stem for page, file in files(kind, folder) if not _is_whole(page, file, now)]


def files(kind: str, folder: Path) -> list[tuple[Path, Path]]:
    """The libraries of a kind in a folder, each after the page that goes with it."""
    suffix = SUFFIXES["emscripten"] if kind == "wasm" else SUFFIX
    return [(folder / f"{name}.json", folder / f"{name}{suffix}") for name in libraries(kind)]


def _is_whole(page: Path, file: Path, made_of: dict[str, str]) -> bool:
    """Whether a page tells of the library beside it and of what it was to be made of."""
    try:
        told: dict[str, object] = json.loads(page.read_bytes())
        return (made_of | {"library": content_hash(file)}).items() <= told.items()
    except (OSError, ValueError, AttributeError):
        return False
