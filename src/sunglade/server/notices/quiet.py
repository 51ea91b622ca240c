"""Hours of the day in which somebody does not want to be told, by the clock of where they live."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sunglade.table.problems import ServerProblem

DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one minute of the day to another, possibly over midnight, in a time zone."""

    begin: int
    end: int
    zone: str

    def until(self, now: float) -> float | None:
        """When they end, as seconds since 1970; None while somebody may be told."""
        here = datetime.fromtimestamp(now, zone_of(self.zone))
        minute = here.hour * 60 + here.minute
        past = (minute - self.begin) % DAY_MINUTES
        if past >= (self.end - self.begin) % DAY_MINUTES:
            return None
        day = here.date() + timedelta(days=int(self.end <= minute))
        ends = datetime(day.year, day.month, day.day, self.end // 60, self.end % 60, tzinfo=here.tzinfo)
        # in the night in which clocks are put back an hour comes twice: never longer than the hours are
        return max(now + 1, ends.astimezone(UTC).timestamp())


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name, such as Europe/Bucharest."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ServerProblem("bad_request", f"{name!r:.60} is no time zone that this server knows.") from None
