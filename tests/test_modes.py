"""The kernel gives the same games prebuilt, compiled, with bounds checks, and interpreted, byte for byte."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from positions import MODULE_SETS, new_random_game, random_steps
from prebuilding import build, one_build, python
from sunglade import Game, kernel
from sunglade.kernel.compiler import way
from sunglade.prebuilding.stamps import libraries
from sunglade.prebuilt.library import machine, processors
from sunglade.prebuilt.way import Way

GAMES = 48
PREBUILT_GAMES = 300


def fingerprint(game: Game, seed: int) -> str:
    """All records and legal lists of a game played to its end, and what the kernel says about each position."""
    digest = hashlib.sha256()
    for step in random_steps(game, seed):
        s = step.now
        shadows = [[int(bits) for bits in kernel.shadows(s, sun)] for sun in range(6)]
        facts = [
            step.legal_numbers,
            shadows,
            [[int(kernel.income(s, p, kernel.shadows(s, s.sun))), int(kernel.points(s, p))] for p in range(s.players)],
            [int(kernel.lit_spaces(s, s.current_round)), bool(kernel.moon_is_full(s, s.current_round))],
            int(kernel.winners(s)),
        ]
        digest.update(s.data)
        digest.update(repr(facts).encode())
    return f"{len(game.actions)} {digest.hexdigest()[:20]}"


def fingerprints(games: int = GAMES) -> Iterator[str]:
    """Games over all module sets, player counts and random options."""
    for seed in range(games):
        yield fingerprint(new_random_game(seed, MODULE_SETS[seed % len(MODULE_SETS)], 2 + seed % 3), seed)


def in_another_process(games: int = GAMES, **environment: str) -> list[str]:
    """The way of the kernel and the fingerprints as a fresh Python makes them."""
    code = f"from test_modes import *; print(way().name, *fingerprints({games}), sep='\\n')"
    return python(code, **environment).splitlines()


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    if way() is not Way.NUMBA:
        pytest.skip("these tests themselves run in another mode")
    return list(fingerprints())


@pytest.mark.slow
def test_interpreted_games_are_the_compiled_ones(compiled: list[str]) -> None:
    assert in_another_process(NUMBA_DISABLE_JIT="1") == ["INTERPRETED", *compiled]


@pytest.mark.slow
def test_bounds_checked_games_are_the_compiled_ones(compiled: list[str]) -> None:
    """Also with the masks and tables checked for indices out of range; its compiled code is cached apart."""
    assert in_another_process(NUMBA_BOUNDSCHECK="1") == ["NUMBA", *compiled]


@pytest.fixture(scope="module")
def many_of_numba() -> list[str]:
    return in_another_process(PREBUILT_GAMES, SUNGLADE_PREBUILT="")[1:]


@pytest.mark.slow
@one_build
@pytest.mark.parametrize("library", libraries("native"))
def test_prebuilt_games_are_those_that_numba_plays(library: str, many_of_numba: list[str], tmp_path: Path) -> None:
    if library not in map(machine, processors()):
        pytest.skip(f"this processor cannot run {library}")
    for file in build("native").glob(f"{library}.*"):
        shutil.copy(file, tmp_path)
    assert in_another_process(PREBUILT_GAMES, SUNGLADE_PREBUILT=str(tmp_path)) == ["PREBUILT", *many_of_numba]
