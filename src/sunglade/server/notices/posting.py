"""One request to somebody else's server: to an address that was judged, with a limit on everything."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

import httpx

from sunglade.server.notices.addresses import located
from sunglade.table.problems import ServerProblem

LIMIT_S: Final = 10.0
"""Longer than this no notice takes, names and all."""
LONGEST_PAUSE_S: Final = 24 * 3600.0
"""A pause that is asked for is kept to, but no longer than this."""


class Outcome(Enum):
    """What became of a notice."""

    TAKEN = "taken"
    GONE = "gone"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of it, the pause that was asked for, and the reason for the log."""

    outcome: Outcome
    pause: float = 0.0
    reason: str = ""


class Posting:
    """Sends notices."""

    def __init__(self, *, private: bool, limit_s: float = LIMIT_S) -> None:
        """`private`: whether addresses of private networks are allowed."""
        self.private = private
        self._limit_s = limit_s

    async def check(self, url: str) -> None:
        """Refuse an address to which nothing would be sent."""
        await located(url, private=self.private)

    async def post(self, url: str, content: bytes, headers: dict[str, str]) -> Answer:
        """Send something; whatever goes wrong is an answer, too. Redirects are not followed, answers not read."""
        try:
            async with asyncio.timeout(self._limit_s):
                return _judged(await self._posted(url, content, headers))
        except ServerProblem as problem:
            return Answer(Outcome.FAILED, reason=problem.message)
        except TimeoutError:
            return Answer(Outcome.FAILED, reason="no answer in time")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            return Answer(Outcome.FAILED, reason=f"{type(error).__name__}: {error}"[:200])

    async def _posted(self, url: str, content: bytes, headers: dict[str, str]) -> httpx.Response:
        place = await located(url, private=self.private)
        host = f"[{place.address}]" if ":" in place.address else place.address
        target = place.url._replace(netloc=f"{host}:{place.port}").geturl()
        own = {"host": place.url.netloc, "user-agent": "sunglade", **headers}
        name = {"sni_hostname": place.url.hostname}
        trusted = await asyncio.to_thread(_trusted) if place.url.scheme == "https" else False
        async with (
            httpx.AsyncClient(verify=trusted, trust_env=False, follow_redirects=False, timeout=self._limit_s) as client,
            client.stream("POST", target, content=content, headers=own, extensions=name) as response,
        ):
            return response


@cache
def _trusted() -> ssl.SSLContext:
    """Who may vouch for names; read once, it takes a while."""
    return httpx.create_ssl_context(trust_env=False)


def _judged(response: httpx.Response) -> Answer:
    status = response.status_code
    if 200 <= status < 300:
        return Answer(Outcome.TAKEN)
    if status in (404, 410):
        return Answer(Outcome.GONE)
    asked = response.headers.get("retry-after", "")
    pause = float(asked) if asked.isascii() and asked.isdigit() and len(asked) < 8 else 0.0
    return Answer(Outcome.FAILED, min(pause, LONGEST_PAUSE_S), f"status {status}")
