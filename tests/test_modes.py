"""The kernel gives the same games prebuilt, compiled, with bounds checks, and interpreted, byte for byte."""

from __future__ import annotations

import pytest

from prebuilding import build, one_build, python
from random_games import fingerprints
from sunglade.kernel.compiler import way
from sunglade.prebuilt.way import Way

GAMES = 48
PREBUILT_GAMES = 300


def in_another_process(games: int = GAMES, **environment: str) -> list[str]:
    """The way of the kernel and the fingerprints as a fresh Python makes them."""
    imports = "from random_games import fingerprints; from sunglade.kernel.compiler import way"
    return python(f"{imports}; print(way().name, *fingerprints({games}), sep='\\n')", **environment).splitlines()


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    if way() is not Way.NUMBA:
        pytest.skip("these tests themselves run in another mode")
    return list(fingerprints(GAMES))


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
def test_prebuilt_games_are_those_that_numba_plays(many_of_numba: list[str]) -> None:
    assert in_another_process(PREBUILT_GAMES, SUNGLADE_PREBUILT=str(build("native"))) == ["PREBUILT", *many_of_numba]
