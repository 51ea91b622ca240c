"""How far something has come: a bar on a terminal, a line now and then elsewhere, nothing when told to be quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from sunglade.words.speech import tell

EVERY_S: Final = 30


class Progress(Protocol):
    """What is told meanwhile."""

    def loading(self) -> None:
        """The bots are being loaded."""
        ...

    def done(self, count: int) -> None:
        """So much is done now."""
        ...


class Quiet:
    """Tells nothing."""

    def loading(self) -> None:
        """Nothing."""

    def done(self, count: int) -> None:
        """Nothing."""


class Lines:
    """A line of text now and then."""

    def __init__(self, what: str, done: int, total: int) -> None:
        self._what = what
        self._total = total
        self._first = done
        self._began = self._told = time.monotonic()

    def loading(self) -> None:
        """Nothing: that does not last long enough to be told in a log."""

    def done(self, count: int) -> None:
        """How many, and how long the others will take at this pace."""
        now = time.monotonic()
        if now - self._told < EVERY_S:
            return
        self._told = now
        left = (now - self._began) / max(count - self._first, 1) * (self._total - count)
        told = {"what": self._what, "done": count, "total": self._total, "time": _duration(left)}
        print(tell("terminal.progress.line", **told), file=sys.stderr, flush=True)


class Bar:
    """A bar with the time that is left."""

    def __init__(self, bar: object, what: str, done: int, total: int) -> None:
        from rich.progress import Progress as RichProgress

        assert isinstance(bar, RichProgress)
        self._bar = bar
        self._what = what
        self._task = bar.add_task(what, completed=done, total=total)

    def loading(self) -> None:
        """Say so beside the bar."""
        self._bar.update(self._task, description=tell("terminal.progress.loading"))

    def done(self, count: int) -> None:
        """Move the bar."""
        self._bar.update(self._task, description=self._what, completed=count)


@contextmanager
def progress(what: str, total: int, *, done: int = 0, quiet: bool = False) -> Iterator[Progress]:
    """What suits standard error; a bar only where Rich is installed."""
    if quiet:
        yield Quiet()
        return
    if not (sys.stderr is not None and sys.stderr.isatty()):
        yield Lines(what, done, total)
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress
    except ImportError:
        yield Lines(what, done, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn(tell("terminal.progress.left")),
        TimeRemainingColumn(elapsed_when_finished=False),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=600) as bar:
        yield Bar(bar, what, done, total)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes >= 60:
        return tell("terminal.progress.hours", hours=minutes // 60, minutes=minutes % 60)
    if minutes:
        return tell("terminal.progress.minutes", minutes=minutes)
    return tell("terminal.progress.seconds", seconds=round(seconds))
