"""Ratings as people see them; and the look-out for games that are over and not reckoned with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from sunglade.server.ratings.book import Counted, Player, RatingBook, Result, Standing, Worth
from sunglade.server.ratings.reckoning import UNKNOWN, Rating, anchor
from sunglade.table.house import House
from sunglade.table.problems import ServerProblem
from sunglade.table.rated import places, rated_levels
from sunglade.table.table import Table
from sunglade.table.trouble import DatabaseTrouble, log_trouble
from sunglade.table.work import end

LOOK_S: Final = 1.0
TOGETHER: Final = 50
MOST_RESULTS: Final = 100
MOST_RANKED: Final = 100
LEAST_GAMES: Final = 10
"""Who has played fewer is not in the ranking."""

log = logging.getLogger("sunglade.server")


class Ratings:
    """What is told of ratings, where games can be rated."""

    def __init__(
        self, house: House, book: RatingBook, check_served: Callable[[str], None], *, offered: bool, ranking: bool
    ) -> None:
        """`check_served` refuses people whom the operator does not serve: they are not in the ranking."""
        self._house = house
        self._registry = house.registry
        self._book = book
        self._check_served = check_served
        self._offered = offered
        self._ranking = ranking
        self._looking: asyncio.Task[None] | None = None
        if offered:
            house.people.more_kept = self.kept

    def start(self) -> None:
        """Begin to look for games that are over."""
        if self._offered:
            self._looking = asyncio.create_task(self._look_out())

    async def stop(self) -> None:
        """Stop at once; another process goes on."""
        await end([] if self._looking is None else [self._looking])

    async def _look_out(self) -> None:
        while True:
            try:
                for name in await self._book.due(TOGETHER):
                    await self._count(name)
            except DatabaseTrouble as trouble:
                log_trouble(trouble)
            except Exception:
                log.exception("results were not reckoned with")
            await asyncio.sleep(LOOK_S)

    async def _count(self, name: str) -> None:
        try:
            room = await self._registry.room(name)
            if not room.table.over:  # its row may be ahead of it: what is committed is adopted a moment later
                await self._registry.keep_up(room, (await self._registry.database.seqs([name])).get(name, 0))
            if not room.table.over:
                return
            result = await self._result(room.table)
        except ServerProblem as problem:
            if problem.kind != "rules_changed":  # deleted meanwhile, or too busy
                return
            result = Result(name, 0.0, 0)
        await self._book.count(result)

    async def _result(self, table: Table) -> Result:
        """What a game came to, for the people who began it."""
        found = places(table)
        empty = Result(table.name, table.turn_since, table.setup.players)
        if found is None:
            return empty
        persons = await self._persons(table)
        players = [
            Player(persons.get(holder or ""), table.chairs[seat].level if holder is None else None, found[seat])
            for seat, holder in enumerate(table.starters or ())
        ]
        known = [player.person for player in players if player.person is not None]
        levels = rated_levels(table.setup.players)
        if len(set(known)) < len(known) or any(not player.person and player.level not in levels for player in players):
            return empty
        return Result(table.name, table.turn_since, table.setup.players, tuple(players))

    async def _persons(self, table: Table) -> dict[str, str]:
        """Whose the holders at a table are."""
        holders = await self._registry.database.holders([table.name])
        return {holder.id: holder.person for holder in holders if holder.person is not None}

    # What is told

    def _check_offered(self) -> None:
        if not self._offered:
            raise ServerProblem("no_ratings", "games are not rated here.")

    async def of_table(self, table: str, token: str | None, client: str) -> dict[str, Any]:
        """How strong those at a table are, and what its result was worth to them."""
        self._check_offered()
        room = await self._house.looked_at(table, token, client)
        now = room.table
        if not now.setup.rated:
            raise ServerProblem("no_ratings", "this game is not rated.")
        counted = await self._book.counted(table) if now.over else None
        if counted is not None and counted.seats:
            return {"state": "counted", "seats": [_seat(each) for each in counted.seats]}
        state = "not_counted" if counted is not None else "pending" if now.over else "open"
        return {"state": state, "seats": await self._standing_at(now)}

    async def _standing_at(self, table: Table) -> list[dict[str, Any]]:
        """How strong everybody is who sits at a table, or began there."""
        persons = await self._persons(table)
        whose = table.starters or tuple(chair.holder for chair in table.chairs)
        players = table.setup.players
        people = [persons.get(holder or "") for holder in whose]
        known = await self._book.standings([person for person in people if person is not None], players)
        ratings = {standing.person: standing.rating for standing in known}
        seats = []
        for seat, person in enumerate(people):
            level = table.chairs[seat].level
            before = None if person is None else ratings.get(person, UNKNOWN)
            if whose[seat] is None and level is not None and level in rated_levels(players):
                before = anchor(level, players)
            seats.append({"seat": seat, "place": None, "before": before and before.told(), "after": None})
        return seats

    async def mine(self, key: str | None, client: str) -> dict[str, Any]:
        """How strong whoever asks is, and their last results."""
        self._check_offered()
        return await self._told_of((await self._house.people.known(key, client)).id)

    async def _told_of(self, person: str) -> dict[str, Any]:
        return {
            "ratings": [_standing(standing) for standing in await self._book.standings([person])],
            "results": [_result(game, worth) for game, worth in await self._book.results(person, MOST_RESULTS)],
        }

    async def kept(self, person: str) -> dict[str, Any]:
        """For the export of everything that is kept."""
        return {"ratings": await self._told_of(person)}

    async def ranking(self, players: int, key: str | None, client: str) -> dict[str, Any]:
        """Who is how strong."""
        self._check_offered()
        if not self._ranking:
            raise ServerProblem("no_ratings", "nobody is told here who is how strong.")
        self._house.limits.spend("heavy", client)
        me = None if key is None else (await self._house.people.known(key, client)).id
        found = [
            ranked
            for ranked in await self._book.ranking(players, LEAST_GAMES, MOST_RANKED)
            if self._is_served(ranked.standing.person)
        ]
        people = [
            {
                "place": place, "name": ranked.name, "species": ranked.species, "games": ranked.standing.games,
                "me": ranked.standing.person == me, **ranked.standing.rating.told(),
            }
            for place, ranked in enumerate(found, 1)
        ]  # fmt: skip
        bots = [{"level": level, **anchor(level, players).told()} for level in reversed(rated_levels(players))]
        return {"players": players, "people": people, "bots": bots}

    def _is_served(self, person: str) -> bool:
        try:
            self._check_served(person)
        except ServerProblem:
            return False
        return True


def _standing(standing: Standing) -> dict[str, Any]:
    return {"players": standing.players, "games": standing.games, **standing.rating.told()}


def _result(game: Counted, worth: Worth) -> dict[str, Any]:
    change = {"before": worth.before.told(), "after": worth.after.told()}
    return {"table": game.table, "at": game.at, "players": game.players, "place": worth.place, **change}


def _seat(each: Worth) -> dict[str, Any]:
    after: Rating | None = each.after if each.level is None else None
    told = {"before": each.before.told(), "after": None if after is None else after.told()}
    return {"seat": each.seat, "place": each.place, **told}
