"""Compiled deals are those of `Deal.from_seed`; streams of seeds do not repeat."""

from typing import Any

import numba
import numpy as np
import pytest

from sunglade import Rules, kernel
from sunglade.deal import Deal
from sunglade.envs.dealing import deal, first_random, first_seed, next_seed
from sunglade.envs.wrapping import shifted_right, unsigned_remainder, wrapped, wrapping_product, wrapping_sum
from sunglade.rules import MODULES

pytestmark = pytest.mark.xdist_group("envs")

EDGES = [0, 1, -1, 7, (1 << 63) - 1, -(1 << 63), 0x9E3779B97F4A7C15 - (1 << 64), 123456789012345678]


@numba.njit
def dealt(records: Any, seed: int) -> None:
    deal(records[0], seed)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_of_a_seed(players: int) -> None:
    rules = Rules(modules=MODULES)
    for seed in [0, 1, 2, (1 << 63) - 1, *range(1000, 1200), *range(1 << 60, (1 << 60) + 50)]:
        expected = Deal.from_seed(seed, players)
        s = kernel.new_record(rules, players)
        dealt(s.array(), seed)
        assert s == kernel.new_record(rules, players, expected.animals, expected.babies)


@numba.njit
def arithmetic(a: int, b: int) -> tuple[int, int, int, int]:
    return wrapping_sum(a, b), wrapping_product(a, b), shifted_right(a, 30), unsigned_remainder(a, 7)


def test_arithmetic_wraps_compiled_and_interpreted_alike() -> None:
    for a in EDGES:
        for b in EDGES:
            expected = wrapped(a + b), wrapped(a * b), (a % (1 << 64)) >> 30, a % (1 << 64) % 7
            assert arithmetic(a, b) == expected
            assert (wrapping_sum(a, b), wrapping_product(a, b)) == expected[:2]


@numba.njit
def streams(batch_seed: int, seeds: Any, randoms: Any) -> None:
    for game in range(seeds.shape[0]):
        seeds[game, 0] = first_seed(batch_seed, game)
        randoms[game] = first_random(seeds[game, 0])
        for later in range(1, seeds.shape[1]):
            seeds[game, later] = next_seed(seeds[game, later - 1])


def test_streams_do_not_meet() -> None:
    seeds, randoms = np.zeros((2000, 20), np.int64), np.zeros(2000, np.int64)
    streams(0, seeds, randoms)
    others = np.zeros_like(seeds)
    streams(1, others, randoms)
    assert (seeds >= 0).all() and (randoms > 0).all() and (randoms < 1 << 32).all()
    assert len(np.unique(np.concatenate([seeds.ravel(), others.ravel()]))) == 2 * seeds.size
