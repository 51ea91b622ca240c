"""From object code to a library, with the compiler and the linkers of the package `ziglang`.

Under Linux and in WebAssembly `exp` and `log` are musl's and part of the library: nothing else is needed to load it,
and both give the same answers, bit for bit. Elsewhere they are the system's; nobody has tried that yet.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sunglade.prebuilding import LINKER
from sunglade.prebuilding.targets import Target

TROUBLE: Final = ("oflow", "uflow", "xflow", "divzero", "invalid", "oflowf", "uflowf", "xflowf")
MATHEMATICS: Final = (
    *("exp", "expf", "log", "exp_data", "exp2f_data", "log_data"),
    *(f"__math_{what}" for what in TROUBLE),
)
"""Files of musl that `exp`, `expf` and `log` are made of."""
SMALL: Final = ("--gc-sections", "--strip-all", "-O2")


class CannotLink(Exception):
    """The message says why."""


def linker_is_installed() -> bool:
    """Whether libraries can be made here."""
    return find_spec("ziglang") is not None


def link(target: Target, code: dict[str, bytes], out: Path) -> None:
    """Write a library with these functions, whose machine code is given."""
    with tempfile.TemporaryDirectory(prefix="sunglade-link-") as folder:
        kernel = [Path(folder, f"{name}.o") for name in code]
        for file in kernel:
            file.write_bytes(code[file.stem])
        if target.is_wasm:
            options = ["-shared", "--experimental-pic", "--no-entry"]
            exports = [f"--export={name}" for name in code]
            objects = _mathematics("wasm32-wasi", Path(folder))
            _zig("wasm-ld", *options, *exports, *SMALL, *kernel, *objects, "-o", out)
        elif sys.platform == "linux":
            objects = _mathematics(f"{target.triple.partition('-')[0]}-linux-musl", Path(folder))
            _zig("ld.lld", "-shared", *SMALL, *kernel, *objects, "-o", out)
        else:
            _zig("cc", "-shared", *kernel, "-o", out)


def _mathematics(triple: str, folder: Path) -> list[Path]:
    """Object code of musl's mathematics."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise CannotLink(f"Building the kernel ahead of time needs a linker: `pip install '{LINKER}'`.")
    musl = Path(spec.origin).parent / "lib" / "libc" / "musl"
    includes = [f"-I{musl / place}" for place in ("src/internal", "src/include", "arch/generic")]
    options = ["-O3", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", *includes]
    for name in MATHEMATICS:
        source = musl / "src" / "math" / f"{name}.c"
        _zig("cc", "-target", triple, *options, "-c", source, "-o", folder / f"{name}.o")
    return [folder / f"{name}.o" for name in MATHEMATICS]


def _zig(*command: str | Path) -> None:
    """Run one of the package's programs."""
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise CannotLink(f"`ziglang {command[0]}` failed:\n{done.stdout.strip()}")
