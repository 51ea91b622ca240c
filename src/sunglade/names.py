"""What players are called: by the names that people chose, kept in the game file, else by level or seat.

>>> called(["Ada", ""], ["human", "maple"])
['Ada', 'Maple']

A name that nobody chose is in no file: whoever opens it reads it in their own language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sunglade.notation import SEATS
from sunglade.words import is_key, key
from sunglade.words.speech import spoken

LONGEST: Final = 24
"""So many letters of a name are shown, as many as a server takes."""


def chosen(extra: Mapping[str, Any], players: int) -> list[str]:
    """The names in a game file, whatever it may have there; empty where nobody chose one."""
    told = extra.get("names")
    names = ["" if name is None else str(name) for name in told] if isinstance(told, list) else []
    return [*names, *[""] * players][:players]


def of_game(extra: Mapping[str, Any], players: int) -> list[str]:
    """What the players of a game file are called."""
    kinds = extra.get("seats")
    return called(chosen(extra, players), [str(kind) for kind in kinds] if isinstance(kinds, list) else [])


def called(names: Sequence[str], kinds: Sequence[str] = ()) -> list[str]:
    """What players are called who chose these names, and of whom these are bots."""
    bots = [kinds[seat].partition(":")[0] if seat < len(kinds) else "" for seat in range(len(names))]
    return [shown(name) or _of_bot(bots, seat) or of_seat(seat) for seat, name in enumerate(names)]


def shown(name: str) -> str:
    """A name that does nothing to a terminal, and is not long: an ellipsis says that there is more of it."""
    return shortened("".join(letter for letter in name if letter.isprintable()).strip(), LONGEST)


def shortened(name: str, most: int) -> str:
    """So many letters of a name, with an ellipsis where there are more; the number that tells bots apart stays."""
    if len(name) <= most:
        return name
    first, _, number = name.rpartition(" ")
    end = f" {number}" if first and number.isdecimal() and len(number) < 3 else ""
    return f"{name[: most - 1 - len(end)].rstrip()}…{end}"


def of_seat(seat: int) -> str:
    """Who sits there, where nobody said."""
    return spoken().tell("terminal.player", seat=SEATS[seat])


def _of_bot(bots: Sequence[str], seat: int) -> str:
    """The bot's level, numbered where there are several; empty where no known bot sits there."""
    bot = bots[seat]
    name = next((spoken().tell(key(name)) for name in (f"level.{bot}", f"bot.{bot}") if is_key(name)), "")
    return f"{name} {bots[:seat].count(bot) + 1}" if name and bots.count(bot) > 1 else name
