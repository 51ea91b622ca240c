"""Whether what was built is still what would be built: asked without waiting for a compiler."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Final

from sunglade.prebuilt.library import ABILITIES, machine
from sunglade.prebuilt.sources import PREBUILT_ROOMS, fingerprint

KINDS: Final = ("native", "wasm")
WASM: Final = "wasm32"


def libraries(kind: str) -> list[str]:
    """What there is to build: `native`, for the kinds of processor that such machines have, or `wasm`."""
    if kind == "wasm":
        return [WASM]
    processors = list(ABILITIES) if platform.machine() in ("x86_64", "AMD64") else [platform.machine()]
    return [machine(processor) for processor in processors]


def stamp() -> dict[str, str]:
    """What a library is made of: the kernel's sources, and those of the builder."""
    return {"sources": fingerprint(PREBUILT_ROOMS), "builder": fingerprint(("prebuilding",))}


def is_current(kind: str, folder: Path) -> bool:
    """Whether all its libraries were made from exactly these sources by exactly this builder."""
    now = stamp()
    return all(now.items() <= _page(folder / f"{name}.json").items() for name in libraries(kind))


def _page(file: Path) -> dict[str, object]:
    page: dict[str, object] = json.loads(file.read_bytes()) if file.is_file() else {}
    return page
