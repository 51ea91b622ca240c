"""Notices over HTTP: whoever sits at a table is told of it while they are away, and a group is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sunglade.server import schema
from sunglade.server.answers import json_answer
from sunglade.server.request_models import Checked
from sunglade.server.requests import Client, Parts, StrictRoute, TableName, Token
from sunglade.table.requests import NoticesAsked, TellBrowser, TellBrowserNoMore, TellGroup

router = APIRouter(route_class=StrictRoute, tags=["notices"], prefix="/tables/{table}/notices")


@router.post("", response_model=schema.Notices)
async def asked(
    table: TableName, request: Checked[NoticesAsked], parts: Parts, token: Token, client: Client
) -> Response:
    """How whoever sits here is told of the table, and by which key push services know this server."""
    return json_answer(await parts.notices.shown(table, request, token, client))


@router.post("/browser", response_model=schema.Notices)
async def browser(
    table: TableName, request: Checked[TellBrowser], parts: Parts, token: Token, client: Client
) -> Response:
    """Tell a browser when something waits for whoever sits here, as long as they are away."""
    return json_answer(await parts.notices.tell_browser(table, request, token, client))


@router.post("/browser/forget", response_model=schema.Notices)
async def forget(
    table: TableName, request: Checked[TellBrowserNoMore], parts: Parts, token: Token, client: Client
) -> Response:
    """Tell it no more."""
    return json_answer(await parts.notices.tell_browser_no_more(table, request, token, client))


@router.post("/group", response_model=schema.Notices)
async def group(
    table: TableName, request: Checked[TellGroup], parts: Parts, token: Token, client: Client, asking: Request
) -> Response:
    """Tell a group's chat whose turn it is, by its webhook; for the owner of the table."""
    return json_answer(await parts.notices.tell_group(table, request, token, client, str(asking.base_url)))
