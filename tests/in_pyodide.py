"""Python as a page in a browser has it: Pyodide, run by Node."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from prebuilding import ROOT, build
from web.stage import hatch_build

HERE: Final = Path(__file__).parent / "pyodide"
INSTALLED: Final = ROOT / "build" / "pyodide"


def in_pyodide(code: str) -> str:
    """What Python prints there that runs some code, with the kernel as WebAssembly."""
    node = hatch_build.node()
    assert node is not None, "the client is built with Node, so there is one"
    command = [str(node), str(HERE / "run.mjs"), str(_installed(node)), str(build("wasm"))]
    done = subprocess.run(command, input=code, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _installed(node: Path) -> Path:
    """The folder of the npm package, fetched unless it is there."""
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    mark = INSTALLED / "lock.txt"
    if not mark.is_file() or mark.read_text() != lock:
        INSTALLED.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / name, INSTALLED)
        done = subprocess.run([*hatch_build.npm(node), "ci"], cwd=INSTALLED, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"Pyodide cannot be fetched here: {done.stderr.strip()[-300:]}")
        mark.write_text(lock)
    return INSTALLED / "node_modules" / "pyodide"
