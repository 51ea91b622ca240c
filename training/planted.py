"""Whether the review finds mistakes: one turn of a strong game is replaced by a worse one, and judged.

    PYTHONPATH=src python -m training.planted --games 200 --players 2 --seconds 600

Turns are tried until one costs 0.10 to 0.25 of all chances at ten times the simulations of the review. What turns were
worth before and after is written down at several numbers of simulations (`planted.jsonl` in `--out`), not what they
were called: so runs add up, and thresholds can be compared without playing again. Told is what the review calls what
was planted, and the strongest player's own turns. `--half` tells of every other game alone: what was chosen by one half
can be tried with the other.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from training.puzzles.miner import QUICK, turn_of
from training.puzzles.turns import without_one
from training.side_by_side import add_options, results, work_through

from sunglade import Game, bots, kernel
from sunglade.bots import Analyst
from sunglade.teaching.review import MISTAKE, SLIP, shares, turns_of

PLAYED: Final = 256
"""Simulations for an action of the games."""
REVIEWED: Final = (64, 256)
"""Simulations for a position that a review may have."""
TIMES: Final = 10
"""What a planted turn costs is found with so many times as many."""
COSTS: Final = (0.10, 0.25)
NEAR: Final = (0.03, 0.50)
"""Turns that cost less or more at the shorter of the long searches are not asked about by the longer one."""
TRIES: Final = 10
"""Turns of a game that are looked through for one that can be planted."""

Judged = dict[str, Any]
"""A turn: its round, and by the number of simulations what it was worth to its mover before and after."""


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

    def own_turns(self, game: Game) -> list[Judged]:
        """The turns of the game, as a review judges them."""
        turns = turns_of(game)
        places = sorted({place for first, last, *_ in turns for place in (first, last)})
        found: list[Judged] = [{"round": number} for *_, number in turns]
        for nodes in REVIEWED:
            worth = {place: self.worth(_until(game, place), nodes) for place in places}
            for judged, (first, last, seat, _) in zip(found, turns, strict=True):
                judged[str(nodes)] = [round(worth[place][seat], 4) for place in (first, last)]
        return found

    def planted_turns(self, game: Game) -> list[Judged]:
        """The first worse turns that cost as much as they should: one may do for every number of simulations."""
        found: list[Judged] = []
        for judged, before, after in self._tried(game):
            new = [
                nodes for nodes in REVIEWED if _fits(judged, nodes) and not any(_fits(each, nodes) for each in found)
            ]
            if new:
                seat = before.now.player
                for nodes in REVIEWED:
                    judged[str(nodes)] = [round(self.worth(end, nodes)[seat], 4) for end in (before, after)]
                found.append(judged)
            if all(any(_fits(each, nodes) for each in found) for nodes in REVIEWED):
                break
        return found

    def _tried(self, game: Game) -> Iterator[tuple[Judged, Game, Game]]:
        """Worse turns, judged at ten times the simulations; the positions before and after them."""
        turns = turns_of(game)
        for first, _, seat, number in self.chance.sample(turns, min(TRIES, len(turns))):
            before = _until(game, first)
            worth = {TIMES * nodes: self.worth(before, TIMES * nodes)[seat] for nodes in REVIEWED}
            for worse in self._worse_turns(before):
                after = before.fork()
                for line in worse:
                    after.play(line)
                judged: Judged = {"round": number}
                for nodes, share in worth.items():
                    judged[str(nodes)] = [round(share, 4), round(self.worth(after, nodes)[seat], 4)]
                    if not NEAR[0] <= cost(judged, nodes) <= NEAR[1]:
                        break
                else:
                    yield judged, before, after

    def _worse_turns(self, before: Game) -> list[list[str]]:
        """Turns of weaker levels, nothing, and the best turn without one of its actions, in any order."""
        best = [line for line in turn_of(self.bot, before, PLAYED) if line != "end"]
        weaker = [turn_of(bots.make(name), before) for name in QUICK]
        found = [["end"], *weaker, *([*lines, "end"] for lines in without_one(before, best))]
        once = list({tuple(lines): lines for lines in found}.values())
        self.chance.shuffle(once)
        return once


def cost(judged: Judged, nodes: int) -> float:
    """What a turn cost its mover, as so many simulations say."""
    before, after = judged[str(nodes)]
    return float(before - after)


def _fits(judged: Judged, nodes: int) -> bool:
    """Whether a turn costs what a planted one should, for a review of so many simulations."""
    return COSTS[0] <= cost(judged, TIMES * nodes) <= COSTS[1]


def _until(game: Game, place: int) -> Game:
    """The game before one of its actions, as players saw it."""
    return Game.from_dict({**game.redacted_data.to_dict(), "actions": game.actions[:place]})


def reviewed(players: int, number: int) -> dict[str, Any]:
    """One game: its own turns, and the planted ones."""
    reviewer = Reviewer(number)
    game = reviewer.game(players)
    return {
        "game": number,
        "players": players,
        "own": reviewer.own_turns(game),
        "planted": reviewer.planted_turns(game),
    }


def costs(games: Sequence[dict[str, Any]], nodes: int) -> tuple[list[float], list[float]]:
    """What a review of so many simulations says that own turns cost, and those that were planted."""
    own = sorted(cost(turn, nodes) for game in games for turn in game["own"])
    fitting = [next((turn for turn in game["planted"] if _fits(turn, nodes)), None) for game in games]
    return own, [cost(turn, nodes) for turn in fitting if turn is not None]


def compared(games: Sequence[dict[str, Any]], nodes: int) -> dict[str, list[float]]:
    """By threshold: the share of planted turns that cost as much, and that of own ones."""
    both = [each for each in costs(games, nodes)[::-1] if each]
    return {
        f"{least:.3f}": [round(sum(each >= least for each in some) / len(some), 4) for some in both]
        for least in (place / 200 for place in range(8, 23))
    }


def told(games: Sequence[dict[str, Any]], players: int, nodes: int) -> dict[str, Any]:
    """How often what was planted is called a mistake or a slip, and how often an own turn is."""
    own, planted = costs(games, nodes)
    found: Counter[str] = Counter()
    for name, some in (("own", own), ("planted", planted)):
        found[f"{name} turns"] = len(some)
        found[f"{name} called a mistake"] = sum(each >= MISTAKE[players] for each in some)
        found[f"{name} called a slip"] = sum(SLIP[players] <= each < MISTAKE[players] for each in some)
    high = {f"{share:.0%} of own below": round(own[int(share * len(own))], 4) for share in (0.95, 0.99) if own}
    return {"players": players, "games": len(games), "nodes": nodes, **found, **high}


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
    for nodes in REVIEWED:
        print(json.dumps(told(games, options.players, nodes)))
        if options.compare:
            print(json.dumps(compared(games, nodes)))


def _games(options: argparse.Namespace) -> list[dict[str, Any]]:
    games = results(options.out, "planted", ("players", "game"))
    return [game for game in games if game["players"] == options.players and game["game"] < options.games]


if __name__ == "__main__":
    main()
