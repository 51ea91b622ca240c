"""What hints are worth: whoever follows them against whoever does not.

    PYTHONPATH=src python -m training.hints third --games 400    `maple` with hints in a third of its turns, and without
    PYTHONPATH=src python -m training.hints always --games 200   hints always followed, and the bot they come from

Two players, seats exchanged from game to game. A hint is what `teaching.advice` says after so many simulations. Every
game is written down at once (`hints.jsonl` in `--out`), so that runs add up.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from training.side_by_side import add_options, results, work_through

from sunglade import Game, bots
from sunglade.arena.ratings import wilson
from sunglade.bots import Analyst, Bot
from sunglade.teaching.advice import advise

NODES: Final = 400
"""Simulations of a hint: about what one thread does in 0.2 s."""
SHARE: Final = {"third": 1 / 3, "always": 1.0}


class Advised:
    """A player who asks for hints in some turns and follows them; in the others it plays by itself."""

    def __init__(self, seed: int, own: Bot, adviser: Analyst, share: float, nodes: int) -> None:
        self._seed, self._own, self._adviser, self._share, self._nodes = seed, own, adviser, share, nodes

    def act(self, game: Game, ms: int) -> str:
        """The hint, or the own idea; which of them is settled for a whole turn."""
        if random.Random(f"{self._seed}/{game.round}").random() < self._share:
            return advise(self._adviser, game, nodes=self._nodes).action
        return self._own.act(game, ms)


class Counted:
    """The bot that hints come from, with the same work for an action."""

    def __init__(self, bot: Analyst, nodes: int) -> None:
        self._bot, self._nodes = bot, nodes

    def act(self, game: Game, ms: int) -> str:
        """What it finds."""
        return self._bot.think(game, nodes=self._nodes).action


def players(what: str, seed: int, nodes: int) -> tuple[Bot, Bot]:
    """Whoever has hints, and the other."""
    adviser, same = bots.make("neural", seed=seed), bots.make("neural", seed=seed + 1)
    assert isinstance(adviser, Analyst) and isinstance(same, Analyst)
    advised = Advised(seed, bots.make("maple", seed=seed), adviser, SHARE[what], nodes)
    return advised, bots.make("maple", seed=seed + 1) if what == "third" else Counted(same, nodes)


def played(what: str, nodes: int, number: int) -> dict[str, Any]:
    """One game: whether hints won it. The first trees are placed by chance, so that no two games are alike."""
    game, seat, chance = Game(2, seed=number), number % 2, random.Random(number // 2)
    while game.phase != "turn":
        game.play(chance.choice(game.legal))
    advised, other = players(what, 2 * number, nodes)
    while not game.over:
        mover = advised if game.now.player == seat else other
        game.play(mover.act(game.redacted(), 1000))
    winners, points = game.winners or [], [score.total for score in game.scores()]
    won = (seat in winners) / len(winners)
    return {"what": what, "nodes": nodes, "game": number, "won": won, "points": [points[seat], points[1 - seat]]}


def main() -> None:
    """Play on until there are so many games, or the time is over; tell what all of them gave."""
    parser = argparse.ArgumentParser(prog="python -m training.hints", description="What hints are worth.")
    parser.add_argument("what", choices=tuple(SHARE))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=NODES)
    add_options(parser)
    options = parser.parse_args()
    left = sorted(set(range(options.games)) - {game["game"] for game in _games(options)})
    work_through(partial(played, options.what, options.nodes), left, "hints", options)
    print(json.dumps(told(_games(options)), ensure_ascii=False))


def told(games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How often hints won."""
    if not games:
        return {"games": 0}
    won = sum(game["won"] for game in games)
    low, high = wilson(won, len(games))
    points = [round(sum(game["points"][place] for game in games) / len(games), 1) for place in range(2)]
    share = f"{won / len(games):.1%} ({low:.1%}–{high:.1%})"
    return {"what": games[0]["what"], "games": len(games), "won": won, "share": share, "points": points}


def _games(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The games of this kind that have been played."""
    asked = (options.what, options.nodes)
    games = results(options.out, "hints", ("what", "nodes", "game"))
    return [game for game in games if (game["what"], game["nodes"]) == asked and game["game"] < options.games]


if __name__ == "__main__":
    main()
