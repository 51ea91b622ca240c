"""Logs: one line an entry, for people or as JSON for machines. No token, seed or hidden baby is ever given to it."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, Final

_OWN: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


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


def set_up(*, as_json: bool, verbose: bool) -> None:
    """Send logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    for name, level in (("sunglade", logging.INFO if verbose or as_json else logging.WARNING), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
