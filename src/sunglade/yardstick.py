"""The C++ programs that speed is compared with: found in a folder, built in a scratch one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from sunglade.errors import BadRequest


def build(folder: Path, source: str, scratch: Path) -> Path:
    """Compile one of the limit's programs; the path of what came out."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise BadRequest("comparing with the limit needs a C++ compiler (g++ or clang++) on this machine.")
    if not (folder / source).is_file():
        raise BadRequest(f"{folder} has no {source}; give the folder of the limit.")
    program = scratch / Path(source).stem
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(folder / source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BadRequest(f"the limit does not compile: {done.stderr.strip().splitlines()[0]}")
    return program
