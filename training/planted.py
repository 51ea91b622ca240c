"""Whether the review finds mistakes: one turn of a strong game is replaced by a worse one, and judged.

    PYTHONPATH=src python -m training.planted --games 200 --players 2 --seconds 600

The turn that is planted costs 0.10 to 0.25 of all chances at ten times the review's simulations. What turns cost is
written down (`planted.jsonl` in `--out`), not what they were called: so runs add up, and thresholds can be compared
without playing again (`--compare`). Told is what the review calls what was planted, and the strongest player's own
turns. `--half` tells of every other game alone: what was chosen by one half can be tried with the other.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from training.puzzles.miner import QUICK, turn_of
from training.puzzles.turns import without_one
from training.side_by_side import add_options, results, work_through

from sunglade import Game, bots, kernel
from sunglade.bots import Analyst
from sunglade.teaching.review import MISTAKE, SLIP, shares, turns_of

PLAYED: Final = 100
"""Simulations for an action of the games."""
REVIEWED: Final = 64
"""Simulations for a position of the review."""
TIMES: Final = 10
"""What a planted turn costs is found with so many times as many."""
COSTS: Final = (0.10, 0.25)
TRIES: Final = 10
"""Turns of a game that are looked through for one that can be planted."""


class Reviewer:
    """Plays a game, reviews it, and plants worse turns."""

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

    def worth(self, game: Game, nodes: int) -> list[float]:
        """Everybody's share of all chances."""
        if game.over:
            return shares([float(kernel.win_share(game.now, seat)) for seat in range(game.players)])
        assert isinstance(self.bot, Analyst)
        return shares(self.bot.think(game.redacted(), nodes=nodes).value)

    def own_costs(self, game: Game) -> list[float]:
        """What the review says that each turn of the game cost."""
        turns = turns_of(game)
        places = {place for first, last, *_ in turns for place in (first, last)}
        worth = {place: self.worth(_until(game, place), REVIEWED) for place in sorted(places)}
        return [round(worth[first][seat] - worth[last][seat], 4) for first, last, seat, _ in turns]

    def planted_cost(self, game: Game) -> dict[str, Any] | None:
        """What the review says that a planted turn costs, and what it really costs; None where none was found."""
        turns = turns_of(game)
        for first, _, seat, number in self.chance.sample(turns, min(TRIES, len(turns))):
            before = _until(game, first)
            really = self.worth(before, TIMES * REVIEWED)[seat]
            for worse in self._worse_turns(before):
                after = before.fork()
                for line in worse:
                    after.play(line)
                cost = really - self.worth(after, TIMES * REVIEWED)[seat]
                if COSTS[0] <= cost <= COSTS[1]:
                    said = self.worth(before, REVIEWED)[seat] - self.worth(after, REVIEWED)[seat]
                    return {"round": number, "really": round(cost, 4), "said": round(said, 4)}
        return None

    def _worse_turns(self, before: Game) -> list[list[str]]:
        """Turns of weaker levels, nothing, and the best turn without one of its actions, in any order."""
        best = [line for line in turn_of(self.bot, before, PLAYED) if line != "end"]
        weaker = [turn_of(bots.make(name), before) for name in QUICK]
        found = [["end"], *weaker, *([*lines, "end"] for lines in without_one(before, best))]
        once = list({tuple(lines): lines for lines in found}.values())
        self.chance.shuffle(once)
        return once


def _until(game: Game, place: int) -> Game:
    """The game before one of its actions, as players saw it."""
    return Game.from_dict({**game.redacted_data.to_dict(), "actions": game.actions[:place]})


def reviewed(players: int, number: int) -> dict[str, Any]:
    """One game: what its own turns cost by the review, and the planted one."""
    reviewer = Reviewer(number)
    game = reviewer.game(players)
    own, planted = reviewer.own_costs(game), reviewer.planted_cost(game)
    return {"game": number, "players": players, "own": own, "planted": planted}


def costs(games: Sequence[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """What the review says that own turns cost, and those that were planted."""
    own = sorted(each for game in games for each in game["own"])
    return own, [game["planted"]["said"] for game in games if game["planted"] is not None]


def compared(games: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """By threshold: the share of planted turns that cost as much, and that of own ones."""
    both = [each for each in costs(games)[::-1] if each]
    return {
        f"{least:.3f}": [round(sum(each >= least for each in some) / len(some), 4) for some in both]
        for least in (place / 200 for place in range(8, 23))
    }


def told(games: Sequence[dict[str, Any]], players: int) -> dict[str, Any]:
    """How often what was planted is called a mistake or a slip, and how often an own turn is."""
    own, planted = costs(games)
    found: Counter[str] = Counter()
    for name, some in (("own", own), ("planted", planted)):
        found[f"{name} turns"] = len(some)
        found[f"{name} called a mistake"] = sum(each >= MISTAKE[players] for each in some)
        found[f"{name} called a slip"] = sum(SLIP[players] <= each < MISTAKE[players] for each in some)
    high = {f"{share:.0%} of own below": round(own[int(share * len(own))], 4) for share in (0.95, 0.99) if own}
    return {"players": players, "games": len(games), **found, **high}


def main() -> None:
    """Play on until there are so many games, or the time is over; tell what all of them gave."""
    parser = argparse.ArgumentParser(prog="python -m training.planted", description="Whether mistakes are found.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--half", type=int, choices=(0, 1), help="tell of every other game alone")
    parser.add_argument("--compare", action="store_true", help="tell what other thresholds would say")
    add_options(parser)
    options = parser.parse_args()
    left = sorted(set(range(options.games)) - {game["game"] for game in _games(options)})
    work_through(partial(reviewed, options.players), left, "planted", options)
    games = [game for game in _games(options) if options.half is None or game["game"] % 2 == options.half]
    print(json.dumps(told(games, options.players)))
    if options.compare:
        print(json.dumps(compared(games)))


def _games(options: argparse.Namespace) -> list[dict[str, Any]]:
    games = results(options.out, "planted", ("players", "game"))
    return [game for game in games if game["players"] == options.players and game["game"] < options.games]


if __name__ == "__main__":
    main()
