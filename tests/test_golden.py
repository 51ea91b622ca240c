"""Complete games, recorded with every state and every legal list on the way: they must replay exactly.

A change here changes the rules or the protocol. If that is meant, `tests/make_golden.py` records them anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from sunglade import Game

FILES = sorted((Path(__file__).parent / "golden").glob("*.json"))


def fingerprint(game: Game) -> str:
    """A state and its legal actions, whatever their order, in a few characters."""
    text = json.dumps([game.state(), sorted(game.legal)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def recorded(file: Path) -> dict[str, Any]:
    game: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return game


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_game(file: Path) -> None:
    golden = recorded(file)
    game = Game.from_dict(golden["game"] | {"actions": []})
    trace = [fingerprint(game)]
    for line in golden["game"]["actions"]:
        game.play(line)
        trace.append(fingerprint(game))
    assert game.over and game.state() == golden["final"]
    assert trace == golden["trace"]
    assert game.to_dict() == golden["game"]


def test_golden_games_cover_players_editions_and_modules() -> None:
    games = [recorded(file)["game"] for file in FILES]
    assert {game["players"] for game in games} == {2, 3, 4}
    assert len({game["rules"]["edition"] for game in games}) == 10
    assert {module for game in games for module in game["rules"].get("modules", [])} == {"moon", "elder", "stones"}
    assert any(game["rules"].get("shade_forbids") for game in games)
    assert any(game["rules"].get("fox_steals") == "light" for game in games)
