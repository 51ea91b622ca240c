"""Clocks of a table: agreed when it is made, and otherwise a fold over its log.

Time is counted in seconds in which servers ran (`retention.RunningClock`), which every event of such a table carries as
`ran`: what no server ran for is charged to nobody, and no machine whose clock is set changes anything. A clock stands
still while the table waits for players, while a bot plays, and on a person's vacation.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from sunglade.table.problems import ServerProblem
from sunglade.table.requests import ClockRequest

DAY_S: Final = 24 * 3600.0
GRACE_S: Final = 3.0
"""A turn is played by a bot so long after its deadline: for commands on their way, and for processes that differ."""
LIVE: Final = "live"
LIMITS: Final = {"live": (10, 3600), "days": (1, 14)}
"""How long a turn may have, in seconds and in days."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """What was agreed: seconds or days a turn, seconds in reserve, what happens then, days of vacation a game."""

    kind: str
    turn: int
    reserve: int = 0
    then: str = "turn"
    vacation: int = 0

    @property
    def turn_s(self) -> float:
        """How long a turn has before the reserve is used."""
        return float(self.turn if self.kind == LIVE else self.turn * DAY_S)

    def to_dict(self) -> dict[str, Any]:
        """As the log keeps it."""
        return asdict(self)


def checked_terms(request: ClockRequest | None) -> dict[str, Any] | None:
    """A clock a table can have, as its agreement keeps it."""
    if request is None:
        return None
    least, most = LIMITS[request.kind]
    unit = "seconds" if request.kind == LIVE else "days"
    if not least <= request.turn <= most:
        raise ServerProblem("bad_request", f"clock.turn must be {least} to {most} {unit}, not {request.turn}.")
    if request.kind == LIVE and request.vacation:
        raise ServerProblem("bad_request", "clock.vacation is for clocks of days.")
    if request.kind != LIVE and request.reserve:
        raise ServerProblem("bad_request", "clock.reserve is for live clocks.")
    return ClockTerms(request.kind, request.turn, request.reserve, request.then, request.vacation).to_dict()


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left: seconds in reserve, seconds of vacation; and until when it is on vacation."""

    reserve: float
    vacation_left: float
    vacation_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Clocks:
    """All clocks of a table up to a moment. `running` is whose clock goes on, None while all stand still."""

    terms: ClockTerms
    seats: tuple[SeatClock, ...]
    at: float
    turn: int
    """The turn of the game that `spent` is about, as `Turns` counts them."""
    mover: int | None = None
    running: int | None = None
    spent: float = 0.0
    is_out: bool = False
    """Whether the time of this turn is over, so that a bot plays it."""

    @classmethod
    def agreed(cls, terms: dict[str, Any], seats: int, at: float | None) -> Clocks:
        """The clocks of a new table."""
        known = ClockTerms(**terms)
        full = SeatClock(float(known.reserve), known.vacation * DAY_S)
        return cls(known, (full,) * seats, at or 0.0, 1)

    def charged(self, ran: float | None) -> Clocks:
        """Up to an event, before it happens: whoever's clock runs has spent the time since the last one."""
        at = max(self.at, ran or 0.0)
        if self.running is None:
            return replace(self, at=at)
        since = max(self.at, self.seats[self.running].vacation_until)
        return replace(self, at=at, spent=self.spent + max(0.0, at - since))

    def following(self, turn: int, mover: int | None, *, runs: bool) -> Clocks:
        """After an event: which turn it is, whose, and whether their clock goes on."""
        clocks = self if turn == self.turn else replace(self._settled(), turn=turn, spent=0.0, is_out=False)
        return replace(clocks, mover=mover, running=mover if runs else None)

    def _settled(self) -> Clocks:
        """A turn has ended: what it took beyond its time is gone from the reserve."""
        beyond = self.spent - self.terms.turn_s
        if self.mover is None or beyond <= 0:
            return self
        seat = self.seats[self.mover]
        return self._with(self.mover, replace(seat, reserve=max(0.0, seat.reserve - beyond)))

    def _with(self, number: int, seat: SeatClock) -> Clocks:
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    @property
    def deadline(self) -> float | None:
        """When the time of whoever is to act is over, in seconds in which servers ran; None while all stand still."""
        if self.running is None:
            return None
        seat = self.seats[self.running]
        left = self.terms.turn_s + seat.reserve - self.spent
        return max(self.at, seat.vacation_until) + max(0.0, left)

    def is_over(self, ran: float) -> bool:
        """Whether a bot is to play, by now."""
        deadline = self.deadline
        return deadline is not None and ran > deadline + GRACE_S

    # Vacations

    def decide_vacation(self, seat: int, days: int | None, ran: float | None) -> dict[str, Any]:
        """The data of a vacation that begins or, with no days, ends."""
        if days is None:
            raise ServerProblem("bad_request", "vacation needs days; 0 ends it.")
        left, on_vacation = self.seats[seat].vacation_left, self.seats[seat].vacation_until > max(self.at, ran or 0.0)
        if days * DAY_S > left + 1.0 or (days and on_vacation):
            raise ServerProblem("no_vacation", f"{int(left // DAY_S)} days of vacation are left to you in this game.")
        return {"days": days}

    def with_vacation(self, number: int, days: int) -> Clocks:
        """A vacation begins; one that ends early gives its rest back."""
        seat = self.seats[number]
        rest = max(0.0, seat.vacation_until - self.at) if not days else 0.0
        left = max(0.0, seat.vacation_left + rest - days * DAY_S)
        return self._with(number, SeatClock(seat.reserve, left, self.at + days * DAY_S))

    def view(self) -> dict[str, Any]:
        """What `schema.ClockView` tells, but the present moment."""
        return {
            "seat": self.running,
            "deadline": self.deadline,
            "seats": [
                {
                    "reserve": seat.reserve,
                    "vacation_left": seat.vacation_left,
                    "vacation_until": seat.vacation_until if seat.vacation_until > self.at else None,
                }
                for seat in self.seats
            ],
        }
