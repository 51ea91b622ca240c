"""Rung whenever something happened at a table, in this process or another one: for those who look at many at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

Wake = Callable[[str], None]


class Doorbell:
    """Who wants to hear of which tables."""

    def __init__(self) -> None:
        self._everything: list[Callable[[], None]] = []
        self._watching: defaultdict[str, dict[Wake, None]] = defaultdict(dict)

    def listen(self, wake: Callable[[], None]) -> None:
        """Hear that something happened somewhere, for as long as the house stands."""
        self._everything.append(wake)

    @contextmanager
    def watch(self, names: Collection[str], wake: Wake) -> Iterator[None]:
        """Hear of some tables for a while, by their names."""
        for name in names:
            self._watching[name][wake] = None
        try:
            yield
        finally:
            for name in names:
                if name in self._watching:
                    self._watching[name].pop(wake, None)
                    if not self._watching[name]:
                        del self._watching[name]

    def ring(self, name: str) -> None:
        """Something happened at a table."""
        for wake_all in self._everything:
            wake_all()
        if name in self._watching:
            for wake in list(self._watching[name]):
                wake(name)
