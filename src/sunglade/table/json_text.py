"""JSON as tables read and write it: strict in what comes in, and written by whatever the process has for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from sunglade.errors import SungladeError
from sunglade.gamefile import parse_json
from sunglade.table.problems import ServerProblem, problem_of

MOST_DIGITS: Final = 20
MOST_KEYS: Final = 64
MOST_BODY: Final = 256 * 1024
"""Bytes of a request that brings a game."""

JsonWriter = Callable[[Any], bytes]
"""Writes plain objects without needless spaces. Where there is a quicker one than Python's, it is handed in."""


def plain_json(value: Any) -> bytes:
    """JSON by Python's own writer."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def read_json(text: str | bytes) -> Any:
    """JSON whose texts are texts: half of a pair of signs cannot be kept or sent on. And nothing without end."""
    try:
        read = parse_json(text, most_digits=MOST_DIGITS)
        if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # type: ignore[operator]
            json.dumps(read, ensure_ascii=False).encode()
    except SungladeError as error:
        raise problem_of(error) from None
    except UnicodeEncodeError:
        raise ServerProblem("bad_json", "not JSON that can be used: half of a surrogate pair.") from None
    if isinstance(read, dict) and len(read) > MOST_KEYS:
        raise ServerProblem("bad_json", f"an object may have {MOST_KEYS} keys here.")
    return read
