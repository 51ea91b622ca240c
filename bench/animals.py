"""How much a level's animals help it: it plays against itself without their abilities.

    python bench/animals.py sapling --games 400

Two players, moon and animals. Both step into moonlight; one never uses an ability. Every deal is played twice, with
seats exchanged. Prints games won and points, and the same by the animal of whoever has the abilities, with how often
they are used in a game.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from sunglade import Game, Rules
from sunglade.arena.ratings import wilson
from sunglade.bots.levels import birch, maple, sapling, seedling
from sunglade.kernel.actions import TABLE
from sunglade.notation import ACTION_NUMBERS
from sunglade.rules import ANIMALS

LEVELS: Final = {"seedling": seedling, "sapling": sapling, "birch": birch, "maple": maple}


@dataclass
class Tally:
    """Games of whoever has the abilities, added up."""

    games: int = 0
    won: float = 0.0
    points: list[int] = field(default_factory=lambda: [0, 0])
    used: Counter[str] = field(default_factory=Counter)

    def add(self, won: float, points: list[int], used: Counter[str]) -> None:
        """One game more."""
        self.games += 1
        self.won += won
        self.points = [sum(pair) for pair in zip(self.points, points, strict=True)]
        self.used += used

    def told(self) -> dict[str, Any]:
        """As shares of the games."""
        low, high = wilson(self.won, self.games)
        own, other = (points / self.games for points in self.points)
        return {
            "won": self.won,
            "games": self.games,
            "share": f"{self.won / self.games:.1%} ({low:.1%}–{high:.1%})",
            "points": f"{own:.1f} : {other:.1f}",
            "uses a game": {name: round(count / self.games, 2) for name, count in sorted(self.used.items())},
        }


def played(level: str, number: int, seat: int) -> tuple[Game, Counter[str]]:
    """A whole game in which only one seat uses abilities, and how often it does."""
    game = Game(2, Rules(modules=["moon"]), seed=number)
    players = [LEVELS[level](2 * number + place, abilities=place == seat) for place in range(2)]
    used: Counter[str] = Counter()
    while not game.over:
        line = players[game.now.player].act(game.redacted(), 1000)
        if TABLE[ACTION_NUMBERS[line]].kind == "ability":
            used[TABLE[ACTION_NUMBERS[line]].ability] += 1
        game.play(line)
    return game, used


def main() -> None:
    """Play and count."""
    parser = argparse.ArgumentParser(prog="python bench/animals.py", description="What abilities are worth to a level.")
    parser.add_argument("level", choices=tuple(LEVELS))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    options = parser.parse_args()
    together, by_animal = Tally(), defaultdict[str, Tally](Tally)
    for count in range(options.games):
        seat = count % 2
        game, used = played(options.level, options.first + count // 2, seat)
        winners = game.winners or []
        won = (seat in winners) / len(winners)
        points = [game.scores()[place].total for place in (seat, 1 - seat)]
        together.add(won, points, used)
        by_animal[ANIMALS[game.now.animal[seat]]].add(won, points, used)
    print(json.dumps({options.level: together.told()}, ensure_ascii=False))
    for animal, tally in sorted(by_animal.items(), key=lambda each: -each[1].won / each[1].games):
        print(json.dumps({animal: tally.told()}, ensure_ascii=False))


if __name__ == "__main__":
    main()
