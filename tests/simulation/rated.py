"""Results that count, in a simulated world: kept in memory, counted over a way that fails, and judged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sunglade.server.ratings.book import Counted, Ranked, Result, Standing, Worth, worth
from sunglade.table.rated import places
from sunglade.table.table import Table

if TYPE_CHECKING:
    from simulation.faulty_log import FaultyLog, Store


class WrongResult(AssertionError):
    """A result was counted that is none, or was not counted."""


class RatedStore:
    """What all processes share."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.games: dict[str, Counted] = {}
        self.known: dict[tuple[str, int], Standing] = {}
        self.fold: Callable[[str], Table | None] = lambda name: None
        """A table as its log tells it, for whoever judges."""

    def due(self, limit: int) -> list[str]:
        rows = [kept.row for kept in self._store.tables.values() if kept.row["rating_due"]]
        return [row["id"] for row in sorted(rows, key=lambda row: (row["changed"], row["id"]))[:limit]]

    def count(self, result: Result) -> None:
        kept = self._store.tables.get(result.table)
        if kept is not None:
            kept.row["rating_due"] = False
        if result.table in self.games:
            return
        self._judge(result)
        persons = [player.person for player in result.players if player.person is not None]
        is_good = bool(persons) and all(self._is_known(person) for person in persons)
        before = {one.person: one for one in self.standings(persons, result.seats)}
        seats = tuple(worth(result, before)) if is_good else ()
        self.games[result.table] = Counted(result.table, result.at, result.seats, seats)
        for each in seats:
            if each.person is not None:
                games = 1 + (before[each.person].games if each.person in before else 0)
                self.known[each.person, result.seats] = Standing(each.person, result.seats, each.after, games)

    def _is_known(self, person: str) -> bool:
        found = self._store.people.get(person)
        return found is not None and not found.leaving

    def _judge(self, result: Result) -> None:
        """What is counted is what the log says, and each person has one seat."""
        fold = self.fold(result.table)
        if fold is None or not result.players:
            return
        told = [player.place for player in result.players]
        if not fold.over or told != places(fold):
            raise WrongResult(f"{result.table} came to {places(fold)}, but {told} was counted")
        persons = [player.person for player in result.players if player.person is not None]
        if len(set(persons)) < len(persons):
            raise WrongResult(f"somebody has two seats in the result of {result.table}: {persons}")

    def all_counted(self) -> None:
        """Everything that is over has been counted, and nothing twice."""
        for name in self._store.tables:
            fold = self.fold(name)
            if fold is not None and fold.setup.rated and fold.over and name not in self.games:
                raise WrongResult(f"{name} is over, and its result was never counted")
        for (person, players), standing in self.known.items():
            games = sum(
                game.players == players and any(each.person == person for each in game.seats)
                for game in self.games.values()
            )
            if standing.games != games:
                raise WrongResult(f"{person} has {games} results, but {standing.games} games are told")

    def standings(self, persons: Collection[str], players: int | None = None) -> list[Standing]:
        return [
            standing
            for (person, number), standing in sorted(self.known.items())
            if person in persons and players in (None, number)
        ]

    def results(self, person: str, limit: int) -> list[tuple[Counted, Worth]]:
        found = [(game, each) for game in self.games.values() for each in game.seats if each.person == person]
        return found[::-1][:limit]

    def ranking(self, players: int, least_games: int, limit: int) -> list[Ranked]:
        able = [each for each in self.known.values() if each.players == players and each.games >= least_games]
        able.sort(key=lambda each: (-each.rating.mu, each.person))
        people = self._store.people
        return [
            Ranked(people[each.person].name, people[each.person].species, each)
            for each in able
            if self._is_known(each.person)
        ][:limit]


class FaultyBook:
    """`RatingBook`: one process' way to it, on which things go wrong as on its way to the log."""

    def __init__(self, rated: RatedStore, way: FaultyLog) -> None:
        self._rated = rated
        self._way = way

    async def due(self, limit: int) -> list[str]:
        return await self._way._ask(lambda: self._rated.due(limit))

    async def count(self, result: Result) -> None:
        await self._way._ask(lambda: self._rated.count(result), commits=True)

    async def standings(self, persons: Collection[str], players: int | None = None) -> list[Standing]:
        return await self._way._ask(lambda: self._rated.standings(persons, players))

    async def counted(self, table: str) -> Counted | None:
        return await self._way._ask(lambda: self._rated.games.get(table))

    async def results(self, person: str, limit: int) -> list[tuple[Counted, Worth]]:
        return await self._way._ask(lambda: self._rated.results(person, limit))

    async def ranking(self, players: int, least_games: int, limit: int) -> list[Ranked]:
        return await self._way._ask(lambda: self._rated.ranking(players, least_games, limit))
