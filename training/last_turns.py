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
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from training.strategy.plan import RULES, planned, start

from sunglade import Game, bots, kernel
from sunglade.bots.bot import Bot
from sunglade.deal import Deal
from sunglade.kernel.actions import BUY, COLLECT, GROW, HATCH_COST, TABLE
from sunglade.kernel.animals import BABY_TWO
from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.legal import legal
from sunglade.kernel.printed import LARGE, MEDIUM
from sunglade.kernel.record import TURTLE, TWO, Record
from sunglade.kernel.score import points
from sunglade.kernel.shortlist import contains
from sunglade.notation import ACTION_NAMES

Array = NDArray[Any]

DEPTH: Final = 40
"""Room for a turn and for each action of it that can bring points. Where it is not enough, nothing is told."""
TOO_DEEP: Final = -1
"""Instead of the best points, where more actions could still have brought some."""
PAYING: Final = ("boar.dig", "squirrel.eat", "fox.steal", "owl.hunt", "turtle.steps")
"""Abilities that bring points, or light to collect with. All others cost and bring nothing before the game ends."""
CAN_PAY: Final = np.array(
    [action.kind in ("collect", "step") or action.ability in PAYING for action in TABLE], dtype=np.bool_
)


class LastTurn(NamedTuple):
    """The last turn of a recorded game: its number, the actions before it, the position, and the points it led to."""

    number: int
    before: list[int]
    position: Record
    reached: int


@compiled
def _may_pay(s: Record, seat: int, action: int) -> bool:
    """Whether an action can lead to points: with *two*, a tree that grows large can still be collected (M-ANIMAL-4)."""
    if CAN_PAY[action]:
        return True
    if not (s.effects & TWO or (s.animal[seat] == TURTLE and contains(s.hatched, BABY_TWO))):
        return False
    return action == BUY + LARGE or (GROW <= action < COLLECT and s.pieces[seat, MEDIUM] >> (action - GROW) & 1 != 0)


@entry
def best_points(stack: Array, lists: Array, counts: Array) -> int:
    """The most points that the mover of `stack[0]` can end the turn with, by trying everything that can bring any.

    TOO_DEEP where `stack` has no room for all of it.
    """
    seat = stack[0].player
    best = points(stack[0], seat)
    depth = 0
    counts[0] = legal(stack[0], lists[0])
    while depth >= 0:
        if counts[depth] == 0:
            depth -= 1
            continue
        counts[depth] -= 1
        action = int(lists[depth].action[counts[depth]])
        if _may_pay(stack[depth], seat, action):
            if depth + 1 == len(stack):
                return TOO_DEEP
            stack[depth + 1] = stack[depth]
            depth += 1
            apply(stack[depth], action)
            best = max(best, points(stack[depth], seat))
            counts[depth] = legal(stack[depth], lists[depth])
    return best


class Solver:
    """Finds the best end of a last turn."""

    def __init__(self, depth: int = DEPTH) -> None:
        self._stack = np.zeros(depth, kernel.STATE)
        self._lists = np.zeros(depth, kernel.LEGAL_LIST)
        self._counts = np.zeros(depth, np.int64)

    def best(self, position: Record) -> int:
        """The most points its mover can end with."""
        self._stack[0] = position.array()[0]
        best = int(best_points(self._stack, self._lists, self._counts))
        if best == TOO_DEEP:
            raise RuntimeError(f"A last turn takes more than {len(self._stack)} positions: DEPTH should be greater.")
        return best


def is_known(position: Record) -> bool:
    """Whether nothing can be turned up in this turn: no baby that the turtle might hatch."""
    seat = position.player
    return not (position.animal[seat] == TURTLE and position.face_down and position.lunar[seat] >= HATCH_COST)


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
    best = [solver.best(turn.position) for turn in turns]
    print(json.dumps({"as recorded": told([top - turn.reached for top, turn in zip(best, turns, strict=True)])}))
    bot = bots.make("neural", seed=1)
    some = np.random.default_rng(1).permutation(len(turns))[: options.turns]
    missed = [best[place] - played_by(bot, turns[place], options.ms) for place in some]
    print(json.dumps({f"neural, {options.ms} ms": told(missed)}))


if __name__ == "__main__":
    main()
