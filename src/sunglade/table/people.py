"""People who want to be known again: an identity a browser, opened by keys, moved to other browsers by codes.

A person is a name, a tree and the seats that were taken under it; it opens nothing that its seats' tokens do not open.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any, Final

from sunglade.table.answers import Answer, chained, joined
from sunglade.table.archive import MISREAD
from sunglade.table.archive import PAGE as LOG_PAGE
from sunglade.table.forgetting import Names, Rewritten
from sunglade.table.names import clean_name
from sunglade.table.people_log import Person, PersonCode, PersonKey
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import Mine, NewPerson, PersonChange, PersonClaim
from sunglade.table.room import Room
from sunglade.table.saying import MOST_KEPT
from sunglade.table.spending import Spending
from sunglade.table.statistics import Statistics
from sunglade.table.table import Intent, Table
from sunglade.table.table_log import Holder, new_holder_row
from sunglade.table.table_registry import TableRegistry
from sunglade.table.tokens import hashed, holder_from, new_token, token_from
from sunglade.table.trouble import DatabaseTrouble
from sunglade.table.work import Work

CODE_GOOD_S: Final = 15 * 60
USED_S: Final = 24 * 3600.0
"""When a key was shown is kept no more exactly than this."""
KIND: Final = "person"
"""In place of a table's name, where keys are made of secrets."""
PAGE: Final = 20
"""Tables of a person that are told at once."""
TOGETHER: Final = 20
"""People who are forgotten at once."""

log = logging.getLogger("sunglade.server")


class People:
    """Everything that can be asked about people."""

    def __init__(self, registry: TableRegistry, limits: Spending) -> None:
        self.registry = registry
        self.limits = limits
        self.check_served: Callable[[str], None] = lambda person: None
        """Refuses people whom the operator does not serve; they may still see and delete what is known of them."""
        self.more_kept: Callable[[str], Awaitable[dict[str, Any]]] = _nothing_more
        """What is kept of somebody elsewhere, for their export."""
        self.counting = Statistics(registry)
        self._log = registry.database
        self._work = Work()
        self._forgetting: set[str] = set()

    # Who they are

    async def known(self, key: str | None, client: str) -> Person:
        """Whom a key opens. Wrong ones are counted, and soon told to wait."""
        person = None if key is None else await self._log.person_by_key(hashed(key))
        if person is None:
            self.limits.spend("wrong", client)
            raise ServerProblem("wrong_person", "this key is nobody's here: Sunglade-Person: KEY.")
        now = time.time()
        if now - person.used > USED_S:
            await self._log.person_used(person.id, now)
        return person

    async def seated_as(self, key: str | None, client: str) -> str | None:
        """Whose a new seat is: nobody's in particular where no key is shown."""
        return None if key is None else (await self._served(key, client)).id

    async def _served(self, key: str | None, client: str) -> Person:
        """Whom a key opens, unless the operator does not serve them."""
        person = await self.known(key, client)
        self.check_served(person.id)
        return person

    async def add(self, request: NewPerson, client: str) -> bytes:
        """Somebody new; who asks again with the same id is the same person, and gets the same key."""
        key, now = token_from(KIND, request.id), time.time()
        person = await self._log.person_by_key(hashed(key))
        if person is None:
            self.limits.spend("person", client)
            name = clean_name(request.name) if request.name else None
            new = Person(holder_from(KIND, request.id), name, request.species, now, now)
            await self._log.add_person(new, PersonKey(hashed(key), new.id, now))
            person = await self.known(key, client)
        return self._with_key(person, key)

    def _with_key(self, person: Person, key: str) -> bytes:
        return self.registry.write({**_told(person), "key": key})

    async def me(self, key: str | None, client: str) -> bytes:
        """What is known of whoever asks."""
        return self.registry.write(_told(await self.known(key, client)))

    async def change(self, request: PersonChange, key: str | None, client: str) -> bytes:
        """Another name and tree. Tables that run keep the name they know."""
        person = await self._served(key, client)
        name = clean_name(request.name) if request.name else None
        if not await self._log.change_person(person.id, name, request.species):
            raise _gone()
        return await self.me(key, client)

    # Other browsers

    async def move(self, key: str | None, client: str) -> bytes:
        """A code by which another browser is the same person, too. Good once, for a quarter of an hour."""
        person = await self.known(key, client)
        code, expires = new_token(), time.time() + CODE_GOOD_S
        if not await self._log.keep_person_code(PersonCode(hashed(code), person.id, expires)):
            raise _gone()
        return self.registry.write({"code": code, "expires": expires})

    async def claim(self, request: PersonClaim, client: str) -> bytes:
        """A key of one's own for a code; the same one for whoever asks again with the same id."""
        self.limits.spend("join", client)
        key = token_from(KIND, request.id)
        person = await self._log.person_by_key(hashed(key))
        if person is None:
            await self._spend(request.code, key, client)
            person = await self.known(key, client)
        return self._with_key(person, key)

    async def _spend(self, code: str, key: str, client: str) -> None:
        kept = await self._log.person_code(hashed(code))
        good = kept is not None and kept.expires >= time.time()
        if kept is not None and good:
            good = await self._log.spend_person_code(kept.code, PersonKey(hashed(key), kept.person, time.time()))
        if not good and await self._log.person_by_key(hashed(key)) is None:  # nor was it spent for this very key
            self.limits.spend("wrong", client)
            raise ServerProblem("wrong_invite", "this code is not good, or no longer.")

    # Their tables

    async def link(self, request: Mine, key: str | None, client: str) -> bytes:
        """Seats whose tokens a browser has are this person's from now on, where they are nobody's yet."""
        self.limits.spend("heavy", client)
        person = await self._served(key, client)
        return self.registry.write(
            {"linked": await self._log.link([hashed(token) for token in request.tokens], person.id)}
        )

    async def tables(self, key: str | None, client: str, before: str | None) -> bytes:
        """The tables where a person sits or sat, the newest first; `next` is where the following ones begin."""
        self.limits.spend("heavy", client)
        person = await self.known(key, client)
        page, following = await self._page(person.id, before)
        told = [await self._summary(holder.table_id, person.id) for holder in page]
        return self.registry.write({"tables": [table for table in told if table is not None], "next": following})

    async def _summary(self, table: str, person: str) -> dict[str, Any] | None:
        """A table with the seats a person has there; None where it can no longer be read."""
        try:
            room = await self.registry.room(table)
        except ServerProblem:
            return None
        holders = await self._holders(table, person)
        own = {name: sorted({seat for holder in holders for seat in of(holder)}) for name, of in _seats(room).items()}
        return room.table.summary() | {"seats": room.seats_view(), **own, "time_left": room.time_left()}

    async def _holders(self, table: str, person: str) -> list[str]:
        """By which numbers a person is known at a table."""
        found = [holder.id for holder in await self._log.holders([table]) if holder.person == person]
        return list(dict.fromkeys(found))

    async def statistics(self, key: str | None, client: str, before: str | None) -> bytes:
        """What some of a person's finished games come to; `next` is where the following ones begin."""
        self.limits.spend("heavy", client)
        person = await self.known(key, client)
        page, following = await self._page(person.id, before)
        tables = [(holder.table_id, await self._holders(holder.table_id, person.id)) for holder in page]
        return self.registry.write({**await self.counting.of(tables), "next": following})

    async def _page(self, person: str, before: str | None) -> tuple[list[Holder], str | None]:
        """Some of a person's tables, and where the following ones begin."""
        found = await self._log.tables_of(person, _place(before), PAGE + 1)
        return found[:PAGE], _place_of(found[PAGE - 1]) if len(found) > PAGE else None

    async def export(self, key: str | None, client: str) -> Answer:
        """Everything that is kept of a person, a table at a time."""
        self.limits.spend("heavy", client, 5.0)
        person = await self.known(key, client)
        kept = {**_told(person), "used": person.used, **await self.more_kept(person.id)}
        start = self.registry.write(kept)[:-1] + b',"tables":['
        return chained(start, self._exported(person.id), b"]}")

    async def _exported(self, person: str) -> AsyncIterator[bytes]:
        """The tables of a person, one after the other."""
        begun, before = False, None
        while True:
            page, before = await self._page(person, before)
            for holder in page:
                summary = await self._summary(holder.table_id, person)
                if summary is not None:
                    game = (await self.registry.room(holder.table_id)).table.shown()
                    said = await self._said(holder.table_id, person)
                    told = {"table": summary, "game": game, "said": said}
                    yield (b"," if begun else b"") + self.registry.write(told)
                    begun = True
            if before is None:
                return

    async def _said(self, table: str, person: str) -> list[dict[str, Any]]:
        """What somebody said at a table, as far as it is kept."""
        holders = await self._holders(table, person)
        return [said.told() for said in await self._log.said(table, 0, MOST_KEPT) if said.holder in holders]

    # Being forgotten

    async def leave(self, key: str | None, client: str) -> bytes:
        """Forget a person: no key opens them from now on; tables lose their name soon. Seats keep their tokens."""
        person = await self.known(key, client)
        await self._log.begin_to_forget(person.id)
        self._work.begin(self._forget(person.id))
        return self.registry.write({"forgotten": person.id})

    async def forget_all(self) -> None:
        """Go on with those whom a process was about to forget when it ended. It may take long, and nobody waits."""
        for person in await self._log.people_leaving(TOGETHER):
            if person not in self._forgetting:
                self._work.begin(self._forget(person))

    async def finish(self, limit_s: float) -> None:
        """Wait for what is under way, but no longer than a limit: another process goes on with it."""
        await self._work.finish(limit_s)

    async def _forget(self, person: str) -> None:
        """Take a name out of all tables, then out of the list of people."""
        self._forgetting.add(person)
        try:
            before: str | None = None
            while True:
                page, before = await self._page(person, before)
                for holder in page:
                    await self._forget_at_one(holder.table_id, await self._holders(holder.table_id, person))
                if before is None:
                    break
            await self._log.forget_person(person)
        except (DatabaseTrouble, ServerProblem) as trouble:  # the housekeeper goes on with it
            log.warning("somebody is to be forgotten later", extra={"reason": str(trouble)})
        except Exception:
            log.exception("somebody could not be forgotten")
        finally:
            self._forgetting.discard(person)

    async def _forget_at_one(self, table: str, holders: Collection[str]) -> None:
        """A log that this version cannot read, and shows to nobody, keeps nobody from being forgotten elsewhere."""
        try:
            await self._forget_at(table, holders)
        except MISREAD as error:
            reason = f"{type(error).__name__}: {error}"
            log.error("a name stays in a log that cannot be read", extra={"table": table, "reason": reason})

    async def _forget_at(self, table: str | None, holders: Collection[str]) -> None:
        """At a table, and at the rematches where they have a seat as somebody nobody has come as yet."""
        while table is not None and holders:
            names = Names(set(holders))
            await self._log.rewrite(table, [], holders)  # what they said is read again once the table has told of it
            rewritten, last = await self._names_at(table, names)
            if names.named and not await self._told_forgotten(table, names.named, last):
                continue  # something happened meanwhile: it is read again
            await self._log.rewrite(table, rewritten, holders)
            table, holders = names.rematch, names.holders_there

    async def _names_at(self, table: str, names: Names) -> tuple[list[Rewritten], int]:
        """What a table's log is without names, and its last event."""
        rewritten: list[Rewritten] = []
        last = 0
        while events := await self._log.log(table, since=last, limit=LOG_PAGE):
            told = dict(await self._log.told(table, last, events[-1].seq, LOG_PAGE))
            rewritten += names.without([(event, told.get(event.seq)) for event in events])
            last = events[-1].seq
        return rewritten, last

    async def _told_forgotten(self, table: str, seats: Collection[int], last: int) -> bool:
        """Tell everybody at a table, in every process; not where something has happened since its log was read."""
        fresh = True

        def decide(now: Table) -> Intent | None:
            nonlocal fresh
            fresh = now.seq <= last
            named = [seat for seat in sorted(seats) if now.chairs[seat].name or now.chairs[seat].former_name]
            return Intent("forgotten", None, {"seats": named}) if fresh and named else None

        try:
            room = await self.registry.room(table)
            await self.registry.record(room, decide)
        except ServerProblem as problem:
            if problem.kind not in ("unknown_table", "rules_changed"):  # such a table is told nothing
                raise
        return fresh

    # Seats

    async def seat(self, table: str, key: str | None, client: str) -> bytes:
        """A token for a seat that this person has, or may take again: the same one for each key, however often."""
        self.limits.spend("join", client)
        person = await self._served(key, client)
        room = await self.registry.room(table)
        holders = await self._holders(table, person.id)
        if not _sitting(room, holders):
            await self.registry.look_closer(room)
        holder = _sitting(room, holders)
        if key is None or holder is None:
            raise ServerProblem("wrong_person", "this person has no seat at this table.")
        token = token_from(table, f"{holder} {key}")
        if not await self._log.known([hashed(token)]):
            await self._log.add_holder(new_holder_row(table, holder, token, person.id))
        room.holders[hashed(token)] = holder
        room.notice(holder, client)
        fields = {"table": table, "token": token, "seats": room.table.seats_of(holder)}
        return joined(self.registry.write, fields, view=room.view())


def _seats(room: Room) -> dict[str, Any]:
    """Which seats a holder has and which it has left."""
    return {"mine": room.table.seats_of, "left": room.table.left_by}


def _sitting(room: Room, holders: list[str]) -> str | None:
    """The first of some holders who has a seat, else who has left one that is free."""
    return next((holder for of in _seats(room).values() for holder in holders if of(holder)), None)


def _place(text: str | None) -> tuple[float, str] | None:
    """Where a page begins, in the order of tables."""
    if text is None:
        return None
    created, _, table = text.partition(" ")
    try:
        return float(created), table
    except ValueError:
        raise ServerProblem("bad_request", "query.before: this is no place of a page.") from None


def _place_of(holder: Holder) -> str:
    return f"{holder.created!r} {holder.table_id}"


def _told(person: Person) -> dict[str, Any]:
    return {"person": person.id, "name": person.name, "species": person.species, "created": person.created}


async def _nothing_more(person: str) -> dict[str, Any]:
    return {}


def _gone() -> ServerProblem:
    return ServerProblem("wrong_person", "this person has been forgotten.")
