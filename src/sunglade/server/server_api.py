"""About the server: what it offers, whether it works, what it has counted."""

from __future__ import annotations

import hmac
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response

import sunglade
from sunglade import board
from sunglade.engine import PROTOCOL
from sunglade.rules import EDITIONS, MODULES, OPTIONS, Rules
from sunglade.server import schema
from sunglade.server.agreement import MOST_ACTIONS, MOST_ROUNDS, RULES_VERSION
from sunglade.server.answers import json_answer
from sunglade.server.guard import MOST_BODY
from sunglade.server.problems import ServerProblem
from sunglade.server.requests import Parts, StrictRoute
from sunglade.server.think_queue import SEARCHERS

API: Final = 1
"""Version of this API: raised when something that worked no longer does."""

LOOPBACK: Final = ("127.0.0.1", "::1")

router = APIRouter(route_class=StrictRoute, tags=["server"])
metrics_router = APIRouter()


@router.get("/meta", response_model=schema.Meta)
async def meta(service: Parts) -> Response:
    """What this server offers."""
    levels = [{"level": level, "searches": level in SEARCHERS} for level in service.levels]
    return json_answer({**_unchanging(), "bots": levels})


@cache
def _unchanging() -> dict[str, Any]:
    return {
        "version": sunglade.__version__,
        "api": API,
        "protocol": PROTOCOL,
        "rules_version": RULES_VERSION,
        "editions": [_edition(name) for name in EDITIONS],
        "modules": list(MODULES),
        "board": [_space(space) for space in board.SPACES],
        "sun_corners": [board.NAMES[space] for space in board.SUN_CORNERS],
        "sun_directions": [list(towards) for towards in board.SUN_DIRECTIONS],
        "moon_places": [list(place) for place in board.MOON_HEXES],
        "limits": {
            "name": schema.MOST_NAME, "body": MOST_BODY, "rounds": MOST_ROUNDS, "actions": MOST_ACTIONS,
        },
    }  # fmt: skip


def _edition(name: str) -> dict[str, Any]:
    rules, reference = Rules(edition=name), Rules()
    values = {option: getattr(rules, option) for option in OPTIONS}
    return {
        "edition": name,
        "book": EDITIONS[name],
        "options": {option: list(value) if isinstance(value, tuple) else value for option, value in values.items()},
        "differs": [option for option, value in values.items() if value != getattr(reference, option)],
    }


def _space(space: int) -> dict[str, Any]:
    q, r = board.COORDINATES[space]
    neighbours = board.names_of(board.NEIGHBOURS[space])
    return {"name": board.NAMES[space], "leaves": board.LEAVES[space], "q": q, "r": r, "neighbours": neighbours}


@router.get("/health", response_model=schema.Health)
async def health(service: Parts) -> Response:
    """Whether the server works: 200 if so, 503 if the database does not answer."""
    status = "ok"
    try:
        await service.database.one(sa.text("SELECT 1"))
    except Exception:
        status = "failing"
    told = {
        "status": status,
        "version": sunglade.__version__,
        "database": service.database.kind,
        "bots": service.engines.state,
    }
    return json_answer(told, 200 if status == "ok" else 503)


@metrics_router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, service: Parts) -> Response:
    """Counters for Prometheus: with the operator's token, or without one from this machine itself only."""
    wanted = service.config.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    near = request.client is not None and request.client.host in LOOPBACK and "x-forwarded-for" not in request.headers
    if not (hmac.compare_digest(given.encode(), wanted.encode()) if wanted else near):
        raise ServerProblem("unknown_page", "there is no such page.")
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
