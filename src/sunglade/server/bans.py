"""Addresses that are not served: a text file, one address or network a line, that the operator changes at any time."""

from __future__ import annotations

import logging
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final

from sunglade.errors import BadRequest
from sunglade.gamefile import save_text
from sunglade.server.problems import ServerProblem

AGAIN_S: Final = 3600.0
"""A client that is turned away need not ask more often whether it still is."""
HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that tell households apart: smaller networks are no use, everybody has many addresses."""

Network = IPv4Network | IPv6Network

log = logging.getLogger("sunglade.server")


class Bans:
    """What the file says, as it was when it was last looked at."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._seen: tuple[int, int] | None = None
        self._networks: list[Network] = []

    def look(self) -> bool:
        """Read the file if it has changed; whether it had."""
        seen = _stamp(self._file)
        if self._file is None or seen == self._seen:
            return False
        self._seen, self._networks = seen, []
        for line in _lines(self._file):
            try:
                self._networks.append(network_of(line))
            except BadRequest as error:
                log.warning("banned address not understood", extra={"file": str(self._file), "reason": str(error)})
        return True

    def has(self, address: str) -> bool:
        """Whether an address, or the household it stands for, is banned."""
        if not self._networks:
            return False
        try:
            known = ip_address(address)
        except ValueError:
            return False
        return any(known in network for network in self._networks)

    def check(self, address: str) -> None:
        """Refuse what comes from a banned address."""
        if self.has(address):
            raise turned_away()


def turned_away() -> ServerProblem:
    """What somebody is told who is not served."""
    return ServerProblem("too_many", "this address is not served; ask who runs this server.", retry_after=AGAIN_S)


def network_of(text: str) -> Network:
    """An address or a network as the operator writes it."""
    try:
        network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadRequest(
            f"{text!r:.60} is no address such as 203.0.113.7 and no network such as 2001:db8::/64."
        ) from None
    if isinstance(network, IPv6Network) and network.prefixlen > HOUSEHOLD:
        return network.supernet(new_prefix=HOUSEHOLD)
    return network


def ban(file: Path, text: str) -> Network:
    """Write an address or a network into the file."""
    network = network_of(text)
    kept = [line for line in _lines(file) if not _means(line, network)]
    _save(file, [*kept, str(network)])
    return network


def unban(file: Path, text: str) -> Network:
    """Take an address or a network out of the file, as it was written in."""
    network = network_of(text)
    lines = _lines(file)
    kept = [line for line in lines if not _means(line, network)]
    if len(kept) == len(lines):
        raise BadRequest(f"{network} is not in {file}.")
    _save(file, kept)
    return network


def _means(line: str, network: Network) -> bool:
    try:
        return network_of(line) == network
    except BadRequest:
        return False


def _lines(file: Path) -> list[str]:
    """What the file says, without comments."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [told for line in text.splitlines() if (told := line.partition("#")[0].strip())]


def _save(file: Path, lines: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    save_text(file, "".join(f"{line}\n" for line in lines))


def _stamp(file: Path | None) -> tuple[int, int] | None:
    """By what a file that was changed is known."""
    try:
        state = None if file is None else file.stat()
    except OSError:
        return None
    return None if state is None else (state.st_mtime_ns, state.st_size)
