"""Where others can reach this server: decided here, for the links of the page and for what the terminal says.

A page that was opened by a name or an address of the network was opened by the right one: proxies have names of their
own. Only `localhost` means another machine on every machine; whoever asks from there, on this very machine, is told
its addresses. Nobody else is.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sunglade.server.config import Config
from sunglade.server.guard import host_name, is_loopback

ELSEWHERE: Final = {
    socket.AF_INET: ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
"""Addresses in every direction: of no machine, of networks at home and at work. Nothing is ever sent there."""
ANYWHERE: Final = ("0.0.0.0", "::", "")
"""A server bound to one of these answers at every address of its machine."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether others can come, and by which addresses; else why not, and by which command they could."""

    reachable: bool
    reason: str | None = None
    addresses: list[str] = field(default_factory=list)
    command: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As `schema.Reach` tells it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Opened:
    """How whoever asks came here."""

    scheme: str
    host: str
    """Of the address the page was opened at, with its port."""
    port: int
    """Where this process listens."""
    near: bool
    """Whether it is this very machine that asks, and nobody in between."""


def reach(config: Config, opened: Opened) -> Reach:
    """Where friends of whoever asks can come to."""
    if not is_loopback(host_name(opened.host)):
        return Reach(True, addresses=[f"{opened.scheme}://{opened.host}{config.root_path}/"])
    if config.proxies or not opened.near:
        return Reach(False, "opened_here")
    if is_loopback(config.host):
        return Reach(False, "only_here", command=config.open_command)
    found = reachable_addresses(config, opened.port)
    return Reach(True, addresses=found) if found else Reach(False, "no_network")


def reachable_addresses(config: Config, port: int) -> list[str]:
    """Addresses of this server as others type them; none where it answers on its own machine only."""
    if is_loopback(config.host):
        return []
    hosts = _network_addresses(config.host) if config.host in ANYWHERE else [config.host]
    return [f"http://{f'[{host}]' if ':' in host else host}:{port}{config.root_path}/" for host in hosts]


def _network_addresses(bound: str) -> list[str]:
    """By which addresses this machine speaks to others, the usual one first; IPv6 where the server listens to it."""
    families = (socket.AF_INET, socket.AF_INET6) if bound == "::" else (socket.AF_INET,)
    found = [_speaks_as(family, target) for family in families for target in ELSEWHERE[family]]
    return list(dict.fromkeys(address for address in found if address is not None))


def _speaks_as(family: socket.AddressFamily, target: str) -> str | None:
    """This machine's address on its way to another one. A UDP socket that is connected sends nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((target, 9))
            address = ipaddress.ip_address(way.getsockname()[0])
    except (OSError, ValueError):
        return None
    told = not (address.is_loopback or address.is_link_local or address.is_unspecified)
    return str(address) if told else None
