"""What players ask of each other: to end the game as it stands, to take turns back. All people must agree.

There is one open offer at a table. It ends when somebody declines, when it is withdrawn, when a person plays on, and
when people go; bots that play on meanwhile do not end it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from sunglade.table.problems import ServerProblem
from sunglade.table.requests import OFFERS, Command
from sunglade.table.turns import Turn

ANSWERS: Final = {"agree": "agreed", "decline": "declined", "withdraw": "withdrawn"}
"""What may be done about an open offer, and the events it becomes."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer: what, whose, since which event, and who has agreed. `turn` is where `take_back` leads."""

    kind: str
    seat: int
    seq: int
    agreed: frozenset[int] = frozenset()
    turn: Turn | None = None

    def with_agreed(self, seats: list[int]) -> Offer:
        """Somebody agrees, for all seats they have."""
        return replace(self, agreed=self.agreed | set(seats))

    def view(self, awaited: list[int]) -> dict[str, Any]:
        """What `schema.OfferView` tells."""
        turn = None if self.turn is None else self.turn.first
        told = {"offer": self.kind, "seat": self.seat, "since": self.seq, "agreed": sorted(self.agreed)}
        return told | {"awaited": awaited, "back_to": turn, "round": None if self.turn is None else self.turn.round}


@dataclass(frozen=True, slots=True)
class Offers:
    """The open offer, and in which turn of the game each seat last made one of each kind."""

    open: Offer | None = None
    made: dict[tuple[int, str], int] = field(default_factory=dict)

    def with_open(self, offer: Offer, turn: int) -> Offers:
        """Somebody makes an offer."""
        return Offers(offer, {**self.made, (offer.seat, offer.kind): turn})

    def closed(self) -> Offers:
        """Nothing is offered any more."""
        return self if self.open is None else replace(self, open=None)


def decide_offer(offers: Offers, command: Command, seat: int, turn: int, turns: list[Turn]) -> dict[str, Any]:
    """The data of an offer, or why it cannot be made. `turn` counts the game's turns; `turns` can be taken back."""
    if command.offer is None:
        raise ServerProblem("bad_request", f"offer needs offer: {' or '.join(OFFERS)}.")
    if offers.open is not None:
        raise ServerProblem("offer_open", "another offer is open at this table; it is answered first.")
    if command.offer == "end":
        data: dict[str, Any] = {"offer": "end"}
    else:
        wanted = [each for each in turns if command.back_to is None or each.first == command.back_to]
        if not wanted:
            raise ServerProblem(
                "nothing_to_take_back", "there is no turn of yours in the last round that could be taken back."
            )
        data = {"offer": "take_back", "first": wanted[0].first, "round": wanted[0].round}
    if offers.made.get((seat, command.offer)) == turn:
        raise ServerProblem("too_soon", "you have offered this in this turn already; wait for the next turn.")
    return data


def decide_answer(offers: Offers, command: Command, mine: list[int], awaited: list[int]) -> int:
    """The seat for which an open offer is answered, or why it cannot be."""
    offer = offers.open
    if offer is None:
        raise ServerProblem("no_offer", "nothing is offered at this table.")
    if command.expected is None:
        raise ServerProblem("bad_request", f"{command.do} needs expected, the sequence number it was made for.")
    if command.expected < offer.seq:
        raise ServerProblem("stale", f"event {offer.seq} made another offer after {command.expected}.")
    concerned = [offer.seat] if command.do == "withdraw" else awaited
    answering = [seat for seat in concerned if seat in mine and command.seat in (None, seat)]
    if not answering:
        whose = "made" if command.do == "withdraw" else "are asked about"
        raise ServerProblem("no_offer", f"there is no offer that you {whose}.")
    return answering[0]
