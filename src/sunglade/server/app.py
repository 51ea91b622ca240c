"""The application: routes, the WebSocket, the client's files, and how everything that goes wrong is told."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

import sunglade
from sunglade.errors import SungladeError
from sunglade.server import (
    games_api,
    live,
    notices_api,
    pages,
    people_api,
    ratings_api,
    schema,
    server_api,
    tables_api,
    teaching_api,
)
from sunglade.server.answers import json_answer
from sunglade.server.guard import App, Guard, Hosts
from sunglade.server.request_models import ClientMessage
from sunglade.server.service import Service
from sunglade.table.problems import ServerProblem, problem_of
from sunglade.table.trouble import DatabaseTrouble, log_trouble

log = logging.getLogger("sunglade.server")

DESCRIPTION = "Tables, seats, bots and spectators of Sunglade. `docs/api.md` explains it with a game in curl."


def make_app(service: Service) -> App:
    """The whole application, guarded."""
    config = service.config
    app = make_inner_app(service)
    return Guard(
        app,
        Hosts(config.host, config.allowed_hosts),
        service.limits,
        service.connections,
        service.metrics,
        service.bans,
    )


def make_inner_app(service: Service | None) -> FastAPI:
    """The application without the door; without a service only its schema can be asked."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        assert service is not None
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    app = FastAPI(
        title="Sunglade",
        version=sunglade.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={status: {"model": schema.ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)},
    )
    app.state.service = service
    for router in (
        server_api.router,
        tables_api.router,
        games_api.router,
        teaching_api.router,
        people_api.router,
        notices_api.router,
        ratings_api.router,
    ):
        app.include_router(router, prefix="/api")
    app.include_router(server_api.metrics_router)

    @app.websocket("/api/live")
    async def connect(socket: WebSocket) -> None:
        await live.serve(socket, socket.app.state.service)

    app.include_router(pages.router)
    _tell_errors(app)
    _tell_messages(app)
    return app


def _tell_errors(app: FastAPI) -> None:
    """Whatever goes wrong is told in one shape."""

    @app.exception_handler(ServerProblem)
    async def refused(request: Request, problem: ServerProblem) -> Response:
        if request.app.state.service is not None:
            request.app.state.service.metrics.refusals.labels(problem.kind).inc()
        answer = json_answer({"error": problem.as_dict()}, problem.status)
        if "retry_after" in problem.more:
            answer.headers["retry-after"] = str(max(1, round(problem.more["retry_after"])))
        return answer

    @app.exception_handler(DatabaseTrouble)
    async def no_database(request: Request, trouble: DatabaseTrouble) -> Response:
        log_trouble(trouble)
        return await refused(request, trouble.problem)

    @app.exception_handler(SungladeError)
    async def bad_input(request: Request, error: SungladeError) -> Response:
        return await refused(request, problem_of(error))

    @app.exception_handler(RequestValidationError)
    async def bad_shape(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return await refused(request, ServerProblem("bad_request", f"{place}: {first['msg']}"[:300]))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        kinds = {404: "unknown_page", 405: "not_allowed", 400: "bad_json", 413: "too_large"}
        answer = await refused(request, ServerProblem(kinds.get(error.status_code, "bad_request"), str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        log.error("request failed", exc_info=error, extra={"path": request.url.path})
        return await refused(request, ServerProblem("internal", "something went wrong here; it has been logged."))


def _tell_messages(app: FastAPI) -> None:
    """OpenAPI knows no WebSockets: their messages are added to its models, so that clients get types for them too."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            told = plain()
            models = told["components"]["schemas"]
            unions: dict[str, Any] = {"ClientMessage": ClientMessage, "ServerMessage": schema.ServerMessage}
            for name, union in unions.items():
                found = TypeAdapter(union).json_schema(ref_template="#/components/schemas/{model}")
                models.update(found.pop("$defs"))
                models[name] = found
            app.openapi_schema = told
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
