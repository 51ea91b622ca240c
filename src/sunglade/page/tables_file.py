"""All tables of a device as one file, to be kept or taken to another device: the texts that its store has."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from sunglade.errors import BadRequest

FORMAT: Final = "sunglade-tables"
VERSION: Final = 1
OF_TABLES: Final = {"1-table": "", "2-event": "", "3-seat": "table_id"}
"""What belongs to a table: its name stands in the key, or in a field. Codes that move seats are good for minutes."""


def as_file(texts: Mapping[str, str]) -> dict[str, Any]:
    """The file: texts of tables by table, then by key."""
    return {"format": FORMAT, "version": VERSION, "tables": by_table(texts)}


def by_table(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The texts of each table. One that tells no table is left out."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, text in texts.items():
        table = table_of(key, text)
        if table is not None:
            found[table][key] = text
    return dict(found)


def table_of(key: str, text: str) -> str | None:
    """The table that a text belongs to."""
    kind, _, rest = key.partition("/")
    if kind not in OF_TABLES:
        return None
    if not OF_TABLES[kind]:
        return rest.partition("/")[0]
    try:
        name = json.loads(text)[OF_TABLES[kind]]
    except (ValueError, LookupError, TypeError):
        return None
    return name if isinstance(name, str) else None


def read_file(told: object) -> dict[str, dict[str, str]]:
    """The texts of each table in a file; each belongs to the table that it is told of."""
    if not isinstance(told, dict) or told.get("format") != FORMAT or not isinstance(told.get("tables"), dict):
        raise BadRequest("this is no file of tables.")
    if told.get("version") != VERSION:
        raise BadRequest(f"this file of tables has version {told.get('version')}; this program reads {VERSION}.")
    return {name: texts for name, texts in told["tables"].items() if _are_of(name, texts)}


def _are_of(name: str, texts: object) -> bool:
    return isinstance(texts, dict) and all(
        isinstance(text, str) and table_of(key, text) == name for key, text in texts.items()
    )
