"""A scoring token that a player has taken, as a number: whose it is, and how many points it has (R-ACT-5)."""

from __future__ import annotations

from typing import Final

from sunglade.kernel.compiler import entry

_ABOVE_ANY_VALUE: Final = 32
"""More than any token has points."""


@entry
def owned_token(owner: int, value: int) -> int:
    """The number of a token with an owner."""
    return owner * _ABOVE_ANY_VALUE + value


def token_owner(token: int) -> int:
    """Whose it is."""
    return token // _ABOVE_ANY_VALUE


def token_value(token: int) -> int:
    """How many points it has."""
    return token % _ABOVE_ANY_VALUE
