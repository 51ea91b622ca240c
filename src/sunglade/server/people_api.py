"""People over HTTP: who wants to be known again, their tables, and other browsers of theirs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from sunglade.server import schema
from sunglade.server.answers import answered, json_answer
from sunglade.server.qr_code import modules
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Open, PersonKey, StrictRoute, TableName
from sunglade.table.requests import Link, Mine, NewPerson, PersonChange, PersonClaim

router = APIRouter(route_class=StrictRoute, tags=["people"])
PLACE: Final = "^[0-9.]{1,30} [0-9a-z]{1,40}$"
Before = Annotated[str | None, Query(pattern=PLACE, description="`next` of the page before")]


@router.post("/people", response_model=schema.PersonOpened, status_code=201)
async def add_person(request: Checked[NewPerson], house: Open, client: Client) -> Response:
    """Be known again from now on. The key is for this browser alone."""
    return answered(await house.people.add(request, client), 201)


@router.post("/people/claim", response_model=schema.PersonOpened)
async def claim_person(request: Checked[PersonClaim], house: Open, client: Client) -> Response:
    """Be the same person as in another browser, which made the code. Both go on."""
    return answered(await house.people.claim(request, client))


@router.get("/people/me", response_model=schema.PersonView)
async def me(house: Open, client: Client, person: PersonKey) -> Response:
    """What is known of whoever asks."""
    return answered(await house.people.me(person, client))


@router.put("/people/me", response_model=schema.PersonView)
async def change_me(request: Checked[PersonChange], house: Open, client: Client, person: PersonKey) -> Response:
    """Another name and tree. Tables keep the name they know."""
    return answered(await house.people.change(request, person, client))


@router.post("/people/me/move", response_model=schema.PersonCode)
async def move_me(house: Open, client: Client, person: PersonKey) -> Response:
    """A code for another browser. Good once, for a quarter of an hour; an older one no longer is."""
    return answered(await house.people.move(person, client))


@router.post("/people/me/qr", response_model=schema.LinkCode)
async def my_qr_code(request: Checked[Link], house: Open, client: Client, person: PersonKey) -> Response:
    """A link as a QR code. It is not kept."""
    await house.people.known(person, client)
    house.limits.spend("heavy", client)
    return json_answer({"rows": await asyncio.to_thread(modules, request.link)})


@router.post("/people/me/seats", response_model=schema.Linked)
async def link_seats(request: Checked[Mine], house: Open, client: Client, person: PersonKey) -> Response:
    """The seats whose tokens a browser has kept are this person's, where they are nobody's yet."""
    return answered(await house.people.link(request, person, client))


@router.get("/people/me/tables", response_model=schema.PersonTables)
async def my_tables(house: Open, client: Client, person: PersonKey, before: Before = None) -> Response:
    """The tables where this person sits or sat, the newest first."""
    return answered(await house.people.tables(person, client, before))


@router.post("/tables/{table}/seat", response_model=schema.Seated)
async def my_seat(table: TableName, house: Open, client: Client, person: PersonKey) -> Response:
    """A token for the seat that this person has here, also where another browser sat down."""
    return answered(await house.people.seat(table, person, client))


@router.get("/people/me/statistics", response_model=schema.Statistics)
async def my_statistics(house: Open, client: Client, person: PersonKey, before: Before = None) -> Response:
    """What some of this person's finished games come to, the newest first."""
    return answered(await house.people.statistics(person, client, before))


@router.get("/people/me/export", response_model=schema.PersonExport)
async def export_me(house: Open, client: Client, person: PersonKey) -> Response:
    """Everything that is kept of this person."""
    return answered(await house.people.export(person, client))


@router.delete("/people/me", response_model=schema.Forgotten)
async def forget_me(house: Open, client: Client, person: PersonKey) -> Response:
    """Be forgotten: the keys open nobody any more, and tables lose the name. Seats keep their tokens."""
    return answered(await house.people.leave(person, client))
