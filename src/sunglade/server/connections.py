"""Who is connected, by address: when there are too many, whoever takes most places gives one up, players last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Final

from sunglade.server.limits import client_key
from sunglade.server.metrics import Metrics
from sunglade.table.problems import ServerProblem

RETRY_S: Final = 30.0
"""Who had to make space may come again after this time."""
UNKNOWN: Final = ""
"""The address of connections of a proxy before their first request."""


class Place:
    """A connection's place: whose it is, and how it is ended."""

    __slots__ = ("address", "end", "plays")

    def __init__(self, address: str, end: Callable[[ServerProblem], None]) -> None:
        self.address = address
        self.end = end
        self.plays = False


class Connections:
    """All open connections. `most` in all and `most_each` of one address; 0 for as many as come."""

    def __init__(self, most: int, most_each: int, metrics: Metrics, *, proxied: bool) -> None:
        self._most = most
        self._most_each = most_each
        self._metrics = metrics
        self._proxied = proxied
        self._places: dict[Hashable, Place] = {}  # by transport
        self._guests = _Crowd()
        self._players = _Crowd()

    def enter(self, transport: Hashable, host: str | None, end: Callable[[ServerProblem], None]) -> Place:
        """A new connection. Behind a proxy only a request tells whose it is."""
        place = self._places[transport] = Place(UNKNOWN if self._proxied else client_key(host), end)
        self._guests.add(place)
        self._make_space(place)
        self._metrics.open.set(len(self._places))
        return place

    def change(self, transport: Hashable, end: Callable[[ServerProblem], None]) -> Place:
        """A connection goes on as one of another kind."""
        place = self._places[transport]
        place.end = end
        return place

    def turn_away(self, unwanted: Callable[[str], bool], problem: ServerProblem) -> None:
        """End the connections of some addresses."""
        for place in list(self._places.values()):
            if unwanted(place.address):
                place.end(problem)

    def name(self, place: Place, address: str) -> None:
        """A request tells whose connection it is."""
        crowd = self._crowd(place)
        if place.address != address and place in crowd:
            crowd.remove(place)
            place.address = address
            crowd.add(place)
            self._make_space(place)

    def seat(self, place: Place) -> None:
        """Somebody plays over this connection: it is among the last to go."""
        if place in self._guests:
            self._guests.remove(place)
            place.plays = True
            self._players.add(place)

    def leave(self, transport: Hashable) -> None:
        """A connection is gone."""
        place = self._places.pop(transport, None)
        if place is not None and place in self._crowd(place):
            self._crowd(place).remove(place)
        if place is not None:
            place.end = _nobody  # lets go of the connection, which holds its place
        self._metrics.open.set(len(self._places))

    def _crowd(self, place: Place) -> _Crowd:
        return self._players if place.plays else self._guests

    def _make_space(self, newest: Place) -> None:
        """Let somebody go where there are too many: of one address, or all in all."""
        address = newest.address
        mine = self._guests.count_of(address) + self._players.count_of(address)
        if self._most_each and address != UNKNOWN and mine > self._most_each:
            self._let_go(self._guests.oldest_of(address) or newest)
        elif self._most and self._guests.count + self._players.count > self._most:
            self._let_go(self._guests.of_the_largest(but=newest) or self._players.of_the_largest(but=newest) or newest)

    def _let_go(self, place: Place) -> None:
        self._crowd(place).remove(place)
        self._metrics.refusals.labels("too_many").inc()
        place.end(ServerProblem("too_many", "there are too many connections.", retry_after=RETRY_S))


def _nobody(_: ServerProblem) -> None:
    """There is nobody to be told."""


class _Crowd:
    """Places by address, and the addresses by how many places they have."""

    def __init__(self) -> None:
        self.count = 0
        self._of: dict[str, dict[Place, None]] = {}
        self._with: dict[int, dict[str, None]] = defaultdict(dict)
        self._largest = 0

    def __contains__(self, place: Place) -> bool:
        return place in self._of.get(place.address, ())

    def count_of(self, address: str) -> int:
        return len(self._of.get(address, ()))

    def oldest_of(self, address: str) -> Place | None:
        return next(iter(self._of.get(address, ())), None)

    def of_the_largest(self, but: Place) -> Place | None:
        """The oldest place of the address that has most, other than one's own."""
        for size in range(self._largest, 0, -1):
            for address in self._with[size]:
                for place in self._of[address]:
                    if place is not but:
                        return place
        return None

    def add(self, place: Place) -> None:
        places = self._of.setdefault(place.address, {})
        places[place] = None
        self._count(place.address, len(places) - 1, len(places))

    def remove(self, place: Place) -> None:
        places = self._of[place.address]
        del places[place]
        self._count(place.address, len(places) + 1, len(places))
        if not places:
            del self._of[place.address]

    def _count(self, address: str, before: int, now: int) -> None:
        self.count += now - before
        self._with[before].pop(address, None)
        if not self._with[before]:
            del self._with[before]
        if now:
            self._with[now][address] = None
        self._largest = max(now, self._largest)
        while self._largest and self._largest not in self._with:
            self._largest -= 1
