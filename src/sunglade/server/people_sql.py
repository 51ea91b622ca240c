"""People in SQL (`PeopleLog`): a part of the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import sqlalchemy as sa

from sunglade.server.sql_schema import holders, people, person_codes, person_keys, rated_seats, standings
from sunglade.table.people_log import Person, PersonCode, PersonKey
from sunglade.table.table_log import Holder

T = TypeVar("T")


class PeopleInSql:
    """The statements about people, over whatever carries statements out."""

    _insert: Any

    async def one(self, statement: Any) -> Any:
        """The first row of an answer."""
        raise NotImplementedError

    async def all(self, statement: Any) -> Sequence[Any]:
        """The rows of an answer."""
        raise NotImplementedError

    async def change(self, *statements: Any) -> int:
        """Carry out changes together; how many rows the last one touched."""
        raise NotImplementedError

    async def write(self, what: Callable[..., T], *given: Any) -> T:
        """Do something in a transaction."""
        raise NotImplementedError

    async def add_person(self, person: Person, key: PersonKey) -> None:
        """A new person and their first key; both or neither, and nothing where the key is known."""
        await self.change(
            self._insert(people).values(asdict(person)).on_conflict_do_nothing(),
            self._insert(person_keys).values(asdict(key)).on_conflict_do_nothing(),
        )

    async def person_by_key(self, key: str) -> Person | None:
        """Whom a key (hashed) opens."""
        opened = sa.select(person_keys.c.person).where(person_keys.c.key == key).scalar_subquery()
        row = await self.one(people.select().where(people.c.id == opened, ~people.c.leaving))
        return None if row is None else Person(**row._mapping)

    async def change_person(self, person: str, name: str | None, species: str | None) -> bool:
        """Another name and tree; whether they are there."""
        return await self.change(_staying(person).values(name=name, species=species)) > 0

    async def person_used(self, person: str, at: float) -> None:
        """One of their keys was shown."""
        await self.change(people.update().where(people.c.id == person).values(used=at))

    async def keep_person_code(self, code: PersonCode) -> bool:
        """Keep a new code instead of an older one; not for somebody who is gone or just going."""
        row = asdict(code)
        there = sa.select(*map(sa.literal, row.values())).where(people.c.id == code.person, ~people.c.leaving)
        older = person_codes.delete().where(person_codes.c.person == code.person)
        return await self.change(older, person_codes.insert().from_select(list(row), there.with_for_update())) > 0

    async def person_code(self, code: str) -> PersonCode | None:
        """The person a code (hashed) is for."""
        row = await self.one(person_codes.select().where(person_codes.c.code == code))
        return None if row is None else PersonCode(**row._mapping)

    async def spend_person_code(self, code: str, key: PersonKey) -> bool:
        """Use a code up for a key; both or neither. Whether the code was still there."""
        return await self.write(_spend, code, self._insert(person_keys).values(asdict(key)).on_conflict_do_nothing())

    async def begin_to_forget(self, person: str) -> bool:
        """No key and no code opens them any more; whether they were there."""
        return (
            await self.change(
                person_keys.delete().where(person_keys.c.person == person),
                person_codes.delete().where(person_codes.c.person == person),
                _staying(person).values(name=None, species=None, leaving=True),
            )
            > 0
        )

    async def people_leaving(self, limit: int) -> list[str]:
        """Some who are to be forgotten."""
        wanted = sa.select(people.c.id).where(people.c.leaving).order_by(people.c.id)
        return [row.id for row in await self.all(wanted.limit(limit))]

    async def people_unused(self, since: float, limit: int) -> list[str]:
        """Some without any table, none of whose keys was shown since a moment."""
        seated = sa.select(holders.c.id).where(holders.c.person == people.c.id).exists()
        wanted = sa.select(people.c.id).where(people.c.used < since, ~seated).order_by(people.c.id)
        return [row.id for row in await self.all(wanted.limit(limit))]

    async def forget_person(self, person: str) -> None:
        """Nothing is known of them any more; the seats they had are nobody's in particular."""
        await self.change(
            holders.update().where(holders.c.person == person).values(person=None),
            standings.delete().where(standings.c.person == person),
            rated_seats.update().where(rated_seats.c.person == person).values(person=None),
            person_keys.delete().where(person_keys.c.person == person),
            people.delete().where(people.c.id == person),
        )

    async def link(self, tokens: Sequence[str], person: str) -> int:
        """Seats of these tokens (hashed) are a person's, where they are nobody's yet; how many tables that were."""
        return await self.write(_link, tokens, person)

    async def tables_of(self, person: str, before: tuple[float, str] | None, limit: int) -> list[Holder]:
        """Where a person has or had seats, a holder a table, the newest first; those after a place in that order."""
        number = sa.func.row_number().over(
            partition_by=holders.c.table_id, order_by=(holders.c.created, holders.c.token)
        )
        seats = sa.select(holders, number.label("number")).where(holders.c.person == person).subquery()
        wanted = sa.select(*(seats.c[column.name] for column in holders.c)).where(seats.c.number == 1)
        if before is not None:
            created, table = before
            later = sa.and_(seats.c.created == created, seats.c.table_id > table)
            wanted = wanted.where(sa.or_(seats.c.created < created, later))
        rows = await self.all(wanted.order_by(seats.c.created.desc(), seats.c.table_id).limit(limit))
        return [Holder(**row._mapping) for row in rows]


def _staying(person: str) -> sa.Update:
    return people.update().where(people.c.id == person, ~people.c.leaving)


def _spend(connection: sa.Connection, code: str, insert: Any) -> bool:
    if not connection.execute(person_codes.delete().where(person_codes.c.code == code)).rowcount:
        return False
    connection.execute(insert)
    return True


def _link(connection: sa.Connection, tokens: Sequence[str], person: str) -> int:
    mine = sa.select(holders.c.table_id, holders.c.id).where(holders.c.token.in_(tokens), holders.c.person.is_(None))
    wanted = {(table, holder) for table, holder in connection.execute(mine)}
    for table, holder in sorted(wanted):
        same = holders.update().where(holders.c.table_id == table, holders.c.id == holder)
        connection.execute(same.where(holders.c.person.is_(None)).values(person=person))
    return len({table for table, _ in wanted})
