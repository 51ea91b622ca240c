"""Tables over HTTP: make, join, look, play, leave. Enough to play without a WebSocket."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response

from sunglade.server import schema
from sunglade.server.answers import joined, json_answer, whole_past, whole_update
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Parts, StrictRoute, TableName, Token, authorised, may_look
from sunglade.server.service import Service
from sunglade.table.problems import ServerProblem, table_deleted
from sunglade.table.requests import Claim, Command, CreateTable, Join, Mine
from sunglade.table.room import Room
from sunglade.table.seating import setup_for
from sunglade.table.table import Intent, Table
from sunglade.table.table_log import Holder, SeatCode, SpentCode, new_holder_row
from sunglade.table.tokens import hashed, new_holder, new_token
from sunglade.table.wish import Wish

CODE_GOOD_S: Final = 15 * 60
MOST_WAIT_S: Final = 30.0

router = APIRouter(route_class=StrictRoute, tags=["tables"])
SeatNumber = Annotated[int, Path(ge=0, le=3)]
Since = Annotated[int, Query(ge=0, le=2**53, description="the last event known")]


@router.post("/tables", response_model=schema.Created, status_code=201)
async def create_table(request: Checked[CreateTable], service: Parts, client: Client) -> Response:
    """Make a table and sit down at it."""
    service.limits.spend("create", client)
    holder, token, invite = new_holder(), new_token(), new_token()
    setup = await asyncio.to_thread(setup_for, request, holder, service.levels)
    room = await service.registry.create(
        setup, [lambda name: new_holder_row(name, holder, token)], invite=hashed(invite)
    )
    return _seated(room, holder, client, token, 201, invite=invite)


def _seated(room: Room, holder: str, client: str, token: str | None, status: int = 200, **more: Any) -> Response:
    """A place at a table; without a token where the client has one already."""
    room.notice(holder, client)
    fields = {"table": room.table.name, "token": token, "seats": room.table.seats_of(holder), **more}
    return Response(joined(fields, view=room.view()), status, media_type="application/json")


@router.get("/tables/{table}", response_model=schema.Update)
async def look(
    table: TableName,
    service: Parts,
    token: Token,
    client: Client,
    since: Since = 0,
    wait: Annotated[float, Query(ge=0, le=MOST_WAIT_S, description="seconds to wait for news")] = 0.0,
) -> Response:
    """How a table stands and what happened since; with `wait` the answer comes when something does."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    await service.registry.keep_up(room, since)
    if wait and not service.stopping.is_set():
        waiting = asyncio.create_task(room.wait_for_news(since, wait))
        stopping = asyncio.create_task(service.stopping.wait())
        await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (waiting, stopping):
            task.cancel()
        room.check_open()
    return await whole_update(service.registry.archive, room, since)


@router.get("/tables/{table}/events", response_model=list[schema.Told])
async def events(table: TableName, service: Parts, token: Token, client: Client, since: Since = 0) -> Response:
    """What happened, from any point on."""
    room = await service.registry.room(table)
    await may_look(service, room, token, client)
    return await whole_past(service.registry.archive, room, since)


@router.post("/tables/{table}/commands", response_model=schema.Acknowledged)
async def command(
    table: TableName, request: Checked[Command], service: Parts, token: Token, client: Client
) -> Response:
    """Carry out a command. When the answer comes, it is kept for good."""
    room = await service.registry.room(table)
    holder = await authorised(service, room, token, client)
    service.limits.spend("command", holder)
    room.notice(holder, client)
    before = request.expected if request.expected is not None else room.table.seq
    seq = await service.registry.act(room, holder, request)
    return await whole_update(service.registry.archive, room, min(before, seq - 1), acknowledged=seq)


# Seats


@router.post("/tables/{table}/join", response_model=schema.Seated)
async def join(table: TableName, request: Checked[Join], service: Parts, token: Token, client: Client) -> Response:
    """Sit down on an open seat. A client that sits here already keeps its token."""
    room, wish = await _wished(table, request.id, service, token, client)
    event = await service.registry.fulfilled(room, wish)
    if event is None:
        if await service.database.invitation(table) != hashed(request.invite):
            service.limits.spend("wrong", client)
            raise ServerProblem("wrong_invite", "this invitation is not good at this table.")
        event = await service.registry.fulfil(
            room, wish, lambda now: now.decide_seating(request.name, request.seat, wish.holder)
        )
    if event.kind != "sat":
        raise _reused()
    return _seated(room, wish.holder, client, wish.token or token)


async def _wished(
    table: str, command: str | None, service: Service, token: str | None, client: str
) -> tuple[Room, Wish]:
    """A seat is asked for, by somebody new or by one who sits here already."""
    service.limits.spend("join", client)
    room = await service.registry.room(table)
    holder = None if token is None else await authorised(service, room, token, client)
    return room, Wish.of(table, command, holder)


def _reused() -> ServerProblem:
    return ServerProblem("command_id_reused", "this id was for another seat; choose a new one.")


@router.post("/tables/{table}/invite", response_model=schema.Invite)
async def invite(table: TableName, service: Parts, token: Token, client: Client) -> Response:
    """A new invitation, for whoever sits here; older ones no longer work."""
    room = await service.registry.room(table)
    await _seated_holder(service, room, token, client)
    code = new_token()
    if not await service.database.invite(table, hashed(code)):
        raise table_deleted()
    return json_answer({"invite": code})


async def _seated_holder(service: Service, room: Room, token: str | None, client: str) -> str:
    holder = await authorised(service, room, token, client)
    if not room.table.seats_of(holder):
        await service.registry.look_closer(room)
    if not room.table.seats_of(holder):
        raise ServerProblem("wrong_token", "this token holds no seat at this table.")
    return holder


@router.post("/tables/{table}/seats/{seat}/move", response_model=schema.MoveCode)
async def move_seat(table: TableName, seat: SeatNumber, service: Parts, token: Token, client: Client) -> Response:
    """A code by which another device takes this seat over. Good once, for a quarter of an hour."""
    room = await service.registry.room(table)
    holder = await authorised(service, room, token, client)
    if seat not in room.table.seats_of(holder):
        await service.registry.look_closer(room)
    if seat not in room.table.seats_of(holder):
        raise ServerProblem("wrong_token", f"this token does not hold seat {seat}.")
    code, expires = new_token(), time.time() + CODE_GOOD_S
    if not await service.database.keep_code(SeatCode(hashed(code), table, seat, holder, expires)):
        raise table_deleted()
    return json_answer({"code": code, "expires": expires})


@router.post("/tables/{table}/claim", response_model=schema.Seated)
async def claim(table: TableName, request: Checked[Claim], service: Parts, token: Token, client: Client) -> Response:
    """Take a seat over from another device, which loses it."""
    room, wish = await _wished(table, request.id, service, token, client)
    code = await service.database.code(table, hashed(request.code))
    event = await service.registry.fulfilled(room, wish)
    if event is None:
        if code is None or code.expires < time.time():
            service.limits.spend("wrong", client)
            raise ServerProblem("wrong_invite", "this code is not good, or no longer.")

        def moved(now: Table) -> Intent:
            if now.chairs[code.seat].holder != code.holder:
                raise ServerProblem("wrong_invite", "this code is not good any more.")
            return Intent("moved", code.seat, {"holder": wish.holder})

        event = await service.registry.fulfil(room, wish, moved, [SpentCode(code.code)])
    if event.kind != "moved" or (code is not None and event.seat != code.seat):
        raise _reused()
    return _seated(room, wish.holder, client, wish.token or token)


# Rematch and lists


@router.post("/tables/{table}/rematch", response_model=schema.Seated)
async def rematch(table: TableName, service: Parts, token: Token, client: Client) -> Response:
    """The next game with the same people, seats moved on by one. Everybody asks and gets a token for the new table."""
    service.limits.spend("create", client)
    room = await service.registry.room(table)
    holder = await _seated_holder(service, room, token, client)
    if not room.table.game.over:
        await service.registry.look_closer(room)
    if not room.table.game.over:
        raise ServerProblem("game_running", "a rematch is for when the game is over.")
    data = await service.registry.rematch(room)
    given, who = new_token(), data["holders"].get(holder)
    new_room = await service.registry.room(data["table"])
    if who is None:
        raise ServerProblem("wrong_token", "this token held no seat when the rematch was made; ask for an invitation.")
    await service.database.add_holder(new_holder_row(data["table"], who, given))
    new_room.holders[hashed(given)] = who
    return _seated(new_room, who, client, given)


@router.post("/mine", response_model=schema.MineAnswer)
async def mine(request: Checked[Mine], service: Parts, client: Client) -> Response:
    """The tables of the tokens a client has kept."""
    service.limits.spend("heavy", client)
    digests = [hashed(token) for token in request.tokens]
    known = {holder.token: holder for holder in await service.database.known(digests)}
    found = [await _summary(service, known.get(digest)) for digest in digests]
    return json_answer({"tables": found})


async def _summary(service: Service, holder: Holder | None) -> dict[str, Any]:
    """A table of somebody's."""
    if holder is None:
        return {"table": None}
    try:
        room = await service.registry.room(holder.table_id)
    except ServerProblem:
        return {"table": None}
    seats = {"seats": room.seats_view(), "mine": room.table.seats_of(holder.id)}
    return {"table": room.table.summary() | seats}
