"""What is asked of whatever keeps tables: SQL databases (`sunglade.server.database`), or memory (`memory_log.py`).

Every question may fail with `DatabaseTrouble`, also when what was asked for has happened nevertheless.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from sunglade.table.forgetting import Rewritten
from sunglade.table.people_log import PeopleLog
from sunglade.table.saying import Saying
from sunglade.table.table import Event
from sunglade.table.tokens import hashed

REPEATED: Final = ("changed", "seq", "status", "bot_due", "deadline", "listing", "rating_due")
"""What a table's row repeats of its log."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A client that holds or held seats at a table, by one of its tokens (hashed)."""

    token: str
    id: str
    table_id: str
    created: float
    present_until: float
    person: str | None = None
    """Whose it is (`people_log.py`), where somebody wants to be known again."""


@dataclass(frozen=True, slots=True)
class SeatCode:
    """By which a seat moves to another device, or an open one is taken, once (hashed); `holder` is empty for that."""

    code: str
    table_id: str
    seat: int
    holder: str
    expires: float

    @property
    def place(self) -> tuple[str, int, str]:
        """What has one code at a time."""
        return self.table_id, self.seat, self.holder


@dataclass(frozen=True, slots=True)
class SpentCode:
    """A code that is good no longer."""

    code: str


@dataclass(frozen=True, slots=True)
class Founding:
    """A new table: its row and its first event."""

    row: dict[str, Any]
    event: Event


Also = Holder | SpentCode | Founding
"""What else changes together with an event."""


@dataclass(frozen=True, slots=True)
class Append:
    """An event to be added to a table's log, and what else changes if, and only if, it is."""

    table: str
    event: Event
    row: dict[str, Any]
    """New values of the table's row."""
    also: Sequence[Also] = ()
    told: str | None = None


class TableLog(PeopleLog, Protocol):
    """Tables, their logs, who holds seats, who these people are."""

    @property
    def kind(self) -> str:
        """What keeps them."""

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same logs."""

    async def close(self) -> None:
        """Let go of everything."""

    async def check(self) -> None:
        """Write something: trouble, if there is any, comes now."""

    async def listen(self, tell: Callable[[str], None]) -> None:
        """Tell what other processes say of tables, until nothing can be heard any more."""

    # Events

    async def create(self, row: dict[str, Any], event: Event, holders: Sequence[Holder] = ()) -> None:
        """A new table with its first event."""

    async def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events, all that find their place; for each whether it did. Its place or its command may be taken."""

    async def log(self, table: str, since: int = 0, limit: int | None = None) -> list[Event]:
        """Events of a table after a sequence number, in order."""

    async def command(self, table: str, holder: str, command: str) -> Event | None:
        """The event a client's command became, if it did."""

    async def newest(self, table: str, kind: str) -> Event | None:
        """The newest event of a kind in a table's log."""

    async def seqs(self, names: Sequence[str]) -> dict[str, int]:
        """How far the logs of tables have come."""

    async def told(self, table: str, since: int, last: int, limit: int) -> list[tuple[int, str | None]]:
        """What was told of events after a sequence number and up to another, in order."""

    async def keep_told(self, table: str, told: Sequence[tuple[int, str]]) -> None:
        """Keep what is told of events that are in the log already."""

    async def rewrite(self, table: str, events: Sequence[Rewritten], holders: Collection[str]) -> None:
        """Take the name of some clients out of events that are in the log already, and from what they said."""

    # Seats

    async def holders(self, names: Sequence[str]) -> list[Holder]:
        """Who has tokens at tables."""

    async def known(self, tokens: Sequence[str]) -> list[Holder]:
        """Whose tokens (hashed) these are."""

    async def add_holder(self, holder: Holder) -> None:
        """Give somebody a token, once."""

    async def link(self, tokens: Sequence[str], person: str) -> int:
        """Seats of these tokens (hashed) are a person's, where they are nobody's yet; how many tables that were."""

    async def tables_of(self, person: str, before: tuple[float, str] | None, limit: int) -> list[Holder]:
        """Where a person has or had seats, a holder a table, the newest first; those after a place in that order."""

    async def be_present(self, holders: Sequence[str], until: float) -> None:
        """Clients are connected to some process."""

    async def invitation(self, table: str) -> str | None:
        """A table's invitation (hashed)."""

    async def invite(self, table: str, invitation: str) -> bool:
        """Change a table's invitation; whether it is there."""

    async def code(self, table: str, code: str) -> SeatCode | None:
        """The seat a code (hashed) is for."""

    async def keep_code(self, code: SeatCode) -> bool:
        """Keep a seat's new code instead of the holder's older one; not for a table that is gone or just going."""

    # What nobody keeps

    async def say(self, hints: Sequence[str]) -> None:
        """Let other processes hear something, if they listen."""

    # Talk

    async def keep_saying(self, table: str, saying: Saying) -> Saying | None:
        """Keep something that is said, once, with its number; the oldest of too many go. None: no such table."""

    async def said(self, table: str, since: int, limit: int) -> list[Saying]:
        """What was said at a table after a number, in order."""

    async def newest_said(self, names: Sequence[str]) -> dict[str, int]:
        """The number of the newest thing said at each table."""

    async def muted(self, table: str) -> frozenset[int]:
        """Seats that may say nothing more."""

    async def mute(self, table: str, seat: int, *, muted: bool) -> bool:
        """Let a seat say nothing more, or again; whether the table is there."""

    # Bots

    async def lease(self, table: str, process: str, seconds: float) -> bool:
        """Have a table's bots to a process for some time, by a clock that all share, unless another one has."""

    async def renew(self, names: Sequence[str], process: str, seconds: float) -> None:
        """Go on to have them."""

    async def release(self, table: str, process: str) -> None:
        """Leave a table's bots to others."""

    async def bots_due(self, after: str, limit: int) -> list[tuple[str, int]]:
        """Tables, in the order of their names, where a bot is to act and no process is at it; how far each has come."""

    async def leave_alone(self, table: str) -> None:
        """Nothing can be done for the bots and clocks of a table."""

    async def next_deadline(self) -> float | None:
        """The first deadline of all tables, in seconds in which servers ran."""

    async def overdue(self, ran: float, limit: int) -> list[tuple[str, int]]:
        """Tables with a deadline before that, the first ones first; how far each has come."""

    # The lobby

    async def listings(self, status: str, limit: int, *, newest: bool = False) -> list[str]:
        """What the lobby tells of tables, while somebody of them is there: the oldest or the newest."""

    async def attend(self, names: Sequence[str], seconds: float) -> None:
        """Somebody of these tables is there: they are listed for so long, by the clock of running servers."""

    # How long tables are kept

    async def clock(self) -> float:
        """How many seconds servers have run."""

    async def advance_clock(self, seconds: float) -> None:
        """It is so late, or later."""

    async def unmarked(self, names: Sequence[str], seconds: float) -> dict[str, bool]:
        """Tables that are there, and whether none has marked them as used for so long."""

    async def mark(self, names: Sequence[str]) -> None:
        """Tables are in use. Those that somebody changes at this moment need no mark."""

    async def keep(self, table: str) -> bool:
        """A table is in use; whether it is there."""

    async def mark_forgotten(self) -> None:
        """Begin to count idle time where nobody knows when a table was used."""

    async def delete_idle(self, seconds: float, limit: int, *, uploaded: bool) -> list[str]:
        """Delete some tables, whole, that were not used for so long; which. Others are told."""

    async def delete_table(self, name: str) -> bool:
        """Delete a table, whole, in use or not; whether it was there."""


def new_holder_row(table: str, holder: str, token: str, person: str | None = None) -> Holder:
    """Keeps a client's number with the hash of its token."""
    now = time.time()
    return Holder(hashed(token), holder, table, now, now, person)
