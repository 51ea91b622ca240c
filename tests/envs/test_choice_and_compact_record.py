"""Counting chooses what the list would, and compact records hold what whole ones do."""

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from sunglade import Rules, kernel
from sunglade.deal import Deal
from sunglade.envs.choice import base_action, nth
from sunglade.envs.compact_record import compact_dtype, copy_position, rows_for
from sunglade.kernel.arrays import STATE
from sunglade.kernel.playout import below, shuffled
from sunglade.kernel.record import OVER
from sunglade.options import OneOf
from sunglade.rules import MODULES, OPTIONS

pytestmark = pytest.mark.xdist_group("compact")


def rarest(*, modules: bool) -> dict[str, Any]:
    """Every option with a few values at the last of them."""
    return {
        name: option.kind.values[-1]
        for name, option in OPTIONS.items()
        if isinstance(option.kind, OneOf) and bool(option.module) <= modules
    }


BASE = [
    Rules(),
    Rules(edition="de", shade_forbids=True),
    Rules(edition="es"),
    Rules(edition="fr", shade_forbids=True, rounds=60),
    Rules.from_dict(rarest(modules=False)),
    Rules.from_dict(rarest(modules=False) | {"shade_forbids": True}),
]
WITH_MODULES = [
    Rules(modules=MODULES),
    Rules(modules=["elder"]),
    Rules(edition="es", modules=["moon"], rounds=40),
    Rules.from_dict({"modules": MODULES, "rounds": 40, **rarest(modules=True)}),
]


def start_of(rules: Rules, players: int, seed: int) -> NDArray[Any]:
    deal = Deal.from_seed(seed, players)
    return kernel.new_record(rules, players, deal.animals, deal.babies).array()


@numba.njit
def disagreements(work: Any, room: Any, random: int) -> tuple[int, int]:
    """Play a game at random; count positions, and those in which counting and the list differ for any choice."""
    s = work[0]
    out = room[0]
    positions = 0
    wrong = 0
    while s.phase != OVER:
        n = kernel.legal(s, out)
        for k in range(n):
            number = (k * 4294967296 + 4294967295) // n if n > 1 else 1
            wrong += base_action(s, number) != out.action[below(number, n)]
        random = shuffled(random)
        kernel.apply(s, out.action[below(random, n)])
        positions += 1
    return positions, wrong


@pytest.mark.parametrize("rules", BASE)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_counting_agrees_with_the_list_in_every_position(rules: Rules, players: int) -> None:
    room = np.zeros(1, kernel.LEGAL_LIST)
    for seed in range(1, 8):
        positions, wrong = disagreements(start_of(rules, players, 0), room, seed)
        assert positions > 50 and wrong == 0


@numba.njit
def nths(bits: int, out: Any) -> None:
    for n in range(out.size):
        out[n] = nth(bits, n)


def test_nth() -> None:
    random = np.random.default_rng(1)
    for bits in [1, 1 << 36, (1 << 37) - 1, *random.integers(1, 1 << 37, 200).tolist()]:
        spaces = [space for space in range(37) if bits >> space & 1]
        out = np.zeros(len(spaces), np.int64)
        nths(bits, out)
        assert out.tolist() == spaces


@numba.njit
def convert(source: Any, target: Any, rows: int) -> None:
    copy_position(source[0], target[0], rows)


@numba.njit
def play(work: Any, room: Any, random: int) -> int:
    s = work[0]
    out = room[0]
    played = 0
    while s.phase != OVER:
        n = kernel.legal(s, out)
        random = shuffled(random)
        kernel.apply(s, int(out.action[below(random, n)]))
        played += 1
    return played


@pytest.mark.parametrize("rules", [*BASE, *WITH_MODULES])
@pytest.mark.parametrize("players", [2, 4])
def test_the_rules_are_the_same_on_compact_records(rules: Rules, players: int) -> None:
    room = np.zeros(1, kernel.LEGAL_LIST)
    for seed in range(1, 6):
        whole = start_of(rules, players, seed)
        narrow = np.zeros(1, compact_dtype(players, bool(rules.modules)))
        convert(whole, narrow, rows_for(players))
        assert play(whole, room, seed) == play(narrow, room, seed)
        back = start_of(rules, players, seed)
        convert(narrow, back, rows_for(players))
        assert back.tobytes() == whole.tobytes()


def test_a_compact_record_has_room_for_every_option() -> None:
    most = np.iinfo(compact_dtype(2, True)["options"]).max
    assert sum(bit for option in OPTIONS.values() for bit in option.bits.values()) <= most


def test_a_compact_record_has_every_field() -> None:
    for players in (2, 3, 4):
        for modules in (False, True):
            narrow = compact_dtype(players, modules)
            assert set(STATE.names or ()) == set(narrow.names or ()) - {"unused"}
            assert narrow.itemsize // 8 % 2 == 1 and narrow.itemsize < STATE.itemsize // 2
