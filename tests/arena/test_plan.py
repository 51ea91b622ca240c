"""Who sits where: everybody equally often on every seat, and always the same from the same plan."""

from collections import Counter

import pytest

from sunglade import BadRequest, Rules
from sunglade.arena import Plan, entrants
from sunglade.errors import SungladeError

LINE_UPS = [
    (2, ["greedy", "random"]),
    (2, ["greedy", "random", "search", "search:ms=50"]),
    (3, ["greedy", "random"]),
    (3, ["greedy", "random", "search"]),
    (3, ["greedy", "random", "search", "search:ms=50"]),
    (4, ["greedy", "random"]),
    (4, ["greedy", "random", "search"]),
    (4, ["greedy", "random", "search", "search:ms=50", "search:nodes=9"]),
    (4, ["search", "greedy", "greedy", "greedy"]),
]


def plan(players: int, names: list[str], **options: object) -> Plan:
    return Plan(entrants(names, []), players, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("players", "names"), LINE_UPS, ids=str)
def test_every_bot_has_every_seat_equally_often(players: int, names: list[str]) -> None:
    arena = plan(players, names)
    for blocks in (1, 3):
        seats = [Counter[int]() for _ in range(players)]
        for number in range(blocks * arena.block):
            for seat, who in enumerate(arena.fixture(number).seats):
                seats[seat][who] += 1
        assert all(seat == seats[0] for seat in seats)
        appearances = seats[0]
        if len(set(names)) == len(names):
            assert len(set(appearances.values())) == 1 and len(appearances) == len(names)


def test_one_among_others_is_exactly_that_table_rotated() -> None:
    arena = plan(4, ["search", "greedy", "greedy", "greedy"])
    assert {arena.fixture(number).seats for number in range(40)} == {
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    }


def test_neighbours_change_too() -> None:
    arena = plan(4, ["greedy", "random", "search", "search:ms=50"])
    after = Counter[tuple[int, int]]()
    for number in range(4 * 6):
        seats = arena.fixture(number).seats
        after.update((seats[seat], seats[(seat + 1) % 4]) for seat in range(4))
    assert len(set(after.values())) == 1 and len(after) == 12


def test_the_games_of_a_lap_share_a_deal_but_no_two_bots_a_seed() -> None:
    arena = plan(3, ["greedy", "random", "search"])
    fixtures = [arena.fixture(number) for number in range(30)]
    assert [fixture.seed for fixture in fixtures[0:3]] == [fixtures[0].seed] * 3
    assert len({fixture.seed for fixture in fixtures}) == 10
    assert len({seed for fixture in fixtures for seed in fixture.bot_seeds}) == 90


def test_a_plan_is_the_same_again_after_saving() -> None:
    rules = Rules(edition="de", modules=["moon"])
    arena = Plan(entrants(["greedy", "search:ms=50"], ["python bot.py"]), 3, 70, 5, 10, rules, random_setup=True)
    again = Plan.from_dict(arena.to_dict())
    assert again == arena
    assert [again.fixture(number) for number in range(20)] == [arena.fixture(number) for number in range(20)]


def test_a_plan_from_before_set_ups_were_played_at_random_means_what_it_meant() -> None:
    told = plan(2, ["greedy", "random"]).to_dict()
    del told["random_setup"]
    assert Plan.from_dict(told) == plan(2, ["greedy", "random"])


def test_games_are_rounded_up_until_the_seats_balance() -> None:
    assert plan(2, ["greedy", "random"]).rounded_up(101) == 102
    assert plan(2, ["greedy", "random", "search"]).rounded_up(1) == 6


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (lambda: plan(2, ["greedy"]), "at least two bots"),
        (lambda: plan(2, ["greedy", "oracle"]), "no bot 'oracle'; the bots are random, greedy"),
        (lambda: plan(5, ["greedy", "random"]), "players must be from 2 to 4"),
        (lambda: plan(3, ["greedy", "greedy"]), "greedy is given twice"),
        (lambda: plan(2, ["greedy", "random"], ms=0), "ms must be a whole number from 1"),
        (lambda: plan(2, ["greedy", "random"], ms=-5), "ms must be a whole number from 1"),
        (lambda: plan(2, ["greedy", "random"], grace_ms=-1), "grace must be a whole number from 0"),
        (lambda: plan(2, ["greedy", "random"], seed=-1), "seed must be a whole number from 0"),
        (lambda: plan(2, ["greedy", "search:ms=fast"]), "ms must be a number"),
        (lambda: plan(2, ["greedy", "search:colour=red"]), "search has the settings ms, nodes, threads"),
        (lambda: plan(2, ["greedy", "random"]).rounded_up(0), "games must be a whole number from 1"),
        (lambda: plan(2, ["greedy", "random"]).rounded_up(-4), "games must be a whole number from 1"),
        (lambda: Plan(entrants(["greedy"], ["'unclosed"])), "cannot be read"),
        (lambda: Plan(entrants(["greedy"], [" "])), "needs its command line"),
        (lambda: Plan.from_dict({"bots": 5}), "does not hold the plan"),
        (lambda: Plan.from_dict([]), "does not hold the plan"),
    ],
)
def test_plans_that_make_no_sense_are_refused_with_a_sentence(build: object, told: str) -> None:
    with pytest.raises(SungladeError, match=told) as error:
        build()  # type: ignore[operator]
    assert isinstance(error.value, BadRequest) or "players" in error.value.message
