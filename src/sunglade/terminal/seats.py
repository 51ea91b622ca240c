"""Who sits where: people and bots, with their names. Kept in the game file beside what the rules need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sunglade import bots
from sunglade.drawing.scene import SEATS
from sunglade.errors import BadRequest
from sunglade.game import Game

HUMAN: Final = "human"
DEFAULT_BOT: Final = "greedy"
BOT_MS: Final = 1000
NAME_LENGTH: Final = 20


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table."""

    kind: str
    name: str

    @property
    def is_human(self) -> bool:
        """Whether a person plays here."""
        return self.kind == HUMAN


def seats(players: int, kinds: Sequence[str], names: Sequence[str]) -> list[Seat]:
    """The table: first a person and then bots, unless `kinds` says otherwise."""
    if len(kinds) > players or len(names) > players:
        raise BadRequest(f"there are {players} players but {max(len(kinds), len(names))} seats or names were given.")
    filled = [*kinds, *([] if kinds else [HUMAN])]
    filled += [DEFAULT_BOT] * (players - len(filled))
    known = [HUMAN, *bots.names()]
    for kind in filled:
        if kind not in known:
            raise BadRequest(f"a seat is one of {', '.join(known)}, not {kind!r:.60}.")
    return [
        Seat(kind, (_clean(names[seat]) if seat < len(names) else "") or _default_name(filled, seat))
        for seat, kind in enumerate(filled)
    ]


def _clean(name: str) -> str:
    """A name that does nothing to a terminal: no control characters, and not long."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:NAME_LENGTH].rstrip()


def _default_name(kinds: list[str], seat: int) -> str:
    """Player A, or the bot's name, numbered where there are several."""
    kind = kinds[seat]
    if kind == HUMAN:
        return f"Player {SEATS[seat]}"
    number = f" {kinds[:seat].count(kind) + 1}" if kinds.count(kind) > 1 else ""
    return kind.capitalize() + number


def remember(game: Game, table: list[Seat]) -> None:
    """Write the table into the game file's extra keys."""
    game.extra["seats"] = [seat.kind for seat in table]
    game.extra["names"] = [seat.name for seat in table]


def seats_of(game: Game) -> list[Seat]:
    """The table of a loaded game; what is missing or unknown there is filled with people."""
    kinds, names = _words(game.extra.get("seats")), _words(game.extra.get("names"))
    kinds = [kind if kind in bots.names() else HUMAN for kind in kinds[: game.players]]
    kinds += [HUMAN] * (game.players - len(kinds))
    return seats(game.players, kinds, names[: game.players])


def _words(value: Any) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []
