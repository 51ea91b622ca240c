"""How many sequences of actions there are from fixed positions, by their length (perft).

A wrong count finds errors in legal actions and their effects that nobody thought of. `make_golden.py` counts anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sunglade import Game, kernel

FILES = sorted((Path(__file__).parent / "perft").glob("*.json"))


def perft(position: kernel.Record, depth: int) -> int:
    """Sequences of `depth` actions from a position."""
    room = kernel.LegalList()
    count = kernel.legal(position, room)
    if depth == 1:
        return count
    total = 0
    for number in room.action[:count]:
        after = position.copy()
        kernel.apply(after, number)
        total += perft(after, depth - 1)
    return total


def counts(game: dict[str, Any], depth: int) -> list[int]:
    """The counts of lengths 1, 2, … from where a game stands."""
    position = Game.from_dict(game).now
    return [perft(position, length) for length in range(1, depth + 1)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_perft(file: Path) -> None:
    table = json.loads(file.read_text(encoding="utf-8"))
    assert counts(table["game"], len(table["counts"])) == table["counts"]


def test_there_are_tables_for_every_number_of_players_and_module() -> None:
    games = [json.loads(file.read_text(encoding="utf-8"))["game"] for file in FILES]
    assert {game["players"] for game in games} == {2, 3, 4}
    assert len({game["rules"]["edition"] for game in games}) >= 5
    assert {module for game in games for module in game["rules"].get("modules", [])} == {"moon", "elder", "stones"}
