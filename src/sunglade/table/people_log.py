"""What is kept of people: an identity a browser, opened by keys of which only hashes are known, and codes to move it.

Whatever keeps tables keeps people, too (`table_log.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who wants to be known again: what they are called, and which tree they like to be."""

    id: str
    name: str | None
    species: str | None
    created: float
    used: float
    """About when one of their keys was last shown."""
    leaving: bool = False
    """Whether they are being forgotten: no key opens them any more, and tables lose their name one by one."""


@dataclass(frozen=True, slots=True)
class PersonKey:
    """Opens a person (hashed). Each browser has its own."""

    key: str
    person: str
    created: float


@dataclass(frozen=True, slots=True)
class PersonCode:
    """By which another browser gets a key to a person, once (hashed)."""

    code: str
    person: str
    expires: float


class PeopleLog(Protocol):
    """People, their keys and codes."""

    async def add_person(self, person: Person, key: PersonKey) -> None:
        """A new person and their first key; both or neither, and nothing where the key is known."""

    async def person_by_key(self, key: str) -> Person | None:
        """Whom a key (hashed) opens."""

    async def change_person(self, person: str, name: str | None, species: str | None) -> bool:
        """Another name and tree; whether they are there."""

    async def person_used(self, person: str, at: float) -> None:
        """One of their keys was shown."""

    async def keep_person_code(self, code: PersonCode) -> bool:
        """Keep a new code instead of an older one; not for somebody who is gone or just going."""

    async def person_code(self, code: str) -> PersonCode | None:
        """The person a code (hashed) is for."""

    async def spend_person_code(self, code: str, key: PersonKey) -> bool:
        """Use a code up for a key; both or neither. Whether the code was still there."""

    async def begin_to_forget(self, person: str) -> bool:
        """No key and no code opens them any more; whether they were there."""

    async def people_leaving(self, limit: int) -> list[str]:
        """Some who are to be forgotten."""

    async def people_unused(self, since: float, limit: int) -> list[str]:
        """Some without any table, none of whose keys was shown since a moment."""

    async def forget_person(self, person: str) -> None:
        """Nothing is known of them any more; the seats they had are nobody's in particular."""
