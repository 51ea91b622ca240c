"""Who looks at a table. Players always find a place; spectators share theirs between the addresses they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sunglade.table.problems import ServerProblem

MOST_SPECTATORS: Final = 200
MOST_OF_ONE: Final = 10
"""Connections of one player: tabs and devices."""
RETRY_S: Final = 30.0


@dataclass(eq=False, slots=True)
class Connection:
    """Somebody who looks: `wake` is called when there is something new, `end` when it has to go."""

    holder: str | None
    address: str
    wake: Callable[[], None]
    end: Callable[[ServerProblem], None]
    say: Callable[[dict[str, Any]], None] = lambda message: None
    """Tells something that nobody keeps."""


class Audience:
    """The connections to a table, or to the lobby, in the order in which they came."""

    def __init__(self, most: int = MOST_SPECTATORS, place: str = "at this table") -> None:
        """`most` are welcome who do not play; `place` is where they look."""
        self._most = most
        self._place = place
        self._here: dict[Connection, None] = {}
        self._of: Counter[str | None] = Counter()

    def __len__(self) -> int:
        return len(self._here)

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._here))

    def count(self, holder: str | None) -> int:
        """How many connections a client has."""
        return self._of[holder]

    def spectators(self, players: Collection[str]) -> int:
        """How many look who do not play."""
        return len(self._here) - sum(self._of[player] for player in set(players))

    def admit(self, new: Connection, players: Collection[str]) -> None:
        """Let somebody in. Who has too many connections loses the oldest; spectators are refused when it is full."""
        if new.holder is not None and new.holder in players:
            if self.count(new.holder) >= MOST_OF_ONE:
                self._let_go(next(other for other in self._here if other.holder == new.holder))
        elif self.spectators(players) >= self._most:
            self._make_space(new, players)
        self._here[new] = None
        self._of[new.holder] += 1

    def _make_space(self, new: Connection, players: Collection[str]) -> None:
        """The address with most spectators gives up its newest, unless the new one has as many."""
        watching = [other for other in self._here if other.holder not in players]
        by_address = Counter(other.address for other in watching)
        address, most = by_address.most_common(1)[0]
        if by_address[new.address] + 1 >= most:
            raise self._too_many()
        self._let_go(next(other for other in reversed(watching) if other.address == address))

    def _let_go(self, connection: Connection) -> None:
        self.part(connection)
        connection.end(self._too_many())

    def part(self, connection: Connection) -> None:
        """Somebody stops looking."""
        if connection in self._here:
            del self._here[connection]
            self._of[connection.holder] -= 1
            if not self._of[connection.holder]:
                del self._of[connection.holder]

    def _too_many(self) -> ServerProblem:
        return ServerProblem("too_many", f"too many look {self._place}.", retry_after=RETRY_S)
