"""How requests are read: strict JSON, one client's limits, whose token."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Final

from fastapi import Depends, Path, Request, Response
from fastapi.routing import APIRoute

from sunglade.server.limits import client_key
from sunglade.server.service import Service
from sunglade.table.house import House
from sunglade.table.json_text import read_json
from sunglade.table.problems import ServerProblem


class StrictRequest(Request):
    """A request whose JSON is JSON: no NaN, no depth that breaks the reader."""

    async def json(self) -> Any:
        """The body's object."""
        return read_json(await self.body())


class StrictRoute(APIRoute):
    """A route that reads strictly, and lets refusals pass FastAPI's wrapping."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler FastAPI calls."""
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            try:
                return await handle(StrictRequest(request.scope, request.receive))
            except Exception as error:
                cause: BaseException | None = error
                while cause is not None and not isinstance(cause, ServerProblem):
                    cause = cause.__cause__
                if cause is None:
                    raise
                raise cause from None

        return strict


async def service_of(request: Request) -> Service:
    """The server's parts."""
    service: Service = request.app.state.service
    return service


Parts = Annotated[Service, Depends(service_of)]


async def house_of(service: Parts) -> House:
    """The tables."""
    return service.house


Open = Annotated[House, Depends(house_of)]
SeatNumber = Annotated[int, Path(ge=0, le=3)]
TableName = Annotated[str, Path(max_length=40, description="a table's name")]


async def client_of(request: Request) -> str:
    """Whom the limits are for."""
    return client_key(request.client.host if request.client else None)


Client = Annotated[str, Depends(client_of)]


async def token_of(request: Request) -> str | None:
    """The token of a request: `Authorization: Bearer TOKEN`, never in the URL."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip() or len(token) > 64:
        return None
    return token.strip()


Token = Annotated[str | None, Depends(token_of)]


async def person_of(request: Request) -> str | None:
    """The key of whoever wants to be known again: `Sunglade-Person: KEY`, never in the URL."""
    key = request.headers.get("sunglade-person", "").strip()
    return key[:64] or None


PersonKey = Annotated[str | None, Depends(person_of)]


LOOPBACK: Final = ("127.0.0.1", "::1")


def asks_from_here(request: Request) -> bool:
    """Whether this machine itself asks, and nobody passes the question on."""
    near = request.client is not None and request.client.host in LOOPBACK
    return near and "x-forwarded-for" not in request.headers and "forwarded" not in request.headers
