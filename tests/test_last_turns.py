"""Last turns, solved exactly: the quick solver tries what can bring points, this one tries everything."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import count, islice

import pytest

from sunglade import kernel
from sunglade.kernel.record import OVER, Record
from sunglade.kernel.score import points
from sunglade.search.last_turn import Solver
from test_strategy import played
from test_training import ROOT

sys.path.insert(0, str(ROOT))

from training import last_turns

MANY = 6000
"""Positions of a turn after which this test gives up: with much light there are millions."""


def best_of_all(position: Record) -> int | None:
    """The most points the turn can end with, over everything that is legal; None where that is too much."""
    seat, legal_list = position.player, kernel.LegalList()
    seen, waiting, best = {bytes(position)}, [position], 0
    while waiting:
        here = waiting.pop()
        for action in [int(here_action) for here_action in legal_list.action[: kernel.legal(here, legal_list)]]:
            after = here.copy()
            kernel.apply(after, action)
            if after.phase == OVER:
                best = max(best, points(after, seat))
            elif bytes(after) not in seen:
                seen.add(bytes(after))
                waiting.append(after)
        if len(seen) > MANY:
            return None
    return best


def compared_with_everything(numbers: Iterable[int]) -> Iterator[int]:
    """Solve the last turns of games and search everything there; the animal of each that was compared."""
    solver = Solver()
    for number in numbers:
        turn = last_turns.last_turn(number, played(number))
        if turn is None:
            continue
        assert solver.solve(turn.position).points >= turn.reached
        mover = turn.position.player
        for light in range(min(9, turn.position.light[mover]), -1, -1):  # with less light there is less to try
            turn.position.light[mover] = light
            best = best_of_all(turn.position)
            if best is not None:
                assert solver.solve(turn.position).points == best, (number, light)
                yield turn.position.animal[mover]
                break


@pytest.mark.slow
@pytest.mark.xdist_group("strategy")
def test_nothing_that_was_left_out_would_have_brought_more() -> None:
    animals = list(compared_with_everything(range(60)))
    assert len(animals) > 40 and len(set(animals)) > 5


@pytest.mark.proof
def test_a_thousand_last_turns_end_as_a_search_of_everything_says() -> None:
    animals = list(islice(compared_with_everything(count(60)), 1000))
    assert len(animals) == 1000 and len(set(animals)) > 8  # none, and all eight


def test_a_recorded_game_is_taken_up_where_its_last_turn_begins() -> None:
    turn = last_turns.last_turn(3, played(3))
    assert turn is not None
    game = last_turns.game_before(turn)
    assert bytes(game.now) == bytes(turn.position) and game.round == turn.position.rounds


def test_a_turn_better_than_the_best_says_that_the_solver_is_wrong() -> None:
    with pytest.raises(RuntimeError, match="2 points above"):
        last_turns.told([0, 1, -2])


@pytest.mark.slow
@pytest.mark.xdist_group("strategy")
def test_a_turn_too_long_to_be_solved_is_not_cut() -> None:
    turn = last_turns.last_turn(3, played(3))
    assert turn is not None
    with pytest.raises(RuntimeError, match="more than 1 positions"):
        Solver(depth=1).solve(turn.position)  # something can be collected


@pytest.mark.parametrize(("missed", "within"), [([0, 0, 0, 0], 1.0), ([0, 1, 2, 5], 0.5)])
def test_a_point_less_than_the_best_is_good_enough(missed: list[int], within: float) -> None:
    assert last_turns.told(missed)["within_a_point"] == within
