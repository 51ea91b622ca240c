"""Whole games of bots, and what players ask for meanwhile; the same lines come out wherever the game runs.

They need nothing but the game: `forbid` sees to it that nothing else can be imported, as in a page in a browser.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

ABSENT = ("numpy", "numba", "llvmlite", "onnxruntime", "pydantic", "fastapi", "starlette", "uvicorn", "sqlalchemy")
"""What a page in a browser has not."""
GAMES: tuple[tuple[int, list[str], tuple[str, ...]], ...] = (
    (2, [], ("greedy", "search:nodes=200")),
    (3, ["moon", "elder"], ("search:nodes=60", "birch", "random")),
    (4, ["moon", "elder", "stones"], ("greedy", "search:nodes=60", "seedling", "random")),
)


def forbid() -> None:
    """From now on these cannot be imported in this process."""
    sys.modules |= dict.fromkeys(ABSENT)  # type: ignore[arg-type]  # whoever imports them fails


def told() -> Iterator[str]:
    """Lines about each game, from its first action to its end."""
    from sunglade import Game, analysis, bots
    from sunglade.engine import answer
    from sunglade.table.view import position_view

    for players, modules, names in GAMES:
        game = Game(players, {"modules": modules, "rounds": 6}, seed=players)
        seats = [bots.make(name, seed=seat) for seat, name in enumerate(names)]
        while not game.over:
            assert game.player is not None
            game.play(seats[game.player].act(game, bots.MAX_MS))
            if len(game.actions) % 16 == 0:
                game.undo()
                game.redo()
                ahead = [asdict(each) for each in game.forecast()]
                yield json.dumps([game.state(), ahead, position_view(game, assistance=True)])
        with tempfile.TemporaryDirectory() as folder:
            game.save(Path(folder, "game.json"))
            assert Game.load(Path(folder, "game.json")) == game == Game.from_position(game.position())
        begun = game.to_dict() | {"actions": game.actions[:20]}
        asked = {"id": 1, "cmd": "think", "bot": "search", "nodes": 50, "game": begun}
        found = analysis.analyse(game, "search", nodes=20)
        yield json.dumps([game.to_dict(), str(game), answer(json.dumps(asked).encode()), asdict(found)])
