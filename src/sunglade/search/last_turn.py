"""The best that a player's last turn can end with, found by trying everything that can bring points (R-END-1).

Whoever has a last turn knows all there is to know, but for babies that lie face down: `is_known` says whether that
matters. Others who still have turns change nothing about the points of this one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sunglade.kernel.actions import BUY, COLLECT, GROW, HATCH_COST, TABLE
from sunglade.kernel.animals import BABY_TWO
from sunglade.kernel.apply import apply
from sunglade.kernel.compiler import compiled, entry
from sunglade.kernel.fields import Memory, Number, Numbers, Parts
from sunglade.kernel.legal import legal
from sunglade.kernel.legal_list import LegalList
from sunglade.kernel.printed import LARGE, MEDIUM
from sunglade.kernel.record import TURN, TURTLE, TWO, Record
from sunglade.kernel.score import points
from sunglade.kernel.shortlist import contains
from sunglade.kernel.tables import table

DEPTH: Final = 40
"""Room for a turn and for each action of it that can bring points. Where it is not enough, nothing is told."""
TOO_DEEP: Final = -1
"""Instead of the best points, where more actions could still have brought some."""
PAYING: Final = ("boar.dig", "squirrel.eat", "fox.steal", "owl.hunt", "turtle.steps")
"""Abilities that bring points, or light to collect with. All others cost and bring nothing before the game ends."""
CAN_PAY: Final = table([int(action.kind in ("collect", "step") or action.ability in PAYING) for action in TABLE])


class Desk(Memory):
    """Room for one line of a turn at a time, and for the best so far."""

    stack = Parts(Record, DEPTH)
    lists = Parts(LegalList, DEPTH)
    counts = Numbers(DEPTH)
    line = Numbers(DEPTH)
    best_line = Numbers(DEPTH)
    best_length = Number()
    room = Number()  # positions of the stack that may be used


@compiled
def _may_pay(s: Record, seat: int, action: int) -> bool:
    """Whether an action can lead to points: with *two*, a tree that grows large can still be collected (M-ANIMAL-4)."""
    if CAN_PAY[action]:
        return True
    if not (s.effects & TWO or (s.animal[seat] == TURTLE and contains(s.hatched, BABY_TWO))):
        return False
    return action == BUY + LARGE or (GROW <= action < COLLECT and s.pieces[seat, MEDIUM] >> (action - GROW) & 1 != 0)


@entry
def try_everything(d: Desk) -> int:
    """The most points that the mover of `stack[0]` can end the turn with; `best_line` leads there, the shortest of
    those that were found. TOO_DEEP where there is no room for all of it.
    """
    seat = d.stack[0].player
    best = points(d.stack[0], seat)
    d.best_length = 0
    depth = 0
    d.counts[0] = legal(d.stack[0], d.lists[0])
    while depth >= 0:
        if d.counts[depth] == 0:
            depth -= 1
            continue
        d.counts[depth] -= 1
        action = d.lists[depth].action[d.counts[depth]]
        if _may_pay(d.stack[depth], seat, action):
            if depth + 1 == d.room:
                return TOO_DEEP
            d.stack[depth + 1] = d.stack[depth]
            d.line[depth] = action
            depth += 1
            apply(d.stack[depth], action)
            reached = points(d.stack[depth], seat)
            if reached > best or (reached == best and depth < d.best_length):
                best = reached
                d.best_length = depth
                for place in range(depth):
                    d.best_line[place] = d.line[place]
            d.counts[depth] = legal(d.stack[depth], d.lists[depth])
    return best


class Solved(NamedTuple):
    """The most points, and actions that reach them; then the turn may end."""

    points: int
    line: list[int]


class Solver:
    """Finds the best end of a last turn."""

    def __init__(self, depth: int = DEPTH) -> None:
        self._desk = Desk()
        self._desk.room = depth

    def solve(self, position: Record) -> Solved:
        """The most points its mover can end with, and how."""
        self._desk.stack[0] = position
        best = try_everything(self._desk)
        if best == TOO_DEEP:
            raise RuntimeError(f"A last turn takes more than {self._desk.room} positions: DEPTH should be greater.")
        return Solved(best, self._desk.best_line[: self._desk.best_length].tolist())


def is_last_turn(position: Record) -> bool:
    """Whether the mover has no turn after this one (R-ROUND-5)."""
    return position.phase == TURN and position.current_round == position.rounds


def is_known(position: Record) -> bool:
    """Whether nothing can be turned up in this turn: no baby that the turtle might hatch (M-SETUP-4)."""
    seat = position.player
    return not (position.animal[seat] == TURTLE and position.face_down and position.lunar[seat] >= HATCH_COST)
