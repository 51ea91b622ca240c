"""Whether what was built is still what would be built: asked without waiting for a compiler."""

from __future__ import annotations

import json
import platform
from pathlib import Path

from sunglade.prebuilt.library import ABILITIES, machine
from sunglade.prebuilt.sources import PREBUILT_ROOMS, fingerprint

WASM = "wasm32"


def targets(kind: str) -> list[str]:
    """What there is to build: `native`, for the kinds of processor that such machines have, `wasm`, or `all`."""
    here = list(ABILITIES) if platform.machine() in ("x86_64", "AMD64") else [platform.machine()]
    return [machine(processor) for processor in here if kind != "wasm"] + [WASM] * (kind != "native")


def stamp() -> dict[str, str]:
    """What a library is made of: the kernel's sources, and those of the builder."""
    return {"sources": fingerprint(PREBUILT_ROOMS), "builder": fingerprint(("prebuilding",))}


def outdated(kind: str, folder: Path) -> list[str]:
    """Targets without a library made from exactly these sources by exactly this builder."""
    now = stamp()
    return [target for target in targets(kind) if not now.items() <= _page(folder / f"{target}.json").items()]


def _page(file: Path) -> dict[str, object]:
    page: dict[str, object] = json.loads(file.read_bytes()) if file.is_file() else {}
    return page
