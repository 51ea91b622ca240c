"""Whoever thinks for bots, as tables ask them: a pool of engines in a server, another worker in a page."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Protocol

SEARCHERS: Final = ("search", "neural", "oak", "sequoia", "elder")
"""Bots that take their time. The others answer at once."""


@dataclass(frozen=True, slots=True)
class Asker:
    """For whom a bot thinks: a table, and who is there at the moment, by address."""

    table: str
    people: Callable[[], Collection[str]]
    background: bool = False
    """Nobody waits for it, as for an analysis."""


class Thinkers(Protocol):
    """Bots that can be asked."""

    async def think(
        self,
        game: dict[str, Any],
        bot: str,
        *,
        seed: int,
        asker: Asker,
        ms: int | None = None,
        nodes: int | None = None,
        reasons: bool = False,
        foretell: bool = False,
    ) -> dict[str, Any]:
        """What a bot thinks of a game: action, value, lines; if they are asked for, `reasons` and what is `foretold`.

        A bot that does not play it is a `bad_request`.
        """
