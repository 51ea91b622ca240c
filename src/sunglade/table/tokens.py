"""Secrets: 128 random bits each. The database has only their hashes, so that a copy of it opens no seat."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Final

BITS: Final = 128


def new_token() -> str:
    """A token, invitation or code: 22 signs."""
    return secrets.token_urlsafe(BITS // 8)


def new_table_name() -> str:
    """A table's name, short enough to read out: 12 letters and digits without those that look alike."""
    signs = "23456789abcdefghjkmnpqrstuvwxyz"
    return "".join(secrets.choice(signs) for _ in range(12))


def new_holder() -> str:
    """A client's number at a table; no secret."""
    return secrets.token_hex(8)


def token_from(table: str, secret: str) -> str:
    """The token of a client that chose a secret itself: 22 signs, different at every table."""
    digest = hashlib.sha256(f"token {table} {secret}".encode()).digest()
    return base64.urlsafe_b64encode(digest[: BITS // 8]).decode().rstrip("=")


def holder_from(table: str, secret: str) -> str:
    """The number of such a client."""
    return hashlib.sha256(f"holder {table} {secret}".encode()).hexdigest()[:16]


def new_seed() -> int:
    """The seed of a game nobody chose one for."""
    return secrets.randbelow(1 << 53)


def hashed(token: str) -> str:
    """What is kept of a secret. It is random, so a plain hash cannot be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
