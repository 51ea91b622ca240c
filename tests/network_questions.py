"""Positions that networks are asked about in tests, and their answers as plain numbers."""

from __future__ import annotations

import sys

from sunglade import Game, Rules
from sunglade.bots import make
from sunglade.encode import observe
from sunglade.neural.inference import Inference, shipped
from sunglade.rules import MODULES
from sunglade.search.graph import Answers, Questions


def questions(count: int, *, modules: bool = True) -> Questions:
    """Positions of random games, of 2 to 4 players in turn; every other game with all modules."""
    asked = Questions()
    for row in range(count):
        game = Game(2 + row % 3, Rules(modules=MODULES if modules and row % 2 else []), seed=row)
        bot = make("random", seed=row)
        while not game.over and len(game.actions) < 20 + 11 * row % 130:
            game.play(bot.act(game, 0))
        observe(game.now, (6 - game.now.sun) % 6, asked.observation[row])
    return asked


def answers(network: Inference, asked: Questions, count: int) -> list[list[float]]:
    """For each position the values of the seats, then the logits."""
    told = Answers()
    network.answer(asked, count, told)
    return [
        [told.values[row, seat] for seat in range(4)]
        + [told.logits[row, action] for action in range(network.size.actions)]
        for row in range(count)
    ]


def main(count: int) -> None:
    """Print the answers of the newest network."""
    for row in answers(shipped(), questions(count), count):
        print(*row)


if __name__ == "__main__":
    main(int(sys.argv[1]))
