"""Playing through the API, for tests."""

from __future__ import annotations

import random

from sunglade.client import Seat

ME = {"kind": "me", "name": "Ada"}
OPEN = {"kind": "open"}
BOT = {"kind": "bot", "level": "random"}
GREEDY = {"kind": "bot", "level": "greedy"}


def play_turn(seat: Seat, rng: random.Random, most: int = 4) -> None:
    """Some actions, then the end of the turn."""
    acting = seat.view["turn"]["seat"]
    for _ in range(most):
        if not seat.my_turn or seat.view["turn"]["seat"] != acting:
            return
        busy = [line for line in seat.legal if line != "end"]
        if not busy:
            break
        seat.play(rng.choice(busy))
    while seat.my_turn and seat.view["turn"]["seat"] == acting:
        seat.play("end" if "end" in seat.legal else rng.choice(seat.legal))


def play_out(*seats: Seat, rng: random.Random, most: int = 4, rounds: int | None = None) -> None:
    """Play until the game is over, or a round is reached."""
    while not seats[0].over and (rounds is None or seats[0].state["round"] <= rounds):
        acting = next((seat for seat in seats if seat.my_turn), None)
        if acting is None:
            seats[0].wait()
            for seat in seats[1:]:
                seat.refresh()
        else:
            play_turn(acting, rng, most)
            for seat in seats:
                if seat is not acting:
                    seat.refresh()
