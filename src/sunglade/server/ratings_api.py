"""Ratings over HTTP: of a table, of whoever asks, of everybody."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from sunglade.server import schema
from sunglade.server.answers import json_answer
from sunglade.server.requests import Client, Parts, PersonKey, StrictRoute, TableName, Token

router = APIRouter(route_class=StrictRoute, tags=["ratings"])
Players = Annotated[int, Query(ge=2, le=4, description="in games of how many")]


@router.get("/tables/{table}/ratings", response_model=schema.TableRatings)
async def of_table(table: TableName, parts: Parts, token: Token, client: Client) -> Response:
    """How strong those at a rated table are; once the result has been reckoned with, what it was worth to them."""
    return json_answer(await parts.ratings.of_table(table, token, client))


@router.get("/people/me/ratings", response_model=schema.MyRatings)
async def mine(parts: Parts, client: Client, person: PersonKey) -> Response:
    """How strong whoever asks is, and what their last rated games were worth."""
    return json_answer(await parts.ratings.mine(person, client))


@router.get("/ranking", response_model=schema.Ranking)
async def ranking(parts: Parts, client: Client, person: PersonKey, players: Players = 2) -> Response:
    """Who is how strong, where the operator lets everybody know."""
    return json_answer(await parts.ratings.ranking(players, person, client))
