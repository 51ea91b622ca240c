"""Token buckets: how often one client may ask for what."""

from __future__ import annotations

import time
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address
from typing import Final

from sunglade.table.problems import ServerProblem

MOST_CLIENTS: Final = 20_000
"""Clients remembered for each limit."""

RATES: Final[dict[str, tuple[float, float]]] = {
    "request": (20.0, 100.0),
    "create": (0.2, 20.0),
    "join": (0.5, 20.0),
    "person": (0.02, 10.0),
    "wrong": (0.2, 20.0),
    "command": (15.0, 60.0),
    "say": (0.5, 8.0),
    "message": (30.0, 120.0),
    "think": (0.5, 10.0),
    "heavy": (1.0, 15.0),
    "notices": (0.2, 30.0),
    "lobby": (0.5, 30.0),
    "list": (1 / 60, 6.0),
}
"""A second, and at once.

`person`: new identities; `wrong`: guessed tokens, keys, invitations and codes; `heavy`: uploads and replays;
`notices`: who wants to be told, where names are looked up; `lobby`: looks into it; `list`: tables that it shall tell
of.
"""


class Limits:
    """One bucket for each client and each kind of request."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._buckets: dict[str, OrderedDict[str, tuple[float, float]]] = {what: OrderedDict() for what in RATES}

    def spend(self, what: str, client: str, count: float = 1.0) -> None:
        """Take from a client's bucket, or refuse. Nothing takes more than a full one: then it could never be had."""
        if not self._scale:
            return
        rate, burst = (value * self._scale for value in RATES[what])
        buckets, now, count = self._buckets[what], time.monotonic(), min(count, burst)
        level, at = buckets.pop(client, (burst, now))
        level = min(burst, level + (now - at) * rate)
        spent = level >= count
        buckets[client] = (level - count if spent else level, now)
        _forget(buckets, rate, burst, now)
        if not spent:
            wait = round((count - level) / rate, 2)
            raise ServerProblem("too_fast", f"too many requests; wait {wait} seconds.", retry_after=wait)


def _forget(buckets: OrderedDict[str, tuple[float, float]], rate: float, burst: float, now: float) -> None:
    """Clients not seen for the longest time, where their buckets are full again, or where there are too many.

    Two for every one that came, so that they become fewer.
    """
    for _ in range(min(2, len(buckets))):
        client, (level, at) = next(iter(buckets.items()))
        if len(buckets) <= MOST_CLIENTS and level + (now - at) * rate < burst:
            return
        del buckets[client]


def client_key(host: str | None) -> str:
    """Whom limits are for: an address, or the network where a household has many."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host or "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
