"""What is kept of ratings: rows of the database. A result is reckoned with once, whoever is killed when.

Which games are over and not reckoned with stands in the row of their table (`rating_due`), in the commit of the event
that ended them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

import sqlalchemy as sa

from sunglade.server.database import Database
from sunglade.server.ratings.reckoning import UNKNOWN, Rating, anchor, reckon
from sunglade.server.sql_schema import people, rated_games, rated_seats, standings, tables
from sunglade.table.table_log import TableLog

LOCK: Final = 0x5E_A1_0D_E6
"""PostgreSQL: results are reckoned with one after the other."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who began in a seat of a rated game, and came in which place: a person, or a bot of a level."""

    person: str | None
    level: str | None
    place: int


@dataclass(frozen=True, slots=True)
class Result:
    """A rated game that is over; without players it counts for nobody."""

    table: str
    at: float
    seats: int
    players: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How strong a person is in games of so many players."""

    person: str
    players: int
    rating: Rating
    games: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What a rated game was worth to whoever began in a seat."""

    seat: int
    person: str | None
    level: str | None
    place: int
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Counted:
    """A rated game that was reckoned with."""

    table: str
    at: float
    players: int
    seats: tuple[Worth, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Somebody in the ranking, as they want to be called."""

    name: str | None
    species: str | None
    standing: Standing


class RatingBook(Protocol):
    """Whatever keeps ratings. Every question may fail with `DatabaseTrouble`."""

    async def due(self, limit: int) -> list[str]:
        """Some tables whose rated game is over and not reckoned with."""

    async def count(self, result: Result) -> None:
        """Reckon with a result, once, however often it comes; all of it or nothing.

        Where one of its people is known no more, it counts for nobody.
        """

    async def standings(self, persons: Collection[str], players: int | None = None) -> list[Standing]:
        """How strong some people are."""

    async def counted(self, table: str) -> Counted | None:
        """A game that was reckoned with."""

    async def results(self, person: str, limit: int) -> list[tuple[Counted, Worth]]:
        """The newest results of a person, each with what it was worth to them."""

    async def ranking(self, players: int, least_games: int, limit: int) -> list[Ranked]:
        """Who has played so many rated games, the strongest first."""


def worth(result: Result, known: dict[str, Standing]) -> list[Worth]:
    """What a result is worth to everybody, given how strong people were."""
    before = [
        anchor(player.level, result.seats)
        if player.level is not None
        else known[player.person].rating
        if player.person in known
        else UNKNOWN
        for player in result.players
    ]
    after = reckon(before, [player.place for player in result.players])
    return [
        Worth(seat, player.person, player.level, player.place, old, new if player.level is None else old)
        for seat, (player, old, new) in enumerate(zip(result.players, before, after, strict=True))
    ]


class SqlBook:
    """`RatingBook` as rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def of(cls, log: TableLog) -> SqlBook:
        """That in the database that keeps the tables."""
        if not isinstance(log, Database):
            raise TypeError(f"{log.kind} keeps no ratings")
        return cls(log)

    async def due(self, limit: int) -> list[str]:
        """Some tables whose rated game is over and not reckoned with."""
        wanted = sa.select(tables.c.id).where(tables.c.rating_due).order_by(tables.c.changed, tables.c.id)
        return [row.id for row in await self._database.all(wanted.limit(limit))]

    async def count(self, result: Result) -> None:
        """Reckon with a result, once."""
        await self._database.write(self._count, result)

    def _count(self, connection: sa.Connection, result: Result) -> None:
        if self._database.shared:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        connection.execute(tables.update().where(tables.c.id == result.table).values(rating_due=False))
        number = 1 + (connection.scalar(sa.select(sa.func.max(rated_games.c.number))) or 0)
        row = {"table_id": result.table, "number": number, "at": result.at, "players": result.seats}
        new = self._database.insert(rated_games).values(row).on_conflict_do_nothing()
        if connection.execute(new).rowcount and self._all_known(connection, result):
            known = {
                standing.person: standing
                for standing in _standings(connection.execute(_wanted(_persons(result), result.seats)))
            }
            for each in worth(result, known):
                self._keep(connection, result, each, known)

    def _all_known(self, connection: sa.Connection, result: Result) -> bool:
        """Whether all its people are known, and stay so until this is committed."""
        wanted = sa.select(people.c.id).where(people.c.id.in_(_persons(result)), ~people.c.leaving)
        found = set(connection.scalars(wanted.order_by(people.c.id).with_for_update()))
        return bool(result.players) and found == set(_persons(result))

    def _keep(self, connection: sa.Connection, result: Result, each: Worth, known: dict[str, Standing]) -> None:
        row = {
            "table_id": result.table, "seat": each.seat, "person": each.person, "level": each.level,
            "place": each.place, "mu_before": each.before.mu, "sigma_before": each.before.sigma,
            "mu": each.after.mu, "sigma": each.after.sigma,
        }  # fmt: skip
        connection.execute(rated_seats.insert().values(row))
        if each.person is not None:
            games = 1 + (known[each.person].games if each.person in known else 0)
            now = {**asdict(each.after), "games": games, "changed": result.at}
            new = self._database.insert(standings).values(person=each.person, players=result.seats, **now)
            connection.execute(new.on_conflict_do_update(index_elements=["person", "players"], set_=now))

    async def standings(self, persons: Collection[str], players: int | None = None) -> list[Standing]:
        """How strong some people are."""
        return _standings(await self._database.all(_wanted(persons, players)))

    async def counted(self, table: str) -> Counted | None:
        """A game that was reckoned with."""
        found = await self._database.all(_results().where(rated_games.c.table_id == table))
        return next(iter(_games(found)), None)

    async def results(self, person: str, limit: int) -> list[tuple[Counted, Worth]]:
        """The newest results of a person, each with what it was worth to them."""
        mine = _results().where(rated_seats.c.person == person).order_by(rated_games.c.number.desc()).limit(limit)
        return [(game, game.seats[0]) for game in _games(await self._database.all(mine))]

    async def ranking(self, players: int, least_games: int, limit: int) -> list[Ranked]:
        """Who has played so many rated games, the strongest first."""
        wanted = (
            sa.select(standings, people.c.name, people.c.species)
            .join(people, people.c.id == standings.c.person)
            .where(standings.c.players == players, standings.c.games >= least_games, ~people.c.leaving)
            .order_by(standings.c.mu.desc(), standings.c.person)
            .limit(limit)
        )
        found = await self._database.all(wanted)
        return [Ranked(row.name, row.species, standing) for row, standing in zip(found, _standings(found), strict=True)]


def _persons(result: Result) -> list[str]:
    return [player.person for player in result.players if player.person is not None]


def _wanted(persons: Collection[str], players: int | None) -> sa.Select[Any]:
    wanted = standings.select().where(standings.c.person.in_(persons)).order_by(standings.c.players)
    return wanted if players is None else wanted.where(standings.c.players == players)


def _standings(rows: Sequence[Any] | Any) -> list[Standing]:
    return [Standing(row.person, row.players, Rating(row.mu, row.sigma), row.games) for row in rows]


def _results() -> sa.Select[Any]:
    return sa.select(
        rated_games.c.number,
        rated_games.c.at,
        rated_games.c.players,
        rated_games.c.table_id.label("table"),
        rated_seats,
    ).join(rated_seats, rated_seats.c.table_id == rated_games.c.table_id, isouter=True)


def _games(rows: Sequence[Any]) -> list[Counted]:
    """The games of some rows, in their order."""
    games: dict[str, Counted] = {}
    for row in rows:
        game = games.get(row.table) or Counted(row.table, row.at, row.players, ())
        seats = game.seats if row.seat is None else (*game.seats, _worth(row))
        games[row.table] = Counted(game.table, game.at, game.players, tuple(sorted(seats, key=lambda each: each.seat)))
    return list(games.values())


def _worth(row: Any) -> Worth:
    before, after = Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma)
    return Worth(row.seat, row.person, row.level, row.place, before, after)
