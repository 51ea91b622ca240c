"""Room for the legal actions of a position.

A record with an array in it rather than an array: compiled code counts references to arrays at every call, and that
alone cost a fifth of the speed.
"""

from __future__ import annotations

from typing import Final

from sunglade.kernel.actions import MAX_LEGAL
from sunglade.kernel.fields import Memory, Numbers


class LegalList(Memory):
    """The numbers of the legal actions; how many there are is told beside it."""

    action = Numbers(MAX_LEGAL)


ROOM: Final = MAX_LEGAL - 1
"""`out.action[n & ROOM]`: never out of bounds, and the compiler need not ask whether n is negative."""
