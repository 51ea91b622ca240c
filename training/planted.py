"""Whether the review finds mistakes: one turn of a strong game is replaced by a worse one, and judged.

    PYTHONPATH=src python -m training.planted --games 200 --seconds 600

The turn that is planted costs 0.10 to 0.25 of all chances at ten times the review's simulations. How many of those are
called a mistake, and how many of the strongest player's own turns, is told by the number of players. Every game is
written down at once (`--found`), so that runs add up.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from training.puzzles.miner import QUICK, turn_of
from training.puzzles.quarry import add, lines_of
from training.puzzles.turns import without_one

from sunglade import Game, bots, kernel
from sunglade.bots import Analyst
from sunglade.teaching.review import MISTAKE, SLIP, judged, shares, turns_of

PLAYED: Final = 100
"""Simulations for an action of the games."""
REVIEWED: Final = 64
"""Simulations for a position of the review."""
TIMES: Final = 10
"""What a planted turn costs is found with so many times as many."""
COSTS: Final = (0.10, 0.25)
TRIES: Final = 6
"""Turns of a game that are looked through for one that can be planted."""


class Reviewer:
    """Plays a game, reviews it, and plants a worse turn."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        self.number = number
        self.bot = bots.make("neural", seed=number)

    def game(self, players: int) -> Game:
        """A game of the strongest player against itself, from a set-up by chance."""
        game = Game(players, seed=self.number)
        while game.phase != "turn":
            game.play(self.chance.choice(game.legal))
        while not game.over:
            for line in turn_of(self.bot, game, PLAYED):
                game.play(line)
        return game

    def value(self, game: Game, nodes: int) -> list[float]:
        """What a position is worth to everybody."""
        if game.over:
            return [float(kernel.win_share(game.now, seat)) for seat in range(game.players)]
        assert isinstance(self.bot, Analyst)
        return list(self.bot.think(game.redacted(), nodes=nodes).value)

    def own_losses(self, game: Game) -> list[float]:
        """What the review says that each turn of the game cost."""
        bounds = {place for first, last, *_ in turns_of(game) for place in (first, last)}
        values: list[Sequence[float] | None] = [None] * (len(game.actions) + 1)
        for place in bounds:
            values[place] = self.value(_until(game, place), REVIEWED)
        return [round(turn.before - turn.after, 4) for turn in judged(game, values)]

    def planted_loss(self, game: Game) -> dict[str, Any] | None:
        """What the review says that a planted turn costs, and what it really costs; None where none was found."""
        turns = turns_of(game)
        for first, _, seat, number in self.chance.sample(turns, min(TRIES, len(turns))):
            before = _until(game, first)
            really = shares(self.value(before, TIMES * REVIEWED))[seat]
            for worse in self._worse_turns(before):
                after = before.fork()
                for line in worse:
                    after.play(line)
                cost = really - shares(self.value(after, TIMES * REVIEWED))[seat]
                if COSTS[0] <= cost <= COSTS[1]:
                    said = [shares(self.value(each, REVIEWED))[seat] for each in (before, after)]
                    return {"round": number, "really": round(cost, 4), "said": round(said[0] - said[1], 4)}
        return None

    def _worse_turns(self, before: Game) -> list[list[str]]:
        """Turns of weaker levels, nothing, and the best turn without one of its actions, in any order."""
        best = [line for line in turn_of(self.bot, before, PLAYED) if line != "end"]
        weaker = [turn_of(bots.make(name), before) for name in QUICK]
        found = [["end"], *weaker, *([*lines, "end"] for lines in without_one(before, best))]
        self.chance.shuffle(found)
        return found


def _until(game: Game, place: int) -> Game:
    """The game before one of its actions, as players saw it."""
    return Game.from_dict({**game.redacted_data.to_dict(), "actions": game.actions[:place]})


def reviewed(number: int, players: int) -> dict[str, Any]:
    """One game: what its own turns cost by the review, and the planted one."""
    reviewer = Reviewer(number)
    game = reviewer.game(players)
    own, planted = reviewer.own_losses(game), reviewer.planted_loss(game)
    return {"game": number, "players": players, "own": own, "planted": planted}


def told(games: Sequence[dict[str, Any]], players: int) -> dict[str, Any]:
    """How often what was planted is called a mistake or a slip, and how often an own turn is."""
    own = [loss for game in games for loss in game["own"]]
    planted = [game["planted"]["said"] for game in games if game["planted"] is not None]
    found: Counter[str] = Counter()
    for name, losses in (("own", own), ("planted", planted)):
        found[f"{name} turns"] = len(losses)
        found[f"{name} called a mistake"] = sum(loss >= MISTAKE[players] for loss in losses)
        found[f"{name} called a slip"] = sum(SLIP[players] <= loss < MISTAKE[players] for loss in losses)
    own.sort()
    high = {f"{share:.0%} of own below": own[int(share * len(own))] for share in (0.95, 0.99)} if own else {}
    return {"players": players, "games": len(games), **found, **high}


def main() -> None:
    """Play on until there are so many games, or the time is over; tell what all of them gave."""
    parser = argparse.ArgumentParser(prog="python -m training.planted", description="Whether mistakes are found.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--found", type=Path, default=Path("build") / "planted.jsonl")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    for number in range(len(_games(options)), options.games):
        if time.monotonic() > until:
            break
        add(options.found, json.dumps(reviewed(number, options.players)))
    print(json.dumps(told(_games(options), options.players)))


def _games(options: argparse.Namespace) -> list[dict[str, Any]]:
    return [game for game in lines_of(options.found) if game["players"] == options.players][: options.games]


if __name__ == "__main__":
    main()
