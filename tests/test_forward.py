"""The network's answer in compiled code: the same however it is asked and wherever it runs.

That it is PyTorch's answer is seen in `test_training.py`.
"""

from __future__ import annotations

import math
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from network_questions import answers, questions
from prebuilding import build, one_build, python
from sunglade.neural.forward.lanes import exp, gelu, lanes, load, store
from sunglade.neural.inference import ANCHOR, shipped
from sunglade.prebuilding.stamps import libraries
from sunglade.prebuilt.library import LEAST, machine, processors

pytestmark = pytest.mark.slow

MANY = 21
FEW = 3


@pytest.fixture(scope="module")
def told() -> list[list[float]]:
    return answers(shipped(), questions(MANY), MANY)


def near(one: list[list[float]], other: list[list[float]]) -> bool:
    pairs = [(a, b) for row, its in zip(one, other, strict=True) for a, b in zip(row, its, strict=True)]
    return all(abs(a - b) < 1e-4 for a, b in pairs)


def in_another_process(count: int, **environment: str) -> list[list[float]]:
    code = (
        f"from network_questions import *; from sunglade.kernel.compiler import way; main({count}); print(way().name)"
    )
    *rows, way = python(code, **environment).splitlines()
    assert way == ("INTERPRETED" if "NUMBA_DISABLE_JIT" in environment else "PREBUILT")
    return [[float(number) for number in row.split()] for row in rows]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9])
def test_a_position_has_the_same_answer_in_every_batch(count: int, told: list[list[float]]) -> None:
    assert near(answers(shipped(), questions(count), count), told[:count])


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_threads_share_the_work_and_give_the_same_answers(threads: int, told: list[list[float]]) -> None:
    assert near(answers(shipped(threads), questions(MANY), MANY), told)


def test_one_network_serves_many_who_ask_at_the_same_time(told: list[list[float]]) -> None:
    network, asked = shipped(), questions(MANY)
    with ThreadPoolExecutor(4) as helpers:
        for found in helpers.map(lambda _: answers(network, asked, MANY), range(24)):
            assert near(found, told)


def test_interpreted_it_gives_the_same_answers(told: list[list[float]]) -> None:
    assert near(in_another_process(FEW, NUMBA_DISABLE_JIT="1"), told[:FEW])


@one_build
@pytest.mark.parametrize("library", libraries("native"))
def test_prebuilt_for_every_kind_of_processor_it_gives_the_same_answers(
    library: str, told: list[list[float]], tmp_path: Path
) -> None:
    if library not in map(machine, processors()):
        pytest.skip(f"this processor cannot run {library}")
    for file in [file for name in {library, machine(LEAST)} for file in build("native").glob(f"{name}.*")]:
        shutil.copy(file, tmp_path)
    assert near(in_another_process(MANY, SUNGLADE_PREBUILT=str(tmp_path)), told)


@one_build
def test_the_neural_player_plays_without_numba_and_numpy() -> None:
    code = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = sys.modules["numpy"] = None  # whoever imports them fails
from sunglade import Game, bots
game = Game(3, {"modules": ["moon", "elder", "stones"]}, seed=4)
print(bots.make("neural").think(game, nodes=40).action in game.legal)
"""
    assert python(code, SUNGLADE_PREBUILT=str(build("native"))) == "True\n"


def test_values_are_chances_and_nobody_wins_at_an_empty_seat(told: list[list[float]]) -> None:
    """Of 2 and 3 players: the last seats keep only what the margin's share gives."""
    for row, answer in enumerate(told):
        values, players = answer[:4], 2 + row % 3
        assert all(0 <= value <= 1 for value in values)
        assert all(value <= 0.25 for value in values[players:])


def test_the_anchor_answers_for_the_base_game() -> None:
    (answer,) = answers(shipped(name=ANCHOR), questions(1, modules=False), 1)
    assert len(answer) == 4 + shipped(name=ANCHOR).size.actions and all(map(math.isfinite, answer))


@numba.njit  # type: ignore[untyped-decorator]
def exp_and_gelu(numbers: Any, powers: Any, gelus: Any) -> None:
    for i in range(0, len(numbers), lanes()):
        store(powers, i, exp(load(numbers, i)))
        store(gelus, i, gelu(load(numbers, i)))


def test_exponentials_and_gelu_are_as_exact_as_single_numbers_are() -> None:
    numbers = np.linspace(-87, 88, 1 << 14, dtype=np.float32)
    powers, gelus = np.empty_like(numbers), np.empty_like(numbers)
    exp_and_gelu(numbers, powers, gelus)
    exact = numbers.astype(np.float64)
    assert powers == pytest.approx(np.exp(exact), rel=3e-7)
    inner = math.sqrt(2 / math.pi) * (exact + 0.044715 * exact**3)
    assert gelus == pytest.approx(0.5 * exact * (1 + np.tanh(inner)), rel=3e-7, abs=1e-6)
