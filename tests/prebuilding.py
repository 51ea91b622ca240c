"""Libraries of the kernel, built once for all tests and kept while the sources stay the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from sunglade.prebuilding import LINKER
from sunglade.prebuilding.linking import linker_is_installed

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "build" / "prebuilt"

one_build = pytest.mark.xdist_group("prebuilt")
"""Tests that need libraries share a process, so that nothing is built twice."""


def build(kind: str) -> Path:
    """The folder with the libraries of a kind."""
    if not linker_is_installed():
        pytest.skip(f"the kernel cannot be built ahead of time here: `pip install '{LINKER}'`")
    command = [sys.executable, "-m", "sunglade.prebuilding", kind, "--into", str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return FOLDER


def python(code: str, **environment: str) -> str:
    """What a fresh Python prints that runs some code, with nothing set that changes how the kernel runs."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "SUNGLADE_PREBUILT"))}
    paths = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT / "tests"))), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=clean | paths | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
