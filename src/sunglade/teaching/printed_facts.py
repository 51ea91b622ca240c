"""What is printed on boards, tokens and cards, as the kernel has it: for the guide, so that a real table can be set up.

`python -m sunglade.teaching.printed_facts` prints it as the client's `web/src/guide/printed.json`: `make facts`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.changes import pieces_owned
from sunglade.kernel.actions import COLLECT_COST, PLANT_COST
from sunglade.kernel.moon import LUNAR_CAP, lit_spaces, moon_is_full, moon_place, moves_before
from sunglade.kernel.printed import SIZES, SLOT_PRICES, TOKEN_PILES
from sunglade.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

TRACK_ROUNDS: Final = 18
READINGS: Final = ("at_once", "on_arrival")
"""How the moon may turn over (option `moon_turns`)."""


def printed_facts() -> dict[str, Any]:
    """The facts by name, as plain objects."""
    start = kernel.new_record(Rules(), MIN_PLAYERS)
    moonlit = kernel.new_record(Rules(modules=["moon"]), MIN_PLAYERS)
    sizes = range(len(SIZES))
    return {
        "prices": [list(prices) for prices in SLOT_PRICES],
        "available": [start.available[0, size] for size in sizes],
        "owned": [pieces_owned(start, 0, size) for size in sizes],
        "piles": [list(pile) for pile in TOKEN_PILES],
        "plant": PLANT_COST,
        "collect": COLLECT_COST,
        "sun": NAMES[board.SUN_CORNERS[start.sun]],
        "lunar": moonlit.lunar[0],
        "lunar_cap": LUNAR_CAP,
        "shore": list(Rules().shore),
        "river": list(Rules().river),
        "moonstones": {str(players): _stones(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)},
        "moon": {reading: _track(reading) for reading in READINGS},
    }


def _stones(players: int) -> list[int]:
    """How many stones are laid, without and with the Elder Tree (M-SETUP-7)."""
    return [Rules(modules=modules).stones_for(players) for modules in (["stones"], ["elder", "stones"])]


def _track(reading: str) -> list[dict[str, Any]]:
    """Where the moon stands in each round, and what it lights, by a reading of how it turns over (M-MOON)."""
    s = kernel.new_record(Rules(modules=["moon"], moon_turns=reading), MIN_PLAYERS)
    rounds = []
    for current in range(1, TRACK_ROUNDS + 1):
        moves = moves_before(current)
        lit = board.names_of(lit_spaces(s, moves))
        rounds.append({"at": moon_place(s, moves), "full": bool(moon_is_full(s, moves)), "lit": lit})
    return rounds


if __name__ == "__main__":
    json.dump(printed_facts(), sys.stdout)
    sys.stdout.write("\n")
