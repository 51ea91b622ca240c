"""How many files and connections this process may have open, and how many of them are for connections."""

from __future__ import annotations

import sys
from typing import Final

ENOUGH: Final = 65_536
RESERVED: Final = 96
"""For the database, files, the loop, and connections that are accepted before others are let go."""
FOR_AN_ENGINE: Final = 16
"""Its three streams, and as many again while it is started anew."""


def most_connections(engines: int) -> int:
    """Raise the limit as far as this process may; what is left of it for connections."""
    return max(16, _raised() - RESERVED - FOR_AN_ENGINE * engines)


if sys.platform == "win32":

    def _raised() -> int:
        return ENOUGH

else:
    import resource

    def _raised() -> int:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return ENOUGH if soft == resource.RLIM_INFINITY else soft
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
