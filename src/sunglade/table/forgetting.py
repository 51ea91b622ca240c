"""Taking somebody's name out of a table's log: seats that they named are called by their species, actions stay."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from sunglade.table.table import Event


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An event of a log as it is without a name: what was agreed or done, and what clients were told of it."""

    seq: int
    data: dict[str, Any]
    told: str | None


@dataclass(slots=True)
class Names:
    """Which seats have a name that some clients (holders) gave them, read from a log from its beginning on."""

    holders: set[str]
    named: set[int] = field(default_factory=set)
    """Seats whose name, or whose former player's name, is by one of them."""
    rematch: str | None = None
    """The table where they may sit again under other numbers, which come among `holders_there`."""
    holders_there: set[str] = field(default_factory=set)

    def without(self, events: Iterable[tuple[Event, str | None]]) -> list[Rewritten]:
        """The events that tell a name by one of them, without it."""
        found = []
        for event, told in events:
            before = set(self.named)
            data = self._taken_up(event)
            kept = _retold(event.kind, told, before, self.named)
            if data != event.data or kept != told:
                found.append(Rewritten(event.seq, data, kept))
        return found

    def _taken_up(self, event: Event) -> dict[str, Any]:
        """Who names which seat from here on; and the event without such names."""
        data, seat = event.data, event.seat or 0
        match event.kind:
            case "created":
                mine = [number for number, each in enumerate(data["seats"]) if each.get("holder") in self.holders]
                self.named.update(number for number in mine if data["seats"][number].get("name") is not None)
                seats = [each | {"name": None} if at in mine else each for at, each in enumerate(data["seats"])]
                return data | {"seats": seats}
            case "sat":
                return self._named(seat, data, data["holder"] in self.holders)
            case "renamed":
                return self._named(seat, data, event.holder in self.holders)
            case "bot_sat":
                self.named.discard(seat)
            case "rematch":
                self.rematch = data["table"]
                self.holders_there = {new for old, new in data["holders"].items() if old in self.holders}
        return data

    def _named(self, seat: int, data: dict[str, Any], mine: bool) -> dict[str, Any]:
        if mine and data.get("name") is not None:
            self.named.add(seat)
            return data | {"name": None}
        if not mine:
            self.named.discard(seat)
        return data


def _retold(kind: str, told: str | None, before: Collection[int], after: Collection[int]) -> str | None:
    """What clients were told, without names of those seats."""
    if not told or kind not in ("sat", "sat_again", "left", "reopened", "renamed"):
        return told
    parts = json.loads(f"[{told}]")
    for part in parts:
        seat = part.get("seat")
        if seat in after and part.get("name") is not None:
            part["name"] = None
        if seat in before and part.get("before") is not None:
            part["before"] = None
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))[1:-1]
