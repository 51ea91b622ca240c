"""People kept in memory (`PeopleLog`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sunglade.table.people_log import Person, PersonCode, PersonKey
from sunglade.table.table_log import Holder


class PeopleInMemory:
    """People in dictionaries, beside the tables of a `MemoryLog`."""

    seats: dict[str, Holder]

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}
        self.person_keys: dict[str, PersonKey] = {}
        """By the hash of a key."""
        self.person_codes: dict[str, PersonCode] = {}

    async def add_person(self, person: Person, key: PersonKey) -> None:
        """A new person and their first key; nothing where the key is known."""
        if key.key not in self.person_keys and person.id not in self.people:
            self.people[person.id] = person
            self.person_keys[key.key] = key

    async def person_by_key(self, key: str) -> Person | None:
        """Whom a key (hashed) opens."""
        opened = self.person_keys.get(key)
        found = None if opened is None else self.people.get(opened.person)
        return None if found is None or found.leaving else found

    async def change_person(self, person: str, name: str | None, species: str | None) -> bool:
        """Another name and tree; whether they are there."""
        found = self.people.get(person)
        if found is None or found.leaving:
            return False
        self.people[person] = replace(found, name=name, species=species)
        return True

    async def person_used(self, person: str, at: float) -> None:
        """One of their keys was shown."""
        if person in self.people:
            self.people[person] = replace(self.people[person], used=at)

    async def keep_person_code(self, code: PersonCode) -> bool:
        """Keep a new code instead of an older one; not for somebody who is gone or just going."""
        found = self.people.get(code.person)
        if found is None or found.leaving:
            return False
        self.person_codes = {key: row for key, row in self.person_codes.items() if row.person != code.person}
        self.person_codes[code.code] = code
        return True

    async def person_code(self, code: str) -> PersonCode | None:
        """The person a code (hashed) is for."""
        return self.person_codes.get(code)

    async def spend_person_code(self, code: str, key: PersonKey) -> bool:
        """Use a code up for a key. Whether the code was still there."""
        if self.person_codes.pop(code, None) is None:
            return False
        self.person_keys[key.key] = key
        return True

    async def begin_to_forget(self, person: str) -> bool:
        """No key and no code opens them any more; whether they were there."""
        found = self.people.get(person)
        if found is None or found.leaving:
            return False
        self.people[person] = replace(found, name=None, species=None, leaving=True)
        self.person_keys = {key: row for key, row in self.person_keys.items() if row.person != person}
        self.person_codes = {code: row for code, row in self.person_codes.items() if row.person != person}
        return True

    async def people_leaving(self, limit: int) -> list[str]:
        """Some who are to be forgotten."""
        return sorted(person.id for person in self.people.values() if person.leaving)[:limit]

    async def people_unused(self, since: float, limit: int) -> list[str]:
        """Some without any table, none of whose keys was shown since a moment."""
        seated = {holder.person for holder in self.seats.values()}
        unused = (person.id for person in self.people.values() if person.used < since and person.id not in seated)
        return sorted(unused)[:limit]

    async def forget_person(self, person: str) -> None:
        """Nothing is known of them any more; the seats they had are nobody's in particular."""
        self.people.pop(person, None)
        self.person_keys = {key: row for key, row in self.person_keys.items() if row.person != person}
        for token, holder in self.seats.items():
            if holder.person == person:
                self.seats[token] = replace(holder, person=None)

    async def link(self, tokens: Sequence[str], person: str) -> int:
        """Seats of these tokens (hashed) are a person's, where they are nobody's yet; how many tables that were."""
        mine = [holder for token in tokens if (holder := self.seats.get(token)) and holder.person is None]
        wanted = {(holder.table_id, holder.id) for holder in mine}
        for token, holder in self.seats.items():
            if (holder.table_id, holder.id) in wanted and holder.person is None:
                self.seats[token] = replace(holder, person=person)
        return len({table for table, _ in wanted})

    async def tables_of(self, person: str, before: tuple[float, str] | None, limit: int) -> list[Holder]:
        """Where a person has or had seats, a holder a table, the newest first; those after a place in that order."""
        first: dict[str, Holder] = {}
        for holder in sorted(self.seats.values(), key=lambda seat: (seat.created, seat.token)):
            if holder.person == person:
                first.setdefault(holder.table_id, holder)
        order = sorted(first.values(), key=lambda seat: (-seat.created, seat.table_id))
        if before is not None:
            order = [seat for seat in order if (-seat.created, seat.table_id) > (-before[0], before[1])]
        return order[:limit]
