"""The engine where there are no threads: one line after the other (the bots' worker of a page)."""

from __future__ import annotations

import json

from sunglade.engine import answer


def answered(line: str) -> str:
    """The answer to a line of the engine's protocol, however long it takes."""
    return json.dumps(answer(line.encode()), separators=(",", ":"))
