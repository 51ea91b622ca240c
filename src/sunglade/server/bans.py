"""Who is not served: a text file, an address, network or person a line, that the operator changes at any time."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final

from sunglade.errors import BadRequest
from sunglade.exclusive import held
from sunglade.gamefile import save_text
from sunglade.table.problems import ServerProblem

AGAIN_S: Final = 3600.0
"""A client that is turned away need not ask more often whether it still is."""
HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that tell households apart: smaller networks are no use, everybody has many addresses."""
MAPPED: Final = 96
"""Bits before an IPv4 address that is written as one of IPv6."""
PATIENCE_S: Final = 10.0
"""So long a change of the file waits for others to end theirs."""

PERSON: Final = "person:"
"""Begins the line of a person: their number follows, as `sunglade tables who` tells it."""

Network = IPv4Network | IPv6Network
Barred = Network | str

log = logging.getLogger("sunglade.server")


class Bans:
    """What the file says, as it was when it could last be read."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._seen: tuple[int, int] | None = None
        self._people: set[str] = set()
        self._networks: dict[tuple[int, int], set[int]] = {}  # their first bits, by version and how many these are

    def look(self) -> bool:
        """Read the file if it has changed; whether it had. One that cannot be read lifts no ban."""
        if self._file is None:
            return False
        try:
            seen = _stamp(self._file)
            if seen == self._seen:
                return False
            lines = _lines(self._file)
        except OSError as error:
            log.error("banned addresses cannot be read", extra={"file": str(self._file), "reason": str(error)})
            return False
        self._seen, self._networks, self._people = seen, {}, set()
        for line in filter(None, map(_told, lines)):
            try:
                self._add(barred_of(line))
            except BadRequest as error:
                log.warning("banned address not understood", extra={"file": str(self._file), "reason": str(error)})
        return True

    def _add(self, network: Barred) -> None:
        if isinstance(network, str):
            self._people.add(network)
            return
        kind = (network.version, network.prefixlen)
        self._networks.setdefault(kind, set()).add(_first_bits(network.network_address, network.prefixlen))

    def has(self, address: str) -> bool:
        """Whether an address, or the household it stands for, is banned; however many are, this takes no longer."""
        if not self._networks:
            return False
        try:
            known = ip_address(address)
        except ValueError:
            return False
        return any(
            version == known.version and _first_bits(known, length) in banned
            for (version, length), banned in self._networks.items()
        )

    def check(self, address: str) -> None:
        """Refuse what comes from a banned address."""
        if self.has(address):
            raise turned_away()

    def check_person(self, person: str) -> None:
        """Refuse a person who is banned, from wherever they come."""
        if PERSON + person in self._people:
            raise ServerProblem("not_served", "this person is not served here; ask who runs this server.")


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
    if isinstance(network, IPv4Network) or network.prefixlen <= HOUSEHOLD:
        return network
    if (mapped := network.network_address.ipv4_mapped) is not None:
        return IPv4Network((mapped, network.prefixlen - MAPPED))
    return network.supernet(new_prefix=HOUSEHOLD)


def barred_of(text: str) -> Barred:
    """An address, a network or a person as the operator writes it."""
    clean = text.strip()
    if not clean.startswith(PERSON):
        return network_of(clean)
    if not re.fullmatch("[A-Za-z0-9_-]{1,40}", clean.removeprefix(PERSON)):
        raise BadRequest(f"{text!r:.60} is no person as `sunglade tables who TABLE` tells them.")
    return clean


def ban(file: Path, text: str) -> Barred:
    """Write an address, a network or a person into the file, unless it is there."""
    network = barred_of(text)
    with _changing(file):
        lines = _lines(file)
        if not lines:
            save_text(file, "")  # anybody may read it: servers run as somebody else
        if not any(_means(line, network) for line in lines):
            cut_short = lines and not lines[-1].endswith("\n")
            with file.open("a", encoding="utf-8") as end:
                end.write(("\n" if cut_short else "") + f"{network}\n")
    return network


def unban(file: Path, text: str) -> Barred:
    """Take an address, a network or a person out of the file, as it was written in. All other lines stay."""
    network = barred_of(text)
    with _changing(file):
        lines = _lines(file)
        kept = [line for line in lines if not _means(line, network)]
        if len(kept) == len(lines):
            raise BadRequest(f"{network} is not in {file}.")
        save_text(file, "".join(kept))
    return network


@contextmanager
def _changing(file: Path) -> Iterator[None]:
    """One change at a time; the folder is made where it is not there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = held(file.with_name(f"{file.name}.lock"), f"{file} is being changed; try again.", PATIENCE_S)
    try:
        yield
    finally:
        lock.release()


def _means(line: str, network: Barred) -> bool:
    try:
        return barred_of(_told(line)) == network
    except BadRequest:
        return False


def _told(line: str) -> str:
    """What a line says, without comment."""
    return line.partition("#")[0].strip()


def _lines(file: Path) -> list[str]:
    """The file as it is, line by line; one that is not there has none."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    except FileNotFoundError:
        return []


def _first_bits(address: IPv4Address | IPv6Address, length: int) -> int:
    return int(address) >> (address.max_prefixlen - length)


def _stamp(file: Path) -> tuple[int, int] | None:
    """By what a file that was changed is known."""
    try:
        state = file.stat()
    except FileNotFoundError:
        return None
    return state.st_mtime_ns, state.st_size
