"""Plays games where neither NumPy nor Numba can be imported: what a page in a browser has."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path


def forbid() -> None:
    """From now on in this process neither NumPy nor Numba can be imported."""
    sys.modules |= dict.fromkeys(("numpy", "numba", "llvmlite"))  # type: ignore[arg-type]  # whoever imports them fails
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))


def main() -> None:
    """Three games: played, shown, drawn, told as positions."""
    forbid()
    from sunglade import Game
    from sunglade.table.event_view import tell_action
    from sunglade.table.view import position_view

    for players, modules in ((2, []), (3, ["moon"]), (4, ["moon", "elder", "stones"])):
        game, choose = Game(players, {"modules": modules, "rounds": 8}, seed=players), random.Random(players)
        while not game.over:
            before, line, seat = game.now.copy(), choose.choice(game.legal), game.player
            game.play(line)
            assert seat is not None and tell_action(before, game.now, line, seat)
            if len(game.actions) % 20 == 0:
                assert position_view(game, assistance=True) and str(game) and game._repr_svg_()
        assert Game.from_position(game.position()) == game
        print(json.dumps({"game": game.to_dict(), "position": game.position()}))


if __name__ == "__main__":
    main()
