"""Tables over HTTP: make, join, look, play, leave. Enough to play without a WebSocket."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

from sunglade.server import schema
from sunglade.server.answers import answered, json_answer
from sunglade.server.qr_code import modules
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Open, PersonKey, SeatNumber, StrictRoute, TableName, Token
from sunglade.table.house import MOST_WAIT_S
from sunglade.table.requests import Claim, Command, CreateTable, Invited, Join, Link, Mine, Say

router = APIRouter(route_class=StrictRoute, tags=["tables"])
Since = Annotated[int, Query(ge=0, le=2**53, description="the last event known")]


@router.post("/tables", response_model=schema.Created, status_code=201)
async def create_table(request: Checked[CreateTable], house: Open, client: Client, person: PersonKey) -> Response:
    """Make a table and sit down at it."""
    return answered(await house.create(request, client, person), 201)


@router.get("/tables/{table}", response_model=schema.Update)
async def look(
    table: TableName,
    house: Open,
    token: Token,
    client: Client,
    since: Since = 0,
    wait: Annotated[float, Query(ge=0, le=MOST_WAIT_S, description="seconds to wait for news")] = 0.0,
) -> Response:
    """How a table stands and what happened since; with `wait` the answer comes when something does."""
    return answered(await house.look(table, token, client, since, wait))


@router.get("/tables/{table}/events", response_model=list[schema.Told])
async def events(table: TableName, house: Open, token: Token, client: Client, since: Since = 0) -> Response:
    """What happened, from any point on."""
    return answered(await house.events(table, token, client, since))


@router.post("/tables/{table}/commands", response_model=schema.Acknowledged)
async def command(table: TableName, request: Checked[Command], house: Open, token: Token, client: Client) -> Response:
    """Carry out a command. When the answer comes, it is kept for good."""
    return answered(await house.command(table, request, token, client))


@router.post("/tables/{table}/join", response_model=schema.Seated)
async def join(
    table: TableName, request: Checked[Join], house: Open, token: Token, client: Client, person: PersonKey
) -> Response:
    """Sit down on an open seat. A client that sits here already keeps its token."""
    return answered(await house.join(table, request, token, client, person))


@router.post("/tables/{table}/invitation", response_model=schema.Invitation)
async def invitation(table: TableName, request: Checked[Invited], house: Open, client: Client) -> Response:
    """The table an invitation is for, and who invites: before sitting down, spectators welcome or not."""
    return answered(await house.invitation(table, request, client))


@router.post("/tables/{table}/invite", response_model=schema.Invite)
async def invite(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """A new invitation, for whoever sits here; older ones no longer work."""
    return answered(await house.invite(table, token, client))


@router.post("/tables/{table}/qr", response_model=schema.LinkCode)
async def qr_code(table: TableName, request: Checked[Link], house: Open, token: Token, client: Client) -> Response:
    """A link as a QR code, for whoever sits here. It is not kept."""
    await house.seated(table, token, client)
    house.limits.spend("heavy", client)
    return json_answer({"rows": await asyncio.to_thread(modules, request.link)})


@router.post("/tables/{table}/seats/{seat}/invite", response_model=schema.SeatInvite)
async def invite_to_seat(table: TableName, seat: SeatNumber, house: Open, token: Token, client: Client) -> Response:
    """An invitation to an open seat, good for it alone, once; by the owner."""
    return answered(await house.invite_to_seat(table, seat, token, client))


@router.post("/tables/{table}/nudge", response_model=schema.Nudged)
async def nudge(table: TableName, house: Open, token: Token, client: Client) -> Response:
    """Let the person to act know that another one waits; once a minute."""
    return answered(await house.nudge(table, token, client))


@router.post("/tables/{table}/seats/{seat}/move", response_model=schema.MoveCode)
async def move_seat(table: TableName, seat: SeatNumber, house: Open, token: Token, client: Client) -> Response:
    """A code by which another device takes this seat over. Good once, for a quarter of an hour."""
    return answered(await house.move_seat(table, seat, token, client))


@router.post("/tables/{table}/claim", response_model=schema.Seated)
async def claim(
    table: TableName, request: Checked[Claim], house: Open, token: Token, client: Client, person: PersonKey
) -> Response:
    """Take a seat over from another device, which loses it."""
    return answered(await house.claim(table, request, token, client, person))


@router.get("/tables/{table}/talk", response_model=schema.TalkAnswer)
async def talk(
    table: TableName,
    house: Open,
    token: Token,
    client: Client,
    since: Annotated[int, Query(ge=0, le=2**53, description="the last thing said that is known")] = 0,
) -> Response:
    """What people said at a table, for everybody who may look."""
    return answered(await house.talk(table, token, client, since))


@router.post("/tables/{table}/talk", response_model=schema.Said)
async def say(table: TableName, request: Checked[Say], house: Open, token: Token, client: Client) -> Response:
    """Say something at a table where one sits. When the answer comes, it is kept."""
    return answered(await house.say(table, request, token, client))


@router.post("/tables/{table}/rematch", response_model=schema.Seated)
async def rematch(table: TableName, house: Open, token: Token, client: Client, person: PersonKey) -> Response:
    """The next game with the same people, seats moved on by one. Everybody asks and gets a token for the new table."""
    return answered(await house.rematch(table, token, client, person))


@router.get("/lobby", response_model=schema.LobbyView)
async def lobby(house: Open, client: Client) -> Response:
    """Who seeks whom for what, and which games may be watched. The WebSocket tells what changes."""
    return answered(await house.lobby(client))


@router.post("/mine", response_model=schema.MineAnswer)
async def mine(request: Checked[Mine], house: Open, client: Client) -> Response:
    """The tables of the tokens a client has kept."""
    return answered(await house.mine(request, client))
