"""Where notices may go: to addresses of the public internet, judged by what a name resolves to, before any connection.

Whoever is told connects to the address that was judged, so that a name that answers differently a moment later changes
nothing.
"""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from sunglade.table.problems import ServerProblem

RESOLVE_S: Final = 5.0
LONGEST: Final = 1000
TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Addresses of IPv4 as networks without it write them."""
LEAST_PORT: Final = 1024
"""Below this there are services that are not HTTP; 443 is allowed besides."""

_resolvers: Final = ThreadPoolExecutor(4, "sunglade-resolver")
"""A name server that does not answer holds up other names, and nothing else."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address of the web whose host was judged: connections go to `address`, whatever the name says by then."""

    url: SplitResult
    address: str

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.url.port or (443 if self.url.scheme == "https" else 80)


def origin(url: SplitResult) -> str:
    """Scheme, host and port, as the audience of a token names them."""
    return f"{url.scheme}://{url.netloc}"


def checked_url(text: str, *, private: bool) -> SplitResult:
    """An address that notices may be sent to as far as one can tell by reading it."""
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise _refused("that is no address of the web.") from None
    if url.scheme != "https" and not (private and url.scheme == "http"):
        raise _refused("notices are sent to addresses that begin with https:// only.")
    if not url.hostname or not url.netloc.isascii() or len(text) > LONGEST or not text.isprintable() or " " in text:
        raise _refused("that is no address of the web.")
    if url.username is not None or url.password is not None:
        raise _refused("an address for notices has no user and no password.")
    if port is not None and port != 443 and port < LEAST_PORT and not private:
        raise _refused(f"notices are not sent to port {port}.")
    return url._replace(fragment="")


async def located(text: str, *, private: bool) -> Place:
    """The place an address leads to, or why nothing is sent there. One private address among several is too many."""
    url = checked_url(text, private=private)
    assert url.hostname is not None
    found = await _addresses(url.hostname)
    if not private and (inner := next((each for each in found if not is_public(each)), None)) is not None:
        raise _refused(f"{url.hostname} is an address of a private network ({inner}); notices are not sent there.")
    return Place(url, found[0])


def is_public(text: str) -> bool:
    """Whether an address is one of the public internet, in whichever way it is written."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    inner = None if isinstance(address, IPv4Address) else _embedded(address)
    if inner is not None:
        return is_public(str(inner))
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or site_local)


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The address of IPv4 that one of IPv6 leads to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


async def _addresses(host: str) -> list[str]:
    """What a name resolves to; never an empty list."""
    loop = asyncio.get_running_loop()
    asked = loop.run_in_executor(_resolvers, _resolve, host)
    try:
        async with asyncio.timeout(RESOLVE_S):
            found = await asked
    except (TimeoutError, OSError, UnicodeError):
        found = []
    if not found:
        raise ServerProblem("bad_request", f"nothing is known of {host:.100}; is the address right?")
    return found


def _resolve(host: str) -> list[str]:
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def _refused(sentence: str) -> ServerProblem:
    return ServerProblem("bad_request", sentence)
