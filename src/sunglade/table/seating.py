"""From what a client asks for to a table's setup: new tables, uploaded games, rematches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sunglade.table.agreement import AgreedSeat, Agreement, checked_rules, new_deal, uploaded
from sunglade.table.clock import checked_terms
from sunglade.table.names import clean_name
from sunglade.table.problems import ServerProblem
from sunglade.table.rated import TAKEOVER, check_agreed
from sunglade.table.requests import CreateTable, SeatRequest
from sunglade.table.table import Table
from sunglade.table.tokens import new_holder, new_seed


def setup_for(request: CreateTable, holder: str, levels: Collection[str]) -> Agreement:
    """A new table as a client wants it."""
    if request.listed and all(seat.kind != "open" for seat in request.seats):
        raise ServerProblem("bad_request", "a table that anybody may join needs an open seat.")
    if request.rated:
        check_agreed(request)
    seats = [_seat(number, seat, holder, levels) for number, seat in enumerate(request.seats)]
    if request.takeover_level not in levels:
        raise ServerProblem("bad_request", f"there is no bot {request.takeover_level!r}.")
    setup = _continued(request, seats) if request.game is not None else _fresh(request, seats)
    return replace(
        setup,
        assistance=request.assistance,
        teaching=request.teaching,
        takeover_after=request.takeover_after,
        takeover_level=TAKEOVER if request.rated else request.takeover_level,
        spectators=request.spectators,
        owner=holder,
        clock=checked_terms(request.clock),
        talk=request.talk,
        listed=request.listed,
        rated=request.rated,
    )


def _seat(number: int, seat: SeatRequest, holder: str, levels: Collection[str]) -> AgreedSeat:
    if seat.kind == "bot":
        if seat.level not in levels:
            known = ", ".join(levels)
            raise ServerProblem("bad_request", f"seats[{number}].level must be a bot: {known}.")
        return AgreedSeat("bot", level=seat.level, adapts=seat.adapts)
    if seat.kind == "open":
        return AgreedSeat("open")
    return AgreedSeat("person", name=clean_name(seat.name) if seat.name else None, holder=holder)


def _fresh(request: CreateTable, seats: list[AgreedSeat]) -> Agreement:
    seed = new_seed() if request.seed is None else request.seed
    rules = checked_rules(request.rules)
    players = len(seats)
    return Agreement(players, rules.to_dict(), seed, new_deal(seed, players), seats, seeded=request.seed is not None)


def _continued(request: CreateTable, seats: list[AgreedSeat]) -> Agreement:
    """A game that goes on. Whoever brought a full one may know what is hidden; what is unknown is dealt now."""
    game = uploaded(request.game or {})
    if request.rules or request.seed is not None:
        raise ServerProblem("bad_request", "a game that goes on has its rules and its deal already.")
    if len(seats) != game.players:
        raise ServerProblem("bad_rules", f"the game has {game.players} players, and there are {len(seats)} seats.")
    if game.over:
        raise ServerProblem("game_over", "the game is over; upload it to be replayed.")
    complete = all(baby is not None for baby in game.data.deal.babies)
    full = game if complete else game.determinised(new_seed())
    data = full.data
    seeded = "moon" in game.rules.modules and complete
    return Agreement(
        data.players, data.rules.to_dict(), new_seed() if data.seed is None else data.seed, data.deal.to_dict(), seats,
        seeded=seeded, actions=data.actions, position=data.position,
    )  # fmt: skip


def setup_of_upload(game_file: dict[str, object]) -> Agreement:
    """A table with nobody at it, for a game to be looked at."""
    game = uploaded(game_file)
    data = game.data
    names = data.extra.get("names")
    told = names if isinstance(names, list) and len(names) == data.players else [None] * data.players
    seats = [AgreedSeat("open", name=_name_or_none(name)) for name in told]
    return Agreement(
        data.players, data.rules.to_dict(), 0 if data.seed is None else data.seed, data.deal.to_dict(), seats,
        seeded=True, actions=data.actions, position=data.position,
    )  # fmt: skip


def _name_or_none(name: object) -> str | None:
    try:
        return clean_name(name) if isinstance(name, str) else None
    except ServerProblem:
        return None


def setup_of_rematch(table: Table) -> tuple[Agreement, dict[str, str]]:
    """The same people and rules, seats moved on by one, a new deal; and each old holder's new number.

    It is among them: whatever the lobby told of the old table, it tells nothing of this one.
    """
    holders = dict.fromkeys(chair.holder for chair in table.chairs if chair.holder is not None)
    numbers = {holder: new_holder() for holder in holders}
    seats = [
        AgreedSeat("person", chair.name, holder=numbers[chair.holder])
        if chair.holder is not None
        else AgreedSeat("bot", level=table.next_level(seat) or chair.level, adapts=chair.adapts)
        if chair.level is not None
        else AgreedSeat("open")
        for seat, chair in enumerate(table.chairs)
    ]
    seats = seats[1:] + seats[:1]
    seed = new_seed()
    old = table.setup
    setup = replace(
        old, seed=seed, deal=new_deal(seed, old.players), seats=seats, seeded=False, actions=[], extra={},
        position=None, continues=table.name, owner=numbers.get(table.owner or ""), listed=False,
    )  # fmt: skip
    return setup, numbers
