"""The kernel gives the same games compiled, compiled with bounds checks, and interpreted, byte for byte."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

import sunglade
from positions import MODULE_SETS, new_random_game, random_steps
from sunglade import Game, kernel

HERE = Path(__file__).parent
SOURCES = Path(sunglade.__file__).parent.parent
GAMES = 48


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


def fingerprints() -> Iterator[str]:
    """Games over all module sets, player counts and random options."""
    for seed in range(GAMES):
        yield fingerprint(new_random_game(seed, MODULE_SETS[seed % len(MODULE_SETS)], 2 + seed % 3), seed)


def mode() -> str:
    """How the kernel runs here."""
    if not hasattr(kernel.legal, "py_func"):
        return "interpreted"
    return "bounds-checked" if numba.config.BOUNDSCHECK else "compiled"


def in_another_process(**environment: str) -> list[str]:
    """The mode and the fingerprints as a fresh Python makes them."""
    paths = os.pathsep.join(map(str, (SOURCES, HERE)))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", "from test_modes import *; print(mode(), *fingerprints(), sep='\\n')"],
        env=clean | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    if mode() != "compiled":
        pytest.skip("these tests themselves run in another mode")
    return list(fingerprints())


@pytest.mark.slow
def test_interpreted_games_are_the_compiled_ones(compiled: list[str]) -> None:
    assert in_another_process(NUMBA_DISABLE_JIT="1") == ["interpreted", *compiled]


@pytest.mark.slow
def test_bounds_checked_games_are_the_compiled_ones(compiled: list[str]) -> None:
    """Also with the masks and tables checked for indices out of range; its compiled code is cached apart."""
    assert in_another_process(NUMBA_BOUNDSCHECK="1") == ["bounds-checked", *compiled]
