"""The door: Host and Origin, size and speed of requests, headers of answers. Plain ASGI, around everything else."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic_core import to_json

from sunglade.content_policy import served_policy
from sunglade.server.bans import Bans
from sunglade.server.connections import Connections
from sunglade.server.limits import Limits, client_key
from sunglade.server.metrics import Metrics
from sunglade.table.json_text import MOST_BODY
from sunglade.table.problems import ServerProblem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_PLAIN_BODY: Final = 16 * 1024
WITH_GAMES: Final = (
    "/api/tables",
    "/api/games",
    *(f"/api/whatif{question}" for question in ("", "/why", "/after", "/hint", "/animal", "/turn")),
)
"""Where a body may have a whole game in it."""
BODY_S: Final = 20.0
"""A body must have come within this time."""
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
HOST_SIGNS: Final = re.compile(r"[A-Za-z0-9_.:\[\]-]+")
"""What the name of a server is written with. Anything else means one thing to us and another to a browser."""

HEADERS: Final = (
    (b"content-security-policy", served_policy().encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

access = logging.getLogger("sunglade.access")


class Hosts:
    """Which names this server may be called by: a page of somebody else's name must not speak for its visitor."""

    def __init__(self, bound: str, allowed: Iterable[str]) -> None:
        self._allowed = {"localhost", bound.lower(), *(name.lower() for name in allowed)}
        self._any_address = not is_loopback(bound)

    def allows(self, host: str) -> bool:
        """Whether a Host header names this server. Addresses cannot be borrowed, so any will do where it is open."""
        name = host_name(host)
        return name in self._allowed or is_loopback(name) or (self._any_address and _is_address(name))


def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty for nonsense."""
    if not HOST_SIGNS.fullmatch(host):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(name: str) -> bool:
    """Whether a name means the very machine that says it."""
    return name == "localhost" or (_is_address(name) and ip_address(name).is_loopback)


class Guard:
    """Lets good requests through."""

    def __init__(
        self, app: App, hosts: Hosts, limits: Limits, connections: Connections, metrics: Metrics, bans: Bans
    ) -> None:
        self._app = app
        self._bans = bans
        self._hosts = hosts
        self._limits = limits
        self._connections = connections
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then hand it on."""
        _shorten_path(scope)
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0
        closing = False

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _with_headers(message.get("headers", []), scope["path"], closing)
            await send(message)

        try:
            self._check(scope)
            body = Body(receive, _headers(scope), MOST_BODY if scope["path"].endswith(WITH_GAMES) else MOST_PLAIN_BODY)
            await self._app(scope, body.receive, answer)
        except ServerProblem as problem:
            closing = problem.kind in ("too_large", "too_fast", "too_many")
            self._metrics.refusals.labels(problem.kind).inc()
            if not status:
                await _refuse(problem, answer)
        finally:
            self._metrics.requests.labels(str(status or 499)).inc()
            access.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": scope["path"],
                    "status": status,
                    "client": (scope.get("client") or ("",))[0],
                    "ms": round(1000 * (time.perf_counter() - began), 1),
                },
            )

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        self._check_host(headers)
        if scope["method"] not in SAFE_METHODS:
            self._check_origin(headers)
        self._let_in(scope)

    def _let_in(self, scope: Scope) -> None:
        """How often an address may ask, and how many connections it may have."""
        address = client_key((scope.get("client") or (None,))[0])
        self._bans.check(address)
        if "place" in scope:
            self._connections.name(scope["place"], address)
        self._limits.spend("request", address)

    def _check_host(self, headers: dict[bytes, bytes]) -> None:
        if not self._hosts.allows(headers.get(b"host", b"").decode("latin-1")):
            raise ServerProblem("wrong_host", "this server does not go by that name; see --allow-host.")

    def _check_origin(self, headers: dict[bytes, bytes]) -> None:
        """A browser says whose page sends a request; programs say nothing."""
        origin = headers.get(b"origin")
        if origin is not None:
            host = headers.get(b"host", b"").decode("latin-1").lower()
            if urlsplit_netloc(origin.decode("latin-1")) != host:
                raise ServerProblem("wrong_origin", "this request comes from another site's page.")
        elif headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            raise ServerProblem("wrong_origin", "this request comes from another site's page.")

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        try:
            self._check_host(headers)
            self._check_origin(headers)
            self._let_in(scope)
        except ServerProblem as problem:
            self._metrics.refusals.labels(problem.kind).inc()
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": problem.kind})
            return
        await self._app(scope, receive, send)


def _shorten_path(scope: Scope) -> None:
    """Some proxies take the path they show us under away, some do not: both are right."""
    root, path = scope.get("root_path", ""), scope.get("path", "")
    if root and (path == 2 * root or path.startswith(f"{2 * root}/")):
        scope["path"] = path.removeprefix(root)


def urlsplit_netloc(origin: str) -> str:
    """Host and port of an origin; empty for `null` and nonsense."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


class Body:
    """A request's body, up to a size and within a time."""

    def __init__(self, receive: Receive, headers: dict[bytes, bytes], most: int) -> None:
        self._receive = receive
        self._most = most
        self._until = asyncio.get_running_loop().time() + BODY_S
        self._size = 0
        self._complete = False
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > most:
            raise ServerProblem("too_large", f"this body may have {most} bytes.")

    async def receive(self) -> Message:
        """The next part."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise ServerProblem("too_large", "the body came too slowly.") from None
        if message["type"] == "http.request":
            self._size += len(message.get("body", b""))
            self._complete = not message.get("more_body", False)
            if self._size > self._most:
                raise ServerProblem("too_large", f"this body may have {self._most} bytes.")
        return message


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return dict(scope["headers"])


def _with_headers(headers: Iterable[tuple[bytes, bytes]], path: str, closing: bool) -> list[tuple[bytes, bytes]]:
    """An answer's headers and ours. What a table says is never kept by a cache."""
    found = list(headers)
    names = {name.lower() for name, _ in found}
    if b"cache-control" not in names:
        found.append((b"cache-control", b"no-store"))
    if closing:
        found.append((b"connection", b"close"))
    return found + [(name, value) for name, value in HEADERS if name not in names]


async def _refuse(problem: ServerProblem, send: Send) -> None:
    body = to_json({"error": problem.as_dict()})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if "retry_after" in problem.more:
        headers.append((b"retry-after", str(max(1, round(problem.more["retry_after"]))).encode()))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
