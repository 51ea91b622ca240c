"""How well the last turn of a game is played, against the best that it could have been, found by trying everything.

    python -m training.last_turns FOLDER --turns 300 --ms 500

FOLDER has games of `training.strategy.play`. Their own last turns are judged, and `neural` plays some of them again
with so much time. Whoever moves last knows all there is to know, but for babies that lie face down: turns in which the
turtle could hatch one are left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from training.strategy.plan import RULES, planned, start

from sunglade import Game, bots, kernel
from sunglade.bots.bot import Bot
from sunglade.deal import Deal
from sunglade.kernel.record import Record
from sunglade.kernel.score import points
from sunglade.notation import ACTION_NAMES
from sunglade.search.last_turn import Solver, is_known


class LastTurn(NamedTuple):
    """The last turn of a recorded game: its number, the actions before it, the position, and the points it led to."""

    number: int
    before: list[int]
    position: Record
    reached: int


def last_turn(number: int, actions: list[int]) -> LastTurn | None:
    """The last turn of a game; None where nobody can know what is best."""
    record = Record(start(number).tobytes())
    before = 0
    for place, action in enumerate(actions):
        if record.current_round == record.rounds and record.turn == record.players - 1:
            before = place
            break
        kernel.apply(record, action)
    position = record.copy()
    for action in actions[before:]:
        kernel.apply(record, action)
    return LastTurn(number, actions[:before], position, points(record, position.player)) if is_known(position) else None


def recorded(folder: Path) -> Iterator[LastTurn]:
    """The last turns of all games in a folder."""
    for file in sorted(folder.glob("games-*.npz")):
        with np.load(file) as games:
            each = np.split(games["action"], np.cumsum(games["length"], dtype=np.int64)[:-1])
            for number, actions in zip(games["number"].tolist(), each, strict=True):
                turn = last_turn(number, actions.tolist())
                if turn is not None:
                    yield turn


def game_before(turn: LastTurn) -> Game:
    """The recorded game up to its last turn."""
    game = planned(turn.number)
    deal = Deal.from_seed(turn.number, game.players).to_dict()
    lines = [ACTION_NAMES[action] for action in turn.before]
    agreed = {"format": "sunglade/1", "players": game.players, "rules": RULES[game.rules], "deal": deal}
    return Game.from_dict({**agreed, "actions": lines})


def played_by(bot: Bot, turn: LastTurn, ms: int) -> int:
    """The points that a bot ends the turn with, if it has so much time for it."""
    game = game_before(turn)
    seat = turn.position.player
    until = time.monotonic() + ms / 1000
    while not game.over:
        left = max(0, round(1000 * (until - time.monotonic())))
        game.play(bot.act(game.redacted(), left))
    return points(game.now, seat)


def told(missed: list[int]) -> dict[str, Any]:
    """How often the best was found, or missed by a point."""
    if min(missed) < 0:
        raise RuntimeError(
            f"A turn ended {-min(missed)} points above what was solved as the best: the solver is wrong."
        )
    return {
        "turns": len(missed),
        "best": round(sum(few == 0 for few in missed) / len(missed), 4),
        "within_a_point": round(sum(few <= 1 for few in missed) / len(missed), 4),
        "most_missed": max(missed),
    }


def main() -> None:
    """Judge the last turns of recorded games, and let `neural` play some of them."""
    parser = argparse.ArgumentParser(prog="python -m training.last_turns", description="Judge last turns.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=300, help="how many of them `neural` plays")
    parser.add_argument("--ms", type=int, default=500, help="for a turn")
    options = parser.parse_args()
    solver = Solver()
    turns = list(recorded(options.folder))
    best = [solver.solve(turn.position).points for turn in turns]
    print(json.dumps({"as recorded": told([top - turn.reached for top, turn in zip(best, turns, strict=True)])}))
    bot = bots.make("neural", seed=1)
    some = np.random.default_rng(1).permutation(len(turns))[: options.turns]
    missed = [best[place] - played_by(bot, turns[place], options.ms) for place in some]
    print(json.dumps({f"neural, {options.ms} ms": told(missed)}))


if __name__ == "__main__":
    main()
