"""What an operator decides."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where the embedded database lies; the variable SUNGLADE_DATA chooses another place."""
    return Path(os.environ.get("SUNGLADE_DATA") or platformdirs.user_data_dir("sunglade", appauthor=False))


def default_database() -> str:
    """SQLite in the user's data folder."""
    return f"sqlite+aiosqlite:///{data_folder() / 'tables.sqlite'}"


def default_banned() -> Path:
    """Where banned addresses are written down."""
    return data_folder() / "banned.txt"


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a server process."""

    database: str
    database_wait_s: float = 60.0
    """How long a start waits for a database that is not there yet."""
    host: str = "127.0.0.1"
    port: int = 8740
    open_command: str = "sunglade serve --host 0.0.0.0"
    """What starts this server so that others can reach it, too."""
    root_path: str = ""
    allowed_hosts: tuple[str, ...] = ()
    """Names this server is reached by, besides its addresses and localhost."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose X-Forwarded headers are believed."""
    engines: int = max(1, (os.cpu_count() or 2) - 1)
    bot_pace_s: float = 0.2
    """The least time between two actions of bots; how fast people see them is their own setting."""
    turn_ms: int = 3000
    """How long a bot may think about a turn."""
    limits: float = 1.0
    """Scale of all limits for one address; 0 switches them off."""
    connections: int = 0
    """Open connections at most; 0 for as many as the system allows this process."""
    connections_each: int = 200
    """Open connections of one address at most."""
    keep_days: float = 0.0
    """Tables idle for longer, while a server runs, are deleted; 0 keeps all."""
    keep_uploads_days: float = 30.0
    """Uploaded games idle for longer are deleted; 0 keeps all."""
    idle_s: float = 600.0
    """Rooms nobody looks at leave memory after this time."""
    most_rooms: int = 5000
    """Rooms in memory at most."""
    banned: Path | None = None
    """A file of addresses that are not served (`bans.py`)."""
    lobby: bool = False
    """Whether there is a lobby: tables that anybody may join, told to everybody."""
    ratings: bool = True
    """Whether people can agree on rated games."""
    ranking: bool = False
    """Whether everybody is told who is how strong."""
    metrics_token: str | None = None
    device: bool = True
    """Whether the client offers tables on the player's device as well, where this copy has the parts for it."""
    talk: bool = True
    """Whether people can say something to each other at tables where they agreed on it."""
    push: bool = True
    """Whether people's browsers are told when it is their turn (Web Push), where they ask for it."""
    webhooks: bool = False
    """Whether the owner of a table may connect it with a group's chat."""
    private_notices: bool = False
    """Whether notices may go to addresses of private networks."""
    notices_contact: str | None = None
    """A mailto: or https: address by which push services reach the operator."""
    log_json: bool = False
    verbose: bool = False
    """Whether every request is logged, with its address."""
    contact: str | None = None
    """Whom people can ask, as the page about privacy tells."""
