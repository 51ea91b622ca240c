"""Whether the bot that adapts finds its opponent: a level plays the person's part, 40 games in a row.

    python bench/adaptation.py [--games 40] [--ms 300] birch maple oak

Every opponent begins against `sapling`, as newcomers do, and has the first turn in every other game. Told are the level
of each game, and the share of wins over the last half of the games (a shared win counts as half of one).
"""

from __future__ import annotations

import argparse
import time

from sunglade import Game, bots, kernel
from sunglade.teaching.adaptation import adapted

BEGINS_WITH = "sapling"


def main() -> None:
    """Play, and tell after each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("person", nargs="+", help="the levels that play the person's part")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--ms", type=int, default=300, help="for a turn of whoever plays by the clock")
    asked = parser.parse_args()
    for person in asked.person:
        began, level, shares = time.monotonic(), BEGINS_WITH, list[float]()
        for number in range(asked.games):
            shares.append(played(person, level, number, asked.ms))
            print(f"{person} {number + 1:>3} against {level:<9} {shares[-1]:.1f}", flush=True)
            level = adapted(level, shares[-1])
        last = shares[len(shares) // 2 :]
        share, minutes = sum(last) / len(last), (time.monotonic() - began) / 60
        print(f"{person}: {share:.0%} of the last {len(last)} games, now {level}; {minutes:.1f} min", flush=True)


def played(person: str, level: str, number: int, ms: int) -> float:
    """The person's share of the win in one game."""
    seat, game = number % 2, Game(2, seed=number)
    names = [person, level] if seat == 0 else [level, person]
    players = [bots.make(name, seed=2 * number + place) for place, name in enumerate(names)]
    while not game.over:
        mover = game.now.player
        game.play(players[mover].act(game.redacted(), ms))
    return kernel.win_share(game.now, seat)


if __name__ == "__main__":
    main()
