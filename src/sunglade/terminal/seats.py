"""Who sits where: people and bots, with their names. Kept in the game file beside what the rules need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sunglade import bots
from sunglade.bots.program import words_of
from sunglade.errors import BadRequest
from sunglade.game import Game
from sunglade.names import called
from sunglade.names import chosen as names_in
from sunglade.suggest import did_you_mean
from sunglade.words.speech import tell

HUMAN: Final = "human"
PROGRAM: Final = "program"
DEFAULT_BOT: Final = "maple"
BOT_MS: Final = 2000
"""Milliseconds that a bot may take for a whole turn; most need far less."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table."""

    kind: str
    name: str
    """What people read: what was chosen, else what a level or seat is called in their language."""
    chosen: str = ""
    """The name that somebody chose. It alone is kept."""
    command: str | None = None
    """How a program is started that plays here. It is not kept: a game file must not start programs."""

    @property
    def is_human(self) -> bool:
        """Whether a person plays here."""
        return self.kind == HUMAN


def seats(players: int, kinds: Sequence[str], names: Sequence[str], opponents: Sequence[str] = ()) -> list[Seat]:
    """The table: first a person and then bots, unless `kinds` says otherwise.

    `opponents` sit down after `kinds`: names of bots, or commands of programs. The last one fills what is left.
    """
    given = [*kinds, *([] if kinds else [HUMAN]), *opponents]
    if len(given) > players or len(names) > players:
        raise BadRequest(tell("terminal.seats.many", players=players, given=max(len(given), len(names))))
    filled = given + [opponents[-1] if opponents else DEFAULT_BOT] * (players - len(given))
    first = len(given) - len(opponents) if opponents else players
    table = [_seat(text, seat >= first) for seat, text in enumerate(filled)]
    programs = _numbered([seat.chosen for seat in table])
    chosen = [(names[place] if place < len(names) else "") or programs[place] for place in range(players)]
    shown = called(chosen, [seat.kind for seat in table])
    return [replace(seat, name=name, chosen=own) for seat, name, own in zip(table, shown, chosen, strict=True)]


def _seat(text: str, may_be_a_program: bool) -> Seat:
    """Who sits where `text` says; nobody knows the name yet."""
    if text == HUMAN:
        return Seat(HUMAN, "")
    if bots.is_named(text):
        bots.split(text)
        return Seat(text, "")
    if may_be_a_program:
        bots.find_program(text)
        return Seat(PROGRAM, "", chosen=_program_name(text), command=text)
    right = [HUMAN, *bots.names()]
    wrong = tell("terminal.seats.unknown", seats=", ".join(right), seat=f"{text!r:.60}")
    raise BadRequest(wrong + did_you_mean(text, right))


def _program_name(command: str) -> str:
    """The last file of a command line, as people call it: My_bot for `python my_bot.py --fast`."""
    words = [word for word in words_of(command) if not word.startswith("-")]
    return ((Path(words[-1]).stem if words else "") or PROGRAM).capitalize()


def _numbered(names: Sequence[str]) -> list[str]:
    """Names of programs, with a number where several have the same."""
    return [
        f"{name} {names[:seat].count(name) + 1}" if name and names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def remember(game: Game, table: list[Seat]) -> None:
    """Write the table into the game file's extra keys."""
    game.extra["seats"] = [seat.kind for seat in table]
    game.extra["names"] = [seat.chosen for seat in table]


def seats_of(game: Game) -> list[Seat]:
    """The table of a loaded game; what is missing or unknown there is filled with people."""
    kinds = _words(game.extra.get("seats"))
    kinds = [kind if _is_bot(kind) else HUMAN for kind in kinds[: game.players]]
    kinds += [HUMAN] * (game.players - len(kinds))
    return seats(game.players, kinds, names_in(game.extra, game.players))


def strangers(game: Game, table: Sequence[Seat]) -> list[str]:
    """A sentence for each seat of a loaded game where a person plays now for a bot that is not known here."""
    said = []
    for kind, seat in zip(_words(game.extra.get("seats")), table, strict=False):
        if seat.is_human and kind == PROGRAM:
            said.append(tell("terminal.bot.program", player=seat.name))
        elif seat.is_human and kind != HUMAN and not _is_bot(kind):
            said.append(
                tell("terminal.bot.unknown", player=seat.name, bot=f"{kind!r:.40}", bots=", ".join(bots.names()))
            )
    return said


def _is_bot(kind: str) -> bool:
    """Whether this is a bot with settings that make sense; a file may say anything."""
    try:
        bots.split(kind)
    except BadRequest:
        return False
    return True


def _words(value: Any) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []
