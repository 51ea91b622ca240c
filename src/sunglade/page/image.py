"""A memory image of a page's Python: everything imported, so that the next start has it at once.

The kernel is no part of it: its code is loaded when it is first called (`sunglade.prebuilt.library`).
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from sunglade.neural.inference import NEWEST, model_file
from sunglade.words import catalogue

ROOMS: Final = Path(__file__).parent.parent
LANGUAGE: Final = "en"
"""What Python says in a page is for programs; people read the client's words."""


def prepare() -> None:
    """Import all rooms that a page has, and read their words: who starts from the image has no files of them."""
    for name in rooms():
        import_module(name)
    catalogue(LANGUAGE)
    gc.collect()


def rooms() -> Iterator[str]:
    """The modules that lie here, compiled as a page has them."""
    for file in sorted(ROOMS.rglob("*.pyc")):
        module = file.relative_to(ROOMS.parent).with_suffix("")
        yield ".".join(module.parts if module.name != "__init__" else module.parent.parts)


def awake() -> None:
    """Python starts from an image: chance is not what it was when that was made, and of files only folders are there.

    The kernel and the network are put into them.
    """
    random.seed()
    for module in list(sys.modules.values()):
        if module.__name__.partition(".")[0] == __package__.partition(".")[0]:
            Path(module.__file__ or ROOMS).parent.mkdir(parents=True, exist_ok=True)
    model_file(NEWEST).parent.mkdir(parents=True, exist_ok=True)
