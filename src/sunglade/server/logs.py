"""Logs: one line an entry, for people or as JSON for machines. No token, seed or hidden baby is ever given to it."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import OrderedDict
from typing import Any, Final

_OWN: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}

QUIET_S: Final = 30.0
"""So long nothing is said twice."""
KINDS: Final = 1000
"""Kinds of entries that are remembered."""


def _details(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in record.__dict__.items() if name not in _OWN}


class JsonLines(logging.Formatter):
    """An object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One entry."""
        entry = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **_details(record),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


class PlainLines(logging.Formatter):
    """Time, words, details."""

    def format(self, record: logging.LogRecord) -> str:
        """One entry."""
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        details = " ".join(f"{name}={value!r}" for name, value in _details(record).items())
        line = f"{at} {record.levelname.lower():7} {record.getMessage()} {details}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Throttle(logging.Filter):
    """What is wrong is said once, and again after a while, with how often it happened meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._said: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether an entry is to be written."""
        if record.levelno < logging.WARNING:
            return True
        kind, now = (record.name, record.msg), time.monotonic()
        at, more = self._said.pop(kind, (-QUIET_S, 0))
        quiet = now - at < QUIET_S
        self._said[kind] = (at, more + 1) if quiet else (now, 0)
        if len(self._said) > KINDS:
            self._said.popitem(last=False)
        if more and not quiet:
            record.repeated = more
        return not quiet


def set_up(*, as_json: bool, verbose: bool) -> None:
    """Send logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    handler.addFilter(Throttle())
    for name, level in (("sunglade", logging.INFO if verbose or as_json else logging.WARNING), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
