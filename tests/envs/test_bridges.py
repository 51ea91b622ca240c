"""Bridges to libraries that are too large for the tests' environment: `make bridges` runs them in one that has them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = Path(os.environ.get("SUNGLADE_BRIDGES", ROOT / ".bridges")).absolute() / "bin" / "python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("bridges"),
    pytest.mark.skipif(not PYTHON.exists(), reason="`make bridges` makes the environment for them"),
]


def run(script: str, arguments: str = "") -> str:
    """What a script prints in the environment of the bridges."""
    told = {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    command = [str(PYTHON), str(ROOT / script), *arguments.split()]
    done = subprocess.run(command, env=os.environ | told, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_jax_plays_the_same_games_as_batches() -> None:
    assert run("tests/envs/jax_games.py") == "same\n"


def test_torchrl_learns_from_vectors() -> None:
    told = run("examples/torchrl_ppo.py", "--minutes 0.02 --games 8 --steps 32 --rounds 3")
    assert re.match(r"256 steps, [1-9]\d* games, margin [+-]\d+\.\d points\n", told)


def test_rllib_learns_from_single_games() -> None:
    told = run("examples/rllib_ppo.py", "--iterations 1 --steps 500 --rounds 3")
    assert re.search(r"^1: [1-9]\d* games, margin [+-]\d+\.\d points$", told, re.MULTILINE)
