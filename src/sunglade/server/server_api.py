"""About the server: what it offers, whether it works, what it has counted."""

from __future__ import annotations

import hmac

from fastapi import APIRouter, Request, Response

import sunglade
from sunglade.server import schema
from sunglade.server.answers import json_answer
from sunglade.server.reach import Opened, reach
from sunglade.server.requests import Parts, StrictRoute, asks_from_here
from sunglade.table.problems import ServerProblem

router = APIRouter(route_class=StrictRoute, tags=["server"])
metrics_router = APIRouter()


@router.get("/meta", response_model=schema.Meta)
async def meta(service: Parts) -> Response:
    """What this server offers."""
    return json_answer(service.house.meta())


@router.get("/reach", response_model=schema.Reach)
async def reaching(request: Request, service: Parts) -> Response:
    """Where others find this server. The addresses of its machine are told to this machine alone."""
    _, port = request.scope.get("server") or ("", service.config.port)
    host = request.headers.get("host", "")
    opened = Opened(request.url.scheme, host, port, near=asks_from_here(request))
    return json_answer(reach(service.config, opened).to_dict())


@router.get("/privacy", response_model=schema.Privacy)
async def privacy(service: Parts) -> Response:
    """What is kept here, and for how long."""
    config = service.config
    told = {
        "keep_days": config.keep_days or None,
        "keep_uploads_days": config.keep_uploads_days or None,
        "logs_addresses": config.verbose,
        "contact": config.contact,
    }
    return json_answer(told)


@router.get("/health", response_model=schema.Health)
async def health(service: Parts) -> Response:
    """Whether the server works: 200 if so, 503 if the database cannot be written."""
    reason = await service.health.reason()
    told = {
        "status": "ok" if reason is None else "failing",
        "version": sunglade.__version__,
        "database": service.database.kind,
        "bots": service.engines.state,
        **({} if reason is None else {"reason": reason}),
    }
    return json_answer(told, 200 if reason is None else 503)


@metrics_router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, service: Parts) -> Response:
    """Counters for Prometheus: with the operator's token, or without one from this machine itself only."""
    wanted = service.config.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not (hmac.compare_digest(given.encode(), wanted.encode()) if wanted else asks_from_here(request)):
        raise ServerProblem("unknown_page", "there is no such page.")
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
