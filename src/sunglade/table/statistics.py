"""What somebody's finished games come to, counted from the games themselves, some tables at a time."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from sunglade.bots import LEVELS
from sunglade.game import Game
from sunglade.table.archive import Steps
from sunglade.table.ending import AGREED
from sunglade.table.event_view import tell_action
from sunglade.table.problems import ServerProblem
from sunglade.table.table import Table
from sunglade.table.table_registry import TableRegistry
from sunglade.table.view import scores

PEOPLE: Final = "people"
"""Against whom a game was that other people played, too."""
MOST_REMEMBERED: Final = 2000
"""Games whose actions are counted once: a finished game stays as it is."""
PLANTS: Final = ("place", "plant", "grow")
"""Actions that say where somebody likes to be."""


@dataclass(frozen=True, slots=True)
class Deeds:
    """What each seat did in a game: the light its actions cost, and how often it planted or grew on a space."""

    light: tuple[int, ...]
    spaces: tuple[Counter[str], ...]


class Statistics:
    """Counts finished games."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._deeds: OrderedDict[str, Deeds] = OrderedDict()

    async def of(self, tables: Iterable[tuple[str, Collection[str] | None]]) -> dict[str, Any]:
        """What games come to for whoever had these numbers (holders) there; on a device, for the person who played."""
        total = _Total()
        for name, holders in tables:
            try:
                room = await self._registry.room(name)
            except ServerProblem:  # deleted meanwhile, or of rules that this version does not know
                continue
            table = room.table
            seats = _seats(table, holders)
            if not table.over or not seats:
                continue
            if len(seats) > 1:
                total.shared += 1
            elif table.ended is not None and table.ended.how == AGREED:
                total.agreed += 1
            else:
                total.add(table, seats[0], await self._deeds_at(table))
        return total.told()

    async def _deeds_at(self, table: Table) -> Deeds:
        deeds = self._deeds.get(table.name)
        if deeds is None:
            deeds = await self._registry.archive.slowly(_counting(table.game.fork()))
            self._deeds[table.name] = deeds
            if len(self._deeds) > MOST_REMEMBERED:
                self._deeds.popitem(last=False)
        return deeds


class _Total:
    """Games that were counted so far."""

    def __init__(self) -> None:
        self.games: Counter[tuple[int, str]] = Counter()
        self.won: Counter[tuple[int, str]] = Counter()
        self.played: list[dict[str, Any]] = []
        self.light = 0
        self.spaces: Counter[str] = Counter()
        self.shared = 0
        self.agreed = 0

    def add(self, table: Table, seat: int, deeds: Deeds) -> None:
        """One more game."""
        kind = (table.setup.players, _against(table, seat))
        won = seat in (table.winners or [])
        self.games[kind] += 1
        self.won[kind] += won
        points = scores(table.game.now)[seat]["total"]
        self.played.append({"at": table.turn_since, "points": points, "won": won, "players": kind[0]})
        self.light += deeds.light[seat]
        self.spaces.update(deeds.spaces[seat])

    def told(self) -> dict[str, Any]:
        """As `schema.Statistics` tells it, but for `next`."""
        results = [
            {"players": players, "against": against, "games": count, "won": self.won[players, against]}
            for (players, against), count in sorted(self.games.items())
        ]
        return {
            "results": results,
            "games": self.played,
            "light": self.light,
            "spaces": [{"space": space, "count": count} for space, count in self.spaces.most_common()],
            "shared": self.shared,
            "agreed": self.agreed,
        }


def _seats(table: Table, holders: Collection[str] | None) -> list[int]:
    """The seats somebody had at the end. Who left a running game was replaced, and has no result."""
    return [
        seat
        for seat, chair in enumerate(table.chairs)
        for who in [chair.holder or (chair.former if chair.level is None else None)]
        if who is not None and (holders is None or who in holders)
    ]


def _against(table: Table, seat: int) -> str:
    """The strongest bot of a game, or people where there were any."""
    others = [chair for number, chair in enumerate(table.chairs) if number != seat]
    levels = [chair.level for chair in others if chair.is_bot and chair.level is not None]
    if len(levels) < len(others):
        return PEOPLE
    return max(levels, key=lambda level: LEVELS.index(level) if level in LEVELS else -1)


def _counting(game: Game) -> Steps[Deeds]:
    """Play a game again, a little at a time."""
    lines, players = game.actions, game.players
    light, spaces = [0] * players, [Counter[str]() for _ in range(players)]
    before, seat = game.now, 0
    for index, passed in enumerate(Game.passing(game.to_dict())):
        if index:
            told = tell_action(before, passed.now, lines[index - 1], seat)[0]
            spent = next((each.get("light", 0) for each in told.get("changes", ()) if each["seat"] == seat), 0)
            light[seat] += max(0, -spent)
            if told["kind"] in PLANTS:
                spaces[seat][told["space"]] += 1
        before, seat = passed.now.copy(), passed.player or 0
        yield
    return Deeds(tuple(light), tuple(spaces))
