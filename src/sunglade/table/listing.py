"""What the lobby tells of a table: who seeks whom for what, or how a game stands that may be watched.

It is kept with the table's row, so that every process can tell of all tables without opening one.
"""

from __future__ import annotations

from typing import Any

from sunglade.rules import Rules
from sunglade.table.json_text import plain_json
from sunglade.table.table import Table
from sunglade.table.view import scores


def listing(table: Table) -> str | None:
    """`schema.Listing` as JSON; None where the lobby tells nothing: of private tables never, nor of finished ones."""
    if not table.listed or table.over or table.persons == 0:
        return None
    if table.status == "playing" and not table.setup.spectators:
        return None
    return plain_json(_told(table)).decode()


def _told(table: Table) -> dict[str, Any]:
    game, setup = table.game, table.setup
    return {
        "table": table.name,
        "created": table.created,
        "status": table.status,
        "players": setup.players,
        "edition": game.rules.edition,
        "modules": list(game.rules.modules),
        "differing": _differing(game.rules),
        "assistance": setup.assistance,
        "rated": setup.rated,
        "clock": setup.clock,
        "spectators": setup.spectators,
        "seats": [
            {"seat": seat, "kind": chair.kind, "name": table.called(seat), "level": chair.level}
            for seat, chair in enumerate(table.chairs)
        ],
        "round": game.round,
        "rounds": game.rules.rounds,
        "points": [score["total"] for score in scores(game.now)],
    }


def _differing(rules: Rules) -> list[str]:
    """The options that are not as the edition has them."""
    return [name for name in rules.to_dict() if name not in ("edition", "modules")]
