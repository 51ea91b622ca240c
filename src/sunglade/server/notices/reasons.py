"""What there is to tell somebody of a table: what is still true and came after the last thing they were told.

It is worked out from the table and its log whenever it is to be sent. So nothing is told of a turn that has passed, and
nothing is lost: as long as a notice has not been taken, the same is worked out again, with the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sunglade.table.table import Event, Table

PAST_READ: Final = 200
"""Of a longer past nobody is told who sat down in it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why somebody is told: by which event, and who it is about (a seat)."""

    kind: str
    seq: int
    seat: int | None = None
    at: float | None = None
    """When it happened, where there is nothing to do about it: whoever is at the table afterwards knows it."""

    def id_at(self, table: str) -> str:
        """The same for the same reason, whoever works it out, however often."""
        return f"{table}-{self.seq}-{self.kind}"


def for_holder(table: Table, past: Sequence[Event], holder: str, told: int) -> Reason | None:
    """What to tell a person who has been told everything up to an event; the most important first."""
    mine = table.seats_of(holder)
    if not mine:
        return None
    found = [_over(table), _turn(table, mine), _offer(table, mine), _sat(table, past, holder)]
    return next((reason for reason in found if reason is not None and reason.seq > told), None)


def for_group(table: Table, told: int) -> Reason | None:
    """What to tell a group: whose turn it is, and how the game ended."""
    people = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "person"]
    found = [_over(table), _turn(table, people)]
    return next((reason for reason in found if reason is not None and reason.seq > told), None)


def _over(table: Table) -> Reason | None:
    return Reason("over", table.turn_seq, at=table.turn_since) if table.over else None


def _turn(table: Table, seats: Sequence[int]) -> Reason | None:
    """It is their turn, and no bot plays it for them."""
    seat = table.game.player
    if table.status != "playing" or seat is None or seat not in seats or table.chairs[seat].playing != "person":
        return None
    return Reason("turn", table.turn_seq, seat)


def _offer(table: Table, mine: Sequence[int]) -> Reason | None:
    offer = table.offers.open
    if offer is None or not any(seat in mine for seat in table.awaited):
        return None
    return Reason(f"offer_{offer.kind}", offer.seq, offer.seat)


def _sat(table: Table, past: Sequence[Event], holder: str) -> Reason | None:
    """Somebody has come to a table where the game has hardly begun, since one was last there oneself."""
    there = max((event.seq for event in past if event.holder == holder), default=0)
    came = [event for event in past if event.kind == "sat" and event.holder != holder and event.seq > there]
    if not came or table.over or table.game.round > 1:
        return None
    return Reason("sat", came[-1].seq, came[-1].seat, came[-1].at)
