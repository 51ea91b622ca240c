"""Rated games: what has to be agreed for one, and who comes in which place.

A rated game is between people who are known (`people.py`) and bots whose strength was measured. Nobody is helped,
nobody has two seats, nobody else plays in one's place; whoever is away is replaced by the weakest bot. What a result is
worth is reckoned in `sunglade.server.ratings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sunglade.bots import LEVELS
from sunglade.bots.strengths import STRENGTHS
from sunglade.forecast import scores
from sunglade.rules import Rules
from sunglade.table.agreement import checked_rules
from sunglade.table.ending import AGREED
from sunglade.table.problems import ServerProblem
from sunglade.table.requests import CreateTable

if TYPE_CHECKING:
    from sunglade.table.table import Table

TAKEOVER: Final = LEVELS[0]
"""Who plays for people who are away: nobody gains by that."""


def rated_levels(players: int) -> list[str]:
    """The bots whose strength is known in games of so many, weakest first."""
    return [level for level in LEVELS if level in STRENGTHS[players]]


def check_agreed(request: CreateTable) -> None:
    """Refuse what a rated game cannot have, and bots whose strength nobody has measured."""
    if request.assistance or request.teaching != "off":
        raise _not_so("a rated game is played without help: assistance must be false, and teaching off.")
    if request.game is not None or request.seed is not None:
        raise _not_so("a rated game begins anew, with a deal that nobody knows: without game and seed.")
    others = any(seat.kind == "open" for seat in request.seats)
    if others and request.clock is None and request.takeover_after is None:
        raise _not_so("a rated game comes to an end: it needs a clock, or a bot for who stays away (takeover_after).")
    if sum(seat.kind == "me" for seat in request.seats) != 1:
        raise _not_so("in a rated game everybody has one seat.")
    for seat in request.seats:
        if seat.kind == "bot":
            check_bot(str(seat.level), len(request.seats), checked_rules(request.rules))
            if seat.adapts:
                raise _not_so("in a rated game a bot stays as strong as it is: adapts must be false.")


def check_bot(level: str, players: int, rules: Rules) -> None:
    """Refuse a bot whose strength is not known, or not by these rules: nobody gains by what a bot was not made for."""
    known = rated_levels(players)
    if level not in known:
        raise _not_so(f"in a rated game of {players} a bot must be one of {', '.join(known)}.")
    if not are_measured(rules):
        raise ServerProblem("rated_rules", "in a rated game bots play by an edition's own rules, without modules.")


def are_measured(rules: Rules) -> bool:
    """Whether bots are as strong by these rules as was found: those of an edition, without modules or other options."""
    return rules == Rules(edition=rules.edition)


def _not_so(message: str) -> ServerProblem:
    return ServerProblem("bad_request", message)


def nobody_instead() -> ServerProblem:
    """Somebody wants somebody else to play on."""
    return ServerProblem("rated_game", "in a rated game nobody else plays in your place.")


def needs_person() -> ServerProblem:
    """A seat is wanted by somebody who is nobody in particular."""
    return ServerProblem("needs_person", "a rated game is for people who are known: Sunglade-Person: KEY.")


def places(table: Table) -> list[int] | None:
    """Who came first (1), second and so on by seat, after the end; the same place is shared. None: it does not count.

    Who is ahead is told by points, then by pieces on the board (R-END-2). Who left or resigned comes after all who did
    not, whatever the bots made of their trees. A game that all agreed to end counts for nobody.
    """
    if not table.over or table.starters is None or (table.ended is not None and table.ended.how == AGREED):
        return None
    standing = scores(table.game.now)
    ranks = [
        (_stayed(table, seat), standing[seat].total, standing[seat].pieces) if _stayed(table, seat) else (False, 0, 0)
        for seat in range(len(table.chairs))
    ]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]


def _stayed(table: Table, seat: int) -> bool:
    """Whether whoever began in a seat still has it."""
    if seat in table.resigned:
        return False
    began_as_person = (table.starters or ())[seat] is not None
    return table.chairs[seat].kind == ("person" if began_as_person else "bot")


def told_levels() -> dict[str, list[str]]:
    """For `schema.Meta`."""
    return {str(players): rated_levels(players) for players in STRENGTHS}
