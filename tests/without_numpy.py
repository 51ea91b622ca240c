"""Plays games where NumPy cannot be imported and Numba only pretends: what a page in a browser has."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


class Pretence(ModuleType):
    """A module whose functions leave functions as they are."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *functions, **options: functions[0] if functions else lambda function: function


class Interpreted:
    """Numba's configuration where nothing is compiled."""

    DISABLE_JIT, CACHE_DIR, BOUNDSCHECK = True, "", None


def overload(function: Any, **options: Any) -> Any:
    """Compiled code of a function: not needed."""
    return lambda compiled: compiled


def pretend() -> None:
    """From now on in this process NumPy cannot be imported, and Numba compiles nothing."""
    numba, extending = Pretence("numba"), Pretence("numba.extending")
    vars(numba).update(config=Interpreted, __version__="none", types=Pretence("numba.types"), extending=extending)
    vars(extending)["overload"] = overload
    sys.modules |= {"numba": numba, "numba.extending": extending, "llvmlite": Pretence("llvmlite")}
    sys.modules["numpy"] = None  # type: ignore[assignment]  # whoever imports it fails
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))


def main() -> None:
    """Three games: played, shown, drawn, told as positions."""
    pretend()
    from sunglade import Game
    from sunglade.server.event_view import tell_action
    from sunglade.server.view import position_view

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
